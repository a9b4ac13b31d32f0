"""The cells of a table for programs: one number per cell; marks and the ends of intervals have columns of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .headings import full, numbered

_NUMBER = r"[<>]?[+-]?\d[\d,]*\.?\d*(?:e[+-]?\d+)?|[+-]?inf|nan"
_INTERVAL = re.compile(rf"(?:[A-Za-z]\^)?({_NUMBER})x? \[({_NUMBER}), ({_NUMBER})\](?: +(.+))?")
_ENDS = re.compile(rf"\[({_NUMBER}), ({_NUMBER})\]")
_TIMES = re.compile(rf"({_NUMBER})x?")
_COUNT = re.compile(r"([\d,]+)/([\d,]+)")
_MARKED = re.compile(rf"((?:{_NUMBER})(?: \[[^]]*\])?)([*†‡§]+)")

Columns = list[tuple[str, list[str]]]


def csv_rows(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The headings and all rows. `19.4 [15.4, 25.4] @1%` gives four cells, `25.6x` a plain number, `11/12` two counts.

    `52.4†` gives two cells, the number and its mark. Digits are not grouped.
    """
    filled = [row for row in rows if row]
    columns: Columns = []
    for place, heading in enumerate(full(headings)):
        columns += _columns(heading, [row[place] for row in filled])
    names = numbered([name for name, _ in columns])
    return [names, *(list(row) for row in zip(*(cells for _, cells in columns), strict=True))]


def _columns(heading: str, cells: list[str]) -> Columns:
    marked = [_MARKED.fullmatch(cell) for cell in cells]
    if any(marked):
        bare = [match[1] if match else cell for match, cell in zip(marked, cells, strict=True)]
        return [*_columns(heading, bare), (f"{heading} mark", [match[2] if match else "" for match in marked])]
    found = [_INTERVAL.fullmatch(cell) for cell in cells]
    if any(found):
        parts = [match.groups("") if match else (cell, "", "", "") for match, cell in zip(found, cells, strict=True)]
        names = [heading, f"{heading} low", f"{heading} high", f"{heading} at"]
        columns = [(name, [_plain(str(part[place])) for part in parts]) for place, name in enumerate(names)]
        return columns if any(columns[3][1]) else columns[:3]
    counts = [_COUNT.fullmatch(cell) for cell in cells]
    if any(counts) and all(match or not cell for match, cell in zip(counts, cells, strict=True)):
        return _parts(counts, [heading, f"{heading} of"])
    ends = [_ENDS.fullmatch(cell) for cell in cells]
    if any(ends):
        return _parts(ends, [f"{heading} low", f"{heading} high"])
    return [(heading, [_plain(cell) for cell in cells])]


def _parts(found: Sequence[re.Match[str] | None], names: Sequence[str]) -> Columns:
    """A column for each group of the pattern."""
    return [
        (name, [_plain(match[place]) if match else "" for match in found]) for place, name in enumerate(names, start=1)
    ]


def _plain(cell: str) -> str:
    """A number without grouped digits and without the `x` of a factor; texts as they are."""
    match = _TIMES.fullmatch(cell)
    return match[1].replace(",", "") if match else cell
