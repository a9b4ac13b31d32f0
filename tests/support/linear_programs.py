"""Linear programs with known optima, oracles for others, and any LP or ILP backend to solve them."""

from __future__ import annotations

import importlib
import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from linear_oracle import lp_optimum

from problems.linear_program import LinearProgram, ProgramBuilder
from solvers.linear import BACKENDS
from solvers.linear.base import LinearSolver, Outcome

INF = math.inf
ILP = sorted(name for name in BACKENDS if name.startswith("ilp-"))
LP = sorted(name for name in BACKENDS if name.startswith("lp-"))


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
    found = lp_optimum(lp)
    return found[0] if found else -INF


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
