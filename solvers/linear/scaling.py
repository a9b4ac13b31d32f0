"""A unit for the objective in which solvers' absolute tolerances do not matter.

Every branch-and-bound code compares objectives up to some absolute tolerance (1e-5 in CBC, 1e-6 in HiGHS, ...), and so
confuses near ties of small scores; every LP code calls reduced costs below some tolerance zero, and fails on huge ones.
Multiplying by a power of two is exact, and leaves the tolerance negligible. The constant is left out: beside a large one,
the rest of the objective would lose its digits. `LinearBackend.optimize` does this once for every backend.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from problems.linear_program import Floats, LinearProgram

from .base import Outcome

INTEGER_BITS = 24
RELAXED_BITS = 14  # simplex and interior point codes prefer moderate costs
LARGEST_EXPONENT = 1000


def reach(program: LinearProgram) -> Floats:
    """The largest absolute value of each column (infinite if unbounded)."""
    return np.maximum(np.abs(program.lower), np.abs(program.upper))


def objective_scale(objective: Floats, reach: Floats, bits: int) -> float:
    """The power of two that brings the objective's largest conceivable size to just below 2^bits."""
    size = float(np.abs(objective) @ np.where(np.isfinite(reach), reach, 1.0))
    return math.ldexp(1.0, min(bits - math.frexp(size)[1], LARGEST_EXPONENT)) if size > 0 else 1.0


@dataclass(frozen=True)
class Unit:
    """What an objective was multiplied by, and the constant that was left out of it."""

    scale: float
    constant: float

    def apply(self, program: LinearProgram) -> LinearProgram:
        return dataclasses.replace(program, objective=program.objective * self.scale, constant=0.0)

    def value(self, scaled: float) -> float:
        return self.constant + scaled / self.scale

    def restore(self, outcome: Outcome) -> None:
        """Bound and trace of an outcome in the program's own unit."""
        outcome.bound = self.value(outcome.bound)
        outcome.trace = [
            dataclasses.replace(point, objective=self.value(point.objective), bound=self.value(point.bound))
            for point in outcome.trace
        ]


def unit_of(program: LinearProgram, relaxation: bool) -> Unit:
    bits = RELAXED_BITS if relaxation else INTEGER_BITS
    return Unit(objective_scale(program.objective, reach(program), bits), program.constant)
