"""The reduced program: what it drops, and that neither an optimum nor a relaxation changes."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from graph_strategies import factor_graphs
from hypothesis import given
from hypothesis import strategies as st

from problems import get_task
from problems.factor_graph import FactorGraph
from solvers import get_solver
from solvers.linear.reduction import reduce_program


def covering(score: float = 2.0) -> FactorGraph:
    """A concept in two sentences, each of which costs something."""
    graph = FactorGraph()
    x = graph.add_variables([-1.0, -0.5, score])
    graph.add_logic("or_out", x)
    return graph


def rows_of(graph: FactorGraph) -> tuple[int, int]:
    return graph.linear_program().number_of_rows, reduce_program(graph).program.number_of_rows


def test_what_is_dropped() -> None:
    assert rows_of(covering()) == (3, 1)  # c <= x1 + x2 is left
    assert rows_of(covering(-2.0)) == (3, 3)  # the optimum would have c = 0 although x1 = 1
    limited = covering()
    limited.add_budget(np.array([0, 2]), 1)  # a second row keeps c from growing
    assert rows_of(limited) == (4, 4)

    tokens = FactorGraph()
    x = tokens.add_variables([-1.0, -1.0, 3.0])
    tokens.add_logic("and_out", x)
    assert rows_of(tokens) == (3, 2)  # c <= x1 and c <= x2 are left
    tokens.add_logic("imply", [x[0], x[1]])
    assert rows_of(tokens) == (4, 3)

    tree = FactorGraph()
    x = tree.add_variables([0.0, 0.0, 0.0, 1.0])
    tree.add_subtree_deletion(x[:3], [-1, 0, 1], [0.0, 1.0, 1.0])
    tree.add_logic("and_out", [x[0], x[2], x[3]])
    assert rows_of(tree) == (5, 2)  # x2 <= x1 <= x0: the conjunction is x2


def test_circles_of_implications_stay() -> None:
    graph = FactorGraph()
    x = graph.add_variables([1.0, 1.0, 1.0])
    graph.add_subtree_deletion(x[:2], [-1, 0], [0.0, 1.0])
    graph.add_subtree_deletion(x[[1, 0]], [-1, 0], [0.0, 1.0])
    graph.add_logic("and_out", [x[0], x[1], x[2]])
    solution = get_solver("ilp-highs", reduced=True).solve(graph)
    assert solution.objective == pytest.approx(3.0)
    assert solution.structure == (1, 1, 1)


def test_a_restored_assignment_satisfies_the_dropped_rows() -> None:
    """Also one that is not optimal: a library's incumbent at its time limit, or a column that is worth nothing."""
    graph = covering(0.0)
    reduction = reduce_program(graph)
    for x1, x2 in product((0.0, 1.0), repeat=2):
        restored = reduction.restore(np.array([x1, x2, 0.0]))
        assert restored.tolist() == [x1, x2, max(x1, x2)]
        assert math.isfinite(graph.objective(restored))


KINDS = ("or_out", "and_out", "imply", "xor", "at_most_one", "budget", "knapsack", "pair", "subtree")


@given(factor_graphs(kinds=KINDS), st.booleans())
def test_optimum_and_relaxation_stay(graph: FactorGraph, flip: bool) -> None:
    if flip:  # more columns that may be raised
        graph.add_scores(np.arange(graph.number_of_variables), 2 * np.abs(graph.scores))
    best = get_solver("brute-force").solve(graph)
    found = get_solver("ilp-highs", reduced=True).solve(graph)
    assert found.status == best.status
    plain = get_solver("lp-highs", rounding="none").solve(graph)
    reduced = get_solver("lp-highs", rounding="none", reduced=True).solve(graph)
    assert reduced.status == plain.status
    if best.status == "optimal":
        assert found.objective == pytest.approx(best.objective, rel=1e-6, abs=1e-6)
    if math.isfinite(plain.bound):
        assert reduced.bound == pytest.approx(plain.bound, rel=1e-6, abs=1e-6)


@given(st.integers(0, 10_000), st.sampled_from(["extraction", "summarization"]), st.booleans())
def test_summaries_keep_their_optimum(seed: int, name: str, negative: bool) -> None:
    task = get_task(name)
    graph = task.graph(task.generate(seed, "tiny"))
    if negative:  # scores of both signs, as learned ones have
        graph.add_scores(
            np.arange(graph.number_of_variables),
            np.random.default_rng(seed).normal(0.0, 3.0, graph.number_of_variables),
        )
    plain, reduced = (get_solver("ilp-glpk", reduced=choice).solve(graph) for choice in (False, True))
    assert reduced.status == plain.status == "optimal"
    assert reduced.objective == pytest.approx(plain.objective, rel=1e-6)


def test_newswire_clusters_become_a_third() -> None:
    """Small enough for the licences that commercial libraries come with."""
    for name in ("extraction", "summarization"):
        task = get_task(name)
        before, after = rows_of(task.graph(task.generate(3, "tac")))
        assert after < 0.35 * before
