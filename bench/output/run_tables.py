"""Tables of runs: a row per solver, columns by name, and notes that say what the numbers are worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from problems.errors import InputError, nearest, quoted

from ..experiments.presentation import check_layout
from ..records.lengths import bin_names, length_bins
from ..records.machines import one_node
from .escaping import short_names
from .table_columns import COLUMNS, Column, metric_column, troubled
from .table_notes import notes
from .tables import Table

if TYPE_CHECKING:
    from ..records.frame import Records

PREFERRED = ("optimal", "failed", "median", "objective", "xbaseline", "xbest", "sgm", "wins", "memory")
"""Columns by default; in a terminal as many of these as fit, the first ones first."""
WIDTH = 80
LONGEST_NAME = 30  # characters of a label in a terminal


def run_table(
    records: Records,
    layout: Mapping[str, Any] | None = None,
    mix_nodes: bool = False,
    instances: Mapping[str, Any] | None = None,
) -> Table:
    """The table of a run by a layout (the experiment's own by default), with a row for every solver.

    `mix_nodes` (also a key of the layout) allows times of several machines in one column. The audit's result is that of
    the loaded run; of other records every structure is scored once more where `instances` (by digest) are given.
    """
    from ..analysis.audit import with_audit
    from ..analysis.statistics import summary

    if records.empty:
        raise InputError("a table needs records, and the run has none.")
    layout = dict(records.experiment.get("table", {}) if layout is None else layout)
    check_layout(layout, _metrics(records))
    one_node(records, mix_nodes or layout.get("mix_nodes", False))
    labels = [str(label) for label in dict.fromkeys(records["label"])]
    baseline = layout.get("baseline") or None
    if baseline and baseline not in labels:
        raise InputError(f"unknown baseline {quoted(baseline)} of a table: {nearest(baseline, labels)}")
    time, solved = layout.get("time", "cpu"), layout.get("solved", "valid")
    records = with_audit(records, instances)
    by = layout.get("by") or ("task" if records["task"].nunique() > 1 else "")
    groups = {
        name: summary(part, time, baseline if baseline in set(part["label"]) else None, _statuses(solved)).reindex(
            labels
        )
        for name, part in _parts(records, by).items()
    }
    rows: list[dict[str, Any]] = [
        {by: name, **{str(key): value for key, value in row.items()}, "label": str(label)}
        for name, found in groups.items()
        for label, row in found.to_dict("index").items()
    ]
    chosen = list(layout.get("columns") or [])
    narrow = _narrow(rows, by)
    columns = {"label": COLUMNS["label"]} | {name: COLUMNS.get(name) or metric_column(name) for name in chosen}
    fitting = columns if chosen else _fitting(narrow, by, baseline)
    columns = columns if chosen else _default(rows, baseline)

    def made(shown: list[dict[str, Any]], columns: dict[str, Column]) -> Table:
        scale, unit = _unit(rows, columns.values())
        said = notes(records, rows, columns, unit, time, solved, baseline, by)
        cells = _cells(shown, columns, by, scale)
        return Table(_title(records), _headings(columns, by), cells, said, left=2 if by else 1)

    whole = made(rows, columns)
    return whole if (narrow, fitting) == (rows, columns) else replace(whole, terminal=made(narrow, fitting))


def _metrics(records: Records) -> set[str]:
    """Measures that are in the records, or that the experiment asked for and no cell reached."""
    found = {str(name).removeprefix("metrics.") for name in records.columns if str(name).startswith("metrics.")}
    planned = records.experiment.get("table", {}).get("columns") or []
    asked = [name for name in planned if isinstance(name, str)] if isinstance(planned, list) else []
    return found | set(records.experiment.get("metrics") or []) | {name for name in asked if name not in COLUMNS}


def _statuses(solved: str) -> set[str] | None:
    return {"optimal"} if solved == "optimal" else None


def _parts(records: Records, by: str) -> dict[str, Any]:
    """The records of each group in order; all of them under one name without groups."""
    if not by:
        return {"": records}
    if by == "length":
        known = records["length"].notna()
        bins = length_bins(records["length"].fillna(1).to_numpy(float))
        names = bin_names()
        values = [names[number] if there else "unknown" for number, there in zip(bins, known, strict=True)]
        order = [name for name in [*names, "unknown"] if name in values]
    else:
        values = [str(value) for value in records[by]]
        order = list(dict.fromkeys(values))
    return {name: records[[value == name for value in values]] for name in order}


def _unit(rows: list[dict[str, Any]], columns: Iterable[Column]) -> tuple[float, str]:
    """Milliseconds unless a time in the table is 10 s or longer."""
    shown = [row[name] for row in rows for column in columns for name in column.times if row[name] == row[name]]
    return (1000.0, "ms") if max(shown, default=0.0) < 10 else (1.0, "s")


def _default(rows: list[dict[str, Any]], baseline: str | None) -> dict[str, Column]:
    """Default columns in the order of `COLUMNS`."""
    wanted = {"label", *PREFERRED} - ({"failed"} if not any(troubled(row) for row in rows) else set())
    return {key: column for key, column in COLUMNS.items() if key in wanted and (key != "xbaseline" or baseline)}


def _narrow(rows: list[dict[str, Any]], by: str) -> list[dict[str, Any]]:
    """Rows whose names have room in a terminal."""
    names = {field: short_names((row[field] for row in rows), LONGEST_NAME) for field in {"label", by} - {""}}
    return [{**row, **{field: names[field][row[field]] for field in names}} for row in rows]


def _fitting(rows: list[dict[str, Any]], by: str, baseline: str | None) -> dict[str, Column]:
    """Those of the default columns that leave the table narrow enough for a terminal."""
    default, chosen = _default(rows, baseline), {"label"}
    for name in PREFERRED:
        columns = {key: column for key, column in default.items() if key in {*chosen, name}}
        cells = _cells(rows, columns, by, _unit(rows, columns.values())[0])
        width = sum(
            max(map(len, column)) + 1 for column in zip(_headings(columns, by), *filter(None, cells), strict=True)
        )
        if width - 1 <= WIDTH:
            chosen.add(name)
    return {key: column for key, column in default.items() if key in chosen}


def _headings(columns: dict[str, Column], by: str) -> list[str]:
    return [*([by] if by else []), *(column.heading for column in columns.values())]


def _cells(rows: list[dict[str, Any]], columns: dict[str, Column], by: str, scale: float) -> list[list[str]]:
    """Text by row; an empty row between groups."""
    cells: list[list[str]] = []
    for place, row in enumerate(rows):
        if by and place and row[by] != rows[place - 1][by]:
            cells.append([])
        texts = {name: column.text(row, scale) for name, column in columns.items()}
        texts["label"] += "*" if troubled(row) else ""
        cells.append([*([row[by]] if by else []), *texts.values()])
    return cells


def _title(records: Records) -> str:
    said = records.experiment.get("title") or records.experiment.get("name")
    return str(said or ", ".join(sorted({str(name) for name in records["experiment"]})) or "run")
