"""All faces of a factor kind describe one polytope: maximize, constrain and enumerate must agree."""

from __future__ import annotations

import numpy as np
import pytest
from graph_strategies import ALL_KINDS, one_factor
from hypothesis import given, settings
from hypothesis import strategies as st
from linear_oracle import lp_optimum

from problems.factor_graph import FactorGraph
from problems.factors.block import runs, starts_of

HULL_KINDS = [kind for kind in ALL_KINDS if kind != "knapsack"]


def face_values(graph: FactorGraph) -> tuple[float, np.ndarray]:
    """The best value of the only factor by `maximize`, and its point in the order of the variables."""
    (block,) = graph.blocks
    values, points = block.maximize(graph.scores[block.variables])
    point = np.empty(graph.number_of_variables)
    point[block.variables] = points
    return float(values[0]), point


@pytest.mark.parametrize("kind", ALL_KINDS)
@given(data=st.data())
def test_maximize_equals_the_linear_program(kind: str, data: st.DataObject) -> None:
    graph = data.draw(one_factor(kind))
    optimum = lp_optimum(graph.linear_program())
    if optimum is None:  # only a dense factor can be empty, and the strategy leaves one state allowed
        pytest.fail("the polytope of a single factor is empty")
    assert face_values(graph)[0] == pytest.approx(optimum[0], abs=1e-7)


@pytest.mark.parametrize("kind", HULL_KINDS)
@given(data=st.data())
def test_maximize_equals_enumeration(kind: str, data: st.DataObject) -> None:
    graph = data.draw(one_factor(kind))
    (block,) = graph.blocks
    configurations, own = block.enumerate(0)
    totals = configurations @ graph.scores[block.variables] + own
    value, point = face_values(graph)
    assert value == pytest.approx(totals.max(), abs=1e-9)
    assert graph.objective(point) == pytest.approx(value, abs=1e-9)


@given(data=st.data())
def test_relaxed_knapsack_lies_above_enumeration_and_within_its_budget(data: st.DataObject) -> None:
    graph = data.draw(one_factor("knapsack"))
    (block,) = graph.blocks
    configurations, _ = block.enumerate(0)
    value, point = face_values(graph)
    if len(configurations):  # negated literals can make every 0/1 point too expensive
        assert value >= (configurations @ graph.scores[block.variables]).max() - 1e-9
    assert graph.linear_program().violation(point) <= 1e-9
    assert value == pytest.approx(float(graph.scores @ point), abs=1e-9)


@pytest.mark.parametrize("kind", HULL_KINDS)
@given(data=st.data())
def test_vertices_of_the_linear_description_are_integral(kind: str, data: st.DataObject) -> None:
    graph = data.draw(one_factor(kind))
    program = graph.linear_program()
    optimum = lp_optimum(program)
    assert optimum is not None
    variables = optimum[1][: graph.number_of_variables]
    assert np.abs(variables - np.rint(variables)).max() <= 1e-7


@pytest.mark.parametrize("kind", ALL_KINDS)
@settings(max_examples=max(6, settings().max_examples // 10))
@given(data=st.data())
def test_constrain_accepts_exactly_the_enumerated_points(kind: str, data: st.DataObject) -> None:
    graph = data.draw(one_factor(kind))
    (block,) = graph.blocks
    configurations, own = block.enumerate(0)
    allowed = {}
    for configuration, score in zip(configurations, own, strict=True):
        point = np.empty(graph.number_of_variables)
        point[block.variables] = configuration
        allowed[tuple(point)] = score
    for index in range(2**graph.number_of_variables):
        point = (index >> np.arange(graph.number_of_variables)) & 1
        fixed = graph.linear_program()
        fixed.lower[: len(point)] = fixed.upper[: len(point)] = point
        optimum = lp_optimum(fixed)
        assert (optimum is not None) == (tuple(point) in allowed)
        if optimum is not None:
            assert optimum[0] == pytest.approx(graph.scores @ point + allowed[tuple(point)], abs=1e-7)


def test_subtree_rows_are_totally_unimodular() -> None:
    """Every row has one +1 and one -1 and an integer right-hand side: a network matrix, hence an integral polytope."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        count = int(rng.integers(2, 30))
        graph = FactorGraph()
        nodes = graph.add_variables(rng.normal(size=count))
        parents = [-1] + [int(rng.integers(node)) for node in range(1, count)]
        graph.add_subtree_deletion(nodes, parents, rng.normal(size=count), rng.random(count) < 0.5)
        program = graph.linear_program()
        assert (np.diff(program.row_starts) == 2).all()
        assert (np.sort(program.row_values.reshape(-1, 2), axis=1) == [-1.0, 1.0]).all()
        finite = np.concatenate([program.row_lower, program.row_upper])
        finite = finite[np.isfinite(finite)]
        assert (finite == np.rint(finite)).all()


def test_deletion_score_counts_the_cut_arc_only() -> None:
    graph = FactorGraph()
    nodes = graph.add_variables([1.0, 1.0, 1.0, 1.0])  # a chain 0 - 1 - 2 - 3
    graph.add_subtree_deletion(nodes, [-1, 0, 1, 2], [9.0, 10.0, 20.0, 40.0])
    assert graph.objective([1, 0, 0, 0]) == 1 + 10
    assert graph.objective([1, 1, 0, 0]) == 2 + 20
    assert graph.objective([0, 0, 0, 0]) == 0
    assert graph.objective([1, 0, 1, 0]) == -np.inf


def test_undeletable_arc_ties_its_ends() -> None:
    graph = FactorGraph()
    nodes = graph.add_variables([5.0, -100.0, 1.0])
    graph.add_subtree_deletion(nodes, [-1, 0, 1], [0.0, 1000.0, 0.0], [False, True, False])
    value, point = face_values(graph)
    assert value == 0.0
    assert point.tolist() == [0, 0, 0]
    assert graph.objective([1, 0, 0]) == -np.inf


def test_take_repeats_and_reorders_factors() -> None:
    graph = FactorGraph()
    x = graph.add_variables([1.0, 2.0, 3.0, 4.0])
    graph.add_knapsack(x[:2], [1, 2], 2)
    graph.add_knapsack(x[1:], [3, 4, 5], 7)
    (block,) = graph.blocks
    taken = block.take(np.array([1, 0, 1]))
    assert taken.degrees.tolist() == [3, 2, 3]
    assert taken.variables.tolist() == [1, 2, 3, 0, 1, 1, 2, 3]
    assert taken.floats.tolist() == [7, 3, 4, 5, 2, 1, 2, 7, 3, 4, 5]


@settings(max_examples=50)
@given(st.lists(st.integers(0, 4), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_runs_concatenates_ranges(lengths: list[int], random: object) -> None:
    starts = np.array([random.randrange(20) for _ in lengths])  # type: ignore[attr-defined]
    expected = [start + step for start, length in zip(starts, lengths, strict=True) for step in range(length)]
    assert runs(starts, np.array(lengths)).tolist() == expected
    assert starts_of(np.array(lengths)).tolist() == [0, *np.cumsum(lengths).tolist()]
