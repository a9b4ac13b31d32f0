"""A smaller 0/1 program with the same optimum and the same relaxation, by exact means only.

- Variables that are equal in every feasible assignment become one column (`solvers.presolve`).
- Conjunctions of words of which one implies the others are shortened (`solvers.conjunctions`), as for AD3.
- Rows that hold by themselves once a column is as large as the other rows let it be are dropped. Raising such a column costs
  nothing: its score is not negative, and apart from its upper limits no row holds it down.
    - or:  c <= x1 + ... + xn.  At c = min(1, x1 + ... + xn) every row  xi <= c  holds.
    - and: c <= x1, ..., c <= xn.  At c = min(x1, ..., xn) the row  c >= x1 + ... + xn - (n - 1)  holds.
- Rows x <= y that follow from x <= z and z <= y are dropped.

Almeida & Martins (2013) and Gillick & Favre (2009) state the program with all of these rows. It is up to the reader which of the two
an ILP solver should be given: `reduced=True` gives it the smaller one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from problems.factor_graph import FactorGraph
from problems.factors.block import Booleans
from problems.linear_program import Floats, Integers, LinearProgram, ProgramBuilder

from ..conjunctions import shorten
from ..presolve import Merged, merge_equal

DEEPEST = 200  # steps of a chain of implications; longer ones, and circles, are left as they are


@dataclass(frozen=True)
class Lifts:
    """Columns to raise: `outputs[k]` to what `inputs[starts[k]:starts[k + 1]]` allow."""

    outputs: Integers
    starts: Integers
    inputs: Integers

    def gathered(self, operation: np.ufunc, values: Floats) -> Floats:
        return operation.reduceat(values[self.inputs], self.starts[:-1]) if len(self.outputs) else np.zeros(0)


@dataclass(frozen=True)
class Reduction:
    program: LinearProgram
    column_of: Integers  # of each variable of the graph
    conjunctions: Lifts
    disjunctions: Lifts

    def restore(self, values: Floats) -> Floats:
        """A solution of the reduced program as values of the graph's variables that satisfy the dropped rows too."""
        values = values.copy()
        lifted = self.conjunctions
        values[lifted.outputs] = np.maximum(values[lifted.outputs], lifted.gathered(np.minimum, values))
        lifted = self.disjunctions
        sums = np.minimum(lifted.gathered(np.add, values), 1.0)
        values[lifted.outputs] = np.maximum(values[lifted.outputs], sums)
        return values[self.column_of]


def reduce_program(graph: FactorGraph) -> Reduction:
    """The program of a graph, reduced."""
    merged = compact(shorten(merge_equal(graph)))
    builder = ProgramBuilder(constant=graph.constant)
    builder.add_columns(merged.scores, integer=True)
    for block in merged.blocks:
        block.constrain(builder)
    program = builder.build()
    idle, disjunctions = _disjunctions(_Rows(program))
    program = program.with_rows(~idle)
    idle, conjunctions = _conjunctions(_Rows(program))
    program = program.with_rows(~idle)
    program = program.with_rows(~_implied(_Rows(program)))
    return Reduction(program, merged.variable_of, conjunctions, disjunctions)


def compact(merged: Merged) -> Merged:
    """Without the variables that nothing has become and no factor links."""
    used = np.unique(np.concatenate([merged.variable_of, *(block.variables for block in merged.blocks)]))
    if len(used) == len(merged.scores):
        return merged
    number = np.empty(len(merged.scores), dtype=np.int64)
    number[used] = np.arange(len(used))
    blocks = [replace(block, variables=number[block.variables]) for block in merged.blocks]
    return Merged(blocks, merged.scores[used], number[merged.variable_of])


class _Rows:
    """A program's entries, row by row, and what holds each column down."""

    def __init__(self, program: LinearProgram) -> None:
        self.program = program
        self.count = program.number_of_rows
        self.degrees = np.diff(program.row_starts)
        self.of_entry = np.repeat(np.arange(self.count), self.degrees)
        self.columns, self.values = program.row_columns, program.row_values
        upper = np.isfinite(program.row_upper)[self.of_entry]
        lower = np.isfinite(program.row_lower)[self.of_entry]
        self.limiting = np.where(self.values > 0, upper, lower)  # entries that keep their column from growing
        self.limits = self.per_column(self.limiting)
        self.unit = (program.lower == 0.0) & (program.upper == 1.0)
        self.plus, self.minus = self.values == 1.0, self.values == -1.0
        self.pluses, self.minuses = self.per_row(self.plus), self.per_row(self.minus)
        self.plain = (self.pluses + self.minuses == self.degrees) & (self.per_row(~self.unit[self.columns]) == 0)

    def per_column(self, entries: Booleans) -> Integers:
        return np.bincount(self.columns[entries], minlength=self.program.number_of_columns)

    def per_row(self, entries: Booleans) -> Integers:
        return np.bincount(self.of_entry[entries], minlength=self.count)

    def only(self, entries: Booleans) -> Integers:
        """The column of each row's entry among these; -1 in rows without one."""
        column = np.full(self.count, -1)
        column[self.of_entry[entries]] = self.columns[entries]
        return column

    def between(self, low: float, high: float) -> Booleans:
        return (self.program.row_lower == low) & (self.program.row_upper == high)

    def pairs(self) -> Booleans:
        """Rows x - y <= 0 of two columns."""
        return self.plain & (self.pluses == 1) & (self.minuses == 1) & self.between(-np.inf, 0.0)

    def key(self, first: Integers, second: Integers) -> Integers:
        return first * self.program.number_of_columns + second

    def lifts(self, chosen: Booleans, outputs: Integers, inputs: Booleans) -> Lifts:
        """Of the chosen rows; `inputs` marks their entries that limit the output."""
        entries = inputs & chosen[self.of_entry]
        starts = np.concatenate([[0], np.cumsum(self.per_row(entries)[chosen])])
        return Lifts(outputs[chosen], starts, self.columns[entries])


def _disjunctions(rows: _Rows) -> tuple[Booleans, Lifts]:
    """Rows x <= c that c <= x1 + ... + xn makes idle, where that row is all that limits c."""
    output = rows.only(rows.minus)
    free = rows.unit & (rows.program.objective >= 0.0) & (rows.limits == 1)
    chosen = rows.plain & (rows.minuses == 1) & (rows.pluses >= 1) & rows.between(0.0, np.inf) & free[output]
    lifts = rows.lifts(chosen, output, rows.plus)
    covered = rows.key(np.repeat(lifts.outputs, np.diff(lifts.starts)), lifts.inputs)
    idle = rows.pairs() & np.isin(rows.key(output, rows.only(rows.plus)), covered)
    return idle, lifts


def _conjunctions(rows: _Rows) -> tuple[Booleans, Lifts]:
    """Rows c >= x1 + ... + xn - (n - 1) that c <= x1, ..., c <= xn make idle, where these rows are all that limits c."""
    program, pairs, output = rows.program, rows.pairs(), rows.only(rows.plus)
    limits_by_pairs = np.bincount(output[pairs], minlength=program.number_of_columns)
    free = rows.unit & (program.objective >= 0.0) & (rows.limits == limits_by_pairs)
    chosen = rows.plain & (rows.pluses == 1) & (rows.minuses >= 1) & free[output]
    chosen &= (program.row_lower == 1.0 - rows.minuses) & np.isposinf(program.row_upper)
    limiting = np.isin(
        rows.key(output[rows.of_entry], rows.columns), rows.key(output[pairs], rows.only(rows.minus)[pairs])
    )
    chosen &= (rows.per_row(rows.minus & limiting) == rows.minuses) & (limits_by_pairs[output] == rows.minuses)
    return chosen, rows.lifts(chosen, output, rows.minus)


def _implied(rows: _Rows) -> Booleans:
    """Rows x <= y that are given twice, or follow from x <= z and z <= ... <= y where each step is the only one."""
    pairs = np.flatnonzero(rows.pairs())
    small, large = rows.only(rows.plus)[pairs], rows.only(rows.minus)[pairs]
    keys = rows.key(small, large)
    repeated = np.ones(len(pairs), dtype=bool)
    repeated[np.unique(keys, return_index=True)[1]] = False
    small, large = small[~repeated], large[~repeated]
    above = np.full(rows.program.number_of_columns, -1)
    above[small] = large
    above[np.bincount(small, minlength=len(above)) != 1] = -1
    reached: list[Integers] = []
    steps = above[large]
    for _ in range(DEEPEST):
        climbing = steps >= 0
        if not climbing.any():
            break
        small, steps = small[climbing], steps[climbing]
        reached.append(rows.key(small, steps))
        steps = above[steps]
    else:
        return np.zeros(rows.count, dtype=bool)  # x <= y and y <= x: each row would follow from the other
    idle = np.zeros(rows.count, dtype=bool)
    idle[pairs] = repeated | np.isin(keys, np.concatenate(reached) if reached else np.zeros(0, dtype=np.int64))
    return idle
