"""A linear program in whole numbers, for solvers that know no others (CP-SAT).

- Columns: all become integer. The continuous columns of our programs (edges, configurations, flows) are integral by
  themselves as soon as the integer ones are, so nothing is lost; fractional bounds of a continuous column would say
  otherwise and are refused.
- Rows: multiplied by the common denominator of their coefficients, which is exact. A coefficient is read as the simplest
  fraction that rounds to the same double (0.1 is one tenth). A row without a common denominator of a usual size is
  rounded to 45 bits, and its sides are moved apart by what that may change: no solution is lost, and what is gained breaks
  the row by less than 1e-12 of its size.
- Objective: multiplied by a power of two and rounded; `error` bounds what that can change.
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
EXACT_BITS = 53  # size of the largest row activity that is scaled exactly
ROUNDED_BITS = 45  # size of row activities that are rounded
ACTIVITY_BITS = 62  # beyond any row activity: int64 without overflow
BOUND_TOLERANCE = 1e-9  # a row bound this close to a whole number (relative) is that number
LARGEST_DENOMINATOR = 10**6
UNIT_TOLERANCE = 1e-15  # how closely whole multiples of a common factor must match their coefficients


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
    """Whole numbers throughout, or an InputError that names the column which cannot be."""
    lower, upper = _columns(program, solver)
    largest = np.maximum(np.abs(lower), np.abs(upper))
    row_values, factors, errors = _rows(program, largest)
    scaled_lower, scaled_upper = program.row_lower * factors - errors, program.row_upper * factors + errors
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


def _rows(program: LinearProgram, largest: Floats) -> tuple[Integers, Floats, Floats]:
    """Whole coefficients, the factor of each row, and how far its activity may be off after rounding."""
    values = program.row_values.copy()
    row_of_entry = np.repeat(np.arange(program.number_of_rows), np.diff(program.row_starts))
    factors, errors = np.ones(program.number_of_rows), np.zeros(program.number_of_rows)
    reach = largest[program.row_columns]
    activity = np.bincount(row_of_entry, weights=np.abs(values) * reach, minlength=len(factors))
    awkward = activity >= 2.0**EXACT_BITS
    awkward[row_of_entry[values != np.rint(values)]] = True
    for row in np.flatnonzero(awkward).tolist():
        entries = slice(program.row_starts[row], program.row_starts[row + 1])
        found = _whole_multiples(values[entries].tolist(), reach[entries].tolist())
        if found is None:
            factors[row] = math.ldexp(1.0, ROUNDED_BITS - math.frexp(float(activity[row]))[1])
            scaled = values[entries] * factors[row]
            values[entries] = np.rint(scaled)
            errors[row] = float(np.abs(values[entries] - scaled) @ reach[entries])
        else:
            values[entries], factors[row] = found
    return values.astype(np.int64), factors, errors


def _whole_multiples(coefficients: list[float], largest: list[float]) -> tuple[list[int], float] | None:
    """Whole multiples of a row's coefficients and the factor, first as they are, then in units of the largest one.

    The second way finds a common factor that the digits hide (as in 3.3e-6 and 1.1e-6), at the price of a few roundings.
    """
    unit = max(map(abs, coefficients))
    in_units = [Fraction(value / unit).limit_denominator(LARGEST_DENOMINATOR) for value in coefficients]
    same = all(
        abs(float(ratio) * unit - value) <= UNIT_TOLERANCE * abs(value)
        for ratio, value in zip(in_units, coefficients, strict=True)
    )
    ways = [([_simplest(value) for value in coefficients], 1.0)] + ([(in_units, unit)] if same else [])
    for fractions, divisor in ways:
        multiple = math.lcm(*(fraction.denominator for fraction in fractions))
        whole = [int(fraction * multiple) for fraction in fractions]
        if sum(abs(value) * most for value, most in zip(whole, largest, strict=True)) < 2.0**EXACT_BITS:
            return whole, multiple / divisor
    return None


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
