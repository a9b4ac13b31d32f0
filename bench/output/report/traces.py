"""Convergence curves of traced cells, thinned for the page; what a gap is, `bench.output.plots.convergence` says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from problems.errors import InputError

from ..plots import convergence as plot
from .catalog import Catalog

if TYPE_CHECKING:
    from ...records.frame import Records

FLOOR = 1e-6
POINTS = 80  # of a curve at most
INSTANCES = 4  # of each size that can be looked at alone

Curve = list[list[float | None]]


def convergence_curves(records: Records, catalog: Catalog) -> dict[str, list[dict[str, Any]]]:
    """By x axis: for each label its primal and dual curve, points of [x, lower quartile, median, upper quartile]."""
    try:
        steps, _ = plot.all_steps(records)
    except InputError:  # nothing was traced
        return {}
    curves: dict[str, list[dict[str, Any]]] = {}
    for axis in plot.AXES:
        lines = {key[1:]: traces for key, traces in steps.items() if key[0] == axis}
        grids = plot.grids_of(lines, whole=axis == "iterations") if lines else {}
        curves[axis] = [
            {
                "label": catalog.labels.index(label),
                **{side: _quartiles(lines.get((label, side), []), grid) for side in plot.SIDES},
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
            curve |= {side: [[point[0], point[2]] for point in curve[side]] for side in plot.SIDES}
        if curves:
            place = catalog.instances.index(row["instance"])
            found.append({"size": catalog.sizes.index(row["size"]), "instance": place, "curves": curves})
    return found


def _quartiles(traces: list[Any], grid: Any) -> Curve:
    """Points where the median is finite; equal neighbours are one point, and the rest is thinned evenly."""
    if not traces:
        return []
    values = np.array([plot.values_at(trace, grid) for trace in traces])
    quartiles = [plot.drawable(values, share, FLOOR) for share in (0.25, 0.5, 0.75)]
    points = [
        [float(f"{x:.4g}"), *(None if np.isnan(gap) else float(f"{gap:.3g}") for gap in gaps)]  # None: infinite
        for x, *gaps in zip(grid, *quartiles, strict=True)
        if not np.isnan(gaps[1])
    ]
    last = len(points) - 1
    steps = [point for place, point in enumerate(points) if place in (0, last) or point[1:] != points[place - 1][1:]]
    every = -(-len(steps) // POINTS) or 1
    return [point for place, point in enumerate(steps) if place % every == 0 or place == len(steps) - 1]
