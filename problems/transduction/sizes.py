"""The sizes of generated sentences, apart from the generator, so that listing them is cheap."""

from __future__ import annotations

from typing import Literal, NamedTuple

Scores = Literal["bigram", "trigram", "discriminative"]


class Size(NamedTuple):
    """Words of a sentence (news sentences have lengths of their own), and what is made of it."""

    least: int
    most: int
    scores: Scores = "bigram"
    fixed: bool = False  # the length
    setting: str = "bigram"  # a row of `models.SETTINGS`


DEFAULT_SIZE = "news"
LENGTHS: dict[str, tuple[int, int]] = {
    "news": (6, 50),
    "tiny": (5, 7),
    **{str(length): (length, length) for length in (10, 20, 25, 30, 40, 60, 100, 200)},
}
VARIANTS: dict[str, tuple[Scores, bool, str]] = {
    "": ("bigram", False, "bigram"),
    "-fixed": ("bigram", True, "bigram"),
    "-strong": ("bigram", False, "bigram, strong"),
    "-rules-alone": ("bigram", False, "rules alone"),
    "-trigram": ("trigram", False, "trigram"),
    "-trigram-fixed": ("trigram", True, "trigram"),
    "-trigram-strong": ("trigram", False, "trigram, strong"),
    "-discriminative": ("discriminative", False, "discriminative"),
    "-discriminative-alone": ("discriminative", False, "discriminative alone"),
}
LONGEST = 50  # words of a sentence that has variants: a table of trigrams is cubic
SIZES: dict[str, Size] = {
    name + ending: Size(least, most, scores, fixed, setting)
    for ending, (scores, fixed, setting) in VARIANTS.items()
    for name, (least, most) in LENGTHS.items()
    if not ending or most <= LONGEST
}
