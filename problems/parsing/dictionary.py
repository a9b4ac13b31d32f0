"""Which arcs are possible at all: pairs of coarse tags that a treebank has, up to the longest distance that it has them at.

The turbo parser's filter. It costs nothing next to scores of arcs, and leaves fewer than half of them to be scored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..linear_program import Integers
from ..text.treebank import Sentence
from .instance import unreachable_over
from .pruning import candidates

FAR = 1 << 20  # longer than any sentence


@dataclass(frozen=True)
class ArcDictionary:
    """`longest[head, modifier, side]` by numbers of tags: 0 is the root symbol, then come the tags. The side is 1 to the right.

    A tag that the treebank does not have may go with any other. Distances from the root symbol do not count.
    """

    tags: tuple[str, ...]
    longest: NDArray[np.int32]

    def __post_init__(self) -> None:
        size = len(self.tags) + 1
        if self.longest.shape != (size, size, 2):
            raise InputError(f"the longest arcs of {len(self.tags)} tags must be an array of shape {(size, size, 2)}.")

    @classmethod
    def of(cls, sentences: Sequence[Sentence]) -> ArcDictionary:
        """The arcs of a treebank."""
        tags = tuple(sorted({tag for sentence in sentences for tag in sentence.coarse}))
        numbers = {tag: number for number, tag in enumerate(tags, 1)}
        longest = np.zeros((len(tags) + 1, len(tags) + 1, 2), dtype=np.int32)
        for sentence in sentences:
            above = np.array([0, *(numbers[tag] for tag in sentence.coarse)])
            heads, words = np.asarray(sentence.heads), np.arange(1, len(sentence) + 1)
            far = np.where(heads == 0, FAR, np.abs(heads - words))
            np.maximum.at(longest, (above[heads], above[words], (words > heads).astype(np.int64)), far)
        return cls(tags, longest)

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {tag: number for number, tag in enumerate(self.tags, 1)}

    @cached_property
    def limits(self) -> Integers:
        """The same with one more row and column for tags that are not known."""
        size = len(self.longest) + 1
        found = np.full((size, size, 2), FAR, dtype=np.int64)
        found[:-1, :-1] = self.longest
        return found

    def arcs(self, sentence: Sentence, single_root: bool) -> tuple[Integers, Integers]:
        """Heads and modifiers of the possible arcs; all there are where these contain no tree."""
        heads, modifiers = candidates(len(sentence))
        unknown = len(self.tags) + 1
        tags = np.array([0, *(self.numbers.get(tag, unknown) for tag in sentence.coarse)])
        right = (modifiers > heads).astype(np.int64)
        far = np.where(heads == 0, 1, np.abs(heads - modifiers))
        keep = far <= self.limits[tags[heads], tags[modifiers], right]
        some = heads[keep], modifiers[keep]
        if unreachable_over(len(sentence), *some, single_root):
            return heads, modifiers
        return some
