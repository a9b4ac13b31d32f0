"""CPLEX's LP format at full precision (17 significant digits read back as the same double).

Written for any reader: lines are short; a row with two different sides is written as two rows (`r3` and `r3_upper`), as
not all readers take ranges; the objective's constant is a fixed column `constant`, as not all readers take a number
there; and every column stands in the objective and in the bounds, so that its place and its range depend on no default.
Columns are x0, x1, ... and rows r0, r1, ... in the program's order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path

from problems.linear_program import LinearProgram

from .cleaning import clean

LONGEST_LINE = 200  # CPLEX reads up to 560 characters, GLPK up to 255


def write_lp(program: LinearProgram, path: Path | str) -> None:
    """Write the program, cleaned (see `cleaning`: rows without any bound are left out)."""
    Path(path).write_text("\n".join(_lines(clean(program, relaxation=False))) + "\n", encoding="ascii")


def _lines(program: LinearProgram) -> Iterator[str]:
    columns = [f"x{j}" for j in range(program.number_of_columns)]
    with_constant = bool(program.constant) or not columns
    terms = list(zip(program.objective.tolist(), columns, strict=True))
    if with_constant:
        terms.append((float(program.constant), "constant"))
    yield "Maximize"
    yield from _wrapped(" objective:", map(_term, terms))
    yield "Subject To"
    yield from _rows(program, columns, "constant" if with_constant else "x0")
    yield "Bounds"
    yield from _bounds(program, columns)
    if with_constant:
        yield " constant = 1"
    whole = [name for name, integer in zip(columns, program.integer.tolist(), strict=True) if integer]
    if whole:
        yield "Generals"
        yield from _wrapped("", whole)
    yield "End"


def _rows(program: LinearProgram, columns: list[str], idle: str) -> Iterator[str]:
    """Each row with its entries; one without any says 0 times some column."""
    starts, entries = program.row_starts.tolist(), program.row_columns.tolist()
    values = program.row_values.tolist()
    sides = zip(program.row_lower.tolist(), program.row_upper.tolist(), strict=True)
    written = 0
    for i, (low, high) in enumerate(sides):
        places = range(starts[i], starts[i + 1])
        terms = [_term((values[k], columns[entries[k]])) for k in places] or [f"+ 0 {idle}"]
        if low == high:
            ends = [("", f"= {low!r}")]
        else:
            ends = [("", f">= {low!r}")] if low > -math.inf else []
            if high < math.inf:
                ends.append(("_upper" if ends else "", f"<= {high!r}"))
        for suffix, end in ends:
            yield from _wrapped(f" r{i}{suffix}:", [*terms, end])
            written += 1
    if not written:  # readers want at least one row
        yield f" none: + 0 {idle} <= 0"


def _bounds(program: LinearProgram, columns: list[str]) -> Iterator[str]:
    lower, upper = program.lower + 0.0, program.upper + 0.0  # no -0.0
    for name, low, high in zip(columns, lower.tolist(), upper.tolist(), strict=True):
        if low == high:
            yield f" {name} = {low!r}"
        elif math.isinf(low) and math.isinf(high):
            yield f" {name} free"
        elif math.isinf(high):
            yield f" {name} >= {low!r}"
        else:
            yield f" {'-inf' if math.isinf(low) else repr(low)} <= {name} <= {high!r}"


def _term(term: tuple[float, str]) -> str:
    value, name = term
    return f"{'-' if value < 0 else '+'} {abs(value)!r} {name}"


def _wrapped(head: str, parts: Iterable[str]) -> Iterator[str]:
    """The parts after a head, in lines that every reader takes."""
    line = head
    for part in parts:
        if len(line) + len(part) >= LONGEST_LINE:
            yield line
            line = ""
        line += f" {part}"
    yield line
