"""Which rows of a piece's table a reader of the paper looks for: they are shown, the others are folded under them.

In the table of a comparison these are, size by size, the rows of the solvers that the cover page names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from ..output.tables import Table
from .standings import Contest

PATTERNS: Mapping[str, tuple[str, ...]] = {
    "am-table3": (
        "paper: *",
        *("exact ilp-glpk, default*", "lp-glpk, paper*", "ad3-[0-9]*, paper*", "extractive ilp-glpk, default*"),
    ),
    "ql-lagrangian": ("*| as published",),
    "ql-table2": (
        *("Lagrangian, as published", "Exact, as published", "Subtree, ILP", "Subtree, DP"),
        *("TM13, *", "McDonald06", "CRF"),
    ),
}
"""By piece: the columns on the left of a row, with bars between them."""
FEWEST = 3
"""Rows; fewer are not worth folding."""


def first_rows(piece: str, table: Table, contests: Sequence[Contest] = ()) -> list[int]:
    """The places of the rows to show; all of them where nothing is to be folded."""
    every = [place for place, row in enumerate(table.rows) if row]
    if contests:
        chosen = [place for place in every if _compared(table, table.rows[place], contests)]
    elif piece in PATTERNS:
        names = {place: " | ".join(table.rows[place][: table.left]) for place in every}
        chosen = [place for place in every if any(fnmatchcase(names[place], known) for known in PATTERNS[piece])]
    else:
        chosen = [place for place in every if _published(table, table.rows[place])]
    return chosen if chosen and len(every) - len(chosen) >= FEWEST else every


def _published(table: Table, row: Sequence[str]) -> bool:
    """Has a row numbers of the paper? Their columns are the last ones."""
    start = next((place for place, text in enumerate(table.headings) if text.startswith("paper")), None)
    return start is None or start < table.left or any(row[start:])


def _compared(table: Table, row: Sequence[str], contests: Sequence[Contest]) -> bool:
    """Is it a solver that the cover page names at this size?"""
    cells = dict(zip(table.headings, row, strict=True))
    for contest in contests:
        if cells.get("size", contest.size) == contest.size:
            named = [each.label for each in (contest.proof, contest.rival, contest.soonest) if each]
            if cells.get("solver", "").rstrip("*") in [contest.ilp_label, *named]:
                return True
    return False
