"""A linear program in whole numbers, for solvers that know no others (CP-SAT).

- Columns: all become integer. The continuous columns of our programs (edges, configurations, flows) are integral by
  themselves as soon as the integer ones are, so nothing is lost; fractional bounds of a continuous column would say
  otherwise and are refused.
- Rows: multiplied by the common denominator of their coefficients, which is exact; a row that would leave 62 bits is
  refused. A coefficient is read as the simplest fraction that rounds to the same double (0.1 is one tenth).
- Objective: multiplied by a power of two and rounded. This is the one inexact step; `error` bounds what it can change.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from problems.errors import InputError
from problems.linear_program import Floats, Integers, LinearProgram

from .scaling import objective_scale

OBJECTIVE_BITS = 45  # size of the largest scaled objective; more bits slow the search, fewer lose near ties
ACTIVITY_BITS = 62  # size of the largest scaled row activity: int64 without overflow
BOUND_TOLERANCE = 1e-9  # a row bound this close to a whole number (relative) is that number
LARGEST_DENOMINATOR = 10**6


@dataclass(frozen=True)
class IntegralProgram:
    lower: Integers
    upper: Integers
    row_values: Integers
    row_lower: Integers  # infinite bounds are the ends of int64
    row_upper: Integers
    objective: Integers
    scale: float
    error: float  # the true objective of any point differs from its scaled one by no more

    @property
    def contradicts_itself(self) -> bool:
        """Some bounds have no whole number between them."""
        return bool((self.lower > self.upper).any() or (self.row_lower > self.row_upper).any())


def to_integral(program: LinearProgram, solver: str) -> IntegralProgram:
    """Whole numbers throughout, or an InputError that names the row or column which cannot be."""
    lower, upper = _columns(program, solver)
    largest = np.maximum(np.abs(lower), np.abs(upper))
    row_values, factors = _rows(program, largest, solver)
    scaled_lower, scaled_upper = program.row_lower * factors, program.row_upper * factors
    scale = objective_scale(program.objective, largest, OBJECTIVE_BITS)
    objective = np.rint(program.objective * scale).astype(np.int64)
    return IntegralProgram(
        lower=lower.astype(np.int64),
        upper=upper.astype(np.int64),
        row_values=row_values,
        row_lower=_whole(np.ceil(scaled_lower - _slack(scaled_lower))),
        row_upper=_whole(np.floor(scaled_upper + _slack(scaled_upper))),
        objective=objective,
        scale=scale,
        error=float(np.abs(objective / scale - program.objective) @ largest),
    )


def _columns(program: LinearProgram, solver: str) -> tuple[Floats, Floats]:
    lower, upper = np.ceil(program.lower), np.floor(program.upper)
    split = ~program.integer & ((lower != program.lower) | (upper != program.upper))
    too_wide = ~(np.maximum(np.abs(lower), np.abs(upper)) < 2.0**31)
    for column in np.flatnonzero(split | too_wide)[:1].tolist():
        bounds = f"the bounds {program.lower[column]:g} and {program.upper[column]:g} of column {column}"
        raise InputError(f"solver {solver!r} needs whole numbers below 2^31, which {bounds} are not.")
    return lower, upper


def _rows(program: LinearProgram, largest: Floats, solver: str) -> tuple[Integers, Floats]:
    """Whole coefficients, and the factor of each row."""
    values = program.row_values.copy()
    row_of_entry = np.repeat(np.arange(program.number_of_rows), np.diff(program.row_starts))
    factors = np.ones(program.number_of_rows)
    exact: dict[int, list[int]] = {}  # beyond 53 bits, values holds roundings of these
    for row in np.unique(row_of_entry[values != np.rint(values)]).tolist():
        entries = slice(program.row_starts[row], program.row_starts[row + 1])
        fractions = [_simplest(value) for value in values[entries].tolist()]
        factor = math.lcm(*(fraction.denominator for fraction in fractions))
        if factor.bit_length() > ACTIVITY_BITS:
            raise _too_long(row, solver)
        factors[row] = factor
        exact[row] = [int(fraction * factor) for fraction in fractions]
        values[entries] = exact[row]
    activity = np.bincount(row_of_entry, weights=np.abs(values) * largest[program.row_columns], minlength=len(factors))
    for row in np.flatnonzero(activity >= 2.0**ACTIVITY_BITS)[:1].tolist():
        raise _too_long(row, solver)
    whole = values.astype(np.int64)
    for row, coefficients in exact.items():
        whole[program.row_starts[row] : program.row_starts[row + 1]] = coefficients
    return whole, factors


def _too_long(row: int, solver: str) -> InputError:
    return InputError(
        f"solver {solver!r} needs whole coefficients, and those of row {row} cannot be scaled to whole numbers "
        f"within {ACTIVITY_BITS} bits: round them to fewer digits."
    )


def _simplest(value: float) -> Fraction:
    exact = Fraction(value)
    simple = exact.limit_denominator(LARGEST_DENOMINATOR)
    return simple if float(simple) == value else exact


def _slack(bounds: Floats) -> Floats:
    return np.where(np.isfinite(bounds), BOUND_TOLERANCE * np.maximum(1.0, np.abs(bounds)), 0.0)


def _whole(bounds: Floats) -> Integers:
    """Bounds as int64. Finite ones beyond any activity are cut there; infinite ones become the ends of int64."""
    ends = np.iinfo(np.int64)
    reachable = np.clip(np.where(np.isfinite(bounds), bounds, 0.0), -(2.0**ACTIVITY_BITS), 2.0**ACTIVITY_BITS)
    whole = reachable.astype(np.int64)
    whole[np.isposinf(bounds)], whole[np.isneginf(bounds)] = ends.max, ends.min
    return whole
