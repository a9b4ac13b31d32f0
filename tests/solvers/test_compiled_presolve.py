"""AD3's compiled presolve hands the driver what presolve in numpy would, to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from checked_graphs import extraction_graph, summarization_graph
from graph_strategies import factor_graphs, summary_graphs
from hypothesis import given, settings
from presolve_reference import numpy_reduction, reference

from problems import get_task
from problems.factor_graph import FactorGraph
from solvers import consensus, get_solver
from solvers.ad3_engine import Engine
from solvers.base import Solution
from solvers.compiled_presolve import reduce_graph
from solvers.consensus import Consensus


def same(found: np.ndarray, expected: np.ndarray) -> bool:
    """Equal in kind and in every bit, but for the sign of a zero."""
    return found.dtype == expected.dtype and np.array_equal(found, expected)


def check(graph: FactorGraph) -> None:
    before = [array.copy() for block in graph.blocks for array in (block.variables, block.ints, block.floats)]
    found, expected = reduce_graph(graph), reference(graph)
    assert (found.flat.kinds, found.flat.counts) == (expected.flat.kinds, expected.flat.counts)
    for name in expected.flat._fields[2:]:
        assert same(getattr(found.flat, name), getattr(expected.flat, name)), name
    for name in ("scores", "merged_scores", "variable_of"):
        assert same(getattr(found, name), getattr(expected, name)), name
    eliminated, inputs = found.eliminated, expected.inputs
    assert eliminated.constant == expected.constant
    assert same(eliminated.outputs, expected.outputs)
    assert same(eliminated.inverted, expected.inverted)
    assert same(eliminated.starts, inputs.starts)
    assert same(eliminated.literals, 2 * inputs.variables + inputs.negated)
    assert same(eliminated.worth, inputs.floats)
    after = [array for block in graph.blocks for array in (block.variables, block.ints, block.floats)]
    assert all(same(*pair) for pair in zip(after, before, strict=True))  # the graph stays as it was


@given(graph=factor_graphs())
@settings(max_examples=200)
def test_graphs(graph: FactorGraph) -> None:
    check(graph)


@given(graph=summary_graphs())
@settings(max_examples=200)
def test_summaries(graph: FactorGraph) -> None:
    check(graph)


@pytest.mark.parametrize("task", ["extraction", "summarization"])
@pytest.mark.parametrize("size", ["tiny", "tac", "zipf"])
def test_generated_instances(task: str, size: str) -> None:
    for seed in range(3):
        check(get_task(task).graph(get_task(task).generate(seed=seed, size=size)))


def test_outputs_without_a_score_and_concepts_of_both_signs() -> None:
    graph = FactorGraph()
    x = graph.add_variables([0.5, -0.25, 0.0, 1.0])
    for score in (0.0, 1.0, -2.0, 0.3, -0.0, 0.1, -0.7):
        graph.add_logic("or_out", [*x[:3], *graph.add_variables([score])])
        graph.add_logic("and_out", [*x[1:], *graph.add_variables([score / 3])])
    graph.add_budget(x, 2)
    check(graph)


def test_budgets_over_equal_variables_become_knapsacks() -> None:
    graph = FactorGraph()
    x = graph.add_variables(np.linspace(-1.0, 1.0, 8))
    graph.add_subtree_deletion(x[[3, 1, 0, 2]], [-1, 0, 0, 1], [0.0, 0.1, 0.2, 0.3], [False, True, False, True])
    graph.add_logic("or_out", x[[7, 5]])
    graph.add_logic("or_out", x[[6, 4, 7]])
    graph.add_budget(x[[7, 5, 3, 1, 2]], 2, negated=[True, True, False, False, True])
    graph.add_budget(x[[6, 4]], 1)
    check(graph)
    graph.add_knapsack(x[:3], [1.0, 2.0, 3.0], 4.0)
    check(graph)


def test_a_graph_of_equalities_has_no_factors_left() -> None:
    graph = FactorGraph()
    x = graph.add_variables([1.0, -2.0, 0.5])
    graph.add_logic("or_out", x[:2])
    graph.add_logic("and_out", x[1:])
    check(graph)
    assert not len(Consensus(graph, eliminating=True).layout.codes)


def assert_same_solution(found: Solution, expected: Solution) -> None:
    names = ("status", "structure", "objective", "bound", "integral", "iterations", "message", "info")
    assert all(getattr(found, name) == getattr(expected, name) for name in names)
    assert found.posteriors is not None
    assert expected.posteriors is not None
    assert found.posteriors.tobytes() == expected.posteriors.tobytes()


@pytest.mark.parametrize("task", ["extraction", "summarization"])
@pytest.mark.parametrize("size", ["tiny", "tac", "zipf"])
@pytest.mark.parametrize("options", [{}, {"hub": False, "over_relaxation": 1.0}, {"bound_target": 0.0}])
def test_solutions_are_those_of_checked_graphs_and_numpy(
    task: str, size: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = get_task(task).generate(seed=11, size=size)
    solver = get_solver("ad3", max_iterations=120, **options)
    found = solver.solve(instance)
    checked = {"extraction": extraction_graph, "summarization": summarization_graph}[task]
    monkeypatch.setattr(type(get_task(task)), "graph", lambda self, instance: checked(instance))
    assert_same_solution(solver.solve(instance), found)
    monkeypatch.setattr(consensus, "reduce_graph", numpy_reduction)
    assert_same_solution(solver.solve(instance), found)


@given(graph=summary_graphs())
def test_iterates_are_those_of_numpy(graph: FactorGraph) -> None:
    compiled = Engine(graph, 1.0, 1.6)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(consensus, "reduce_graph", numpy_reduction)
        numpy = Engine(graph, 1.0, 1.6)
    for name in compiled.layout._fields:
        assert np.array_equal(getattr(compiled.layout, name), getattr(numpy.layout, name)), name
    for _ in range(10):
        for engine in (compiled, numpy):
            engine.iterate(2, 0.0)
        assert compiled.posteriors().tobytes() == numpy.posteriors().tobytes()
        assert compiled.dual_value() == numpy.dual_value()
