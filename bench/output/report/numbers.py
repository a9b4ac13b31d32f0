"""Numbers as a reader wants them: three significant digits, never more than the measurement has."""

from __future__ import annotations

import math

NONE = "\N{EN DASH}"


def present(value: float | None) -> bool:
    """Is there a number?"""
    return value is not None and math.isfinite(value)


def number(value: float | None, digits: int = 3) -> str:
    """A number with so many significant digits (an `int` is exact and has no decimals)."""
    if value is None or math.isnan(value):
        return NONE
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if value == 0:
        return "0"
    size = abs(value)
    if size < 1e-4 or size >= 1e7:
        mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
        return f"{mantissa}e{int(exponent)}"
    decimals = max(0, digits - 1 - math.floor(math.log10(size)))
    return f"{value:,.{0 if isinstance(value, int) else decimals}f}"


def seconds(value: float | None) -> str:
    """A time with its unit."""
    if value is None or not math.isfinite(value):
        return number(value)
    return f"{number(value * 1000)} ms" if value < 1 else f"{number(value)} s"


def counted(count: int, noun: str, plural: str = "") -> str:
    """`1 cell`, `2 cells`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def listed(names: list[str], most: int = 6) -> str:
    """Names in a sentence; a long list is cut and says so."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
