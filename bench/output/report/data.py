"""The numbers that the page's script draws and filters, as JSON; names are said once and referred to by number.

Convergence curves are those of traced cells, thinned for the page; what a gap is, `bench.output.plots.convergence` says.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from problems.errors import InputError

from ...analysis.growth import growth, size_measure
from ...analysis.statistics.cells import reduce_cells, tried
from ...analysis.statistics.progress import times_within
from ...analysis.statistics.ratios import SHARE, performance_profiles
from ...analysis.statistics.values import SHORTEST
from ...records.frame import Records
from ..escaping import plain_text
from ..growth_table import MEASURES
from ..plots.convergence import AXES, SIDES, all_steps, drawable, grids_of, values_at
from ..plots.looks import looks
from ..units import heading_of, scale_of
from .catalog import Catalog, Group, present

FLOOR = 1e-6
POINTS = 80  # of a curve at most
INSTANCES = 4  # of each size that can be looked at alone

Curve = list[list[float | None]]


def convergence_curves(records: Records, catalog: Catalog) -> dict[str, list[dict[str, Any]]]:
    """By x axis: for each label its primal and dual curve, points of [x, lower quartile, median, upper quartile]."""
    try:
        steps, _ = all_steps(records)
    except InputError:  # nothing was traced
        return {}
    curves: dict[str, list[dict[str, Any]]] = {}
    for axis in AXES:
        lines = {key[1:]: traces for key, traces in steps.items() if key[0] == axis}
        grids = grids_of(lines, whole=axis == "iterations") if lines else {}
        curves[axis] = [
            {
                "label": catalog.labels.index(label),
                **{side: _quartiles(lines.get((label, side), []), grid) for side in SIDES},
            }
            for label, grid in grids.items()
        ]
    return curves


def single_curves(records: Records, catalog: Catalog) -> list[dict[str, Any]]:
    """The same for the first few traced instances of each size, one by one; points are [x, gap]."""
    traced = records[records["traced"] & records["key"].isin(set(records.traces["key"]))]
    names = traced[["size", "instance", "instance_digest"]].drop_duplicates("instance_digest")
    found = []
    for row in names.groupby("size", sort=False).head(INSTANCES).to_dict("records"):
        curves = convergence_curves(records[records["instance_digest"] == row["instance_digest"]], catalog)
        for curve in (curve for axis in curves.values() for curve in axis):
            curve |= {side: [[point[0], point[2]] for point in curve[side]] for side in SIDES}
        if curves:
            place = catalog.instances.index(row["instance"])
            found.append({"size": catalog.sizes.index(row["size"]), "instance": place, "curves": curves})
    return found


def _quartiles(traces: list[Any], grid: Any) -> Curve:
    """Points where the median is finite; equal neighbours are one point, and the rest is thinned evenly."""
    if not traces:
        return []
    values = np.array([values_at(trace, grid) for trace in traces])
    quartiles = [drawable(values, share, FLOOR) for share in (0.25, 0.5, 0.75)]
    points = [
        [float(f"{x:.4g}"), *(None if np.isnan(gap) else float(f"{gap:.3g}") for gap in gaps)]  # None: infinite
        for x, *gaps in zip(grid, *quartiles, strict=True)
        if not np.isnan(gaps[1])
    ]
    last = len(points) - 1
    steps = [point for place, point in enumerate(points) if place in (0, last) or point[1:] != points[place - 1][1:]]
    every = -(-len(steps) // POINTS) or 1
    return [point for place, point in enumerate(steps) if place % every == 0 or place == len(steps) - 1]


TIMES = ("cpu_seconds", "wall_seconds", "build_seconds", "solve_seconds", "round_seconds")
CELL_COLUMNS = (
    *("task", "size", "instance", "label", "repetition", "traced", "status"),
    *TIMES,
    *("objective", "bound", "gap", "iterations", "peak_memory_mb", "audit", "message"),
)
TIME_NAMES = {"cpu": "CPU", "wall": "wall-clock"}


def report_data(records: Records, groups: list[Group], catalog: Catalog, time: str) -> dict[str, Any]:
    """Everything the script needs; all values are finite numbers, texts, lists, maps or null."""
    shapes = looks(records)
    tasks = [reduce_cells(records[records["task"] == task], time) for task in catalog.tasks]
    return {
        "tasks": _plain(catalog.tasks),
        "sizes": _plain(catalog.sizes),
        "labels": _plain(catalog.labels),
        "looks": [[shapes[label].place, shapes[label].marker] for label in catalog.labels],
        "instances": _plain(catalog.instances),
        "statuses": catalog.statuses,
        "messages": _plain(catalog.messages),
        "time": TIME_NAMES[time],
        "floor": FLOOR,
        "cellColumns": list(CELL_COLUMNS),
        "cells": list(_cells(records, catalog)),
        "taskSizes": [
            [catalog.sizes.index(group.size) for group in groups if group.task == task] for task in catalog.tasks
        ],
        "measures": [MEASURES[size_measure(cells)] for cells in tasks],
        "points": [point for cells in tasks for point in _points(cells, catalog)],
        "fits": [list(_fits(cells, catalog)) for cells in tasks],
        "profiles": {group.key: _profiles(group, catalog) for group in groups},
        "quality": {group.key: _quality(group, catalog) for group in groups},
        "convergence": {
            group.key: curves for group in groups if (curves := convergence_curves(group.records, catalog))
        },
        "single": [single_curves(records[records["task"] == task], catalog) for task in catalog.tasks],
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


def _points(cells: pd.DataFrame, catalog: Catalog) -> Iterator[list[Any]]:
    """[task, size, label, instance, instance's size, seconds or null, status, limit, failed] per solver and instance."""
    places, measure = {name: place for place, name in enumerate(catalog.instances)}, size_measure(cells)
    for cell in tried(cells).to_dict("records"):
        yield [
            catalog.tasks.index(cell["task"]),
            catalog.sizes.index(cell["size"]),
            catalog.labels.index(cell["label"]),
            places[cell["instance"]],
            short(cell[measure], 12),
            short(max(cell["seconds"], SHORTEST)) if cell["ended"] else None,
            catalog.statuses.index(cell["status"]),
            short(cell["limit"]),
            int(not cell["ended"]),
        ]


def _fits(cells: pd.DataFrame, catalog: Catalog) -> Iterator[list[Any]]:
    """[label, exponent, its interval, smallest size, seconds there, largest size, seconds there] of power laws."""
    for found in growth(cells):
        if law := found.law:
            ends = [short(value) for x in found.sizes[[0, -1]] for value in (x, law.factor * x**law.exponent)]
            exponent = (short(value, 4) for value in (law.exponent, law.low, law.high))
            yield [catalog.labels.index(found.label), *exponent, *ends]


def _profiles(group: Group, catalog: Catalog) -> dict[str, list[list[Any]]]:
    """[label, ratios, shares] per solver: where a proof, the first answer close to the best known, or any valid answer counts."""
    race = group.race
    tables = {
        "optimal": race.times("optimal"),
        "near": times_within(group.records, SHARE, race.cells),
        "any": race.times("any"),
    }
    return {
        name: [
            [catalog.labels.index(profile.label), [*map(short, profile.ratios)], [*map(short, profile.shares)]]
            for profile in performance_profiles(times)
            if profile.instances
        ]
        for name, times in tables.items()
    }


def _quality(group: Group, catalog: Catalog) -> dict[str, Any]:
    """[label, seconds, values of the measures, instances without a valid answer] per solver."""
    table = group.summary
    names = dict.fromkeys(name for row in table.values() for name in row if name.startswith("metrics."))
    metrics = [name for name in names if any(present(row[name]) for row in table.values())]
    measures = [name.removeprefix("metrics.") for name in metrics]
    columns = {"share": 1.0, **{name: scale_of(measure) for name, measure in zip(metrics, measures, strict=True)}}
    return {
        "measures": ["objective, % of the best known", *_plain(map(heading_of, measures))],
        "rows": [
            [
                catalog.labels.index(label),
                short(max(row["sgm"], SHORTEST)) if present(row["sgm"]) else None,
                [short(scale * row[name]) if present(row[name]) else None for name, scale in columns.items()],
                int(row["cells"] - row["scored"]),
            ]
            for label, row in table.items()
        ],
    }
