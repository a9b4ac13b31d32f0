"""The sizes of generated sentences, apart from the generator, so that listing them is cheap."""

from __future__ import annotations

from typing import NamedTuple


class Size(NamedTuple):
    """Words of a sentence: all lengths from `least` to `most` are equally likely, unless `news`."""

    least: int
    most: int
    planted: bool = True  # False: independent random scores


DEFAULT_SIZE = "news"
LENGTHS = (5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100)
HARD_LENGTHS = (10, 20, 30, 40)
SIZES: dict[str, Size] = {
    "news": Size(5, 100),
    "tiny": Size(5, 7),
    **{str(length): Size(length, length) for length in LENGTHS},
    "hard": Size(15, 15, planted=False),
    **{f"hard-{length}": Size(length, length, planted=False) for length in HARD_LENGTHS},
}
