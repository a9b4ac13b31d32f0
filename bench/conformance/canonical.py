"""Canonical factor graphs with optima computed by hand: each kind of factor, and what solvers stumble over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from problems.compression.forests import kept_path, kept_tree
from problems.factor_graph import FactorGraph

GRAPH = "graph"


@dataclass(frozen=True)
class Problem:
    """A problem that is made anew for every use, as a solver might change it. No optimum: it is infeasible."""

    name: str
    task: str
    make: Callable[[], Any]
    optimum: float | None


def _of(name: str, optimum: float | None, scores: Sequence[float], *build: Callable[[FactorGraph], None]) -> Problem:
    def make() -> FactorGraph:
        graph = FactorGraph()
        if len(scores):
            graph.add_variables(scores)
        for step in build:
            step(graph)
        return graph

    return Problem(name, GRAPH, make, optimum)


def _logic(kind: str, variables: Sequence[int], negated: Sequence[bool] | None = None) -> Callable[[FactorGraph], None]:
    return lambda graph: graph.add_logic(kind, variables, negated)


def _pairs(*pairs: tuple[int, int, float]) -> Callable[[FactorGraph], None]:
    links = [variable for first, second, _ in pairs for variable in (first, second)]
    return lambda graph: graph.add_pair_block(links, [score for _, _, score in pairs])


def _factors() -> list[Problem]:
    """Each kind of factor alone, plain and negated."""
    three = (0, 1, 2)
    first = (True, False, False)
    return [
        _of("xor", 1.0, [0.5, -0.2, 1.0], _logic("xor", three)),
        _of("xor, negated", 1.5, [0.5, -0.2, 1.0], _logic("xor", three, first)),
        _of("at_most_one", 0.75, [0.5, 0.75, 0.25], _logic("at_most_one", three)),
        _of("at_most_one, negated", 0.25, [-0.5, -0.25, 1.0], _logic("at_most_one", three, (True, True, False))),
        _of("or", -0.2, [-0.5, -0.2, -1.0], _logic("or", three)),
        _of("or, negated", 0.8, [0.2, 0.5, 0.3], _logic("or", three, (True, True, True))),
        _of("or_out", 0.6, [-1.0, -0.4, 1.0], _logic("or_out", three)),
        _of("or_out, negated", 1.0, [0.5, 0.25, 1.0], _logic("or_out", three, (False, False, True))),
        _of("and_out", 0.3, [-0.3, -0.4, 1.0], _logic("and_out", three)),
        _of("imply", 1.1, [1.0, 0.5, -0.4], _logic("imply", three)),
        _of("xor_out", 0.4, [0.5, 0.4, -0.1], _logic("xor_out", three)),
        _of("budget", 5.0, [3.0, 2.0, 1.0], lambda graph: graph.add_budget(three, 2)),
        _of("budget, negated", -1.0, [-3.0, -2.0, -1.0], lambda graph: graph.add_budget(three, 2, (True, True, True))),
        _of("budget of nothing", 0.0, [3.0, 2.0, 1.0], lambda graph: graph.add_budget(three, 0)),
        _of("knapsack", 7.0, [6.0, 4.0, 3.0], lambda graph: graph.add_knapsack(three, [4, 3, 2], 5)),
        _of("knapsack hull", 7.0, [6.0, 4.0, 3.0], lambda graph: graph.add_knapsack(three, [4, 3, 2], 5, hull=True)),
        _of("pair", 1.0, [-1.0, -1.0], _pairs((0, 1, 3.0))),
        _of("pair, repelling", 1.0, [1.0, 0.5], _pairs((0, 1, -2.0))),
        _of("dense", 2.25, [0.0, 0.5, 0.25, 0.0, 1.0], _dense),
        _of("subtree", 0.75, [0.5, -1.0, 0.25, 2.0, -2.0], _subtree),
        *_parsing_factors(),
        _of("derivation", 0.75, [1.0, -0.5], _derivation),
        _of("derivation, negated", 1.2, [0.5, 0.2, 0.1], _negated_derivation),
    ]


def _dense(graph: FactorGraph) -> None:
    """Groups {0, 1} and {2, 3, 4}; the best unary choice (1, 4) is forbidden, (0, 4) scores 0 + 1 + 1.25."""
    graph.add_dense([[0, 1], [2, 3, 4]], [[0.0, -1.0, 1.25], [0.5, 1.0, -np.inf]])


def _subtree(graph: FactorGraph) -> None:
    """0 with children 1 (and its child 2) and 3 (and its child 4, which cannot be deleted).

    Deleting the subtree of 1 scores 0.25, that of 3 costs 1.0: the best is to keep 0 alone, 0.5 + 0.25 - 1.0, or
    with 3 and 4, 0.5 + 0.25 + 2.0 - 2.0.
    """
    graph.add_subtree_deletion(range(5), [-1, 0, 1, 0, 3], [0.0, 0.25, 0.0, -1.0, 0.0], [False] * 4 + [True])


def _parsing_factors() -> list[Problem]:
    """Trees over two and three words; automata of word 1 with modifiers to its right; the heads of two words."""
    two, three = ([0, 2, 0, 1], [1, 1, 2, 2], 2), ([0, 2, 0, 1, 1, 2], [1, 1, 2, 2, 3, 3], 3)
    return [
        _of("arborescence", 4.0, [1.0, 3.0, 1.0, 2.0], lambda graph: graph.add_arborescence(range(4), *two)),
        _of("single root", 4.0, [3.0, 1.0, 3.0, 1.0], lambda graph: graph.add_arborescence(range(4), *two, True)),
        # the best tree, worth 7, has 1 -> 3 across 0 -> 2
        _of(
            "projective", 5.0, [0.0, 1.0, 1.0, 0.0, 5.0, 1.0], lambda graph: graph.add_projective_tree(range(6), *three)
        ),
        _of("grand-siblings", 2.25, [0.0, 1.0, 0.5, 0.5], _grand_siblings),
        _of("tri-siblings", 1.25, [0.5, -0.25, -0.5], _tri_siblings),
        _of("head bigrams", 2.0, [0.5, 0.0, 0.0, 0.25], _head_bigrams),
    ]


def _grand_siblings(graph: FactorGraph) -> None:
    """Heads 0 and 3 of word 1, whose modifiers are 2 and 3: with head 0, 3 alone 2.25, both 1.5; with head 3, 2 alone 1.75."""
    sibling, grand_sibling = np.zeros((3, 3)), np.zeros((2, 3, 3))
    sibling[0, 1], sibling[0, 2], sibling[2, 2] = 0.25, -1.0, 0.5
    grand_sibling[0, 1, 1] = -1.0
    graph.add_grand_siblings([0, 1], [2, 3], [0, 3], [2, 3], sibling, [[0.0, 1.0], [0.25, 0.0]], grand_sibling)


def _tri_siblings(graph: FactorGraph) -> None:
    """All three modifiers: -0.25, 1.0 for themselves and 0.5 for the last two and END; the first alone: 0.5."""
    scores = np.zeros((3, 3, 4))
    scores[0, 1, 2], scores[0, 1, 3], scores[1, 2, 3], scores[0, 2, 3] = 1.0, -1.0, 0.5, 0.25
    graph.add_tri_siblings([0, 1, 2], scores)


def _head_bigrams(graph: FactorGraph) -> None:
    graph.add_head_bigrams([[0, 1], [2, 3]], [np.array([[0.0, 1.0], [2.0, -1.0]])])


def _derivation(graph: FactorGraph) -> None:
    """Trees over some of two words. Both below the second one are worth 1.0 - 0.5 + 0.25 + 0.5, less 0.5 as neighbours."""
    bigrams = np.zeros((4, 4))
    bigrams[1, 2] = -0.5
    graph.add_derivation((0, 1), kept_tree(np.array([[-2.0, 0.25], [0.0, 0.75], [0.5, 0.0]]), bigrams))


def _negated_derivation(graph: FactorGraph) -> None:
    """Two of three variables are false; if they are the outer ones, that is worth 1.0."""
    bigrams = np.zeros((5, 5))
    bigrams[1, 3] = 1.0
    graph.add_derivation((0, 1, 2), kept_path(bigrams, 2), (True, True, True))


def _corners() -> list[Problem]:
    """Sizes, ties, signs and magnitudes."""
    return [
        _of("empty graph", 0.0, []),
        _of("one variable", 2.5, [2.5]),
        _of("one variable, better false", 0.0, [-2.5]),
        _of("no factors", 1.5, [1.0, -2.0, 0.5]),
        _of("zero scores", 0.0, [0.0] * 4, _logic("xor", (0, 1)), _logic("or", (2, 3))),
        _of("ties", 1.0, [1.0] * 4, _logic("xor", (0, 1, 2, 3))),
        _of("negative scores", -3.0, [-1.0, -2.0, -3.0, -2.0], _logic("or", (0, 2)), _logic("xor", (1, 3))),
        _of("fractional triangle", 1.0, [1.0] * 3, _pairs((0, 1, -1.5), (0, 2, -1.5), (1, 2, -1.5))),
        _of("matching", 2.0, [1.0] * 6, *(_logic("at_most_one", p) for p in _k4())),
        *(_scaled(unit) for unit in (1e-9, 1e9)),
        _of("mixed magnitudes", 1e6 + 1e-3, [1e6, 1e-3, -1e3], _logic("or", (0, 1, 2))),
    ]


def _k4() -> list[tuple[int, int, int]]:
    """The edges of a complete graph on four nodes, by node: a matching has at most two."""
    edges = [(a, b) for a in range(4) for b in range(a)]
    return [tuple(number for number, edge in enumerate(edges) if node in edge) for node in range(4)]  # type: ignore[misc]


def _scaled(unit: float) -> Problem:
    """A fractional triangle and a knapsack in units of `unit`: 1 for the triangle, 7 for the knapsack."""
    scores = [unit * score for score in (1.0, 1.0, 1.0, 6.0, 4.0, 3.0)]
    pairs = _pairs(*((a, b, -1.5 * unit) for a, b in ((0, 1), (0, 2), (1, 2))))
    return _of(f"scores of {unit:g}", 8.0 * unit, scores, pairs, lambda g: g.add_knapsack((3, 4, 5), [4, 3, 2], 5))


def _infeasible() -> list[Problem]:
    return [
        _of("xor against a budget of 0", None, [1.0, 2.0], _logic("xor", (0, 1)), lambda g: g.add_budget((0, 1), 0)),
        _of("x and not x", None, [1.0], _logic("or", (0,)), _logic("or", (0,), (True,))),
        _of("odd cycle of xors", None, [0.3, 0.2, 0.1], *(_logic("xor", pair) for pair in ((0, 1), (1, 2), (0, 2)))),
    ]


def hard_graph() -> FactorGraph:
    """Random pairs and a knapsack: exact solvers take a second or much more. Its 1,930 rows fit Gurobi's free licence."""
    size, rng = 51, np.random.default_rng(1)
    graph = FactorGraph()
    variables = graph.add_variables(np.round(rng.normal(size=size), 3))
    pairs = [(a, b) for a in range(size) for b in range(a) if rng.random() < 0.5]
    graph.add_pair_block(np.array(pairs).ravel(), np.round(rng.normal(size=len(pairs)), 3))
    graph.add_knapsack(variables, rng.integers(1, 9, size), 2 * size)
    return graph


GRAPHS: tuple[Problem, ...] = (*_factors(), *_corners(), *_infeasible())
