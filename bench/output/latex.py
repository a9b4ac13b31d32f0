"""Tables in LaTeX that fit between the margins of an article. A comment at the top names the packages for the preamble.

A table that is too wide for its page is split over several; one that is too long for a page becomes a `longtable`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from math import ceil

from .escaping import latex_text
from .latex_columns import BREAKABLE, GAP, LINE, Column, Rows, broken, columns_of, heading_lines, text_width

MOST_LINES = 36  # of a table that floats, with its notes
_MATHS = {"2260": "neq", "2264": "le", "2265": "ge", "221E": "infty", "2192": "to", "2248": "approx", "221A": "surd"}
_TYPED = {chr(int(code, 16)): rf"\ensuremath{{\{name}}}" for code, name in _MATHS.items()}
_TYPED["\N{MINUS SIGN}"] = r"\ensuremath{-}"
_KNOWN = {*map(chr, (*range(0xC0, 0x100), 0xA7, 0xB0, 0xB1, 0xB5, 0xB7, 0x2013, 0x2014, *range(0x2018, 0x201A)))}
_KNOWN |= {*map(chr, (0x201C, 0x201D, 0x2020, 0x2021, 0x2022, 0x2026, 0x20AC))}

Colours = Mapping[tuple[int, int], str]  # of cells, by row and column
PACKAGES = r"\usepackage{array,booktabs,longtable}"
COLOURED = r"\usepackage[table]{xcolor}"  # what cells with a colour need as well


def latex_table(
    title: str,
    headings: Sequence[str],
    rows: Rows,
    notes: Sequence[str],
    left: int,
    colours: Colours | None = None,
    joined: Collection[int] = (),
) -> str:
    """One table, or several where its columns do not fit beside each other.

    `joined` columns are in the part of the one before them.
    """
    parts = columns_of(headings, rows, left, joined)
    made = ["% In the preamble:", f"%   {PACKAGES}", *([f"%   {COLOURED}"] if colours else [])]
    if len(parts) > 1 and left >= len(headings):  # no column names the rows
        numbers = iter(range(1, len(rows) + 1))
        headings, rows = ["no.", *headings], [[str(next(numbers)), *row] if row else [] for row in rows]
        parts = columns_of(headings, rows, 1)
    for number, columns in enumerate(parts, start=1):
        named = f"{title} (part {number} of {len(parts)})" if len(parts) > 1 else title
        label = f"tab:{_slug(title)}{f'-{number}' if number > 1 else ''}"
        last = notes if number == len(parts) else ()
        made.append(_set(named, label, columns, headings, rows, last, colours or {}))
    return "\n".join(made)


def _set(
    title: str,
    label: str,
    columns: Sequence[Column],
    headings: Sequence[str],
    rows: Rows,
    notes: Sequence[str],
    colours: Colours,
) -> str:
    """One part: a table that floats, or a long one."""
    head = _row([_heading(column, headings[column.place]) for column in columns])
    body = [
        _row([_filled(colours.get((number, each.place))) + _cell(each, row[each.place]) for each in columns])
        if row
        else r"\midrule"
        for number, row in enumerate(rows)
    ]
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
    lines = [heading] if column.kind == "p" else heading_lines(heading, column.width)
    if len(lines) == 1:
        return _cell(column, lines[0])
    stacked = r"\\".join(map(typed, lines))
    return rf"\shortstack[{column.kind}]{{{stacked}}}"


def _cell(column: Column, text: str) -> str:
    if column.kind != "p":
        return typed(text)
    words = [
        r"\allowbreak{}".join(map(typed, broken(word))) if len(word) > BREAKABLE else typed(word)
        for word in text.split()
    ]
    return " ".join(words)


def _filled(colour: str | None) -> str:
    return rf"\cellcolor{{{colour}}}" if colour else ""


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
