"""Runs in Python: the table as a DataFrame of numbers, figures, verdicts, and how a notebook shows a run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from problems.errors import InputError

from ..analysis.statistics.ratios import SpeedUp
from ..records.frame import Records
from ..records.log import load_run
from .escaping import html_text
from .race_verdict import verdicts
from .run_tables import run_table, summarised
from .table_columns import Column, columns_named

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Run = Records | str | Path


def records_of(run: Run) -> Records:
    """The records of a run that is loaded, or in a folder."""
    if isinstance(run, Records):
        return run
    loaded: Records = load_run(run)
    return loaded


def table_frame(run: Run, layout: Mapping[str, Any] | None = None) -> pd.DataFrame:
    """The numbers of a run's table, by size (where there are several) and solver. Times are in seconds.

    A ratio or median with an interval has columns `..._low` and `..._high` beside its own; a ratio's `..._target` is the quality
    that it holds for. Missing numbers are NaN.
    """
    found = summarised(records_of(run), layout)
    columns = columns_named(found.columns, found.against)
    rows = [
        {name: value for key, column in columns.items() if key != "label" for name, value in _values(key, column, row)}
        for row in found.rows
    ]
    names = [*found.fields, "solver"]
    keys = [tuple(row[field] for field in (*found.fields, "label")) for row in found.rows]
    index = (
        pd.MultiIndex.from_tuples(keys, names=names)
        if found.fields
        else pd.Index([key[0] for key in keys], name="solver")
    )
    return pd.DataFrame(rows, index=index)


def _values(key: str, column: Column, row: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The columns that one column of a table becomes."""
    if column.kind == "ratio":
        name, ratio = key.replace("xbaseline ", "x "), row[column.field]
        known = ratio if isinstance(ratio, SpeedUp) else SpeedUp(_NONE, "", 0, 0)  # type: ignore[arg-type]
        ends = zip(("", "_low", "_high"), known.times, strict=True)
        return [*((name + end, value) for end, value in ends), (f"{name}_target", str(known.target))]
    if key == "median":
        return [(f"median_seconds{end}", row[f"median{end}"]) for end in ("", "_low", "_high")]
    if column.kind == "time":
        return [(f"{key}_seconds", row[column.field])]
    if key == "optimal":
        return [("cells", row["cells"]), ("optimal", row["optimal"])]
    if key == "failed":
        return [(name, row[name]) for name in _FAILURES]
    renamed = {"share": "objective_percent", "integral": "integral_percent", "memory": "memory_mb", "gap": "gap"}
    if key == "million":
        return [("hours_per_million", row["mean"] * 1e6 / 3600)]
    return [(renamed.get(column.field, key), row.get(column.field))]


_NONE = (float("nan"),) * 3
_FAILURES = ("timeout", "memout", "crash", "error", "skipped", "wrong")


def figure(run: Run, kind: str, **options: Any) -> Figure:
    """A plot of a run as a matplotlib figure: convergence, scaling, profile, pareto or bins."""
    from .plots import make_plot

    return make_plot(records_of(run), kind, **options)


def run_html(records: Records) -> str:
    """A run in a notebook: its table, and who is the fastest of each size."""
    try:
        page = run_table(records)._repr_html_()
    except InputError as error:  # times of several machines, say
        page = f"<p>{html_text(str(error))}</p>"
    sentences = "<br>".join(html_text(line) for line in verdicts(records))
    where = f"<p>{len(records):,} records in {html_text(str(records.folder))}</p>" if records.folder.name else ""
    return f"{page}<p>{sentences}</p>{where}"


Records.shown = staticmethod(run_html)
