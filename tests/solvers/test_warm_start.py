"""Warm starts of AD3: the same optimum as a cold start, valid bounds whatever was kept, and nothing kept unless asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from graph_strategies import factor_graphs
from hypothesis import given
from hypothesis import strategies as st
from linear_oracle import lp_optimum

from problems import get_task
from problems.factor_graph import FactorGraph
from problems.kernels.active_set import LIMIT, STEPS_PER_CALL
from problems.kernels.codes import BUDGET, KNAPSACK, SUBTREE
from problems.summarization.instance import with_scores
from solvers import consensus, get_solver
from solvers.ad3_engine import Engine
from solvers.base import Solution
from solvers.warm_start import Kept, WarmStarts, links_key


def rescored(graph: FactorGraph, scores: np.ndarray) -> FactorGraph:
    """The same factors with other unary scores."""
    made = FactorGraph()
    made.add_variables(scores)
    made.constant = graph.constant
    made._chunks, made._own = graph._chunks, graph._own
    made._magnitude += graph._magnitude
    return made


def assert_bounded(found: Solution, graph: FactorGraph) -> None:
    """The bound is that of the linear program."""
    optimum = lp_optimum(graph.linear_program())
    if optimum is None:
        assert found.status == "relaxed"
        return
    assert found.bound >= optimum[0] - 1e-7 * max(1.0, abs(optimum[0]))
    assert found.bound == pytest.approx(optimum[0], rel=1e-4, abs=1e-4)


@given(factor_graphs(), st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.1, 3.0]))
def test_a_warm_start_ends_at_the_linear_program_of_the_new_scores(graph: FactorGraph, seed: int, size: float) -> None:
    noise = np.random.default_rng(seed).normal(0.0, size, graph.number_of_variables)
    other = rescored(graph, graph.scores + noise)
    solver = get_solver("ad3", max_iterations=20_000, residual_tolerance=1e-8, warm_start=True)
    solver.solve(graph)
    found = solver.solve(other)
    if (np.sign(graph.scores) == np.sign(other.scores)).all():  # else the presolve may leave other links
        assert found.info["warm"] == 1.0
    assert_bounded(found, other)


@given(factor_graphs(), st.integers(0, 2**32 - 1), st.integers(1, 20))
def test_any_start_has_a_valid_bound(graph: FactorGraph, seed: int, iterations: int) -> None:
    """Whatever multipliers a run starts from, however wrong, its bound holds and its multipliers add up to the scores."""
    rng = np.random.default_rng(seed)
    engine = Engine(graph, 1.0, 1.6)
    variables, links = len(engine.consensus.scores), engine.consensus.number_of_links
    kept = Kept(rng.normal(size=links), rng.random(variables), rng.normal(size=variables), 2.0, 1.0)
    engine.start_from(kept)
    count = graph.number_of_variables
    points = (np.arange(2**count)[:, None] >> np.arange(count)) & 1
    best = max(graph.objective(values) for values in points)
    for _ in range(iterations):
        assert engine.dual_value() >= best - 1e-9 * max(1.0, abs(best))
        engine.iterate(1, 0.0)
    assert engine.dual_value() >= best - 1e-9 * max(1.0, abs(best))


def test_the_same_instance_again_takes_almost_no_iterations() -> None:
    instance = get_task("summarization").generate(1, "tiny")
    solver = get_solver("ad3", max_iterations=5000, warm_start=True)
    cold, warm = solver.solve(instance), solver.solve(instance)
    plain = get_solver("ad3", max_iterations=5000).solve(instance)
    assert (cold.iterations, cold.bound, cold.info["warm"]) == (plain.iterations, plain.bound, 0.0)
    assert "warm" not in plain.info
    assert warm.iterations <= 5 < cold.iterations
    assert warm.bound == pytest.approx(cold.bound, rel=1e-6)
    assert warm.objective == cold.objective


def test_a_sweep_over_budgets_and_scores_meets_the_linear_program_each_time() -> None:
    instance = get_task("summarization").generate(11, "tac")
    solver = get_solver("ad3", max_iterations=20_000, warm_start=True)
    rng = np.random.default_rng(5)
    layout = instance.layout
    deletions = np.array([score for sentence in instance.sentences for score in sentence.deletion_scores])
    louder = with_scores(instance, layout.concept_scores * rng.uniform(0.9, 1.1, len(layout.concept_scores)), deletions)
    sweep = [instance, replace(instance, budget=110), replace(instance, budget=90, max_sentences=5), louder]
    for place, one in enumerate(sweep):
        found = solver.solve(one)
        assert found.info["warm"] == float(place > 0)
        assert found.bound == pytest.approx(get_solver("lp-highs").solve(one).bound, rel=1e-4)
        assert get_task("summarization").broken(one, found.structure) is None
        assert found.objective <= found.bound * (1 + 1e-9)


def test_only_equal_links_share_a_start() -> None:
    def graph(negated: bool, budget: int) -> FactorGraph:
        made = FactorGraph()
        x = made.add_variables([1.0, 2.0, -1.0])
        made.add_logic("or", x, [negated, False, False])
        made.add_budget(x, budget)
        return made

    keys = [links_key(Engine(graph(*facts), 1.0).layout) for facts in ((False, 1), (False, 2), (True, 1))]
    assert keys[0] == keys[1]
    assert keys[0] != keys[2]
    solver = get_solver("ad3", warm_start=True)
    assert [solver.solve(graph(*facts)).info["warm"] for facts in ((False, 1), (True, 1), (False, 2))] == [0, 0, 1]
    assert len(solver.starts) == 2


def test_what_is_kept_is_bounded() -> None:
    def kept(size: int) -> Kept:
        return Kept(np.zeros(size), np.zeros(size), np.zeros(size), 1.0, 1.0)

    starts = WarmStarts(most_bytes=24 * 10)
    starts.put(b"a", kept(4))
    starts.put(b"b", kept(4))
    starts.put(b"a", kept(5))  # used again: b is the oldest now
    starts.put(b"c", kept(5))
    assert (starts.get(b"b"), len(starts), starts.bytes) == (None, 2, 240)
    starts.put(b"d", kept(11))  # too large for anything
    assert (len(starts), starts.bytes) == (0, 0)


@contextmanager
def another_order(wide: int) -> Iterator[None]:
    """Meanwhile, every graph is put in the order of nearness, as only large scattered ones are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(consensus, "is_scattered", lambda flat, variables: True)
        patch.setattr(consensus, "WIDE", wide)
        yield


@given(factor_graphs(most_factors=8), st.sampled_from([0, 2, 100]))
def test_another_order_in_memory_changes_nothing_but_rounding(graph: FactorGraph, wide: int) -> None:
    """Factors and variables in the order of nearness: the same iterates, up to the order in which numbers are added.

    Without over-relaxation, which is for variables whose links disagree: whether they agree to the last bit is rounding.
    """
    plain = Engine(graph, 1.0, 1.0)
    with another_order(wide):
        moved = Engine(graph, 1.0, 1.0)
    for engine in (plain, moved):
        project_to_the_end(engine)
    assert sorted(moved.layout.codes) == sorted(plain.layout.codes)
    for _ in range(20):
        plain.iterate(1, 0.0)
        moved.iterate(1, 0.0)
        assert moved.posteriors() == pytest.approx(plain.posteriors(), abs=1e-6)
        assert moved.dual_value() == pytest.approx(plain.dual_value(), rel=1e-6, abs=1e-6)


def project_to_the_end(engine: Engine) -> None:
    """Active sets take as many steps as they need: where they stop after three depends on ties in the oracle."""
    state, without = engine.state, (BUDGET, KNAPSACK, SUBTREE)
    sizes = np.diff(state.int_memory_starts)
    for factor in np.flatnonzero((sizes > 0) & ~np.isin(engine.layout.codes, without)):
        limit = state.int_memory_starts[factor] + LIMIT
        assert state.int_memory[limit] == STEPS_PER_CALL
        state.int_memory[limit] = 10_000


@given(factor_graphs(), st.sampled_from([0, 2, 100]))
def test_another_order_in_memory_ends_at_the_same_linear_program(graph: FactorGraph, wide: int) -> None:
    """With all that a user gets: over-relaxation, unfinished projections, changing step sizes."""
    with another_order(wide):
        found = get_solver("ad3", max_iterations=20_000, residual_tolerance=1e-8).solve(graph)
    assert_bounded(found, graph)


def test_only_large_scattered_graphs_are_put_in_another_order(monkeypatch: pytest.MonkeyPatch) -> None:
    def pairs(count: int, order: np.ndarray) -> FactorGraph:
        graph = FactorGraph()
        graph.add_variables(np.ones(count))
        graph.add_pair_block(np.stack([order[:-1], order[1:]], axis=1).ravel(), np.ones(count - 1))
        return graph

    count = 1000
    shuffled = np.random.default_rng(1).permutation(count)
    monkeypatch.setattr(consensus, "LARGE", 1500)
    assert np.array_equal(Engine(pairs(count, np.arange(count)), 1.0).consensus.variable_of, np.arange(count))
    found = Engine(pairs(count, shuffled), 1.0)
    order = found.consensus.variable_of
    assert not np.array_equal(order, np.arange(count))
    jumps = np.abs(np.diff(order[shuffled]))
    assert np.median(jumps) <= 2  # neighbours are near each other again: two waves start from one variable
    monkeypatch.setattr(consensus, "LARGE", 10**6)
    assert np.array_equal(Engine(pairs(count, shuffled), 1.0).consensus.variable_of, np.arange(count))
