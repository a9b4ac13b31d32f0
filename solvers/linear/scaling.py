"""A unit for the objective in which solvers' absolute tolerances do not matter.

Every branch-and-bound code compares objectives up to some absolute tolerance (1e-5 in CBC, 1e-6 in HiGHS, ...), and so
confuses near ties of small scores. Multiplying by a power of two is exact, and leaves the tolerance negligible.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from problems.linear_program import Floats, LinearProgram

USUAL_BITS = 24


def reach(program: LinearProgram) -> Floats:
    """The largest absolute value of each column (infinite if unbounded)."""
    return np.maximum(np.abs(program.lower), np.abs(program.upper))


def objective_scale(objective: Floats, reach: Floats, bits: int = USUAL_BITS) -> float:
    """The power of two that brings the objective's largest conceivable size to just below 2^bits."""
    size = float(np.abs(objective) @ np.where(np.isfinite(reach), reach, 1.0))
    return math.ldexp(1.0, bits - math.frexp(size)[1]) if size > 0 else 1.0


def rescaled(program: LinearProgram, scale: float) -> LinearProgram:
    return dataclasses.replace(program, objective=program.objective * scale, constant=program.constant * scale)
