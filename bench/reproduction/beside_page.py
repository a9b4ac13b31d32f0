"""The paper beside ours on the report's page: both sides under common headings, what only we have below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from ..output.report.parts import csv_link
from ..output.units import with_unit
from .beside import MARKS, Beside, Row, texts_of, views_of
from .beside_files import data_table

Groups = list[tuple[str, list[int]]]  # the columns under each common heading


def views_part(found: Mapping[str, Any], tables: str, piece: str) -> str:
    """The views of a piece, and its other tables (as HTML), which are folded where there is a view."""
    views = "".join(view_part(view, f"{piece}-{stem}") for stem, view in views_of(found).items())
    folded = (
        f"<details><summary>All of our rows and columns</summary>{tables}</details>" if views and tables else tables
    )
    return views + folded


def view_part(view: Beside, name: str, level: int = 4) -> str:
    """The table with both sides. Rows that only we have are folded below, unless there are no others of ours."""
    title = escape(f"{view.title} ({view.where})")
    link = csv_link(data_table(view), name)
    parts = [f'<div class="titled"><h{level}>{title}, beside ours</h{level}>{link}</div>']
    parts.append(_table(view, title, view.rows))
    if view.only_ours:
        rows = _table(view, f"{title}: rows that only we have", view.only_ours)
        count = len(view.only_ours)
        folded = f"<details><summary>{count} row{'s' * (count > 1)} that only we have</summary>{rows}</details>"
        parts.append(folded if view.own_columns(view.rows) else rows)
    notes = "".join(f"<li>{escape(note)}</li>" for note in view.explained())
    return "".join([*parts, f'<ul class="note">{notes}</ul>' if notes else ""])


def _groups(view: Beside, rows: Sequence[Row]) -> Groups:
    """The paper's columns that stand beside ours, ours, and those of the paper that we have nothing for."""
    own = view.own_columns(rows)
    groups: Groups = [("ours", own)] if own else []
    if any(row.published for row in rows):
        every = [*range(len(view.columns))]
        more = [place for place in every if place not in own] if own else []
        groups = [("paper", own or every), *groups, *([("paper, not ours", more)] if more else [])]
    return groups


def _table(view: Beside, title: str, rows: Sequence[Row]) -> str:
    groups, owned = _groups(view, rows), any(row.own for row in rows)
    first = "".join(f'<th scope="colgroup" colspan="{len(places)}">{name}</th>' for name, places in groups)
    names = "".join(
        f'<th scope="col" class="number">{escape(with_unit(view.columns[place].name))}</th>'
        for _, places in groups
        for place in places
    )
    last = '<th scope="col" rowspan="2">our system</th>' if owned else ""
    head = (
        f'<tr><th scope="col" rowspan="2"><span class="hidden-text">row</span></th>{first}{last}</tr><tr>{names}</tr>'
    )
    body = "".join(_row(view, row, groups, owned) for row in rows)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{title}"><table class="beside">'
        f'<caption class="hidden-text">{title}</caption><thead>{head}</thead><tbody>{body}</tbody></table></div>'
    )


def _row(view: Beside, row: Row, groups: Groups, owned: bool) -> str:
    published, own = texts_of(row.published, len(view.columns)), view.own_cells(row)
    cells = [f'<th scope="row">{escape(row.name)}</th>']
    for name, places in groups:
        for place in places:
            text, mark = own[place] if name == "ours" else (published[place], "")
            sign = f' <span class="sign" title="{mark}">{MARKS[mark]}</span>' if mark else ""
            kind = f"number {mark}".rstrip()
            cells.append(f'<td class="{kind}">{escape(text)}{sign}</td>')
    if owned:
        cells.append(f'<td class="note">{escape(row.own)}</td>')
    return f"<tr>{''.join(cells)}</tr>"
