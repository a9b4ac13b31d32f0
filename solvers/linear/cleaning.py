"""The same program in a form that every library accepts.

HiGHS and GLPK refuse an entry that is given twice (GLPK by ending the process), CLP fails on rows without any bound,
GLPK on fractional bounds of integer columns.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from problems.linear_program import LinearProgram

BOUND_TOLERANCE = 1e-9  # a bound this close to a whole number is that number


def clean(program: LinearProgram, *, relaxation: bool) -> LinearProgram:
    """Repeated entries added up, zeros and free rows dropped; integer columns bounded by integers, unless relaxed."""
    program = _without_idle_entries(program)
    if relaxation:
        return program
    lower = np.where(program.integer, np.ceil(program.lower - BOUND_TOLERANCE), program.lower)
    upper = np.where(program.integer, np.floor(program.upper + BOUND_TOLERANCE), program.upper)
    return dataclasses.replace(program, lower=lower, upper=upper)


def _without_idle_entries(program: LinearProgram) -> LinearProgram:
    matrix = program.matrix()
    bounded = ~(np.isneginf(program.row_lower) & np.isposinf(program.row_upper))
    if matrix.has_canonical_format and bounded.all() and np.all(matrix.data != 0.0):
        return program
    return program.with_rows(bounded, tidy=True)
