"""Seeded factor graphs of any size: a grid of pairs, and labels with a budget.

Both have a relaxation that is not integral, so that AD3 has to work. Their variables are numbered in the order of space; with
`shuffled` they are numbered at random, as in a graph whose maker did not care.
"""

from __future__ import annotations

import math

import numpy as np

from .factor_graph import FactorGraph
from .linear_program import Integers

LABELS = 5
BUDGET_SHARE = 0.1
VARIABLES = (100, 1000, 2000, 3000, 10_000, 100_000, 1_000_000)


def grid(variables: int, seed: int = 1, shuffled: bool = False) -> FactorGraph:
    """About this many 0/1 variables in a square, normal scores, and normal scores for each pair of neighbours."""
    side = max(2, round(math.sqrt(variables)))
    rng = np.random.default_rng([seed, 2011, side])
    graph = FactorGraph()
    graph.add_variables(rng.normal(size=side * side))
    place = _numbers(rng, side * side, shuffled).reshape(side, side)
    across = np.stack([place[:, :-1].ravel(), place[:, 1:].ravel()], axis=1)
    down = np.stack([place[:-1].ravel(), place[1:].ravel()], axis=1)
    pairs = np.concatenate([across, down])
    graph.add_pair_block(pairs.ravel(), rng.normal(size=len(pairs)))
    return graph


def labels(variables: int, seed: int = 1, shuffled: bool = False) -> FactorGraph:
    """Items in a row with one of five labels each (xor); neighbours get a score for each pair of equal labels, there are clauses
    on three random items, and the first label has a budget of a tenth of the items.
    """
    items = max(3, variables // LABELS)
    rng = np.random.default_rng([seed, 2012, items])
    graph = FactorGraph()
    graph.add_variables(rng.normal(size=items * LABELS))
    place = _numbers(rng, items * LABELS, shuffled).reshape(items, LABELS)
    graph.add_logic_block("xor", np.full(items, LABELS), place.ravel())
    pairs = np.stack([place[:-1].ravel(), place[1:].ravel()], axis=1)
    graph.add_pair_block(pairs.ravel(), rng.normal(0.0, 0.5, len(pairs)))
    first = rng.integers(0, items - 2, items // 4)
    clauses = np.stack([first, first + 1, first + 2], axis=1)
    chosen = rng.integers(1, LABELS, clauses.shape)
    graph.add_logic_block("or", np.full(len(clauses), 3), place[clauses, chosen].ravel())
    graph.add_budget(place[:, 0], int(BUDGET_SHARE * items))
    return graph


def _numbers(rng: np.random.Generator, count: int, shuffled: bool) -> Integers:
    return rng.permutation(count) if shuffled else np.arange(count)


GRAPHS = {"grid": grid, "labels": labels}
SIZES = tuple(f"{kind}-{count}{end}" for kind in GRAPHS for end in ("", "-shuffled") for count in VARIABLES)


def generate(seed: int, size: str) -> FactorGraph:
    """A graph of a size such as `labels-10000` or `grid-1000-shuffled`."""
    kind, count, *shuffled = size.split("-")
    return GRAPHS[kind](int(count), seed, shuffled=bool(shuffled))
