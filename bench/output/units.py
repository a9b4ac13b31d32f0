"""What a measure of quality is printed in: shares of one as per cent, so that every table has the same unit, and a heading that says so."""

from __future__ import annotations

from collections.abc import Callable

SHARES = frozenset(
    ("ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4", "UAS", "UAS-ptb", "UAS-unicode", "non-projective recall")
)
SHARES |= {"compression rate", "unigram F1", "relation F1", "exact match"}
"""Measures that records keep as a share of one; all others are printed as they are."""
PRINTED = {"UAS": "%", "ROUGE-2": "%", "R-2": "%", "R-SU4": "%", "Pyr": "%", "LQ": "1 to 5"}
PRINTED |= dict.fromkeys(("C Rate", "F_uni", "RASP"), "share")
"""Units that the papers' own headings leave out, by the last words of a heading."""


def heading_of(measure: str) -> str:
    """A measure as the heading of a column or the label of an axis."""
    return f"{measure} %" if measure in SHARES else measure


def scale_of(measure: str) -> float:
    """What a record's value is multiplied by where it is printed."""
    return 100.0 if measure in SHARES else 1.0


def measured(name: str, value: float, form: Callable[[float], str]) -> str:
    """A measure and its value in a sentence."""
    return f"{name} {form(scale_of(name) * value)}{' %' if name in SHARES else ''}"


def with_unit(heading: str) -> str:
    """A paper's heading with the unit of its column, where it is known and not there yet."""
    unit = next((unit for name, unit in PRINTED.items() if f" {heading}".endswith(f" {name}")), "")
    return f"{heading} ({unit})" if unit else heading
