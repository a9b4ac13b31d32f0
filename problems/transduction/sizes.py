"""The sizes of generated sentences, apart from the generator, so that listing them is cheap."""

from __future__ import annotations

from typing import Literal, NamedTuple

Scores = Literal["bigram", "trigram", "discriminative"]


class Size(NamedTuple):
    """Words of a sentence (news sentences have lengths of their own), the n-gram scores, and whether length is fixed."""

    least: int
    most: int
    scores: Scores = "bigram"
    fixed: bool = False


DEFAULT_SIZE = "news"
LENGTHS: dict[str, tuple[int, int]] = {
    "news": (6, 50),
    "tiny": (5, 7),
    **{str(length): (length, length) for length in (10, 20, 25, 30, 40)},
}
VARIANTS: dict[str, tuple[Scores, bool]] = {
    "": ("bigram", False),
    "-fixed": ("bigram", True),
    "-trigram": ("trigram", False),
    "-trigram-fixed": ("trigram", True),
    "-discriminative": ("discriminative", False),
}
SIZES: dict[str, Size] = {
    name + ending: Size(*limits, *variant) for ending, variant in VARIANTS.items() for name, limits in LENGTHS.items()
}
