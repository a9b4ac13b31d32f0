"""Free-format MPS with every number at full precision (17 significant digits read back as the same double).

Written for any reader: the objective is negated and minimised, as OBJSENSE is not understood everywhere; its constant
is a fixed column, as readers disagree on the sign of an objective's right-hand side (GLPK adds it, others subtract it).
Columns are x0, x1, ... (and `constant`), rows r0, r1, ... in the program's order, and the objective row is `cost`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from problems.linear_program import Floats, LinearProgram

from .cleaning import clean


def write_mps(program: LinearProgram, path: Path | str) -> None:
    """Write the program, cleaned (see `cleaning`: rows without any bound are left out)."""
    Path(path).write_text("\n".join(_lines(clean(program, relaxation=False))) + "\n", encoding="ascii")


def _lines(program: LinearProgram) -> Iterator[str]:
    equal = program.row_lower == program.row_upper
    no_lower, no_upper = np.isneginf(program.row_lower), np.isposinf(program.row_upper)
    kinds = np.select([equal, no_lower], ["E", "L"], "G")
    rows = [f"r{i}" for i in range(program.number_of_rows)]
    yield "NAME dualbench FREE"
    yield "ROWS"
    yield " N cost"
    yield from (f" {kind} {row}" for kind, row in zip(kinds.tolist(), rows, strict=True))
    yield "COLUMNS"
    yield from _columns(program, rows)
    yield "RHS"
    sides = np.where(kinds == "L", program.row_upper, program.row_lower)
    for i in np.flatnonzero(sides).tolist():
        yield f" RHS {rows[i]} {float(sides[i])!r}"
    ranged = np.flatnonzero(~equal & ~no_lower & ~no_upper).tolist()
    if ranged:
        yield "RANGES"
        for i in ranged:
            yield f" RNG {rows[i]} {float(program.row_upper[i] - program.row_lower[i])!r}"
    yield "BOUNDS"
    yield from _bounds(program)
    yield "ENDATA"


def _columns(program: LinearProgram, rows: list[str]) -> Iterator[str]:
    """Entries by column, objective first; integer columns stand between markers."""
    entry_rows = np.repeat(np.arange(program.number_of_rows), np.diff(program.row_starts))
    by_column = np.argsort(program.row_columns, kind="stable")
    starts = np.searchsorted(program.row_columns[by_column], np.arange(program.number_of_columns + 1)).tolist()
    tails = [
        f" {rows[i]} {v}"
        for i, v in zip(entry_rows[by_column].tolist(), _texts(program.row_values[by_column]), strict=True)
    ]
    costs = _texts(-program.objective)
    inside = False
    for j, integer in enumerate(program.integer.tolist()):
        if integer != inside:
            yield f" MARKER 'MARKER' '{'INTORG' if integer else 'INTEND'}'"
            inside = integer
        head = f" x{j}"
        yield f"{head} cost {costs[j]}"
        yield from (head + tail for tail in tails[starts[j] : starts[j + 1]])
    if inside:
        yield " MARKER 'MARKER' 'INTEND'"
    if program.constant:
        yield f" constant cost {-program.constant!r}"


def _bounds(program: LinearProgram) -> Iterator[str]:
    """Both bounds of every column in full: the defaults of integer columns differ between readers."""
    for j, (low, high) in enumerate(zip(program.lower.tolist(), program.upper.tolist(), strict=True)):
        if low == high:
            yield f" FX BND x{j} {low!r}"
        elif low == -np.inf and high == np.inf:
            yield f" FR BND x{j}"
        else:
            yield f" MI BND x{j}" if low == -np.inf else f" LO BND x{j} {low!r}"
            yield f" PL BND x{j}" if high == np.inf else f" UP BND x{j} {high!r}"
    if program.constant:
        yield " FX BND constant 1.0"


def _texts(numbers: Floats) -> list[str]:
    """Full-precision texts; the few distinct values of a constraint matrix are formatted once."""
    known: dict[float, str] = {}
    return [known.get(v) or known.setdefault(v, repr(v)) for v in numbers.tolist()]
