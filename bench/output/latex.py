r"""Tables in LaTeX (`booktabs`, `array`, `longtable`) that fit between the margins of an article.

Widths are those of Computer Modern at \footnotesize. A table that is too wide wraps its texts; where that is not enough its columns are
split over several tables, each with the columns that name a row. One that is too long for a page becomes a `longtable`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from .escaping import latex_text

LINE = 335.0  # pt: a little less than the text of an article
GAP = 4.0  # pt on either side of a column
WRAPPED = 62.0  # pt: texts that are wider may be wrapped
NUMBER = 30  # characters of a number with its interval, which stays on one line
MOST_LINES = 36  # of a table that floats, with its notes
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
_MATHS = {"2264": "le", "2265": "ge", "221E": "infty", "2192": "to", "2248": "approx", "221A": "surd"}
_TYPED = {chr(int(code, 16)): rf"\ensuremath{{\{name}}}" for code, name in _MATHS.items()}
_TYPED["\N{MINUS SIGN}"] = r"\ensuremath{-}"
_KNOWN = {*map(chr, (*range(0xC0, 0x100), 0xA7, 0xB0, 0xB1, 0xB5, 0xB7, 0x2013, 0x2014, *range(0x2018, 0x201A)))}
_KNOWN |= {*map(chr, (0x201C, 0x201D, 0x2020, 0x2021, 0x2022, 0x2026, 0x20AC))}

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


def latex_table(title: str, headings: Sequence[str], rows: Rows, notes: Sequence[str], left: int) -> str:
    """One table, or several where its columns do not fit beside each other."""
    parts = columns_of(headings, rows, left)
    made = []
    if len(parts) > 1 and left >= len(headings):  # no column names the rows
        numbers = iter(range(1, len(rows) + 1))
        headings, rows = ["no.", *headings], [[str(next(numbers)), *row] if row else [] for row in rows]
        parts = columns_of(headings, rows, 1)
    for number, columns in enumerate(parts, start=1):
        named = f"{title} (part {number} of {len(parts)})" if len(parts) > 1 else title
        label = f"tab:{_slug(title)}{f'-{number}' if number > 1 else ''}"
        last = notes if number == len(parts) else ()
        made.append(_set(named, label, columns, headings, rows, last))
    return "\n".join(made)


def text_width(text: str) -> float:
    """In pt at \footnotesize, rather too much than too little."""
    return _EM * sum(_WIDTH.get(sign, _WIDEST) for sign in text)


def columns_of(headings: Sequence[str], rows: Rows, left: int) -> list[list[Column]]:
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
    for column in narrow[len(keys) :]:
        if _total([*parts[-1], column]) > LINE and len(parts[-1]) > len(keys):
            parts.append([*keys])
        parts[-1].append(column)
    return [_spread(part, natural) for part in parts]


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
        for piece in (_broken(word) if len(word) > BREAKABLE else re.findall(r"[^-]+-*|-+", word))
    ]


def _broken(word: str) -> list[str]:
    return [word[start : start + STEP] for start in range(0, len(word), STEP)]


def _spread(columns: list[Column], natural: Sequence[float]) -> list[Column]:
    """What is left of the line goes to the texts that are wrapped, to the longest the most."""
    free = LINE - _total(columns)
    wanted = {column.place: natural[column.place] - column.width for column in columns if column.kind == "p"}
    share = min(1.0, free / sum(wanted.values())) if sum(wanted.values()) > 0 and free > 0 else 0.0
    return [Column(each.place, each.kind, each.width + share * wanted.get(each.place, 0.0)) for each in columns]


def _heading_lines(heading: str, width: float) -> list[str]:
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
    return max(map(text_width, _heading_lines(heading, widest)))


def _set(
    title: str, label: str, columns: Sequence[Column], headings: Sequence[str], rows: Rows, notes: Sequence[str]
) -> str:
    """One part: a table that floats, or a long one."""
    head = _row([_heading(column, headings[column.place]) for column in columns])
    body = [_row([_cell(column, row[column.place]) for column in columns]) if row else r"\midrule" for row in rows]
    lines = sum(max(column.lines(row[column.place]) for column in columns) for row in rows if row)
    lines += sum(ceil(text_width(note) / LINE) for note in notes) + sum(not row for row in rows)
    preamble = "".join(column.preamble for column in columns)
    named = [rf"\caption{{{typed(title)}}}\label{{{label}}}"]
    gap = rf"\setlength{{\tabcolsep}}{{{GAP:g}pt}}"
    said = [rf"\noindent {typed(note)}\par" for note in notes]
    if lines > MOST_LINES:
        top = [r"\begingroup\footnotesize\sloppy", gap, rf"\begin{{longtable}}{{{preamble}}}", named[0] + r" \\"]
        top += [r"\toprule", head, r"\midrule", r"\endfirsthead", r"\toprule", head, r"\midrule", r"\endhead"]
        top += [r"\bottomrule", r"\endfoot"]
        end = [r"\end{longtable}", *((r"\raggedright", *said) if said else ()), r"\endgroup"]
        return "\n".join([*top, *body, *end]) + "\n"
    top = [r"\begin{table}[htbp]", r"\centering\footnotesize\sloppy", *named, gap]
    top += [rf"\begin{{tabular}}{{{preamble}}}", r"\toprule", head, r"\midrule"]
    end = [r"\bottomrule", r"\end{tabular}"]
    if said:
        end += ["", r"\smallskip", r"\begin{minipage}{\linewidth}\footnotesize\raggedright", *said, r"\end{minipage}"]
    return "\n".join([*top, *body, *end, r"\end{table}"]) + "\n"


def _heading(column: Column, heading: str) -> str:
    lines = [heading] if column.kind == "p" else _heading_lines(heading, column.width)
    if len(lines) == 1:
        return _cell(column, lines[0])
    stacked = r"\\".join(map(typed, lines))
    return rf"\shortstack[{column.kind}]{{{stacked}}}"


def _cell(column: Column, text: str) -> str:
    if column.kind != "p":
        return typed(text)
    words = [
        r"\allowbreak{}".join(map(typed, _broken(word))) if len(word) > BREAKABLE else typed(word)
        for word in text.split()
    ]
    return " ".join(words)


def _row(cells: Sequence[str]) -> str:
    line = " & ".join(cells)
    return ("{}" if line.startswith(("[", "*")) else "") + line + r" \\"  # the line before would take them as its own


def typed(text: str) -> str:
    """Text that LaTeX sets whatever its characters: those without a glyph in the usual fonts become their number."""
    return "".join(_typed(sign) for sign in latex_text(text))


def _typed(sign: str) -> str:
    return sign if sign.isascii() or sign in _KNOWN else _TYPED.get(sign, f"[U+{ord(sign):04X}]")


def _slug(title: str) -> str:
    words = re.findall(r"[a-z0-9]+", title.lower())
    return "-".join(words)[:48].strip("-") or "table"
