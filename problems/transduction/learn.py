"""Rule weights by a margin-rescaled structured SVM, as the paper trains them (after Cohn & Lapata 2007).

The score of a derivation is its log-probability plus the weights of its features (see `derive`). Each step takes a
subgradient of the hinge loss of one sentence: the best derivation with a bonus for every wrong word against the best
one that keeps the gold words. Weights shrink a little at each step and are averaged over all steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..factors.block import starts_of
from ..factors.derivation import NONE, Forest
from ..linear_program import Floats, Integers
from .derive import pack
from .grammar import Feature, Grammar
from .trees import Tree

EPOCHS = 5
STEP = 0.05
SHRINKAGE = 1e-4  # of all weights, per sentence


class Compiled(NamedTuple):
    """A sentence's forest, with the feature numbers of its edges one after the other, and its gold words."""

    forest: Forest
    edges: Integers  # whose each feature is
    numbers: Integers
    gold: tuple[int, ...]


def learn(grammar: Grammar, sentences: Sequence[tuple[Tree, tuple[int, ...]]], epochs: int = EPOCHS) -> None:
    """Give a grammar weights from source trees and the words that they keep; always the same for the same sentences."""
    known: dict[Feature, int] = {}
    data = [_compiled(grammar, tree, kept, known) for tree, kept in sentences]
    weights, total = np.zeros(len(known)), np.zeros(len(known))
    rng = np.random.default_rng(2007)
    for _ in range(epochs):
        for index in rng.permutation(len(data)):
            one = data[index]
            weights *= 1.0 - SHRINKAGE
            scores = one.forest.scores + np.bincount(
                one.edges, weights=weights[one.numbers], minlength=len(one.forest.tails)
            )
            count = int(one.forest.links.max()) + 1
            gold = np.zeros(count, dtype=bool)
            gold[np.array(one.gold) - 1] = True
            found = best_edges(one.forest, scores, np.where(gold, -1.0, 1.0), None)
            wanted = best_edges(one.forest, scores, np.zeros(count), gold)
            change = np.zeros(len(one.forest.tails))
            change[wanted] += STEP
            change[found] -= STEP
            np.add.at(weights, one.numbers, change[one.edges])
            total += weights
    average = total / (epochs * len(data))
    grammar.learnt = {feature: float(average[number]) for feature, number in known.items() if average[number]}


def _compiled(grammar: Grammar, tree: Tree, kept: tuple[int, ...], known: dict[Feature, int]) -> Compiled:
    forest, edges = pack(grammar, tree)
    owners, numbers = [], []
    for place, edge in enumerate(edges):
        for feature in edge.features:
            owners.append(place)
            numbers.append(known.setdefault(feature, len(known)))
    return Compiled(forest, np.array(owners, dtype=np.int64), np.array(numbers, dtype=np.int64), kept)


def best_edges(forest: Forest, scores: Floats, word_scores: Floats, exactly: np.ndarray | None) -> Integers:
    """The edges of the best derivation, or of the best one that keeps exactly these words (a flag for each)."""
    items = len(forest.edge_counts)
    starts, word, tails = starts_of(forest.edge_counts).tolist(), forest.links[:, 0].tolist(), forest.tails.tolist()
    worth, bonus = scores.tolist(), word_scores.tolist()
    agree = [0] * len(bonus) if exactly is None else [1 if flag else -1 for flag in exactly.tolist()]
    value: list[tuple[int, float]] = [(0, 0.0)] * items
    choice = [0] * items
    for item in range(1, items):
        best = (-(10**9), -np.inf)
        for edge in range(starts[item], starts[item + 1]):
            (one, first), (two, second) = value[tails[edge][0]], value[tails[edge][1]]
            found = (one + two, worth[edge] + first + second)
            if found > best:
                best, choice[item] = found, edge
        if word[item] != NONE:
            best = best[0] + agree[word[item]], best[1] + bonus[word[item]]
        value[item] = best
    edges, stack = [], [items - 1]
    while stack:
        edge = choice[stack.pop()]
        edges.append(edge)
        stack += [tail for tail in tails[edge] if tail]
    return np.array(sorted(edges))
