"""McDonald's (2006) bigram model with hashed features: `discriminative` without a list of features, and with all of its templates.

Parts are the bigrams (i, j) of a sentence's words and the start and end symbols, row by row. A part's features are those that
`Discriminative.table` adds up, and more of each kind:

- of the two words: their tags, with the number of dropped words, with the tag before i or behind j, with the first and the last tag in
  between, and what they are to each other in the dependency tree;
- of each dropped word: its tag, alone, with the word, with the tags around it, and whether it has modifiers. Tags have the relation to the head;
- of each largest constituent that is dropped as a whole: its label with its parent's, its neighbours', its first word, its size;
- whether the head of i or j is dropped in between.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from ...linear_program import Floats, Integers
from ...models.hashing import slot
from ..discriminative import BUCKETS, Discriminative, Features, Place
from ..gold import Part
from ..trees import Tree, heads_of

LARGEST = len(BUCKETS) - 1


class HashedDiscriminative(Discriminative):
    """Features are numbered by a hash of their names."""

    def __init__(self, bits: int, weights: Floats | None = None) -> None:
        super().__init__()
        self.bits = bits
        self.weights = np.zeros(1 << bits) if weights is None else weights
        self.training = False

    def number(self, *feature: str) -> int:
        return _hashed(feature, self.bits)

    def features(self, tree: Tree) -> Features:
        plain = super().features(tree)
        tags = ["<s>", *(leaf.label for leaf in tree.leaves()), "</s>"]
        heads = (-1, *heads_of(tree), -1)
        pairs = np.zeros((6, *plain.pairs.shape[1:]), dtype=np.int64)
        pairs[0] = plain.pairs[0]
        for i, j in zip(*(each.tolist() for each in np.triu_indices(len(tags), 1)), strict=True):
            one, two = tags[i], tags[j]
            number = self.number
            pairs[1, i, j] = number("neighbours", one, two, "" if j > i + 1 else "in the source")
            pairs[2, i, j] = number("before", tags[i - 1] if i else "", one, two)
            pairs[3, i, j] = number("behind", one, two, tags[j + 1] if j + 1 < len(tags) else "")
            pairs[4, i, j] = number("gap", one, *((tags[i + 1], tags[j - 1]) if j > i + 1 else ()), two)
            pairs[5, i, j] = number("relation", _relation(heads, i, j), one, two)
        governed = set(heads)
        dropped = [
            np.append(
                numbers,
                [
                    self.number("tag and before", tags[word - 1], tags[word]),
                    self.number("tag and behind", tags[word], tags[word + 1]),
                    self.number("tags around", tags[word - 1], tags[word], tags[word + 1]),
                    self.number("modifiers", tags[word], "some" if word in governed else ""),
                ],
            )
            for word, numbers in enumerate(plain.dropped, 1)
        ]
        return plain._replace(pairs=pairs, dropped=dropped)

    def place(self, part: Part) -> Place:
        plain, parent, label = super().place(part), part.parent, part.node.label
        assert parent is not None
        index = next(number for number, child in enumerate(parent.children) if child is part.node)
        labels = ["", *(child.label for child in parent.children), ""]
        more = [
            self.number("neighbours of constituent", label, labels[index], labels[index + 2]),
            self.number("size", label, str(BUCKETS[min(part.end - part.start, LARGEST)])),
        ]
        return plain._replace(features=np.append(plain.features, more))


@lru_cache(maxsize=1 << 18)
def _hashed(feature: tuple[str, ...], bits: int) -> int:
    return slot("\t".join(feature), bits)


def _relation(heads: tuple[int, ...], i: int, j: int) -> str:
    """What word i is to word j."""
    if heads[i] == j:
        return "modifier"
    if heads[j] == i:
        return "head"
    return "sibling" if heads[i] == heads[j] else "none"


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
        found = [facts.pairs[:, i, j], *facts.dropped[i : j - 1]]
        for place in facts.places:
            whole = i < place.start and place.end <= j
            if whole and not (i < place.parent_start and place.parent_end <= j):
                found.append(place.features)
        for word, head, number in facts.lost_heads:
            if (word == j and i < head < word) or (word == i and word < head < j):
                found.append(np.array([number]))
        return found
