"""The summary and the growth as HTML tables: the columns and notes are those of `bench.output.run_tables`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...experiments.presentation import COLUMNS as NAMES
from ...experiments.presentation import baselines
from ...records.frame import Records
from ..escaping import html_text
from ..growth_table import growth_table
from ..run_tables import unit_of
from ..table_columns import Column, columns_named, failures
from ..table_notes import meanings
from ..tables import Table
from .catalog import NONE, Catalog, Group, present
from .parts import csv_link, table_part

Rows = list[dict[str, Any]]
ALWAYS = ("label", "cells", "optimal")


def summary_part(records: Records, groups: list[Group], catalog: Catalog, time: str) -> str:
    """The table of all groups (the script hides those that the filters leave out) and its notes."""
    if not groups:
        return ""
    rows: Rows = [
        {**row, "task": group.task, "size": group.size, "label": label}
        for group in groups
        for label, row in sorted(group.summary.items(), key=lambda item: catalog.labels.index(item[0]))
    ]
    metrics = dict.fromkeys(
        name.removeprefix("metrics.") for row in rows for name in row if name.startswith("metrics.")
    )
    columns = columns_named([*NAMES[1:], *metrics], baselines(records.experiment.get("table") or {}))
    scale, unit = unit_of(rows)
    columns = {
        name: column
        for name, column in columns.items()
        if name in ALWAYS or any(column.text(row, scale) not in ("", "0") for row in rows)
    }
    fields = [name for name, known in (("task", catalog.tasks), ("size", catalog.sizes)) if len(known) > 1]
    label, *others = (column.named(unit) for column in columns.values())
    heads = [label, *fields, *others]
    lines = [_line(row, rows, fields, columns, catalog, scale) for row in rows]
    said = [*meanings(records, rows, columns, unit, time, ""), "Bold: the best of its size. Hidden solvers count, too."]
    texts = [
        [row["label"], *(row[name] for name in fields), *(one.text(row, scale) for one in list(columns.values())[1:])]
        for row in rows
    ]
    link = f"<p>{csv_link(Table('Summary', heads, texts, []), 'summary')}</p>"
    return link + table_part("Summary by solver", heads, lines, {*range(1 + len(fields), len(heads))}) + _notes(said)


def _line(
    row: dict[str, Any], rows: Rows, fields: list[str], columns: dict[str, Column], catalog: Catalog, scale: float
) -> str:
    places = {"task": catalog.tasks, "size": catalog.sizes, "label": catalog.labels}
    attributes = " ".join(f'data-of-{name}="{known.index(row[name])}"' for name, known in places.items())
    alike = [other for other in rows if (other["task"], other["size"]) == (row["task"], row["size"])]
    cells = [
        f'<th scope="row">{html_text(row["label"])}</th>',
        *(f"<td>{html_text(row[name])}</td>" for name in fields),
    ]
    cells += [_cell(row, alike, column, scale) for name, column in columns.items() if name != "label"]
    return f"<tr {attributes}>{''.join(cells)}</tr>"


def _cell(row: dict[str, Any], alike: Rows, column: Column, scale: float) -> str:
    """A text, and the number that sorts it; the best one of its size is bold."""
    value: Any = row.get(column.field)
    number: Any = value if value is None or column.kind != "ratio" or value != value else value.times.value
    values = [float(other[column.field]) for other in alike if present(other.get(column.field))] if column.best else []
    best = len(values) > 1 and column.best is not None and value == column.best(values)
    kind = "number" + (" best" if best else "") + (" bad" if column.field == "failed" and failures(row) else "")
    sort = f' data-v="{float(number)!r}"' if present(number) else ' data-v=""'
    return f'<td class="{kind}"{sort}>{html_text(column.text(row, scale)) or NONE}</td>'


def growth_part(records: Records, time: str) -> str:
    """How times grow, where sizes are far enough apart to tell."""
    if records.empty:
        return ""
    made = growth_table(records, time, mix_nodes=True)
    place = made.headings.index("exponent")
    if not any(row and row[place] != "-" for row in made.rows):
        return ""
    numeric = set(range(place, place + 6))
    rows = [
        f"<tr>{''.join(f'<td{_kind(at in numeric)}>{html_text(text)}</td>' for at, text in enumerate(row))}</tr>"
        for row in made.rows
        if row
    ]
    heading = f'<h2 id="growth-heading">{made.title}</h2>'
    table = f"<p>{csv_link(made, 'growth')}</p>" + table_part(made.title, made.headings, rows, numeric)
    return f'<section id="growth" aria-labelledby="growth-heading">{heading}{table}{_notes(made.notes)}</section>'


def _kind(numeric: bool) -> str:
    return ' class="number"' if numeric else ""


def _notes(texts: Iterable[str]) -> str:
    return "".join(f'<p class="note">{html_text(text)}</p>' for text in texts)
