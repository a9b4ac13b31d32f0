"""Upper bounds that need no trust in a solver's tolerances.

For any multipliers y, weak duality gives

    constant + sum_i max(y_i r : row_lower_i <= r <= row_upper_i) + sum_j max((c - A'y)_j x : lower_j <= x <= upper_j)

as an upper bound on the program and on its relaxation. It is finite for every y whose sign fits the one-sided rows, as
long as the columns are boxed, so even an inexact dual solution (PDLP, a simplex stopped midway) certifies a bound.
"""

from __future__ import annotations

import numpy as np

from problems.linear_program import Floats, LinearProgram


def dual_bound(program: LinearProgram, multipliers: Floats) -> float:
    """The bound of these row multipliers; a multiplier whose sign does not fit its one-sided row counts as zero."""
    y = np.where(np.isfinite(multipliers), multipliers, 0.0)
    y[(y > 0) & np.isinf(program.row_upper)] = 0.0
    y[(y < 0) & np.isinf(program.row_lower)] = 0.0
    reduced_costs = program.objective - program.matrix().T @ y
    rows = _largest(y, program.row_lower, program.row_upper)
    columns = _largest(reduced_costs, program.lower, program.upper)
    return program.constant + float(rows.sum() + columns.sum())


def box_bound(program: LinearProgram) -> float:
    """The bound of the column bounds alone: what is known before anything was solved."""
    return program.constant + float(_largest(program.objective, program.lower, program.upper).sum())


def _largest(slopes: Floats, lower: Floats, upper: Floats) -> Floats:
    """The maximum of slope * x over lower <= x <= upper, where a zero slope gives zero whatever the bounds."""
    ends = np.where(slopes > 0, upper, lower)
    return np.where(slopes == 0, 0.0, slopes) * np.where(slopes == 0, 0.0, ends)
