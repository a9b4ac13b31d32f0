"""A mixed 0/1 linear program as plain arrays: what factors emit and what LP and ILP backends read.

    maximize    constant + objective @ x
    subject to  row_lower <= A x <= row_upper,   lower <= x <= upper,   x[integer] integral

A is stored by rows (CSR). Infinite row and column bounds are allowed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class LinearProgram:
    objective: Floats
    lower: Floats
    upper: Floats
    integer: NDArray[np.bool_]
    row_starts: Integers
    row_columns: Integers
    row_values: Floats
    row_lower: Floats
    row_upper: Floats
    constant: float = 0.0

    @property
    def number_of_columns(self) -> int:
        return len(self.objective)

    @property
    def number_of_rows(self) -> int:
        return len(self.row_lower)

    def matrix(self) -> csr_array:
        """The constraint matrix A in scipy's CSR form."""
        from scipy.sparse import csr_array

        shape = (self.number_of_rows, self.number_of_columns)
        return csr_array((self.row_values, self.row_columns, self.row_starts), shape=shape)

    def with_rows(self, kept: NDArray[np.bool_], *, tidy: bool = False) -> LinearProgram:
        """The program with some of its rows only; `tidy` adds repeated entries up and drops zeros."""
        matrix = self.matrix()[np.flatnonzero(kept)]  # a copy: the program's own arrays stay as they are
        if tidy:
            matrix.sum_duplicates()
            matrix.eliminate_zeros()
        return replace(
            self,
            row_starts=matrix.indptr.astype(np.int64),
            row_columns=matrix.indices.astype(np.int64),
            row_values=matrix.data,
            row_lower=self.row_lower[kept],
            row_upper=self.row_upper[kept],
        )

    def value(self, x: Floats) -> float:
        return self.constant + float(self.objective @ x)

    def violation(self, x: Floats) -> float:
        """The largest amount by which x breaks a bound or a row (integrality not included)."""
        activity = self.matrix() @ x
        broken = (self.lower - x, x - self.upper, self.row_lower - activity, activity - self.row_upper)
        return max([0.0, *(float(part.max()) for part in broken if part.size)])


@dataclass
class ProgramBuilder:
    """Collects columns and rows in chunks; `build` joins them. Factors call it from `constrain`."""

    constant: float = 0.0
    number_of_columns: int = 0
    _columns: list[tuple[Floats, Floats, Floats, NDArray[np.bool_]]] = field(default_factory=list)
    _rows: list[tuple[Integers, Integers, Floats, Floats, Floats]] = field(default_factory=list)
    _extra_objective: list[tuple[Integers, Floats]] = field(default_factory=list)

    def add_columns(
        self, objective: ArrayLike, lower: ArrayLike = 0.0, upper: ArrayLike = 1.0, integer: bool = False
    ) -> Integers:
        """Append columns and return their indices."""
        scores = np.atleast_1d(np.asarray(objective, dtype=np.float64))
        count = len(scores)
        self._columns.append(
            (
                scores,
                np.broadcast_to(np.asarray(lower, dtype=np.float64), count),
                np.broadcast_to(np.asarray(upper, dtype=np.float64), count),
                np.full(count, integer),
            )
        )
        first = self.number_of_columns
        self.number_of_columns += count
        return np.arange(first, first + count)

    def add_objective(self, columns: Integers, scores: Floats) -> None:
        """Add scores to the objective of existing columns (repeated columns add up)."""
        self._extra_objective.append((columns, scores))

    def add_rows(
        self,
        lengths: Integers,
        columns: Integers,
        values: Floats,
        lower: ArrayLike,
        upper: ArrayLike,
        negated: NDArray[np.bool_] | None = None,
    ) -> None:
        """Append rows given as row lengths and flat (column, value) entries.

        A negated entry stands for the literal 1 - x: its value changes sign and moves to the right-hand side.
        """
        count = len(lengths)
        low = np.broadcast_to(np.asarray(lower, dtype=np.float64), count)
        high = np.broadcast_to(np.asarray(upper, dtype=np.float64), count)
        if negated is not None and negated.any():
            row_of_entry = np.repeat(np.arange(count), lengths)
            shift = np.bincount(row_of_entry, weights=np.where(negated, values, 0.0), minlength=count)
            values = np.where(negated, -values, values)
            low, high = low - shift, high - shift
        self._rows.append((lengths, columns, values, low, high))

    def build(self) -> LinearProgram:
        if self._columns:
            objective, lower, upper, integer = (np.concatenate(part) for part in zip(*self._columns, strict=True))
        else:
            objective = lower = upper = np.zeros(0)
            integer = np.zeros(0, dtype=bool)
        if self._extra_objective:
            columns, scores = (np.concatenate(part) for part in zip(*self._extra_objective, strict=True))
            objective = objective + np.bincount(columns, weights=scores, minlength=len(objective))
        if self._rows:
            lengths, row_columns, row_values, row_lower, row_upper = (
                np.concatenate(part) for part in zip(*self._rows, strict=True)
            )
        else:
            lengths = row_columns = np.zeros(0, dtype=np.int64)
            row_values = row_lower = row_upper = np.zeros(0)
        row_starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths, dtype=np.int64)])
        return LinearProgram(
            objective=objective,
            lower=lower,
            upper=upper,
            integer=integer,
            row_starts=row_starts,
            row_columns=row_columns,
            row_values=row_values,
            row_lower=row_lower,
            row_upper=row_upper,
            constant=self.constant,
        )
