"""A part-of-speech tagger: greedy from left to right, a linear classifier over hashed features of words and of the tags before.

A tag is a pair of a coarse and a fine one where a treebank has few enough pairs, and the coarse one alone otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..linear_program import Integers
from ..parsing.atoms import tagger_rows
from ..parsing.templates import tagger_program
from .treebank import Sentence

MOST_PAIRS = 150  # distinct pairs of tags beyond which only coarse tags are predicted
NO_GOLD: Integers = np.zeros(0, dtype=np.int64)
NO_TOTALS = np.zeros(1)

Tag = tuple[str, str]


def tag_set(sentences: Sequence[Sentence]) -> list[Tag]:
    """The tags to learn, in a fixed order."""
    pairs = {pair for sentence in sentences for pair in zip(sentence.coarse, sentence.fine, strict=True)}
    if len(pairs) > MOST_PAIRS:
        pairs = {(coarse, coarse) for coarse, _ in pairs}
    return sorted(pairs)


@dataclass(frozen=True)
class Tagger:
    tags: list[Tag]
    weights: NDArray[np.float32]

    @cached_property
    def program(self) -> Integers:
        return tagger_program()

    @cached_property
    def shift(self) -> int:
        return 64 - (len(self.weights).bit_length() - 1)

    def tag(self, words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The coarse and the fine tags of a sentence."""
        from ..kernels.multiclass import tag_words

        found = tag_words(
            tagger_rows(words), self.program, self.weights, NO_TOTALS, self.shift, len(self.tags), NO_GOLD, 0
        )
        pairs = [self.tags[number] for number in found.tolist()]
        return tuple(coarse for coarse, _ in pairs), tuple(fine for _, fine in pairs)

    def tagged(self, sentence: Sentence) -> Sentence:
        """The same sentence with predicted tags."""
        coarse, fine = self.tag(sentence.words)
        return replace(sentence, coarse=coarse, fine=fine)
