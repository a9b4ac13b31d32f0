"""Records as pandas DataFrames."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from .records import FIELDS

MAPS = ("options", "metrics", "info", "limits")
FLATTENED = ("metrics", "options")
NUMBERS = (
    "objective",
    "bound",
    "gap",
    "build_seconds",
    "solve_seconds",
    "round_seconds",
    "cpu_seconds",
    "wall_seconds",
    "peak_memory_mb",
    "base_memory_mb",
    "magnitude",
    "instance_size",
    "length",
)
POINT = ("seconds", "objective", "bound", "iteration", "primal_residual", "dual_residual")
TRACE_COLUMNS = ("key", "label", "solver", "instance", "instance_digest", *POINT)


class Records(pd.DataFrame):
    """One row per cell. `metrics` and `options` are there as maps and, flattened, as columns such as `metrics.ROUGE-2`."""

    _metadata = ["traces", "provenance", "experiment", "folder"]  # noqa: RUF012 (pandas reads it)

    traces: pd.DataFrame
    provenance: dict[str, Any]
    experiment: dict[str, Any]
    folder: Path

    @property
    def _constructor(self) -> type[Records]:
        return Records


def make_frame(
    records: Iterable[dict[str, Any]],
    traces: Iterable[dict[str, Any]] = (),
    provenance: dict[str, Any] | None = None,
    experiment: dict[str, Any] | None = None,
    folder: Path = Path(),
) -> Records:
    """The DataFrame of these records; fields that a record does not have get their default."""
    rows = [{**FIELDS, **record} for record in records]
    flat = {
        f"{name}.{key}": [row[name].get(key) for row in rows]
        for name in FLATTENED
        for key in dict.fromkeys(key for row in rows for key in row[name])
    }
    frame = Records({name: pd.Series([row[name] for row in rows], dtype=_dtype(name)) for name in FIELDS} | flat)
    for name in frame.columns:
        if name.startswith("metrics."):
            frame[name] = pd.to_numeric(frame[name])
    by_key = {row["key"]: row for row in rows}
    points = [
        {**{name: by_key[trace["key"]][name] for name in TRACE_COLUMNS[:5]}, **point}
        for trace in traces
        if trace["key"] in by_key
        for point in trace["points"]
    ]
    frame.traces = pd.DataFrame(points, columns=list(TRACE_COLUMNS))
    for name in POINT:
        frame.traces[name] = pd.to_numeric(frame.traces[name])
    frame.provenance, frame.experiment, frame.folder = provenance or {}, experiment or {}, folder
    return frame


def _dtype(name: str) -> str:
    if name in NUMBERS:
        return "float64"
    return {
        "repetition": "int64",
        "iterations": "int64",
        "slot": "int64",
        "jobs": "int64",
        "attempt": "int64",
        "traced": "bool",
    }.get(name, "object")


def columnar(records: Iterable[dict[str, Any]]) -> pd.DataFrame:
    """The same for files of columns: what is not a number or a text is JSON text."""
    frame = pd.DataFrame(make_frame(records))
    for name in (*MAPS, "structure"):
        frame[name] = [json.dumps(value, ensure_ascii=False) for value in frame[name]]
    for name in frame.columns:
        if name.startswith("options."):
            frame[name] = [None if value is None else json.dumps(value) for value in frame[name]]
    frame["integral"] = frame["integral"].astype("boolean")
    return frame
