"""Time limits and traces of every LP and ILP backend."""

from __future__ import annotations

import itertools
import math
import time

import numpy as np
import pytest
from linear_programs import (
    ILP,
    INF,
    KNAPSACK,
    LP,
    backend,
    check_solved,
    many_knapsacks,
    market_split,
    program,
    relaxed_optimum,
)

from solvers.linear.duality import box_bound


@pytest.mark.parametrize("name", ILP)
def test_time_limit(name: str) -> None:
    lp, greedy = many_knapsacks()
    start = time.perf_counter()
    outcome = backend(name, time_limit=0.3, trace=True).optimize(lp)
    assert time.perf_counter() - start < 2.5
    assert outcome.status == "stopped"
    assert "killed" not in outcome.message
    assert outcome.trace
    assert outcome.bound > greedy
    if name in (
        "ilp-cbc",
        "ilp-glpk",
        "ilp-gurobi",
        "ilp-highs",
        "ilp-xpress",
    ):  # their root relaxation is done by then, and its bound is kept
        assert outcome.bound <= relaxed_optimum(lp) + 1e-5
    if outcome.values is not None:
        assert lp.violation(outcome.values) <= 1e-5
        assert greedy - 50 < lp.value(outcome.values) <= outcome.bound


@pytest.mark.parametrize("name", ILP)
def test_a_limit_too_short_for_anything(name: str) -> None:
    lp, greedy = many_knapsacks()
    outcome = backend(name, time_limit=0.001).optimize(lp)
    assert outcome.status == "stopped"
    assert greedy < outcome.bound <= box_bound(lp)


@pytest.mark.parametrize("name", LP)
def test_time_limit_of_relaxations(name: str) -> None:
    rng = np.random.default_rng(0)
    dense = program(rng.random(400), [(rng.random(400), -INF, 20.0) for _ in range(400)])
    full = backend(name).optimize(dense)
    check_solved(name, dense, full, relaxed_optimum(dense))
    start = time.perf_counter()
    outcome = backend(name, time_limit=0.002).optimize(dense)
    assert time.perf_counter() - start < 2.0
    assert outcome.status == "stopped"
    assert full.bound - 1e-6 <= outcome.bound <= box_bound(dense)


@pytest.mark.parametrize("name", ["ilp-cpsat", "ilp-gurobi", "ilp-highs", "ilp-xpress"])
def test_trace_follows_the_search(name: str) -> None:
    trace = backend(name, time_limit=0.3, trace=True).optimize(market_split()).trace
    assert len(trace) >= 3
    objectives = [point.objective for point in trace if not math.isnan(point.objective)]
    assert all(later >= earlier - 1e-9 for earlier, later in itertools.pairwise(objectives))  # the last is re-added
    assert [point.seconds for point in trace] == sorted(point.seconds for point in trace)
    assert all(point.bound >= point.objective - 1e-6 for point in trace if not math.isnan(point.objective))


def test_untraced_runs_have_no_trace() -> None:
    assert all(backend(name).optimize(KNAPSACK).trace == [] for name in ILP + LP)
