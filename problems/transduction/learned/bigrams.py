"""McDonald's (2006) bigram model with hashed features: `discriminative` without a list of features.

Parts are the bigrams (i, j) of a sentence's words and the start and end symbols, row by row. A part's features are those that
`Discriminative.table` adds up: the tags with the number of dropped words, each dropped word, each largest constituent that is
dropped as a whole, and whether the head of i or j is dropped in between.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...linear_program import Floats, Integers
from ...models.hashing import slot
from ..discriminative import Discriminative, Features
from ..trees import Tree


class HashedDiscriminative(Discriminative):
    """Features are numbered by a hash of their names."""

    def __init__(self, bits: int, weights: Floats | None = None) -> None:
        super().__init__()
        self.bits = bits
        self.weights = np.zeros(1 << bits) if weights is None else weights
        self.training = False

    def number(self, *feature: str) -> int:
        return slot("\t".join(feature), self.bits)


@dataclass(frozen=True, eq=False)
class BigramParts:
    """The features of all bigrams of a tree's words: `SparseRows` that are never written down."""

    tree: Tree
    bits: int
    facts: Features = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "facts", HashedDiscriminative(self.bits).features(self.tree))

    @property
    def words(self) -> int:
        return self.facts.words

    def __len__(self) -> int:
        return (self.words + 2) ** 2

    def scores(self, weights: Floats) -> Floats:
        return HashedDiscriminative(self.bits, weights).table(self.facts).ravel()

    def combine(self, coefficients: Floats) -> tuple[Integers, Floats]:
        """The sum of coefficient times features: each place once, with its value."""
        numbers: list[Integers] = []
        factors: list[float] = []
        for part in np.flatnonzero(coefficients).tolist():
            i, j = divmod(part, self.words + 2)
            found = self.features_of(i, j) if i < j else []
            numbers += found
            factors += [float(coefficients[part])] * len(found)
        if not numbers:
            return np.zeros(0, dtype=np.int64), np.zeros(0)
        indices, places = np.unique(np.concatenate(numbers), return_inverse=True)
        values = np.repeat(np.array(factors), [len(each) for each in numbers])
        sums = np.bincount(places, weights=values, minlength=len(indices))
        return indices, np.asarray(sums, dtype=np.float64)

    def features_of(self, i: int, j: int) -> list[Integers]:
        """The places of the features of one bigram, in groups."""
        facts = self.facts
        found = [facts.pairs[i, j : j + 1], *facts.dropped[i : j - 1]]
        for place in facts.places:
            whole = i < place.start and place.end <= j
            if whole and not (i < place.parent_start and place.parent_end <= j):
                found.append(place.features)
        for word, head, number in facts.lost_heads:
            if (word == j and i < head < word) or (word == i and word < head < j):
                found.append(np.array([number]))
        return found
