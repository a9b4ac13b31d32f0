"""The hub: a budget onto which averages are projected. Same relaxation, same drivers, valid bounds under fixing."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest
from graph_strategies import LOGIC, add_factor, factor_graphs
from hypothesis import given
from hypothesis import strategies as st
from linear_oracle import lp_optimum

from problems import get_task
from problems.factor_graph import FactorGraph
from problems.kernels.hub import hub_price
from solvers import get_solver
from solvers.ad3_engine import Engine

KINDS = (*LOGIC, "pair", "subtree", "budget", "knapsack")


@st.composite
def graphs_with_hub(draw: st.DrawFn) -> FactorGraph:
    """Some factors, and a budget or knapsack over most of the variables, of which some are linked by nothing else."""
    graph = draw(factor_graphs(most_variables=7, most_factors=4, kinds=KINDS))
    graph.add_variables(draw(st.lists(st.floats(-2, 2), max_size=2)))
    count = graph.number_of_variables
    chosen = np.array(draw(st.permutations(range(count)))[: draw(st.integers(count - 2, count))])
    add_factor(draw, graph, draw(st.sampled_from(["budget", "knapsack"])), chosen, negate=False)
    return graph


@given(graphs_with_hub(), st.booleans())
def test_the_hub_changes_no_relaxation(graph: FactorGraph, hub: bool) -> None:
    optimum = lp_optimum(graph.linear_program())
    found = get_solver("ad3", max_iterations=20_000, residual_tolerance=1e-8, hub=hub).solve(graph)
    if optimum is None:
        assert found.status == "relaxed"
        return
    assert found.bound >= optimum[0] - 1e-7 * max(1.0, abs(optimum[0]))
    assert found.bound == pytest.approx(optimum[0], rel=1e-4, abs=1e-4)


@given(graphs_with_hub())
def test_branch_and_bound_fixes_variables_of_the_hub(graph: FactorGraph) -> None:
    best = get_solver("brute-force").solve(graph)
    found = get_solver("ad3-exact", root_iterations=20, node_iterations=20).solve(graph)
    assert found.status == best.status
    if best.status == "optimal":
        assert found.objective == pytest.approx(best.objective, abs=1e-6)


@given(graphs_with_hub(), st.dictionaries(st.integers(0, 6), st.integers(0, 1), max_size=4))
def test_bounds_of_fixed_variables_are_valid(graph: FactorGraph, fixed: dict[int, int]) -> None:
    engine = Engine(graph, 1.0, 1.6, joining=False)
    fixed = {variable % len(engine.consensus.scores): value for variable, value in fixed.items()}
    engine.iterate(5, 0.0)
    engine.restore(engine.snapshot(), fixed)
    count = graph.number_of_variables
    values = (np.arange(2**count)[:, None] >> np.arange(count)) & 1
    for variable, value in fixed.items():  # the fixed variables are those of the merged graph
        members = np.flatnonzero(engine.consensus.variable_of == variable)
        values = values[(values[:, members] == value).all(axis=1)]
    best = max((graph.objective(assignment) for assignment in values), default=-np.inf)
    for _ in range(10):
        engine.iterate(4, 0.0)
        assert engine.dual_value() >= best - 1e-9 * max(1.0, abs(best))


@given(graphs_with_hub(), st.sampled_from([1.0, 1.5]))
def test_drivers_and_skipping_agree(graph: FactorGraph, relaxation: float) -> None:
    from problems.kernels.ad3 import activate_all

    compiled, python, eager = (Engine(graph, 1.0, relaxation, compiled=flag) for flag in (True, False, True))
    for step in range(40):
        activate_all(eager.layout, eager.state)
        for engine in (compiled, python, eager):
            engine.iterate(1, 0.0)
            if step == 10:
                engine.balance()
        for name in ("u", "z", "mu", "residuals"):
            assert np.array_equal(getattr(compiled.state, name), getattr(python.state, name)), name
        assert compiled.state.u == pytest.approx(eager.state.u, abs=1e-8)


@given(graphs_with_hub())
def test_averages_keep_the_budget_and_multipliers_sum_to_scores(graph: FactorGraph) -> None:
    engine = Engine(graph, 1.0, 1.6)
    hub = engine.layout.hub
    if hub < 0:  # variables that have become one are linked twice
        return
    engine.iterate(7, 0.0)
    links = engine.consensus.links(hub)
    block = engine.layout
    floats = block.floats[block.float_starts[hub] : block.float_starts[hub + 1]]
    knapsack = len(floats) > 0
    costs = floats[1:] if knapsack else np.ones(links.stop - links.start)
    budget = floats[0] if knapsack else block.ints[block.int_starts[hub]]
    assert costs @ engine.state.u[block.link_variables[links]] <= budget + 1e-8
    totals = np.bincount(block.link_variables, weights=engine.eta * engine.state.mu, minlength=len(block.fixed))
    linked = engine.consensus.degrees > 0
    assert totals[linked] == pytest.approx(engine.consensus.scores[linked], abs=1e-9)


@given(
    st.lists(
        st.tuples(st.floats(-3, 4), st.sampled_from([0.0, 1.0, 2.5, 7.0]), st.integers(1, 5)), min_size=1, max_size=9
    ),
    st.floats(0, 20),
    st.sampled_from([0.0, 0.3, 100.0]),
)
def test_the_price_spends_the_budget(literals: list[tuple[float, float, int]], budget: float, start: float) -> None:
    points, costs, weights = (np.array(part, dtype=float) for part in zip(*literals, strict=True))
    rates = costs / weights

    def used(tau: float) -> float:
        return float(costs @ np.clip(points - tau * rates, 0.0, 1.0))

    tau = price(points, costs, rates, budget, start)
    assert tau >= 0.0
    if used(0.0) <= budget:
        assert used(tau) == pytest.approx(used(0.0))
    else:
        assert used(tau) == pytest.approx(budget, abs=1e-8)


def price(points: np.ndarray, costs: np.ndarray, rates: np.ndarray, budget: float, start: float) -> float:
    return float(cast(Any, hub_price).py_func(points, costs, rates, budget, start))


def test_negated_budgets_are_no_hub() -> None:
    graph = FactorGraph()
    x = graph.add_variables([1.0, 2.0, 3.0])
    graph.add_budget(x, 1, [True, False, False])
    assert Engine(graph, 1.0).layout.hub == -1
    graph.add_budget(x[:2], 1)
    assert Engine(graph, 1.0).layout.hub == -1  # the largest is asked, no other
    assert Engine(graph, 1.0, hub=False).layout.hub == -1


@pytest.mark.parametrize("task", ["extraction", "summarization"])
def test_the_hub_saves_iterations(task: str) -> None:
    instance = get_task(task).generate(7011, "tac")
    bounds = [get_solver("ad3", max_iterations=100, hub=hub).solve(instance).bound for hub in (True, False)]
    assert bounds[0] < bounds[1]
