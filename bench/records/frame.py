"""Records as pandas DataFrames."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd

from .damage import Damage
from .fields import FIELDS
from .record_checks import POINT, UNTIMED

MAPS = ("options", "metrics", "info", "limits")
FLATTENED = ("metrics", "options")
TRACE_COLUMNS = ("key", "label", "solver", "instance", "instance_digest", *POINT)


class Records(pd.DataFrame):
    """One row per cell. `metrics` and `options` are there as maps and, flattened, as columns such as `metrics.ROUGE-2`."""

    _metadata = ["traces", "provenance", "experiment", "folder", "damage", "whole"]  # noqa: RUF012 (pandas reads it)

    traces: pd.DataFrame
    provenance: dict[str, Any]
    experiment: dict[str, Any]
    folder: Path
    damage: list[Damage]
    whole: WholeRun | None

    shown: ClassVar[Callable[[Records], str] | None] = None
    """How a notebook shows a whole run (`bench.output.notebook`); parts of one are shown as any DataFrame."""

    @property
    def _constructor(self) -> type[Records]:
        return Records

    def _repr_html_(self) -> str | None:
        whole = getattr(self, "whole", None)
        if Records.shown is not None and whole is not None and whole.records is self and len(self):
            return Records.shown(self)
        return super()._repr_html_()  # type: ignore[misc]


class WholeRun:
    """The loaded run that a frame is a part of. What is computed of it once is in `kept`."""

    def __init__(self, records: Records, experiments: list[dict[str, Any]]) -> None:
        self.records, self.experiments = records, experiments
        self.kept: dict[str, Any] = {}


def make_frame(
    records: Iterable[dict[str, Any]],
    traces: Iterable[dict[str, Any]] = (),
    provenance: dict[str, Any] | None = None,
    experiment: dict[str, Any] | None = None,
    folder: Path = Path(),
) -> Records:
    """The DataFrame of these records; fields that a record does not have get their default."""
    rows = [{**FIELDS, **record} for record in records]
    flat: dict[str, Any] = {
        f"{name}.{key}": [row[name].get(key) for row in rows]
        for name in FLATTENED
        for key in dict.fromkeys(key for row in rows for key in row[name])
    }
    flat |= {name: pd.to_numeric(pd.Series(values)) for name, values in flat.items() if name.startswith("metrics.")}
    columns = {name: pd.Series([row[name] for row in rows], dtype=_dtype(name)) for name in FIELDS}
    columns[UNTIMED] = pd.Series([row.get(UNTIMED, "") for row in rows], dtype="object")
    frame = Records(columns | flat)
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
    frame.damage, frame.whole = [], None
    return frame


def _dtype(name: str) -> str:
    """What has nothing to say and no text is a number, but for two fields."""
    default = FIELDS[name]
    if name in ("integral", "structure"):
        return "object"
    if default is None or isinstance(default, float):
        return "float64"
    return {bool: "bool", int: "int64"}.get(type(default), "object")


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
