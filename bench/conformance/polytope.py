"""The polytope of one factor, as the judge of its faces: from enumeration, or from its rows where it is a relaxation.

Both answer the same two questions with linear programs of scipy, apart from all of our solvers: the best value for
linear scores, and the own score of a point. The own score of a fractional point is the concave one: the highest
mean own score of configurations that combine to the point.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from problems.linear_program import Floats, LinearProgram

NEAR = 1e-6  # how far a point may lie outside of a polytope


@dataclass(frozen=True)
class Hull:
    """The hull of a factor's allowed configurations (rows) with their own scores."""

    configurations: Floats
    scores: Floats

    def best(self, scores: Floats) -> float:
        return float((self.configurations @ scores + self.scores).max())

    def own(self, point: Floats) -> float | None:
        """The own score of a point; None if it lies outside."""
        from scipy.optimize import linprog

        rows = np.vstack([self.configurations.T, -self.configurations.T])
        limits = np.concatenate([point + NEAR, NEAR - point])
        ones = np.ones((1, len(self.scores)))
        found = linprog(-self.scores, A_ub=rows, b_ub=limits, A_eq=ones, b_eq=[1.0], method="highs")
        return None if found.status == 2 else -float(found.fun)


@dataclass(frozen=True)
class Rows:
    """What a factor's `constrain` describes; the factor's variables are the first columns of the program."""

    program: LinearProgram
    degree: int

    def best(self, scores: Floats) -> float:
        objective = self.program.objective.copy()
        objective[: self.degree] += scores
        found = optimum(replace(self.program, objective=objective))
        return -math.inf if found is None else found

    def own(self, point: Floats, exact: bool = False) -> float | None:
        """The own score of a point; None if it lies outside. `exact` asks for a 0/1 point without tolerance."""
        near = 0.0 if exact else NEAR
        lower, upper = self.program.lower.copy(), self.program.upper.copy()
        lower[: self.degree], upper[: self.degree] = point - near, point + near
        return optimum(replace(self.program, lower=lower, upper=upper), integral=exact)


def optimum(program: LinearProgram, integral: bool = False) -> float | None:
    """The best value of a program (of its relaxation, if not `integral`); None if there is none."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    rows: list[Any] = []
    if program.number_of_rows:
        rows = [LinearConstraint(program.matrix(), program.row_lower, program.row_upper)]
    found = milp(
        -program.objective,
        integrality=program.integer.astype(int) if integral else None,
        bounds=Bounds(program.lower, program.upper),
        constraints=rows,
    )
    if found.status == 2:
        return None
    if found.status != 0:
        raise RuntimeError(f"the judge's linear program has no answer ({found.message})")
    return program.constant - float(found.fun)
