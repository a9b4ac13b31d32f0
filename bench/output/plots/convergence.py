"""Convergence: how primal and dual values approach the best known value, over time and over iterations.

Only traced cells count. Each trace is a step function of the best value so far; a label's line is the median over
instances, its band a range of quantiles. An instance without a value yet has an infinite gap, so a median line begins
where half of the instances have one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from problems.errors import InputError

from ...analysis.statistics.cells import best_known, current, sound
from ...records.fields import FAILURES
from ...records.frame import Records
from ...records.marks import one_node
from ..escaping import figure_text
from .canvas import GREY, add_legend, new_figure, plain_log_axis, style
from .looks import Look, looks
from .measures import each_panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AXES = {"seconds": "time on the solver's clock (s)", "iterations": "iteration"}
FIELD = {"seconds": "seconds", "iterations": "iteration"}
SIDES = {"dual": "bound", "primal": "objective"}
DASHES: dict[str, Any] = {"dual": "-", "primal": (0, (4, 2))}
GRID_POINTS = 400
TO_TRACE = "set trace = true in the experiment, or race with --plot (in Python: trace=True)"
MOMENT = ("seconds", "iteration", "objective", "bound")

Array = NDArray[np.float64]
Steps = tuple[Array, Array]  # where it changes, and the gap from there on
AllSteps = dict[tuple[str, str, str], list[Steps]]  # by x axis, label and side
Panels = dict[str, tuple[AllSteps, int, list[str]]]  # by size: what `_shown` says of it


def convergence(
    records: Records,
    *,
    x: str = "both",
    quantiles: tuple[float, float] = (0.25, 0.75),
    floor: float = 1e-6,
    mix_nodes: bool = False,
) -> Figure:
    """Relative gap to the best known value: dual solid, primal dashed; a gap below `floor` is closed and drawn there."""
    one_node(records, mix_nodes)
    panels, notes = each_panel(records, lambda part: _shown(part, x))
    axes_names = [name for name in AXES if any(name in names for _, _, names in panels.values())]
    look = looks(records)
    with style():
        from matplotlib.lines import Line2D

        figure, every = new_figure(len(axes_names), len(panels))
        for row, (title, (steps, _, shown)) in enumerate(panels.items()):
            for column, name in enumerate(axes_names):
                axes = every[row * len(axes_names) + column]
                if name in shown:
                    _draw(axes, steps, name, quantiles, floor, look)
                else:
                    axes.set_axis_off()
                axes.set_title(figure_text(title) if len(panels) > 1 and not column else "", loc="left")
                axes.set_xlabel(AXES[name] if row == len(panels) - 1 else "")
                axes.set_ylabel("" if column else "relative gap to best known value")
        keys = {key for steps, _, _ in panels.values() for key in steps if key[0] in axes_names}
        used = [label for label in look if label in {key[1] for key in keys}]
        handles = [Line2D([], [], color=look[label].color, marker=look[label].marker, label=label) for label in used]
        handles += [
            Line2D([], [], color=GREY, linestyle=DASHES[side], label=f"{side} (best {column} so far)")
            for side, column in SIDES.items()
            if side in {key[2] for key in keys}
        ]
        add_legend(figure, handles, [*_notes(records, panels, axes_names, floor, *quantiles), *notes])
    return figure


def _shown(records: Records, x: str) -> tuple[AllSteps, int, list[str]]:
    """The lines of one size, its instances without a known value, and over which axes there is something to draw."""
    steps, left_out = all_steps(records)
    shown = [name for name in AXES if x in (name, "both") and any(key[0] == name for key in steps)]
    if not shown:
        raise InputError(
            f"plot 'convergence' over {x}: no trace has values that could be drawn (it needs iterations and an instance "
            "with a known objective)."
        )
    return steps, left_out, shown


def _draw(
    axes: Any, steps: AllSteps, name: str, quantiles: tuple[float, float], floor: float, look: Mapping[str, Look]
) -> None:
    """The lines and bands of one panel."""
    lines = {key[1:]: traces for key, traces in steps.items() if key[0] == name}
    grids = grids_of(lines, whole=name == "iterations")
    empty = True
    for (label, side), traces in lines.items():
        values = np.array([values_at(trace, grids[label]) for trace in traces])
        middle, bottom, top = (drawable(values, share, floor) for share in (0.5, *quantiles))
        markable = np.isfinite(middle) & (grids[label] > 0)  # matplotlib spaces no markers on a line without points
        shape = look[label]
        axes.plot(
            grids[label],
            middle,
            drawstyle="steps-post",
            color=shape.color,
            linestyle=DASHES[side],
            marker=shape.marker,
            markevery=(0.05, 0.2) if markable.any() else None,
            gid=f"{label} {side}",
        )
        axes.fill_between(grids[label], bottom, top, step="post", color=shape.color, alpha=0.1, linewidth=0)
        empty &= not markable.any()
    if empty:  # an axis without data has no logarithm
        axes.set(xlim=(1.0, 10.0), ylim=(floor / 2, 1.0))
    axes.set_xscale("log")
    plain_log_axis(axes.xaxis, *axes.get_xlim())
    axes.set_yscale("log")
    axes.set_ylim(bottom=floor / 2)
    axes.axhline(floor, color=GREY, linewidth=0.8)


def all_steps(records: Records) -> tuple[AllSteps, int]:
    """Traced cells as step functions by (x, label, side), and how many instances have no known value."""
    cells = current(records)
    cells = cells[cells["traced"].astype(bool) & (cells["status"] != "skipped")]
    cells = cells.drop_duplicates(["label", "instance_digest"], keep="last")
    if cells.empty:
        raise InputError(f"plot 'convergence': there are no traced cells; {TO_TRACE}.")
    best = best_known(records)
    points = records.traces[list(MOMENT)].to_numpy(float)
    places = records.traces.groupby("key", sort=False).indices
    steps: AllSteps = {}
    for cell in cells[cells["instance_digest"].isin(best)].to_dict("records"):
        moments = _moments(cell, points[places.get(cell["key"], [])])
        for name, field in FIELD.items():
            ordered = moments[np.argsort(moments[field], kind="stable")]
            for side, column in SIDES.items():
                gaps = _gaps(ordered[column], best[cell["instance_digest"]], side)
                steps.setdefault((name, cell["label"], side), []).append((ordered[field], gaps))
    drawable = {
        key: lines
        for key, lines in steps.items()
        if any(np.isfinite(gaps).any() for _, gaps in lines)  # else a solver without bounds, or without objectives
        and (key[0] == "seconds" or any((at > 0).any() for at, _ in lines))  # else it counts no iterations
    }
    return drawable, len(set(cells["instance_digest"]) - set(best))


def _moments(cell: Mapping[Any, Any], trace: Array) -> NDArray[Any]:
    """The points of a trace and the final answer; nothing of a cell whose answer is wrong.

    As in `bench.analysis.statistics.progress`, no point is credited with more than the answer that passed the audit.
    """
    kind = [(name, float) for name in MOMENT]
    if not sound(cell["audit"]) or cell["status"] == "infeasible":
        return np.empty(0, kind)
    rows = [tuple(row) for row in trace]
    if cell["status"] not in FAILURES:
        parts = [cell[name] for name in ("build_seconds", "solve_seconds", "round_seconds") if cell[name] == cell[name]]
        end = max([sum(parts) if parts else cell["cpu_seconds"], *(row[0] for row in rows)])
        last = max([cell["iterations"], *(row[1] for row in rows)])
        rows.append((end, last, cell["objective"], cell["bound"]))
    moments = np.array(rows, kind)
    if cell["status"] not in FAILURES and cell["objective"] == cell["objective"]:
        moments["objective"] = np.minimum(moments["objective"], cell["objective"])
    return moments[np.isfinite(moments["seconds"])]


def _gaps(values: Array, best: float, side: str) -> Array:
    """Gap of the best value so far, relative to the larger of it and the best known one (as `Solution.gap`)."""
    values = np.where(np.isfinite(values), values, np.inf if side == "dual" else -np.inf)
    sofar = np.minimum.accumulate(values) if side == "dual" else np.maximum.accumulate(values)
    distance = np.maximum(sofar - best if side == "dual" else best - sofar, 0.0)
    with np.errstate(invalid="ignore"):
        gaps = distance / np.maximum(np.abs(sofar), abs(best))
    return np.where(np.isinf(distance), np.inf, np.where(distance == 0, 0.0, gaps))


def grids_of(lines: dict[tuple[str, str], list[Steps]], whole: bool) -> dict[str, Array]:
    """A log grid common to all labels, for each label cut off where its last trace ends."""
    ends: dict[str, float] = {}
    starts = []
    for (label, _), traces in lines.items():
        for at, _gap in traces:
            ends[label] = max(ends.get(label, 0.0), float(at.max(initial=0.0)))
            starts += [float(at[at > 0][0])] if (at > 0).any() else []
    start, end = (min(starts), max(ends.values())) if starts else (1e-3, 1e-2)
    grid = np.geomspace(start, max(end, start * 1.001), GRID_POINTS)
    if whole:
        grid = np.unique(np.round(grid))
    return {label: np.append(grid[grid < last], max(last, start)) for label, last in ends.items()}


def values_at(trace: Steps, grid: Array) -> Array:
    """The step function's value at each point of the grid; infinite before its first point."""
    at, gaps = trace
    if not len(at):  # the cell failed before its first point
        return np.full(len(grid), np.inf)
    place = np.searchsorted(at, grid, side="right") - 1
    return np.where(place >= 0, gaps[np.maximum(place, 0)], np.inf)


def drawable(values: Array, share: float, floor: float) -> Array:
    """A quantile over instances, not below the floor; NaN (not drawn) where it is infinite."""
    huge = 1e300  # stands for infinity, which interpolation between order statistics cannot bear
    found = np.quantile(np.minimum(values, huge), share, axis=0)
    return np.where(found > huge / 1e100, np.nan, np.maximum(found, floor))


def _notes(records: Records, panels: Panels, shown: list[str], floor: float, low: float, high: float) -> list[str]:
    steps = {key: lines for found, _, _ in panels.values() for key, lines in found.items()}
    count = max(len(traces) for found, _, _ in panels.values() for traces in found.values())
    notes = [
        f"Median over instances (at most {count} per line); band: quantiles {low:g} to {high:g}. "
        f"A gap of at most {floor:g} counts as closed and is drawn at the grey line."
    ]
    if "seconds" in shown:
        notes.append("Building the model is on the clock; a line ends with the cells, rounding included.")
    if "iterations" in shown:
        silent = {key[1] for key in steps} - {key[1] for key in steps if key[0] == "iterations"}
        if silent:
            notes.append(f"Not over iterations (none counted): {', '.join(sorted(silent))}.")
    missing = [label for label in dict.fromkeys(records["label"]) if not any(key[1] == label for key in steps)]
    if missing:
        notes.append(f"No trace: {', '.join(missing)}.")
    if left_out := sum(left for _, left, _ in panels.values()):
        notes.append(f"Left out: {left_out} instances without any verified objective.")
    return notes
