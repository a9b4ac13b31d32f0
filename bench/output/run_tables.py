"""Tables of runs: a row per solver and size, columns by name, and notes that say what the numbers are worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import Any, NamedTuple

from problems.errors import InputError, nearest, quoted

from ..analysis.audit import with_audit
from ..analysis.groups import fields_of, grouped
from ..analysis.statistics.summary import summary
from ..experiments.presentation import COLUMNS as NAMES
from ..experiments.presentation import baselines, check_layout, named_by
from ..records.frame import Records
from ..records.marks import one_node
from .escaping import short_names
from .table_columns import Column, columns_named, troubled
from .table_notes import notes
from .tables import Table

PREFERRED = ("optimal", "failed", "median", "objective", "xbaseline", "xbest", "sgm", "wins", "memory")
"""Columns by default; in a terminal as many of these as fit, the first ones first."""
WIDTH = 80
LONGEST_NAME = 30  # characters of a label in a terminal

Fields = tuple[str, ...]


class Summarised(NamedTuple):
    """The audited records of a run, and a row of `summary` for every solver in every group, which differ in `fields`."""

    records: Records
    rows: list[dict[str, Any]]
    fields: Fields
    layout: dict[str, Any]
    against: list[str]

    @property
    def columns(self) -> list[str]:
        """The names of the columns that the layout asks for, or the default ones."""
        return list(self.layout.get("columns") or _default(self.rows, self.against))


def summarised(records: Records, layout: Mapping[str, Any] | None = None, mix_nodes: bool = False) -> Summarised:
    """What a table of a run shows. Groups are the sizes where there are several, unless the layout's `by` says otherwise."""
    if records.empty:
        raise InputError("a table needs records, and the run has none.")
    layout = dict(records.experiment.get("table", {}) if layout is None else layout)
    check_layout(layout, _metrics(records))
    one_node(records, mix_nodes or layout.get("mix_nodes", False))
    solvers = {str(label): str(name) for label, name in zip(records["label"], records["solver"], strict=True)}
    against, by = baselines(layout), layout.get("by", "")
    for pattern in against:
        if not named_by(pattern, solvers):
            raise InputError(f"unknown baseline {quoted(pattern)} of a table: {nearest(pattern, solvers)}")
    time, target = layout.get("time", "cpu"), layout.get("target", "auto")
    records = with_audit(records)
    fields = fields_of(records, by)
    rows: list[dict[str, Any]] = []
    for name, part in grouped(records, by).items():
        group = dict(zip(fields, name, strict=True))
        found: dict[Any, Any] = summary(part, time, against, target).reindex(list(solvers)).to_dict("index")
        rows += [
            {**group, **row, "label": label}
            for label, row in found.items()
            if row["cells"] == row["cells"] or _planned(records, label, group.get("size"))
        ]
    return Summarised(records, rows, fields, layout, against)


def run_table(records: Records, layout: Mapping[str, Any] | None = None, mix_nodes: bool = False) -> Table:
    """The table of a run by a layout (the experiment's own by default), with a row for every solver in every group.

    Groups are the sizes of the run where it has several, unless the layout's `by` says otherwise; tasks are always apart.
    `mix_nodes` (also a key of the layout) allows times of several machines in one column.
    """
    found = summarised(records, layout, mix_nodes)
    records, rows, fields, layout, against = found
    time, by, chosen = layout.get("time", "cpu"), layout.get("by", ""), found.columns
    narrow = _narrow(rows, fields)
    scale, unit = unit_of(rows)
    columns = columns_named(chosen, against)
    fitting = columns if layout.get("columns") else _fitting(narrow, fields, chosen, against)

    def made(shown: list[dict[str, Any]], columns: dict[str, Column]) -> Table:
        said = notes(records, rows, columns, unit, time, by)
        cells = _cells(shown, columns, fields, scale)
        return Table(_title(records), _headings(columns, fields, unit), cells, said, 1 + len(fields))

    whole = made(rows, columns)
    return whole if (narrow, fitting) == (rows, columns) else replace(whole, terminal=made(narrow, fitting))


def _metrics(records: Records) -> set[str]:
    """Measures that are in the records, or that the experiment asked for and no cell reached."""
    found = {str(name).removeprefix("metrics.") for name in records.columns if str(name).startswith("metrics.")}
    planned = records.experiment.get("table", {}).get("columns") or []
    asked = [name for name in planned if isinstance(name, str)] if isinstance(planned, list) else []
    return found | set(records.experiment.get("metrics") or []) | {name for name in asked if name not in NAMES}


def _planned(records: Records, label: str, size: str | None) -> bool:
    """Was a solver meant to run on this size? An experiment may restrict it to others."""
    own = [solver.get("sizes") for solver in records.experiment.get("solvers", []) if solver.get("label") == label]
    return size is None or not own or any(not sizes or size in sizes for sizes in own)


def unit_of(rows: list[dict[str, Any]]) -> tuple[float, str]:
    """Milliseconds unless a solver takes 10 s or longer on average, whatever columns are shown: on a terminal as on a page."""
    shown = [row["mean"] for row in rows if isfinite(row["mean"])]
    return (1000.0, "ms") if max(shown, default=0.0) < 10 else (1.0, "s")


def _default(rows: list[dict[str, Any]], against: list[str]) -> list[str]:
    """The names of the default columns, in the order of all."""
    left_out = {*([] if any(troubled(row) for row in rows) else ["failed"]), *([] if against else ["xbaseline"])}
    return [name for name in NAMES if name in PREFERRED and name not in left_out]


def _narrow(rows: list[dict[str, Any]], fields: Fields) -> list[dict[str, Any]]:
    """Rows whose names have room in a terminal."""
    names = {field: short_names((row[field] for row in rows), LONGEST_NAME) for field in ("label", *fields)}
    return [{**row, **{field: names[field][row[field]] for field in names}} for row in rows]


def _fitting(rows: list[dict[str, Any]], fields: Fields, default: list[str], against: list[str]) -> dict[str, Column]:
    """Those of the default columns that leave the table narrow enough for a terminal."""
    chosen: set[str] = set()
    scale, unit = unit_of(rows)
    for name in PREFERRED:
        columns = columns_named([key for key in default if key in {*chosen, name}], against)
        cells = _cells(rows, columns, fields, scale)
        width = sum(
            max(map(len, column)) + 1
            for column in zip(_headings(columns, fields, unit), *filter(None, cells), strict=True)
        )
        if width - 1 <= WIDTH:
            chosen.add(name)
    return columns_named([key for key in default if key in chosen], against)


def _headings(columns: dict[str, Column], fields: Fields, unit: str) -> list[str]:
    return [*fields, *(column.named(unit) for column in columns.values())]


def _cells(rows: list[dict[str, Any]], columns: dict[str, Column], fields: Fields, scale: float) -> list[list[str]]:
    """Text by row; an empty row between groups."""
    cells: list[list[str]] = []
    group: list[str] = []
    for row in rows:
        before, group = group, [row[field] for field in fields]
        if cells and before != group:
            cells.append([])
        texts = {name: column.text(row, scale) for name, column in columns.items()}
        texts["label"] += "*" if troubled(row) else ""
        cells.append([*group, *texts.values()])
    return cells


def _title(records: Records) -> str:
    said = records.experiment.get("title") or records.experiment.get("name")
    return str(said or ", ".join(sorted({str(name) for name in records["experiment"]})) or "run")
