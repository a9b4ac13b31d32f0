"""Linear programs solved by scipy, apart from all our backends."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

from problems.linear_program import LinearProgram


def lp_optimum(program: LinearProgram) -> tuple[float, np.ndarray] | None:
    """Value and point of the relaxation by scipy; None if it is infeasible."""
    matrix = program.matrix().toarray()
    upper, lower = np.isfinite(program.row_upper), np.isfinite(program.row_lower)
    result = linprog(
        -program.objective,
        A_ub=np.concatenate([matrix[upper], -matrix[lower]]),
        b_ub=np.concatenate([program.row_upper[upper], -program.row_lower[lower]]),
        bounds=np.stack([program.lower, program.upper], axis=1),
        method="highs-ds",
    )
    if result.status == 2:
        return None
    assert result.status == 0, result.message
    return program.constant - result.fun, result.x
