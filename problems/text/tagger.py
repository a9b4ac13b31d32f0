"""A part-of-speech tagger: greedy from left to right, a linear classifier over hashed features of words and of the tags before.

A tag is a pair of a coarse and a fine one where a treebank has few enough pairs, and the coarse one alone otherwise. Where a word
has one half of its pair, the other half is chosen among the pairs that agree with it.
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
from .treebank import NO_TAG, Sentence, filled_tags

MOST_PAIRS = 150  # distinct pairs of tags beyond which only coarse tags are predicted
NO_GOLD: Integers = np.zeros(0, dtype=np.int64)
NO_TOTALS = np.zeros(1)
ANY_TAG: NDArray[np.bool_] = np.zeros((0, 0), dtype=np.bool_)

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

    @cached_property
    def knows_no_fine_tags(self) -> bool:
        """Each coarse tag is a fine one, too: the treebank left fine tags open, so a sentence may leave them open as well."""
        pairs = set(self.tags)
        return all((coarse, coarse) in pairs for coarse, _ in self.tags)

    def tag(
        self, words: Sequence[str], allowed: NDArray[np.bool_] = ANY_TAG
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The coarse and the fine tags of a sentence. `allowed` has a row for each word and a column for each of the tagger's tags."""
        from ..kernels.multiclass import tag_words

        found = tag_words(
            tagger_rows(words), self.program, self.weights, NO_TOTALS, self.shift, len(self.tags), allowed, NO_GOLD, 0
        )
        pairs = [self.tags[number] for number in found.tolist()]
        return tuple(coarse for coarse, _ in pairs), tuple(fine for _, fine in pairs)

    def tagged(self, sentence: Sentence) -> Sentence:
        """The same sentence with predicted tags, whatever tags it has."""
        coarse, fine = self.tag(sentence.words)
        return replace(sentence, coarse=coarse, fine=fine)

    def as_trained(self, sentence: Sentence) -> Sentence:
        """The same sentence; fine tags that the treebank, too, left open are the coarse ones."""
        if NO_TAG not in sentence.fine or not self.knows_no_fine_tags:
            return sentence
        return replace(sentence, fine=filled_tags(sentence.fine, sentence.coarse))

    def lacks_tags(self, sentence: Sentence) -> bool:
        """Are there tags to predict?"""
        known = self.as_trained(sentence)
        return not known.coarse or NO_TAG in known.coarse or NO_TAG in known.fine

    def completed(self, sentence: Sentence) -> Sentence:
        """The same sentence with predicted tags where it has none."""
        known = self.as_trained(sentence)
        if not self.lacks_tags(known):
            return known
        if not known.coarse:
            return self.tagged(known)
        allowed = np.array([self._agreeing(*pair) for pair in zip(known.coarse, known.fine, strict=True)])
        coarse, fine = self.tag(known.words, allowed)
        return replace(known, coarse=filled_tags(known.coarse, coarse), fine=filled_tags(known.fine, fine))

    def _agreeing(self, coarse: str, fine: str) -> NDArray[np.bool_]:
        """The tags with these halves as far as they are given. Of halves that no tag has, one counts, or none."""
        upper = np.array([coarse in (NO_TAG, one) for one, _ in self.tags])
        lower = np.array([fine in (NO_TAG, one) for _, one in self.tags])
        return next((some for some in (upper & lower, upper, lower) if some.any()), np.ones(len(self.tags), np.bool_))
