"""The cells of a table for programs: one number per cell, the ends of intervals in columns of their own, no heading twice."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NUMBER = r"[<>]?[+-]?\d[\d,]*\.?\d*(?:e[+-]?\d+)?|[+-]?inf|nan"
_INTERVAL = re.compile(rf"({_NUMBER})x? \[({_NUMBER}), ({_NUMBER})\](?: +(.+))?")
_ENDS = re.compile(rf"\[({_NUMBER}), ({_NUMBER})\]")
_TIMES = re.compile(rf"({_NUMBER})x")
_COUNT = re.compile(r"(\d+)/(\d+)")

Columns = list[tuple[str, list[str]]]


def csv_rows(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The headings and all rows. `19.4 [15.4, 25.4] @1%` gives four cells, `25.6x` a plain number, `11/12` two counts."""
    filled = [row for row in rows if row]
    columns: Columns = []
    for place, heading in enumerate(distinct(headings)):
        columns += _columns(heading, [row[place] for row in filled])
    names = distinct([name for name, _ in columns])
    return [names, *(list(row) for row in zip(*(cells for _, cells in columns), strict=True))]


def _columns(heading: str, cells: list[str]) -> Columns:
    found = [_INTERVAL.fullmatch(cell) for cell in cells]
    if any(found):
        parts = [
            match.groups("") if match else (_plain(cell), "", "", "") for match, cell in zip(found, cells, strict=True)
        ]
        names = [heading, f"{heading} low", f"{heading} high", f"{heading} at"]
        columns = [(name, [str(part[place]) for part in parts]) for place, name in enumerate(names)]
        return columns if any(columns[3][1]) else columns[:3]
    counts = [_COUNT.fullmatch(cell) for cell in cells]
    if any(counts) and all(match or not cell for match, cell in zip(counts, cells, strict=True)):
        return [
            (name, [match[place] if match else "" for match in counts])
            for place, name in ((1, heading), (2, f"{heading} of"))
        ]
    ends = [_ENDS.fullmatch(cell) for cell in cells]
    if any(ends):
        names = [f"{heading} low", f"{heading} high"]
        return [(name, [match[place] if match else "" for match in ends]) for place, name in enumerate(names, start=1)]
    return [(heading, [_plain(cell) for cell in cells])]


def _plain(cell: str) -> str:
    match = _TIMES.fullmatch(cell)
    return match[1] if match else cell


def distinct(headings: Sequence[str]) -> list[str]:
    """A heading that stood before belongs to the paper where such columns have begun; else it is numbered."""
    found: list[str] = []
    for place, heading in enumerate(headings):
        name, number = heading, 1
        while name in found:
            published = any(text.startswith("paper") for text in headings[:place]) and number == 1
            number += 0 if published and f"paper: {heading}" not in found else 1
            name = f"paper: {heading}" if number == 1 else f"{heading} ({number})"
        found.append(name)
    return found
