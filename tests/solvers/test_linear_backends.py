"""One set of programs with known optima, run through every LP and ILP backend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from linear_programs import (
    CANONICAL,
    CBC_ERRORS,
    ILP,
    INF,
    INFEASIBLE,
    KNAPSACK,
    LP,
    UNSORTED,
    backend,
    best_point,
    check_solved,
    program,
    relaxed_optimum,
    tolerance,
)

from problems.errors import InputError
from problems.linear_program import LinearProgram, ProgramBuilder
from solvers.linear.duality import box_bound, dual_bound


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


@pytest.mark.parametrize("name", ILP)
def test_irregular_coefficients(name: str) -> None:
    """Weights that are no short decimals, and a budget that one subset meets exactly."""
    weights = np.sqrt([2.0, 3.0, 5.0, 7.0, 11.0, 13.0])
    lp = program([1.4, 1.7, 2.3, 2.6, 3.3, 3.7], [(weights, -INF, float(weights[[1, 3, 4]].sum()))])
    check_solved(name, lp, backend(name).optimize(lp), best_point(lp))
