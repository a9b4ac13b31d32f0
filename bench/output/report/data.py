"""The numbers that the page's script draws and filters, as JSON; names are said once and referred to by number."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...analysis.statistics import performance_profiles, time_table
from ...analysis.statistics.values import SHORTEST
from ..escaping import plain_text
from ..plots.scaling import fit_power_law
from .catalog import Catalog
from .groups import Group
from .numbers import present
from .traces import FLOOR, convergence_curves, single_curves

if TYPE_CHECKING:
    from ...records.frame import Records

TIMES = ("cpu_seconds", "wall_seconds", "build_seconds", "solve_seconds", "round_seconds")
CELL_COLUMNS = (
    *("task", "size", "instance", "label", "repetition", "traced", "status"),
    *TIMES,
    *("objective", "bound", "gap", "iterations", "peak_memory_mb", "audit", "message"),
)
LEAST_RANGE = 2.0  # of sizes: no exponent can be told from instances of nearly the same size
TIME_NAMES = {"cpu": "CPU", "wall": "wall-clock"}


def report_data(records: Records, groups: list[Group], catalog: Catalog, time: str) -> dict[str, Any]:
    """Everything the script needs; all values are finite numbers, texts, lists, maps or null."""
    return {
        "tasks": _plain(catalog.tasks),
        "sizes": _plain(catalog.sizes),
        "labels": _plain(catalog.labels),
        "instances": _plain(catalog.instances),
        "statuses": catalog.statuses,
        "messages": _plain(catalog.messages),
        "time": TIME_NAMES[time],
        "floor": FLOOR,
        "cellColumns": list(CELL_COLUMNS),
        "cells": list(_cells(records, catalog)),
        "points": [point for group in groups if group.size is None for point in _points(group, catalog)],
        "fits": {group.key: list(_fits(group, catalog)) for group in groups},
        "profiles": {group.key: _profiles(group, catalog) for group in groups},
        "quality": {group.key: _quality(group, catalog) for group in groups},
        "convergence": {
            group.key: curves for group in groups if (curves := convergence_curves(group.records, catalog))
        },
        "single": [single_curves(group.records, catalog) for group in groups if group.size is None],
    }


def embedded(document: dict[str, Any]) -> str:
    """JSON that can stand inside a script element: no text in it can end the element or begin another."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def short(value: Any, digits: int = 5) -> float | int | None:
    """A number with so many significant digits; None where there is none."""
    if value is None or not math.isfinite(value):
        return None
    rounded = float(f"{value:.{digits}g}")
    if math.isinf(rounded):  # rounded beyond the largest float
        return float(value)
    return int(rounded) if rounded == int(rounded) and abs(rounded) < 2**53 else rounded


def _plain(texts: Iterable[str]) -> list[str]:
    return [plain_text(text) for text in texts]


def _cells(records: Records, catalog: Catalog) -> Iterator[list[Any]]:
    """One list per cell in the order of CELL_COLUMNS."""
    places = {
        "task": catalog.tasks,
        "size": catalog.sizes,
        "instance": catalog.instances,
        "label": catalog.labels,
        "status": catalog.statuses,
        "audit": catalog.messages,
        "message": catalog.messages,
    }
    named = {name: {text: place for place, text in enumerate(texts)} for name, texts in places.items()}
    digits = dict.fromkeys(TIMES, 5) | {"objective": 12, "bound": 12, "gap": 4, "peak_memory_mb": 5}
    columns: list[list[Any]] = []
    for name in CELL_COLUMNS:
        values = records[name].tolist()
        if name in named:
            columns.append([named[name][value] for value in values])
        elif name in digits:
            columns.append([short(value, digits[name]) for value in values])
        else:
            columns.append([int(value) for value in values])
    return (list(row) for row in zip(*columns, strict=True))


def _points(group: Group, catalog: Catalog) -> Iterator[list[Any]]:
    """[task, size, label, instance, instance size, seconds or null, status, limit, failed] per solver and instance."""
    places = {name: place for place, name in enumerate(catalog.instances)}
    for cell in group.cells.to_dict("records"):
        yield [
            catalog.tasks.index(cell["task"]),
            catalog.sizes.index(cell["size"]),
            catalog.labels.index(cell["label"]),
            places[cell["instance"]],
            short(cell["instance_size"], 12),
            short(max(cell["seconds"], SHORTEST)) if cell["ended"] else None,
            catalog.statuses.index(cell["status"]),
            short(cell["limit"]),
            int(not cell["ended"]),
        ]


def _fits(group: Group, catalog: Catalog) -> Iterator[list[Any]]:
    """[label, exponent, its interval, smallest size, seconds there, largest size, seconds there] of power laws."""
    done = group.cells[group.cells["ended"].astype(bool) & (group.cells["instance_size"] > 0)]
    done = done[done["seconds"].notna()]
    for label, own in done.groupby("label", sort=False):
        sizes = own["instance_size"].to_numpy(float)
        if sizes.max() < LEAST_RANGE * sizes.min():
            continue
        law = fit_power_law(sizes, np.maximum(own["seconds"].to_numpy(float), SHORTEST))
        if law is not None:
            ends = [
                value for x in (sizes.min(), sizes.max()) for value in (short(x), short(law.factor * x**law.exponent))
            ]
            yield [catalog.labels.index(str(label)), *(short(v, 4) for v in (law.exponent, law.low, law.high)), *ends]


def _profiles(group: Group, catalog: Catalog) -> dict[str, list[list[Any]]]:
    """[label, ratios, shares] per solver, where only a proof solves an instance and where any valid answer does."""
    return {
        name: [
            [
                catalog.labels.index(profile.label),
                [short(ratio) for ratio in profile.ratios],
                [short(share) for share in profile.shares],
            ]
            for profile in performance_profiles(time_table(group.cells, solved))
            if profile.instances
        ]
        for name, solved in (("optimal", {"optimal"}), ("answered", None))
    }


def _quality(group: Group, catalog: Catalog) -> dict[str, Any]:
    """[label, seconds, values of the measures, instances without a valid answer] per solver."""
    table = group.answered
    names = dict.fromkeys(name for row in table.values() for name in row if name.startswith("metrics."))
    metrics = [name for name in names if any(present(row[name]) for row in table.values())]
    columns = ["share", *metrics]
    return {
        "measures": ["objective, % of the best known", *_plain(name.removeprefix("metrics.") for name in metrics)],
        "rows": [
            [
                catalog.labels.index(label),
                short(max(row["sgm"], SHORTEST)) if present(row["sgm"]) else None,
                [short(row[name]) for name in columns],
                int(row["cells"] - row["solved"]),
            ]
            for label, row in table.items()
        ],
    }
