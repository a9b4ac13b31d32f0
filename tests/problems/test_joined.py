"""Factors that AD3's presolve joins: their faces agree with enumeration and linear programs, and their projections are projections."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from linear_oracle import lp_optimum

from problems.factors.block import Block
from problems.factors.joined import PairCoverage, TreeBudget, one_factor
from problems.kernels.cache import kernel
from problems.kernels.tree_budget import PRICE, TOLERANCE, WEIGHTS, project_tree_budget, tree_budget_memory
from problems.linear_program import ProgramBuilder

values = st.one_of(st.integers(-4, 6).map(lambda value: value / 4), st.floats(-3, 3), st.sampled_from([1e6, -1e6]))
scores = st.one_of(st.integers(-4, 4).map(lambda value: value / 2), st.floats(-3, 3))


def drawn_values(draw: st.DrawFn, count: int) -> np.ndarray:
    return np.array(draw(st.lists(values, min_size=count, max_size=count)))


@st.composite
def pair_coverages(draw: st.DrawFn) -> tuple[Block, np.ndarray]:
    """A factor, and a number for each link."""
    second = [
        mark for pair in draw(st.lists(st.booleans(), min_size=1, max_size=4)) for mark in ([0, 1] if pair else [0])
    ]
    count = len(second)
    negated = np.array(draw(st.lists(st.booleans(), min_size=count, max_size=count)))
    parts = np.arange(count), negated, np.array(second), np.array([draw(scores)])
    return one_factor(PairCoverage, *parts), drawn_values(draw, count)


@st.composite
def tree_budgets(draw: st.DrawFn) -> tuple[Block, np.ndarray]:
    count = draw(st.integers(1, 8))
    parents = [draw(st.integers(-1, node - 1)) for node in range(count)]
    costs = draw(st.lists(st.sampled_from([0.0, 1.0, 1.0, 2.5, 7.0]), min_size=count, max_size=count))
    budget = draw(st.one_of(st.integers(0, 8).map(float), st.floats(0, 12)))
    floats = np.array([budget, *costs])
    parts = np.arange(count), np.zeros(count, dtype=bool), np.array(parents), floats
    return one_factor(TreeBudget, *parts), drawn_values(draw, count)


def program_value(block: Block, linear: np.ndarray) -> float:
    builder = ProgramBuilder()
    builder.add_columns(linear)
    block.constrain(builder)
    optimum = lp_optimum(builder.build())
    assert optimum is not None
    return optimum[0]


@given(pair_coverages())
def test_pair_coverages_are_maximized(drawn: tuple[Block, np.ndarray]) -> None:
    block, linear = drawn
    found, point = block.maximize(linear)
    configurations, own = block.enumerate(0)
    assert found[0] == pytest.approx((configurations @ linear + own).max(), abs=1e-9)
    assert linear @ point + block.score(point)[0] == pytest.approx(found[0], abs=1e-9)
    assert found[0] == pytest.approx(program_value(block, linear), rel=1e-9, abs=1e-7)


@given(pair_coverages(), st.sampled_from([1.0, 0.1, 25.0]))
def test_pair_coverages_are_projected(drawn: tuple[Block, np.ndarray], scale: float) -> None:
    """No 0/1 point gains on z in the linearized problem: z maximizes (a - z) y + scale * own(y)."""
    block, point = drawn
    z = block.project(point, scale)
    assert z.min() >= 0.0
    assert z.max() <= 1.0
    literals, score = np.where(block.negated, 1.0 - z, z), float(block.floats[0])
    groups = np.split(literals, np.flatnonzero(block.ints == 0)[1:])
    if score > 0:
        own = score * min(1.0, sum(float(group.min()) for group in groups))
    else:
        own = score * max(max(0.0, float(group.sum()) - len(group) + 1) for group in groups)
    configurations, worth = block.enumerate(0)
    best = (configurations @ (point - z) + scale * worth).max()
    assert (point - z) @ z + scale * own >= best - 1e-8 * max(1.0, abs(best))


@given(tree_budgets())
def test_trees_with_a_budget_are_maximized(drawn: tuple[Block, np.ndarray]) -> None:
    block, linear = drawn
    found, point = block.maximize(linear)
    assert found[0] == pytest.approx(program_value(block, linear), rel=1e-9, abs=1e-7)
    assert linear @ point == pytest.approx(found[0], rel=1e-9, abs=1e-7)
    assert_in_polytope(block, point)
    configurations, own = block.enumerate(0)
    assert found[0] >= (configurations @ linear + own).max() - 1e-9 * max(1.0, abs(found[0]))


def assert_in_polytope(block: Block, point: np.ndarray) -> None:
    assert point.min() >= 0.0
    assert point.max() <= 1.0
    children = np.flatnonzero(block.ints >= 0)
    assert (point[children] <= point[block.ints[children]] + 1e-9).all()
    assert block.floats[1:] @ point <= block.floats[0] * (1 + 1e-9) + 1e-9


@given(tree_budgets())
def test_trees_with_a_budget_are_projected(drawn: tuple[Block, np.ndarray]) -> None:
    """No point of the polytope gains on z for the linear scores a - z: a linear program over the same rows says so."""
    block, point = drawn
    z = block.project(point)
    assert_in_polytope(block, z)
    best = program_value(block, point - z)
    assert (point - z) @ z >= best - 1e-6 * max(1.0, np.abs(point).max())


def test_a_child_level_with_its_parent_pays_its_cost() -> None:
    """Equal points are two blocks, of which only the child's costs anything."""
    costs = np.array([0.0, 0.0, 1.0])
    block = one_factor(TreeBudget, np.arange(2), np.zeros(2, dtype=bool), np.array([-1, 0]), costs)
    assert block.project(np.array([0.25, 0.25])) == pytest.approx([0.25, 0.0])


@kernel
def projected(point, parents, costs, budget, ints, floats, z):
    project_tree_budget(point, parents, costs, budget, ints, floats, z)


@given(
    tree_budgets(),
    st.lists(st.sampled_from([0.05, 0.5, 1.0, 3.0, 20.0]), min_size=8, max_size=8),
    st.sampled_from([0.0, 0.3, 100.0]),
)
def test_projections_have_weights_and_start_at_any_price(
    drawn: tuple[Block, np.ndarray], weights: list[float], price: float
) -> None:
    block, point = drawn
    count = len(point)
    int_count, float_count = (5 * count, 2 + 6 * count)
    assert (int_count, float_count) == tree_budget_memory.py_func(count)
    ints, floats, z = np.zeros(int_count, dtype=np.int64), np.zeros(float_count), np.empty(count)
    floats[PRICE], floats[TOLERANCE] = price, 0.0
    floats[WEIGHTS : WEIGHTS + count] = metric = np.array(weights[:count])
    projected(point, block.ints, block.floats[1:].copy(), float(block.floats[0]), ints, floats, z)
    assert_in_polytope(block, z)
    pull = metric * (point - z)
    assert pull @ z >= program_value(block, pull) - 1e-6 * max(1.0, np.abs(pull).max())
    assert floats[PRICE] >= 0.0
