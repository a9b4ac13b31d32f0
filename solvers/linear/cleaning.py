"""Programs that say the same, in a form that every library accepts."""

from __future__ import annotations

import dataclasses

import numpy as np

from problems.linear_program import LinearProgram

BOUND_TOLERANCE = 1e-9  # a bound this close to a whole number is that number


def without_repeats(program: LinearProgram) -> LinearProgram:
    """The same program with repeated entries of a row added up and zeros dropped."""
    matrix = program.matrix()
    if matrix.has_canonical_format and np.all(matrix.data != 0.0):
        return program
    matrix = matrix.copy()
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return dataclasses.replace(
        program,
        row_starts=matrix.indptr.astype(np.int64),
        row_columns=matrix.indices.astype(np.int64),
        row_values=matrix.data,
    )


def with_whole_bounds(program: LinearProgram) -> LinearProgram:
    """The same program with the bounds of integer columns at the next integers inside."""
    lower = np.where(program.integer, np.ceil(program.lower - BOUND_TOLERANCE), program.lower)
    upper = np.where(program.integer, np.floor(program.upper + BOUND_TOLERANCE), program.upper)
    return dataclasses.replace(program, lower=lower, upper=upper)
