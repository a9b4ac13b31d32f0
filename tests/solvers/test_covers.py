"""Coverage problems without trees: weighted coverages keep the relaxation, and bounds of improved prices are valid."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from linear_oracle import lp_optimum

from problems import get_task
from problems.factor_graph import FactorGraph
from problems.kernels.codes import COVERAGE
from problems.kernels.covers import best_price
from problems.kernels.maximize import maximize_knapsack
from problems.linear_program import Floats
from solvers import get_solver
from solvers.ad3_engine import Engine


@st.composite
def coverage_graphs(draw: st.DrawFn, plain: bool = False) -> FactorGraph:
    """Sentences, concepts and a knapsack or budget; unless `plain`, some concepts cost something or miss a sentence."""
    graph = FactorGraph()
    count = draw(st.integers(2, 6))
    sentences = graph.add_variables(draw(st.lists(st.floats(-2, 2), min_size=count, max_size=count)))
    for _ in range(draw(st.integers(1, 6))):
        members = draw(st.lists(st.sampled_from(sentences.tolist()), min_size=2, max_size=count, unique=True))
        (concept,) = graph.add_variables([draw(st.floats(0.1 if plain else -3, 5))])
        negated = [not plain and draw(st.integers(0, 7)) == 0 for _ in members]
        graph.add_logic("or_out", [*members, int(concept)], [*negated, False])
    if draw(st.booleans()):
        graph.add_budget(sentences, draw(st.integers(0, count)))
    else:
        costs = draw(st.lists(st.integers(1, 9), min_size=count, max_size=count))
        graph.add_knapsack(sentences, costs, draw(st.integers(0, 30)))
    return graph


@given(coverage_graphs())
def test_weights_keep_the_relaxation(graph: FactorGraph) -> None:
    optimum = lp_optimum(graph.linear_program())
    assert optimum is not None
    found = get_solver("ad3", max_iterations=20_000, residual_tolerance=1e-9).solve(graph)
    assert found.bound >= optimum[0] - 1e-7 * max(1.0, abs(optimum[0]))
    assert found.bound == pytest.approx(optimum[0], rel=1e-5, abs=1e-5)


@given(coverage_graphs(), st.integers(0, 2**31), st.floats(0, 5))
def test_bounds_of_any_multipliers_are_valid(graph: FactorGraph, seed: int, price: float) -> None:
    optimum = lp_optimum(graph.linear_program())
    assert optimum is not None
    engine = Engine(graph, 1.0)
    lowest = optimum[0] - 1e-8 * max(1.0, abs(optimum[0]))
    for _ in range(8):
        engine.iterate(1, 0.0)
        assert engine.bound() >= lowest
    engine.state.mu[:] += np.random.default_rng(seed).normal(size=len(engine.state.mu))
    engine.state.residuals[4] = price
    if engine.consensus.covers_only:  # `dual_value` counts a drift of the multipliers in full
        assert engine.bound() >= lowest


def twin(engine: Engine) -> tuple[float, float]:
    """The bound of the least charges, and that of improved prices, at the hub's present price of cost, in plain Python."""
    layout, state, eta = engine.layout, engine.state, engine.eta
    hub = engine.consensus.links(layout.hub)
    variables, count = layout.link_variables[hub], hub.stop - hub.start
    costs, tau = state.hub_memory[count : 2 * count], eta * state.residuals[4]
    floats, ints = layout.floats[layout.float_starts[layout.hub] :], layout.ints[layout.int_starts[layout.hub] :]
    budget = float(floats[0] if layout.float_starts[layout.hub + 1] > layout.float_starts[layout.hub] else ints[0])
    coverages: list[list[Any]] = []
    for factor in np.flatnonzero(layout.codes == COVERAGE):
        links, score = engine.consensus.links(int(factor)), layout.floats[layout.float_starts[factor]]
        price = float(np.clip((-eta * state.mu[links]).min(), 0.0, score))
        coverages.append([layout.link_variables[links], score, price])

    def value() -> float:
        gains = engine.consensus.scores.copy()
        for members, _, price in coverages:
            gains[members] += price
        kept = sum(score - price for _, score, price in coverages)
        return kept + float(np.maximum(gains[variables] - tau * costs, 0.0).sum()) + tau * budget

    first = value()
    for coverage in coverages:  # the value is piecewise linear in a price: its ends and kinks are all that can be best
        score, old = coverage[1], coverage[2]
        gains = engine.consensus.scores - tau * _spread(costs, variables, len(engine.consensus.scores))
        for members, _, price in coverages:
            gains[members] += price
        tries: list[float] = [old, 0.0, score, *np.clip(old - gains[coverage[0]], 0.0, score)]
        values = []
        for price in tries:
            coverage[2] = price
            values.append(value())
        low = min(values)
        best = [price for price, found in zip(tries, values, strict=True) if found <= low + 1e-12]
        coverage[2] = min(best, key=lambda price: abs(price - old))
    return first, value()


def _spread(values: Floats, places: np.ndarray, count: int) -> Floats:
    spread = np.zeros(count)
    spread[places] = values
    return spread


@given(coverage_graphs(plain=True), st.integers(1, 12))
def test_improved_prices_agree_with_a_twin(graph: FactorGraph, iterations: int) -> None:
    engine = Engine(graph, 1.0, 1.6)
    if not engine.consensus.covers_only:  # concepts of all sentences alike may be one
        return
    engine.iterate(iterations, 0.0)
    first, improved = twin(engine)
    assert improved <= first + 1e-9
    lone = np.maximum(engine.consensus.scores[~engine.layout.on_hub], 0.0).sum()
    # the kernel's knapsack is maximized at its own best price, which is never worse than tau
    assert engine.bound() <= engine.consensus.constant + improved + lone + 1e-9


@given(coverage_graphs(plain=True), st.integers(1, 12))
def test_the_look_before_only_lowers_a_bound(graph: FactorGraph, iterations: int) -> None:
    """With prices that were there before, a bound is no higher; it is that of the middle where that is lower."""
    optimum = lp_optimum(graph.linear_program())
    assert optimum is not None
    once, twice = Engine(graph, 1.0, 1.6), Engine(graph, 1.0, 1.6)
    once.iterate(iterations + 3, 0.0)
    twice.iterate(iterations, 0.0)
    twice.bound()
    twice.iterate(3, 0.0)
    assert np.array_equal(once.state.mu, twice.state.mu)  # looking changes no iterate
    alone, both = once.bound(), twice.bound()
    assert optimum[0] - 1e-8 * max(1.0, abs(optimum[0])) <= both <= alone + 1e-9


def small_problem(seed: int) -> FactorGraph:
    """Sentences of no worth and concepts that a few of them have, as numpy draws them."""
    random, graph = np.random.default_rng(seed), FactorGraph()
    sentences = graph.add_variables(np.zeros(5))
    for _ in range(4):
        members = random.choice(5, size=random.integers(2, 6), replace=False)
        (concept,) = graph.add_variables([random.uniform(0.5, 3.0)])
        graph.add_logic("or_out", [*sentences[members].tolist(), int(concept)])
    graph.add_knapsack(sentences, random.integers(1, 4, size=5).tolist(), int(random.integers(1, 8)))
    return graph


@pytest.mark.parametrize("first", range(0, 120, 30))
def test_bounds_of_many_looks_are_valid(first: int) -> None:
    """Prices that the middle forgot to improve gave bounds below the optimum."""
    for seed in range(first, first + 30):
        graph = small_problem(seed)
        optimum = lp_optimum(graph.linear_program())
        assert optimum is not None
        engine = Engine(graph, 1.0)
        for _ in range(8):
            engine.iterate(1, 0.0)
            assert engine.bound() >= optimum[0] - 1e-8


def test_the_middle_of_two_looks_is_often_lower() -> None:
    graph = get_task("extraction").graph(get_task("extraction").generate(2, "tac"))
    looking, lower = Engine(graph, None, 1.6), 0
    for _ in range(12):
        looking.iterate(5, 0.0)
        both = looking.bound()
        looking.last_prices[:] = np.nan
        alone = looking.bound()
        assert both <= alone + 1e-9
        lower += both < alone * (1 - 1e-6)
    assert lower >= 3


@numba.njit
def by_price_and_by_sorting(gains: Floats, costs: Floats, budget: float, start: float) -> tuple[float, float]:
    return best_price(gains, costs, budget, start), maximize_knapsack(gains, costs, budget, np.empty(len(gains)))


@given(
    st.lists(st.tuples(st.floats(-2, 5), st.integers(0, 6)), min_size=1, max_size=9),
    st.integers(0, 20),
    st.floats(0, 9),
)
def test_the_best_price_finds_the_fractional_knapsack(
    items: list[tuple[float, int]], budget: int, start: float
) -> None:
    gains, costs = (np.array(part, dtype=np.float64) for part in zip(*items, strict=True))
    found, exact = by_price_and_by_sorting(gains, costs, float(budget), start)
    assert found >= exact - 1e-9
    assert found == np.inf or found == pytest.approx(exact, rel=1e-9, abs=1e-9)


@given(coverage_graphs(), st.sampled_from([1.0, 1.6]))
def test_drivers_agree_with_weights(graph: FactorGraph, relaxation: float) -> None:
    compiled, python = (Engine(graph, 1.0, relaxation, compiled=flag) for flag in (True, False))
    for step in range(30):
        for engine in (compiled, python):
            engine.iterate(1, 0.0)
            if step == 10:
                engine.balance()
        for name in ("u", "z", "mu", "residuals"):
            assert np.array_equal(getattr(compiled.state, name), getattr(python.state, name)), name
    totals = np.bincount(
        compiled.layout.link_variables, weights=compiled.eta * compiled.state.mu, minlength=len(compiled.layout.fixed)
    )
    linked = compiled.consensus.degrees > 0
    assert totals[linked] == pytest.approx(compiled.consensus.scores[linked], abs=1e-9)


@given(coverage_graphs())
def test_branch_and_bound_fixes_variables_of_weighted_coverages(graph: FactorGraph) -> None:
    best = get_solver("brute-force").solve(graph)
    found = get_solver("ad3-exact", coverage=False, root_iterations=20, node_iterations=20).solve(graph)
    assert found.status == best.status == "optimal"
    assert found.objective == pytest.approx(best.objective, abs=1e-6)


def test_only_flat_coverage_problems_have_weights() -> None:
    extract = get_task("extraction").graph(get_task("extraction").generate(3, "tiny"))
    summary = get_task("summarization").graph(get_task("summarization").generate(3, "tiny"))
    flat = Engine(extract, None)
    assert flat.consensus.covers_only
    weights = flat.layout.factor_steps
    assert weights.min() < 1.0 < weights.max()
    assert weights[flat.layout.hub] == 1.0
    for engine in (
        Engine(extract, None, hub=False),
        Engine(extract, None, eliminating=False),
        Engine(summary, None, joining=False),
    ):
        assert not engine.consensus.covers_only
        assert not len(engine.layout.factor_steps)
        engine.iterate(5, 0.0)
        assert engine.bound() == engine.dual_value()


@pytest.mark.parametrize("seed", range(1, 6))
def test_the_bound_of_an_extract_falls_sooner(seed: int) -> None:
    engine = Engine(get_task("extraction").graph(get_task("extraction").generate(seed, "tiny")), None, 1.6)
    lower = 0
    for _ in range(20):
        engine.iterate(1, 0.0)
        assert engine.bound() <= engine.dual_value() * (1 + 1e-9) + 1e-9
        lower += engine.bound() < engine.dual_value() * (1 - 1e-6)
    assert lower
