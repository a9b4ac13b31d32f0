"""Random transduction instances over small forests, and all their derivations by recursion."""

from __future__ import annotations

from itertools import product

import numpy as np

from problems.factors.derivation import NONE, Forest, forest_of
from problems.transduction.instance import Transduction, TransductionInstance, objective


class _Maker:
    """Items bottom up: a word, or a node over an interval with the ways to derive it from the nodes of its parts."""

    def __init__(self, random: np.random.Generator, whole_scores: bool) -> None:
        self.random, self.whole = random, whole_scores
        self.links, self.edges = [[NONE, NONE]], []

    def item(self, link: int = NONE) -> int:
        self.links.append([link, NONE])
        return len(self.links) - 1

    def edge(self, item: int, one: int = 0, two: int = 0) -> None:
        score = self.random.integers(-2, 3) if self.whole else self.random.normal()
        self.edges.append((item, one, two, float(score)))

    def node(self, low: int, high: int) -> int:
        """A node over the words from `low` to before `high`; deletion is one of its derivations, but not always."""
        tails: list[tuple[int, int]] = []
        if high - low == 1:
            word = self.item(low)
            self.edge(word)
            tails.append((word, 0))
        else:
            for _ in range(self.random.integers(1, 3)):
                middle = int(self.random.integers(low + 1, high))
                one, two = self.node(low, middle), self.node(middle, high)
                tails.append((one, two))
                tails += [pair for pair in ((one, 0), (two, 0)) if self.random.random() < 0.2]
        if self.random.random() < 0.3:
            tails.append((0, 0))
        made = self.item()
        for one, two in tails:
            self.edge(made, one, two)
        return made

    def forest(self, words: int) -> Forest:
        goal = self.node(0, words)
        assert goal == len(self.links) - 1
        derived, one, two, scores = (np.array(part) for part in zip(*self.edges, strict=True))
        return forest_of(len(self.links), np.array(self.links), [(derived, one, two, scores)])


def random_instance(
    seed: int, words: int, order: int = 2, length: int | None = None, whole_scores: bool = False
) -> TransductionInstance:
    random = np.random.default_rng([seed, words])
    forest = _Maker(random, whole_scores).forest(words)
    shape = (words + 2,) * order
    ngrams = random.integers(-2, 3, shape) if whole_scores else random.normal(size=shape)
    return TransductionInstance(
        f"random {seed}",
        tuple(f"w{word}" for word in range(1, words + 1)),
        forest,
        bigram_scores=ngrams if order == 2 else None,
        trigram_scores=ngrams if order == 3 else None,
        reward=float(random.integers(-1, 2)),
        length=length,
        rule_weight=1.0 if whole_scores else 0.7,
        ngram_weight=1.0 if whole_scores else 1.3,
    )


def derivations(forest: Forest, empty: bool = False) -> list[Transduction]:
    """Every derivation of the goal that keeps a word; or also those that do not."""
    starts = np.concatenate([[0], np.cumsum(forest.edge_counts)]).tolist()
    found: list[list[Transduction]] = [[((), ())]]
    for item in range(1, len(forest.edge_counts)):
        link = int(forest.links[item, 0])
        own = (link + 1,) if link != NONE else ()
        made = []
        for edge in range(starts[item], starts[item + 1]):
            one, two = forest.tails[edge].tolist()
            for left, right in product(found[one], found[two]):
                made.append((own + left[0] + right[0], (edge, *left[1], *right[1])))
        found.append(made)
    return [(kept, tuple(sorted(edges))) for kept, edges in found[-1] if kept or empty]


def optimum(instance: TransductionInstance) -> float:
    """The best value of all derivations; -inf where none has the length."""
    fits = [each for each in derivations(instance.forest) if instance.length in (None, len(each[0]))]
    return max((objective(instance, each) for each in fits), default=-np.inf)
