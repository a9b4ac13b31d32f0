r"""Which columns of a table fit beside each other on the line of an article, and how wide each is.

Widths are those of Computer Modern at \footnotesize. A table that is too wide wraps its texts; where that is not enough its columns are
split over several parts, each with the columns that name a row.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import ceil

LINE = 335.0  # pt: a little less than the text of an article
GAP = 4.0  # pt on either side of a column
WRAPPED = 62.0  # pt: texts that are wider may be wrapped
NUMBER = 30  # characters of a number with its interval, which stays on one line
BREAKABLE = 18  # characters: a longer word may be broken anywhere
STEP = 6  # characters between two places where it may

_WIDTHS = (  # em; the widest of each group in Computer Modern
    ("ijl.,:;!'|` []()/", 0.36),
    ("frst-", 0.43),
    ("aceovxyzk", 0.56),
    ('bdghnpqu0123456789=*?"', 0.6),
    ("ABCDEFGHJKLNOPQRSTUVXYZ+<>~^#$&w", 0.83),
)
_WIDTH = {sign: width for signs, width in _WIDTHS for sign in signs}
_EM, _WIDEST = 8.5, 1.05

Rows = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Column:
    """How a column is set: as wide as its texts, or in a paragraph of `width` (pt)."""

    place: int
    kind: str  # l, r or p
    width: float

    @property
    def preamble(self) -> str:
        if self.kind != "p":
            return self.kind
        return rf">{{\raggedright\arraybackslash}}p{{{self.width / LINE * 0.97:.3f}\linewidth}}"

    def lines(self, text: str) -> int:
        return 1 if self.kind != "p" else max(1, ceil(1.15 * text_width(text) / self.width))


def text_width(text: str) -> float:
    """In pt at \footnotesize, rather too much than too little."""
    return _EM * sum(_WIDTH.get(sign, _WIDEST) for sign in text)


def columns_of(headings: Sequence[str], rows: Rows, left: int, joined: Collection[int] = ()) -> list[list[Column]]:
    """The columns of each part. Those of the first part come first; the columns that name a row are in every part."""
    cells = [[row[place] for row in rows if row] for place in range(len(headings))]
    natural = [
        max([_heading_width(headings[place], cells[place]), *map(text_width, cells[place])])
        for place in range(len(headings))
    ]
    whole = [Column(place, "l" if place < left else "r", natural[place]) for place in range(len(headings))]
    if _total(whole) <= LINE:
        return [whole]
    narrow = [_narrowed(column, headings[column.place], cells[column.place]) for column in whole]
    if _total(narrow) <= LINE:
        return [_spread(narrow, natural)]
    keys = narrow[:left] if left < len(narrow) and _total(narrow[:left]) <= 0.6 * LINE else narrow[:1]
    parts: list[list[Column]] = [[*keys]]
    for columns in _together(narrow[len(keys) :], joined):
        if _total([*parts[-1], *columns]) > LINE and len(parts[-1]) > len(keys):
            parts.append([*keys])
        parts[-1] += columns
    return [_spread(part, natural) for part in parts]


def _together(columns: Sequence[Column], joined: Collection[int]) -> list[list[Column]]:
    """Columns that stand in one part."""
    found: list[list[Column]] = []
    for column in columns:
        if found and column.place in joined:
            found[-1].append(column)
        else:
            found.append([column])
    return found


def _total(columns: Sequence[Column]) -> float:
    return sum(column.width + 2 * GAP for column in columns)


def _narrowed(column: Column, heading: str, cells: Sequence[str]) -> Column:
    """As narrow as its words allow, if it may be wrapped."""
    if column.width <= WRAPPED or (column.kind == "r" and max(map(len, cells), default=0) <= NUMBER):
        return column
    words = [word for text in [heading, *cells] for word in _pieces(text)]
    return Column(column.place, "p", max([WRAPPED, *(1.03 * text_width(word) for word in words)]))


def _pieces(text: str) -> list[str]:
    """What a line cannot be broken within."""
    return [
        piece
        for word in text.split()
        for piece in (broken(word) if len(word) > BREAKABLE else re.findall(r"[^-]+-*|-+", word))
    ]


def broken(word: str) -> list[str]:
    return [word[start : start + STEP] for start in range(0, len(word), STEP)]


def _spread(columns: list[Column], natural: Sequence[float]) -> list[Column]:
    """What is left of the line goes to the texts that are wrapped, to the longest the most."""
    free = LINE - _total(columns)
    wanted = {column.place: natural[column.place] - column.width for column in columns if column.kind == "p"}
    share = min(1.0, free / sum(wanted.values())) if sum(wanted.values()) > 0 and free > 0 else 0.0
    return [Column(each.place, each.kind, each.width + share * wanted.get(each.place, 0.0)) for each in columns]


def heading_lines(heading: str, width: float) -> list[str]:
    """A heading broken where its column would be the wider for it."""
    lines: list[str] = []
    for word in heading.split():
        if lines and text_width(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]


def _heading_width(heading: str, cells: Sequence[str]) -> float:
    widest = max(map(text_width, cells), default=0.0)
    return max(map(text_width, heading_lines(heading, widest)))
