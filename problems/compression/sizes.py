"""The sizes of generated sentences, apart from the generator, so that listing them is cheap."""

from __future__ import annotations

from typing import Any, NamedTuple


class Size(NamedTuple):
    """Words of a sentence: all lengths from `least` to `most` are equally likely, unless `news`."""

    least: int
    most: int
    planted: bool = True  # False: independent random scores


DEFAULT_SIZE = "news"
VARIANTS: dict[str, dict[str, Any]] = {
    "flow": {"formulation": "flow"},
    "chart": {"formulation": "chart"},
    "nonprojective": {"formulation": "flow", "projective": False},
}
"""Other models of the same sentences, as suffixes of a size (`30-flow`): experiments compare formulations by size."""
LENGTHS = (5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 200)
HARD_LENGTHS = (10, 20, 30, 40)
SIZES: dict[str, Size] = {
    "news": Size(5, 100),
    "tiny": Size(5, 7),
    **{str(length): Size(length, length) for length in LENGTHS},
    "hard": Size(15, 15, planted=False),
    **{f"hard-{length}": Size(length, length, planted=False) for length in HARD_LENGTHS},
}

ALL_SIZES = (*SIZES, *(f"{size}-{variant}" for size in ("news", "tiny", *map(str, LENGTHS)) for variant in VARIANTS))


def parse_size(name: str) -> tuple[str, dict[str, Any]]:
    """A size and what its variant changes in the instance."""
    base, _, variant = name.rpartition("-")
    return (base, VARIANTS[variant]) if variant in VARIANTS else (name, {})
