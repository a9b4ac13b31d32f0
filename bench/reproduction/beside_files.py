"""The paper beside ours as files: Markdown as it is read, CSV with one value per cell, LaTeX in colours."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..output.latex import latex_table
from ..output.tables import Table
from ..records.log import writing
from .beside import MARKS, Beside, Row, texts_of, views_of

COLOURS = {"agrees": "green!18", "near": "yellow!30", "differs": "red!16"}


def text_table(view: Beside) -> Table:
    """The paper's columns before ours, marks behind our cells."""
    names, own = view.names(), view.own_columns()
    headings = ["", *(f"paper: {name}" for name in names), *(f"ours: {names[place]}" for place in own)]
    rows = [
        [row.name, *texts_of(row.published, len(names)), *_marked(view, row).values(), *_system(view, row)]
        for row in _every(view)
    ]
    return Table(_title(view), [*headings, *_system_heading(view)], _apart(view, rows), view.explained())


def data_table(view: Beside) -> Table:
    """For programs: the marks of a column of ours, in words, have a column of their own."""
    names, own = view.names(), view.own_columns()
    marks = [place for place in own if any(mark for row in view.rows for mark in [view.agreements(row)[place]])]
    headings = ["row", *(f"paper: {name}" for name in names)]
    for place in own:
        power = ", power" if view.columns[place].kind == "power" else ""
        headings += [f"ours: {names[place]}{power}", *([f"ours: {names[place]} agreement"] if place in marks else [])]
    rows = []
    for row in _every(view):
        cells = [row.name, *texts_of(row.published, len(names))]
        for place, (text, mark) in view.own_cells(row).items():
            cells += [text, *([mark] if place in marks else [])]
        rows.append([*cells, *_system(view, row)])
    return Table(_title(view), [*headings, *_system_heading(view)], rows, [])


def latex(view: Beside) -> str:
    """Each column of ours follows the paper's and stays in the part of the table that has it; agreement is also a colour.

    A note names our systems, because a column of names would need a table of its own.
    """
    names, own = view.names(), view.own_columns()
    headings, ours = [""], {}
    for place, name in enumerate(names):
        headings.append(f"paper: {name}" if own else name)
        if place in own:
            ours[place] = len(headings)
            headings.append(f"ours: {name}")
    rows: list[list[str]] = []
    colours: dict[tuple[int, int], str] = {}
    for row in _every(view):
        marked, cells = _marked(view, row), [row.name]
        for place, text in enumerate(texts_of(row.published, len(names))):
            cells += [text, *([marked[place]] if place in own else [])]
        number = len(rows) + (len(rows) >= len(view.rows))  # behind the empty row
        for place, (_, mark) in view.own_cells(row).items():
            if mark in COLOURS:
                colours[number, ours[place]] = COLOURS[mark]
        rows.append(cells)
    systems = "; ".join(f"{row.name}: {row.own}" for row in view.rows if row.own)
    notes = [*view.explained(), *([f"Our systems by row: {systems}."] if systems else [])]
    return latex_table(_title(view), headings, _apart(view, rows), notes, 1, colours, frozenset(ours.values()))


def write_views(folder: Path, found: Mapping[str, Any]) -> None:
    """STEM.md, STEM.csv and STEM.tex of each view."""
    for stem, view in views_of(found).items():
        text_table(view).write(folder, ("md",), stem=stem)
        data_table(view).write(folder, ("csv",), stem=stem)
        with writing(folder / f"{stem}.tex"):
            (folder / f"{stem}.tex").write_text(latex(view), encoding="utf-8")


def _title(view: Beside) -> str:
    return f"{view.title} ({view.where})"


def _every(view: Beside) -> list[Row]:
    return [*view.rows, *view.only_ours]


def _apart(view: Beside, rows: list[list[str]]) -> list[list[str]]:
    """Rows that only we have behind an empty one."""
    count = len(view.rows)
    return [*rows[:count], *([[]] if view.only_ours else []), *rows[count:]]


def _marked(view: Beside, row: Row) -> dict[int, str]:
    return {place: f"{text} {MARKS[mark]}".rstrip() for place, (text, mark) in view.own_cells(row).items()}


def _system(view: Beside, row: Row) -> list[str]:
    return [row.own] if _system_heading(view) else []


def _system_heading(view: Beside) -> list[str]:
    """The column of our systems, where they are named."""
    return ["our system"] if any(row.own for row in view.rows) else []
