"""A discriminative bigram model of compressions with soft syntactic evidence (McDonald 2006).

The score of two kept neighbours i and j is linear in: their tags and how many words are dropped between them, each dropped
word, each largest constituent that is dropped as a whole, and whether the head of i or of j is dropped in between. It is
trained by stochastic subgradients of the margin-rescaled hinge loss (Hamming loss over words), with averaged weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..errors import InputError
from ..linear_program import Floats, Integers
from .gold import Part, parts_of
from .trees import Tree, heads_of

EPOCHS = 6
STEP = 0.1
SHRINKAGE = 1e-4  # of all weights, per sentence
BUCKETS = np.array([0, 1, 2, 3, 3, 4, 4, 4, 5])  # of the number of dropped words; 5 for 8 and more


class Place(NamedTuple):
    """A constituent's words and its parent's, and its features."""

    start: int
    end: int
    parent_start: int
    parent_end: int
    features: Integers


class Features(NamedTuple):
    """A sentence with the numbers of its features."""

    words: int
    pairs: Integers  # (templates, n + 2, n + 2): of i and j as neighbours
    dropped: list[Integers]  # of each word
    places: list[Place]
    lost_heads: list[tuple[int, int, int]]  # (word, its head, feature)


class Discriminative:
    """Feature numbers and weights. While `training`, unseen features get numbers; later they are ignored (number 0)."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[str, ...], int] = {}
        self.weights: Floats = np.zeros(1)
        self.training = True

    @classmethod
    def of(cls, features: Sequence[Sequence[str]], weights: Floats) -> Discriminative:
        """A trained model; number 1 is the first feature."""
        made = cls()
        made.numbers = {tuple(feature): number for number, feature in enumerate(features, 1)}
        made.weights, made.training = weights, False
        if len(made.weights) != len(made.numbers) + 1:
            raise InputError("there must be one weight for each feature.")
        return made

    def plain_features(self) -> list[list[str]]:
        """All features, in the order of their numbers."""
        return [list(feature) for feature in sorted(self.numbers, key=self.numbers.__getitem__)]

    def number(self, *feature: str) -> int:
        if self.training:
            return self.numbers.setdefault(feature, len(self.numbers) + 1)
        return self.numbers.get(feature, 0)

    def features(self, tree: Tree) -> Features:
        tags = ["<s>", *(leaf.label for leaf in tree.leaves()), "</s>"]
        words = len(tags) - 2
        place = np.arange(words + 2)
        gaps = np.minimum(np.maximum(place - place[:, None] - 1, 0), len(BUCKETS) - 1)
        pairs = np.zeros((1, words + 2, words + 2), dtype=np.int64)
        for i, j in zip(*np.triu_indices(words + 2, 1), strict=True):
            pairs[0, i, j] = self.number("pair", tags[i], tags[j], str(BUCKETS[gaps[i, j]]))
        dropped = [
            np.array([self.number("tag", leaf.label), self.number("word", leaf.label, leaf.word or "")])
            for leaf in tree.leaves()
        ]
        places = [self.place(part) for part in parts_of(tree) if part.parent is not None]
        lost = [
            (word, head, self.number("lost head", tags[word], tags[head]))
            for word, head in enumerate(heads_of(tree), 1)
            if head
        ]
        return Features(words, pairs, dropped, places, lost)

    def place(self, part: Part) -> Place:
        parent = part.parent
        assert parent is not None
        label, above = part.node.label, parent.label
        first = next(part.node.leaves()).word or ""
        numbers = [
            self.number("constituent", label, above, "head" if part.is_head else ""),
            self.number("first word", label, first),
        ]
        return Place(part.start, part.end, part.parent_start, part.parent_end, np.array(numbers))

    def table(self, features: Features) -> Floats:
        """[i, j]: the score of i and j, i < j, as neighbours."""
        weights = self.weights
        table = weights[features.pairs].sum(axis=0)
        for word, numbers in enumerate(features.dropped, 1):
            table[:word, word + 1 :] += weights[numbers].sum()
        for place in features.places:
            score = weights[place.features].sum()
            table[: place.start, place.end :] += score
            table[: place.parent_start, place.parent_end :] -= score  # it is not the largest one there
        for word, head, number in features.lost_heads:
            if head < word:
                table[:head, word] += weights[number]
            else:
                table[word, head + 1 :] += weights[number]
        return np.triu(table, 1)

    def counts(self, features: Features, kept: Sequence[int]) -> list[Integers]:
        """The numbers of the features of a compression, with repetitions."""
        path = np.array([0, *kept, features.words + 1])
        inside = np.zeros(features.words + 3, dtype=np.int64)
        inside[list(kept)] = 1
        before = np.concatenate([[0], np.cumsum(inside)])  # kept words before each position
        found: list[Integers] = [features.pairs[:, path[:-1], path[1:]].ravel()]
        found += [numbers for word, numbers in enumerate(features.dropped, 1) if not inside[word]]
        for place in features.places:
            whole = before[place.parent_end] > before[place.parent_start]
            if whole and before[place.end] == before[place.start]:
                found.append(place.features)
        for word, head, number in features.lost_heads:
            low, high = min(word, head), max(word, head)
            if inside[word] and not inside[head]:
                between = before[high + 1] - before[low] - 1  # an end of the gap that the head is in
                if between == 0:
                    found.append(np.array([number]))
        return found


def best_path(table: Floats) -> tuple[int, ...]:
    """The best kept words by a table of bigram scores; at least one."""
    end = len(table) - 1
    value = table[0].copy()
    back = np.zeros(end + 1, dtype=np.int64)
    for j in range(2, end + 1):
        scores = value[1:j] + table[1:j, j]
        best = int(scores.argmax())
        if scores[best] > value[j] or j == end:
            value[j], back[j] = scores[best], best + 1
    kept, word = [], int(back[end])
    while word:
        kept.append(word)
        word = int(back[word])
    return tuple(reversed(kept))


def train(sentences: Sequence[tuple[Tree, tuple[int, ...]]], epochs: int = EPOCHS) -> Discriminative:
    """A model of these trees and the words that they keep; always the same for the same sentences."""
    model = Discriminative()
    data = [(model.features(tree), kept) for tree, kept in sentences]
    model.weights = np.zeros(len(model.numbers) + 1)
    model.training = False
    total = np.zeros_like(model.weights)
    rng = np.random.default_rng(2006)
    for _ in range(epochs):
        for index in rng.permutation(len(data)):
            features, kept = data[index]
            model.weights *= 1.0 - SHRINKAGE
            table = model.table(features)
            cost = np.full(features.words + 2, 1.0)  # of keeping a word; a wrongly dropped one is one less for the gold
            cost[list(kept)] = -1.0
            cost[[0, -1]] = 0.0
            found = best_path(table + cost)
            if found != kept:
                for numbers in model.counts(features, kept):
                    np.add.at(model.weights, numbers, STEP)
                for numbers in model.counts(features, found):
                    np.add.at(model.weights, numbers, -STEP)
                model.weights[0] = 0.0
            total += model.weights
    model.weights = total / (epochs * len(data))
    return model
