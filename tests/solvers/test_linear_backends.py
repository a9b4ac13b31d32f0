"""One set of programs with known optima, run through every LP and ILP backend."""

from __future__ import annotations

import importlib
import itertools
import math
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import linprog

from problems.errors import InputError
from problems.linear_program import LinearProgram, ProgramBuilder
from solvers.linear import BACKENDS
from solvers.linear.base import LinearSolver, Outcome
from solvers.linear.duality import box_bound, dual_bound
from solvers.linear.mps import write_mps

INF = math.inf
ILP = sorted(name for name in BACKENDS if name.startswith("ilp-"))
LP = sorted(name for name in BACKENDS if name.startswith("lp-"))
ROOT = Path(__file__).parents[2]


def backend(name: str, **options: Any) -> LinearSolver:
    module, cls = BACKENDS[name].split(":")
    solver: type[LinearSolver] = getattr(importlib.import_module(module), cls)
    if (reason := solver.unavailable()) is not None:
        pytest.skip(reason)
    return solver(**options)


def tolerance(name: str) -> float:
    return 1e-4 if name == "lp-pdlp" else 1e-6


def program(
    objective: Sequence[float],
    rows: Sequence[tuple[Sequence[float], float, float]],
    lower: float | Sequence[float] = 0.0,
    upper: float | Sequence[float] = 1.0,
    integer: bool = True,
    constant: float = 0.0,
) -> LinearProgram:
    """A program from dense rows (coefficients, lower, upper); zero coefficients are left out."""
    builder = ProgramBuilder(constant=constant)
    columns = builder.add_columns(objective, lower, upper, integer=integer)
    for coefficients, low, high in rows:
        values = np.asarray(coefficients, dtype=float)
        kept = np.flatnonzero(values)
        builder.add_rows(np.array([len(kept)]), columns[kept], values[kept], low, high)
    return builder.build()


def best_point(lp: LinearProgram) -> float:
    """The optimum of a small all-integer program, by enumeration (-inf if infeasible)."""
    ranges = [range(math.ceil(low), math.floor(high) + 1) for low, high in zip(lp.lower, lp.upper, strict=True)]
    points = np.array(list(itertools.product(*ranges)), dtype=float).reshape(-1, lp.number_of_columns)
    activity = points @ lp.matrix().toarray().T
    feasible = ((activity >= lp.row_lower - 1e-9) & (activity <= lp.row_upper + 1e-9)).all(axis=1)
    values = points[feasible] @ lp.objective + lp.constant
    return float(values.max()) if len(values) else -INF


def relaxed_optimum(lp: LinearProgram) -> float:
    """The optimum of the relaxation by scipy (-inf if infeasible)."""
    matrix = lp.matrix().toarray()
    stacked = np.concatenate([matrix, -matrix])
    sides = np.concatenate([lp.row_upper, -lp.row_lower])
    finite = np.isfinite(sides)
    bounds = np.stack([lp.lower, lp.upper], axis=1)
    answer = linprog(-lp.objective, A_ub=stacked[finite], b_ub=sides[finite], bounds=bounds, method="highs")
    return -float(answer.fun) + lp.constant if answer.status == 0 else -INF


def check_solved(name: str, lp: LinearProgram, outcome: Outcome, optimum: float) -> None:
    close = tolerance(name) * max(1.0, abs(optimum))
    assert outcome.status == "solved"
    assert outcome.values is not None
    assert lp.violation(outcome.values) <= close
    assert lp.value(outcome.values) == pytest.approx(optimum, abs=close)
    assert outcome.bound >= optimum - 1e-9 * max(1.0, abs(optimum))
    assert outcome.bound <= optimum + close
    if name in ILP:
        whole = outcome.values[lp.integer]
        assert np.abs(whole - np.rint(whole)).max(initial=0.0) <= 1e-6


KNAPSACK = program([10, 13, 7, 8, 2], [([3, 4, 2, 3, 1], -INF, 7.0)])
SHIFTED = program([1, -2, 3], [([1, 1, 1], -INF, 1.0), ([1, 0, -1], -1.0, INF)], lower=[-3, -2, 2], upper=[4, 5, 2])
UNSORTED = ProgramBuilder()
_x = UNSORTED.add_columns([1.0, 2.0, 1.5], integer=True)
UNSORTED.add_rows(np.array([4]), _x[[2, 0, 1, 0]], np.array([1.0, 1.0, 2.0, 1.0]), -INF, 3.0)  # x0 is given twice

# name -> (program, optimum over integer points, optimum of the relaxation)
CANONICAL: dict[str, tuple[LinearProgram, float, float]] = {
    "knapsack": (KNAPSACK, 23.0, 23.5),
    "equality": (program([3, 2, 1, 5], [([1, 1, 1, 1], 2.0, 2.0), ([1, 0, 0, 1], 1.0, 1.0)]), 7.0, 7.0),
    "ranged": (program([-1, -2, -3, -4], [([1, 1, 1, 1], 2.0, 3.0), ([1, 1, 0, 0], 0.0, 1.0)]), -4.0, -4.0),
    "ranged, at its upper end": (program([1, 2, 3, 4], [([1, 1, 1, 1], 2.0, 3.0)]), 9.0, 9.0),
    "free row": (program([1, 1], [([5, -7], -INF, INF), ([1, 1], -INF, 1.0)]), 1.0, 1.0),
    "only a free row": (program([1, -1], [([5, -7], -INF, INF)]), 1.0, 1.0),
    "negative lower bounds and a fixed column": (SHIFTED, 11.0, 11.0),
    "every column fixed": (program([1, 2], [([1, 1], 0.0, 2.0)], lower=[1, 0], upper=[1, 0]), 1.0, 1.0),
    "empty row": (program([1, 2], [([0, 0], -1.0, 1.0), ([1, 1], -INF, 1.0)]), 2.0, 2.0),
    "empty column": (program([1, 2, 4, -4, 0], [([1, 1, 0, 0, 0], -INF, 1.0)]), 6.0, 6.0),
    "no rows": (program([1, -2, 0.5], [], lower=[0, -1, 0], upper=[2, 1, 1]), 4.5, 4.5),
    "no columns": (program([], [([], -1.0, 0.0)], constant=3.0), 3.0, 3.0),
    "nothing at all": (program([], []), 0.0, 0.0),
    "constant": (program([1, 2], [([1, 1], -INF, 1.0)], constant=-100.25), -98.25, -98.25),
    "zero objective": (program([0, 0], [([1, 1], 1.0, 1.0)], constant=1.5), 1.5, 1.5),
    "half-integral relaxation": (
        program([1, 1, 1], [([1, 1, 0], 0, 1), ([0, 1, 1], 0, 1), ([1, 0, 1], 0, 1)]),
        1.0,
        1.5,
    ),
    "ties": (program([1] * 6, [([1] * 6, -INF, 3.0), ([1, 1, 1, 0, 0, 0], 1.0, 2.0)]), 3.0, 3.0),
    "fractional coefficients": (program([2, 3, 4], [([2.5, 0.1, 3.75], -INF, 3.85)]), 7.0, 7.0),
    "fractional bounds of integer columns": (program([1, 1], [([1, 1], -INF, 3.5)], lower=0.5, upper=2.5), 3.0, 3.5),
    "repeated and unsorted entries": (UNSORTED.build(), 3.5, 3.5),
    "large scores": (program([1e6, 2e6 + 1, 3e6], [([1, 1, 1], -INF, 2.0)]), 5000001.0, 5000001.0),
}
# Programs of random tests on which CBC 2.10.3 proves a wrong optimum unless it is handled with care.
CANONICAL["an equality with large coefficients"] = (program([-0.5, 0, 0.25], [([3, 1, -3], 0, 0)]), 0.0, 1 / 12)
CANONICAL["a range with large coefficients"] = (program([-0.5, 0.75], [([-3, 4], -1.5, 1.0)]), 0.25, 0.25)
CANONICAL["integers beyond 0/1"] = (
    program(
        [1.5, 1.75, -1.25, -1.25, 0.75],
        [
            ([2, 1, -3, 0, -2], -7, INF),
            ([0, 0, -3, 0, -3], -INF, 4),
            ([0, 4, 0, 3, 0], -1, INF),
            ([0, 3, 0, -1, 0], -3, INF),
            ([0, 0, 1, 4, 0], 0.5, 3),
        ],
        lower=-1.0,
    ),
    4.0,
    4.78125,
)
CANONICAL["ranges over integers beyond 0/1"] = (
    program(
        [-0.25, 0.5, 0.5, 0.5, -1, 0, 0.75, 1.75],
        [
            ([-2, 2, 3, 4, -2, 2, -1, 0], -INF, 0),
            ([0, 0, 3, -3, 1, -3, -1, 0], 0.5, 3),
            ([4, 0, 0, 0, 0, -1, 1, 1], -6, INF),
            ([0, 4, 0, -2, 0, 0, 0, -1], 0.5, 3),
            ([-2, -3, 0, 0, -2, 1, 0, 0], -INF, 7),
            ([-1, 3, 2, -2, 0, 3, 0, -1], -1, INF),
        ],
        lower=-1.0,
    ),
    3.25,
    3.9270833333333335,
)
CBC_ERRORS = list(CANONICAL)[-4:]

INFEASIBLE: dict[str, LinearProgram] = {
    "rows": program([1, 1], [([1, 1], 3.0, INF)]),
    "two rows": program([1, 1, 1], [([1, 1, 1], 2.0, 2.0), ([1, 1, 1], -INF, 1.0)]),
    "empty row": program([1, 1], [([0, 0], 1.0, 2.0), ([1, 1], -INF, 1.0)]),
    "only an empty row": program([1, 1], [([0, 0], 1.0, 2.0)]),
    "crossed columns": program([1, 1], [([1, 1], 0.0, 2.0)], lower=[0, 1], upper=[1, 0]),
    "crossed row": program([1, 1], [([1, 1], 2.0, 1.0)]),
}


@pytest.mark.parametrize("case", CANONICAL)
@pytest.mark.parametrize("name", ILP + LP)
def test_canonical(name: str, case: str) -> None:
    lp, optimum, relaxed = CANONICAL[case]
    # ilp-pulp does not hide what PuLP's own CBC gets wrong
    options = {"backend": "HiGHS"} if name == "ilp-pulp" and case in CBC_ERRORS else {}
    outcome = backend(name, trace=True, **options).optimize(lp)
    check_solved(name, lp, outcome, optimum if name in ILP else relaxed)
    assert outcome.trace, "a traced run must say how it ended"
    assert outcome.trace[-1].bound == outcome.bound
    assert outcome.trace[-1].objective == pytest.approx(lp.value(outcome.values))


def test_canonical_optima_are_right() -> None:
    for lp, optimum, relaxed in CANONICAL.values():
        if lp.number_of_columns:
            assert best_point(lp) == pytest.approx(optimum)
            if lp.number_of_rows:
                assert relaxed_optimum(lp) == pytest.approx(relaxed)


@pytest.mark.parametrize("case", INFEASIBLE)
@pytest.mark.parametrize("name", ILP + LP)
def test_infeasible(name: str, case: str) -> None:
    outcome = backend(name).optimize(INFEASIBLE[case])
    assert outcome.status == "infeasible"
    assert outcome.values is None


def test_cbc_crash_on_an_infeasible_program() -> None:
    """CBC 2.10.3 without preprocessing ends with a segmentation fault here."""
    rows = [([0, -1, 0, 0, 3], 2, 2), ([3, 3, 2, 0, 3], -0.5, 2), ([-2, -1, 4, 2, -1], 0, 0)]
    assert backend("ilp-cbc").optimize(program([0.625, -0.25, -0.5, 0.375, -0.375], rows)).status == "infeasible"


@pytest.mark.parametrize("name", ILP)
def test_infeasible_in_integers_only(name: str) -> None:
    odd_cycle = program([1, 1, 1], [([2, 2, 2], 3.0, 3.0)])
    assert backend(name).optimize(odd_cycle).status == "infeasible"


@pytest.mark.parametrize("name", ILP + LP)
def test_unbounded_is_refused(name: str) -> None:
    unbounded = program([1, 1], [([1, -1], -1.0, 1.0)], upper=[INF, INF])
    with pytest.raises(InputError, match=r"unbounded|whole numbers"):
        backend(name).optimize(unbounded)


@pytest.mark.parametrize("name", ILP + LP)
def test_the_program_is_left_alone_and_nothing_is_printed(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    lp = UNSORTED.build()
    before = [array.copy() for array in (lp.row_columns, lp.row_values, lp.objective, lp.row_starts)]
    solver = backend(name)
    capfd.readouterr()
    solver.optimize(lp)
    solver.optimize(KNAPSACK)
    assert capfd.readouterr() == ("", "")
    for old, new in zip(before, (lp.row_columns, lp.row_values, lp.objective, lp.row_starts), strict=True):
        np.testing.assert_array_equal(old, new)


@pytest.mark.parametrize("name", ILP + LP)
def test_continuous_columns_and_integer_ones(name: str) -> None:
    """An edge variable of a pair: continuous, tied to two integer columns."""
    builder = ProgramBuilder()
    ends = builder.add_columns([-1.0, -1.0], integer=True)
    edge = builder.add_columns([2.5])
    for end in ends:
        builder.add_rows(np.array([2]), np.array([edge[0], end]), np.array([1.0, -1.0]), -INF, 0.0)
    builder.add_rows(np.array([2]), ends, np.ones(2), -INF, 2.0)
    lp = builder.build()
    outcome = backend(name).optimize(lp)
    check_solved(name, lp, outcome, 0.5)
    np.testing.assert_allclose(outcome.values, 1.0, atol=1e-5)


def random_programs(columns: tuple[int, int], upper: float) -> st.SearchStrategy[LinearProgram]:
    @st.composite
    def draw_program(draw: Callable[..., Any]) -> LinearProgram:
        count = draw(st.integers(*columns))
        rows = draw(st.integers(1, 5))
        scores = draw(hnp.arrays(np.int64, count, elements=st.integers(-40, 60))) / 8
        matrix = draw(hnp.arrays(np.int64, (rows, count), elements=st.integers(-3, 4)))
        sides = draw(hnp.arrays(np.int64, (rows, 2), elements=st.integers(-6, 8)))
        kinds = draw(st.lists(st.sampled_from(["<=", ">=", "=", "range"]), min_size=rows, max_size=rows))
        entries = []
        for row, (first, second), kind in zip(matrix, sides, kinds, strict=True):
            low, high = {
                "<=": (-INF, first),
                ">=": (-first, INF),
                "=": (first % 4, first % 4),
                "range": (min(first, second), max(first, second)),
            }[kind]
            entries.append((row, low, high))
        return program(scores, entries, upper=upper, constant=draw(st.sampled_from([0.0, 2.5])))

    return draw_program()


@pytest.mark.parametrize("name", ILP)
def test_random_programs_against_enumeration(name: str) -> None:
    solver = backend(name) if name != "ilp-pulp" else backend(name, backend="HiGHS")

    @settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(random_programs((4, 8), upper=1.0))
    def check(lp: LinearProgram) -> None:
        optimum, outcome = best_point(lp), solver.optimize(lp)
        if optimum == -INF:
            assert outcome.status == "infeasible"
        else:
            check_solved(name, lp, outcome, optimum)

    check()


@pytest.mark.parametrize("name", LP)
def test_random_relaxations_against_scipy(name: str) -> None:
    solver = backend(name)

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(random_programs((2, 10), upper=2.0))
    def check(lp: LinearProgram) -> None:
        optimum, outcome = relaxed_optimum(lp), solver.optimize(lp)
        if optimum == -INF:
            assert outcome.status == "infeasible"
        else:
            check_solved(name, lp, outcome, optimum)

    check()


def near_ties(seed: int, difference: float, size: float) -> LinearProgram:
    """Items of equal score but for multiples of `difference`, under a knapsack row and clashes."""
    rng = np.random.default_rng(seed)
    scores = size * (3.7 + difference * rng.integers(0, 20, 12))
    weights = rng.integers(3, 9, 12).astype(float)
    clashes = []
    for _ in range(4):
        clash = np.zeros(12)
        clash[rng.choice(12, 3, replace=False)] = 1
        clashes.append((clash, -INF, 2.0))
    return program(scores, [(weights, -INF, float(weights.sum() // 2)), *clashes])


@pytest.mark.parametrize("name", ILP + LP)
@pytest.mark.parametrize("size", [1e-30, 1e-9, 1e9, 1e30])
def test_the_unit_of_the_objective_does_not_matter(name: str, size: float) -> None:
    rng = np.random.default_rng(2)
    for constant in (0.0, 7.0):
        scores = rng.normal(size=10)
        rows = [(rng.integers(0, 4, 10), -INF, 7.0) for _ in range(4)]
        lp = program(scores * size, rows, constant=constant * size)
        optimum = best_point(lp) if name in ILP else size * relaxed_optimum(program(scores, rows, constant=constant))
        outcome = backend(name, trace=True, time_limit=20.0).optimize(lp)
        close = tolerance(name) * abs(optimum)
        assert outcome.status == "solved"
        assert lp.value(outcome.values) == pytest.approx(optimum, abs=close)
        assert optimum - 1e-9 * abs(optimum) <= outcome.bound <= optimum + close
        assert outcome.trace[-1].bound == outcome.bound
        assert all(point.bound >= optimum - close for point in outcome.trace)


@pytest.mark.parametrize("name", ILP)
@pytest.mark.parametrize(("difference", "size"), [(1e-6, 1.0), (3e-7, 0.3), (1e-7, 1000.0)])
def test_near_ties_are_told_apart(name: str, difference: float, size: float) -> None:
    for seed in range(6):
        lp = near_ties(seed, difference, size)
        optimum, outcome = best_point(lp), backend(name).optimize(lp)
        assert lp.value(outcome.values) > optimum - 0.5 * difference * size
        assert outcome.bound >= optimum - 1e-9 * abs(optimum)


def market_split(rows: int = 4, columns: int = 34) -> LinearProgram:
    """Cornuejols & Dawande's market split: tiny, and out of reach for branch and bound. Slacks keep it feasible."""
    rng = np.random.default_rng(5)
    matrix = rng.integers(0, 100, (rows, columns))
    builder = ProgramBuilder()
    x = builder.add_columns(np.zeros(columns), integer=True)
    for row in matrix:
        slack = builder.add_columns([-1.0, -1.0], 0.0, 5000.0, integer=True)
        side = float(row.sum() // 2)
        entries = np.concatenate([row, [1, -1]]).astype(float)
        builder.add_rows(np.array([columns + 2]), np.concatenate([x, slack]), entries, side, side)
    return builder.build()


def many_knapsacks(rows: int = 15, columns: int = 150) -> tuple[LinearProgram, float]:
    """Chu & Beasley's correlated knapsacks, which take minutes to hours, and the value of a greedy solution."""
    rng = np.random.default_rng(3)
    weights = rng.integers(1, 1000, (rows, columns)).astype(float)
    scores = weights.mean(axis=0) / 100 + 5 * rng.random(columns)
    capacities = np.floor(weights.sum(axis=1) / 2)
    taken = np.zeros(columns)
    for item in np.argsort(-scores / weights.sum(axis=0)):
        if (weights @ taken + weights[:, item] <= capacities).all():
            taken[item] = 1
    lp = program(scores, [(row, -INF, capacity) for row, capacity in zip(weights, capacities, strict=True)])
    return lp, lp.value(taken)


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


@given(hnp.arrays(np.float64, 2, elements=st.floats(-20, 20)), st.sampled_from(sorted(CANONICAL)))
@settings(derandomize=True)
def test_any_multipliers_give_a_valid_bound(head: np.ndarray, case: str) -> None:
    lp, _, relaxed = CANONICAL[case]
    multipliers = np.resize(head, lp.number_of_rows)
    assert relaxed - 1e-9 * max(1.0, abs(relaxed)) <= dual_bound(lp, multipliers) < INF


def test_optimal_multipliers_give_the_optimum() -> None:
    """Knapsack: the break item is the second, with score 13 and weight 4."""
    assert dual_bound(KNAPSACK, np.array([13 / 4])) == pytest.approx(23.5)
    assert dual_bound(KNAPSACK, np.array([-1.0])) == box_bound(KNAPSACK) == 40.0


def test_cpsat_accounts_for_rounded_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """With scores of 12 bits the optimum may be missed, but never by more than the bound admits."""
    monkeypatch.setattr("solvers.linear.integral.OBJECTIVE_BITS", 12)
    gaps = []
    for seed in range(10):
        scores = np.random.default_rng(seed).random(10)
        lp = program(scores, [([3, 1, 4, 1, 5, 9, 2, 6, 5, 3], -INF, 18.0)])
        outcome = backend("ilp-cpsat").optimize(lp)
        assert outcome.bound >= best_point(lp)
        gaps.append(outcome.bound - lp.value(outcome.values))
    assert 0 < max(gaps) < 10 * 2.0**-8


def test_cpsat_solves_knapsacks_of_large_coefficients() -> None:
    """Its presolve loses some of their optima (OR-tools issue 5293); this is one of them."""
    costs = [1625957903622, 2032028309372, 4562099190666, 2655064807342]
    costs += [1222453478392, 1141281291963, 4194020190303, 1066638218263]
    scores = [6324390882968, 140737488355, 6667438510834, 4512395720393]
    scores += [8171570417631, 580542139466, 7397514231677, 589338232488]
    lp = program(scores, [(costs, -INF, 9444732975185.0)])
    check_solved("ilp-cpsat", lp, backend("ilp-cpsat").optimize(lp), best_point(lp))


def test_cpsat_rounds_rows_without_a_common_denominator() -> None:
    lp = program([1] * 3, [([math.pi * 1e-12, math.sqrt(2) * 1e6, 1], -INF, 2.0)])
    check_solved("ilp-cpsat", lp, backend("ilp-cpsat").optimize(lp), 2.0)


def test_cpsat_refuses_what_it_cannot_scale() -> None:
    with pytest.raises(InputError, match="column 1"):
        backend("ilp-cpsat").optimize(program([1, 1], [([1, 1], 0, 1)], upper=[1, 0.5], integer=False))


@pytest.mark.parametrize("name", ILP)
def test_irregular_coefficients(name: str) -> None:
    """Weights that are no short decimals, and a budget that one subset meets exactly."""
    weights = np.sqrt([2.0, 3.0, 5.0, 7.0, 11.0, 13.0])
    lp = program([1.4, 1.7, 2.3, 2.6, 3.3, 3.7], [(weights, -INF, float(weights[[1, 3, 4]].sum()))])
    check_solved(name, lp, backend(name).optimize(lp), best_point(lp))


def test_glpk_branches_as_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rule that GLPK is given, by the option; both prove the same optimum."""
    import swiglpk

    rules = []
    solve = swiglpk.glp_intopt
    monkeypatch.setattr(
        swiglpk, "glp_intopt", lambda problem, control: rules.append(control.br_tech) or solve(problem, control)
    )
    lp = program([5.0, 4.0, 3.0], [([2.0, 3.0, 1.0], -INF, 3.0), ([4.0, 1.0, 2.0], -INF, 5.0)])
    found = [backend("ilp-glpk", **options).optimize(lp) for options in ({}, {"branching": "default"})]
    assert rules == [swiglpk.GLP_BR_MFV, swiglpk.GLP_BR_DTH]
    assert [outcome.bound for outcome in found] == [pytest.approx(5.0)] * 2
    with pytest.raises(InputError, match="'branching' of solver 'ilp-glpk' must be one of most-fractional, default"):
        backend("ilp-glpk", branching="first")


def test_glpk_arrays_do_not_depend_on_the_memory_layout() -> None:
    """Where the address of a SWIG array is not that of its elements, they are assigned one by one."""
    import swiglpk

    from solvers.linear.glpk import _one_based

    elsewhere = np.full(4, 7.0)

    class Indirect:
        def __init__(self, length: int) -> None:
            self.elements = [0.0] * length
            self.this = elsewhere.ctypes.data

        def __setitem__(self, position: int, number: float) -> None:
            self.elements[position] = number

    numbers = np.array([1.5, 2.5, 3.5])
    assert _one_based(Indirect, numbers).elements[1:] == [1.5, 2.5, 3.5]
    assert elsewhere.tolist() == [7.0] * 4
    direct = _one_based(swiglpk.doubleArray, numbers)
    assert [direct[i] for i in (1, 2, 3)] == [1.5, 2.5, 3.5]


def test_unknown_pulp_backend_names_the_available_ones() -> None:
    with pytest.raises(InputError, match="PULP_CBC_CMD"):
        backend("ilp-pulp", backend="NO_SUCH_SOLVER").optimize(KNAPSACK)


def test_pulp_runs_another_backend() -> None:
    check_solved("ilp-pulp", KNAPSACK, backend("ilp-pulp", backend="HiGHS").optimize(KNAPSACK), 23.0)


@pytest.mark.parametrize("name", ["ilp-cbc", "ilp-pulp"])
def test_no_files_are_left(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    backend(name).optimize(KNAPSACK)
    backend(name, time_limit=0.1).optimize(market_split())
    assert list(tmp_path.iterdir()) == []


def test_cbc_that_ignores_its_limit_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stubborn = tmp_path / "cbc"
    stubborn.write_text("#!/bin/sh\nexec sleep 30\n")
    stubborn.chmod(0o755)
    monkeypatch.setattr("solvers.linear.cbc.cbc_path", lambda: str(stubborn))
    monkeypatch.setattr("solvers.linear.cbc.GRACE", 0.1)
    start = time.perf_counter()
    outcome = backend("ilp-cbc", time_limit=0.1).optimize(KNAPSACK)
    assert time.perf_counter() - start < 5
    assert (outcome.status, outcome.values, outcome.bound) == ("stopped", None, 40.0)


@pytest.mark.parametrize(("seconds", "status"), [(0.0, "infeasible"), (1.1, "stopped")])
def test_what_cbc_says_at_its_time_limit_is_no_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, status: str
) -> None:
    hasty = tmp_path / "cbc"
    hasty.write_text(
        f"#!/bin/sh\nsleep {seconds}\necho 'Continuous objective value is -9e+06 - 0.02 seconds'\n"
        "echo 'Integer infeasible - objective value 0' > solution.txt\n"
    )
    hasty.chmod(0o755)
    monkeypatch.setattr("solvers.linear.cbc.cbc_path", lambda: str(hasty))
    outcome = backend("ilp-cbc", time_limit=1.0).optimize(KNAPSACK)
    assert outcome.status == status
    if status == "stopped":
        assert 9e6 / 2**18 < outcome.bound < 9.001e6 / 2**18  # KNAPSACK's scores sum to 40, 2^24 in scaled units


def test_crashes_are_told_from_errors_on_every_system() -> None:
    from solvers.linear.cbc import crashed

    assert crashed(-11)
    assert crashed(0xC0000005)  # an access violation on Windows
    assert not crashed(0)
    assert not crashed(3)


def test_cbc_that_fails_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "cbc"
    broken.write_text("#!/bin/sh\necho no licence\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setattr("solvers.linear.cbc.cbc_path", lambda: str(broken))
    with pytest.raises(RuntimeError, match=r"ilp-cbc.*exit code 3.*no licence"):
        backend("ilp-cbc").optimize(KNAPSACK)


ROUND_TRIPS = [case for case in CANONICAL if CANONICAL[case][0].number_of_columns and CANONICAL[case][0].number_of_rows]


@pytest.mark.parametrize("case", ROUND_TRIPS)
def test_mps_round_trip(case: str, tmp_path: Path) -> None:
    import highspy
    import swiglpk as glpk

    lp, optimum, _ = CANONICAL[case]
    path = tmp_path / "program.mps"
    write_mps(lp, path)

    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    highs.run()
    assert -highs.getInfo().objective_function_value == pytest.approx(optimum)

    glpk.glp_term_out(glpk.GLP_OFF)
    problem = glpk.glp_create_prob()
    assert glpk.glp_read_mps(problem, glpk.GLP_MPS_FILE, None, str(path)) == 0
    control = glpk.glp_iocp()
    glpk.glp_init_iocp(control)
    control.presolve = glpk.GLP_ON
    assert glpk.glp_intopt(problem, control) == 0
    assert -glpk.glp_mip_obj_val(problem) == pytest.approx(optimum)
    glpk.glp_delete_prob(problem)


def test_mps_keeps_every_digit(tmp_path: Path) -> None:
    import highspy

    rng = np.random.default_rng(1)
    rows = [(rng.normal(size=5), -rng.random(), rng.random())]
    lp = program(rng.normal(size=5), rows, lower=-rng.random(5), upper=1 / 3, integer=False)
    write_mps(lp, tmp_path / "program.mps")
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.readModel(str(tmp_path / "program.mps"))
    read = highs.getLp()
    np.testing.assert_array_equal(-np.array(read.col_cost_), lp.objective)
    np.testing.assert_array_equal(read.col_lower_, lp.lower)
    np.testing.assert_array_equal(read.col_upper_, lp.upper)
    np.testing.assert_array_equal(read.row_lower_, lp.row_lower)
    assert sorted(read.a_matrix_.value_) == sorted(lp.row_values)


def test_names_and_table_agree() -> None:
    for name in BACKENDS:
        solver = type(backend(name))
        assert solver.name == name
        assert solver.relaxation == name.startswith("lp-")
        assert solver.exact == name.startswith("ilp-")
        assert any(character.isdigit() for character in solver.version())


def test_versions_name_the_library_behind_another() -> None:
    assert type(backend("ilp-scip")).version().startswith("SCIP ")
    assert " of OR-tools " in type(backend("ilp-scip")).version()


def test_importing_backends_imports_no_library() -> None:
    modules = ", ".join(sorted({target.split(":")[0] for target in BACKENDS.values()}))
    code = f"import sys; import {modules}; print({{'ortools', 'highspy', 'swiglpk', 'pulp', 'scipy', 'gurobipy', 'xpress'}} & set(sys.modules))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert answer.stdout.strip() == "set()"
