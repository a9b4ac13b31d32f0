"""Scaling: runtime against the size of the instance, with the exponent of a fitted power law per solver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from problems.errors import InputError

from ...analysis.growth import growth, size_measure
from ...analysis.statistics.cells import tried
from ...records.frame import Records
from .canvas import add_legend, name_axes, panel_figure, plain_log_axis, style
from .looks import looks
from .measures import CLOCK_FLOOR, TIME_NAMES, clock_note, each_panel, failure_marks, runtimes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AXES = {"length": "sentence length (words)", "instance_size": "instance size (variables or words)"}


def scaling(records: Records, *, time: str = "cpu", confidence: float = 0.95, mix_nodes: bool = False) -> Figure:
    """Runtime against size, log-log, all sizes of a task together: a point per instance, failed cells at the limit, the fit."""
    panels, notes = each_panel(records, lambda part: _sized(part, time, mix_nodes), by="none")
    look = looks(records)
    with style():
        from matplotlib.lines import Line2D

        figure, all_axes = panel_figure(list(panels))
        handles: list[Any] = []
        for axes, (title, cells) in zip(all_axes, panels.items(), strict=True):
            measure = size_measure(cells)
            grown = {one.label: one for one in growth(cells, confidence)}
            for label in [label for label in look if label in grown]:
                own, shape, found = cells[cells["label"] == label], look[label], grown[label]
                done = own[own["answered"].astype(bool)].sort_values(measure)
                axes.plot(
                    done[measure].to_numpy(float),
                    np.maximum(done["seconds"].to_numpy(float), CLOCK_FLOOR),
                    shape.marker,
                    color=shape.color,
                    alpha=0.7,
                    markeredgecolor="none",
                    markersize=6,
                    gid=label,
                )
                if found.law:
                    ends = found.sizes[[0, -1]]
                    line = found.law.factor * ends**found.law.exponent
                    axes.plot(ends, line, color=shape.color, linestyle=shape.linestyle, gid=f"{label} fit")
                missing = len(own) - len(done)
                said = f"{label}: n^{found.law}" if found.law else f"{label}: no fit"
                said += f" ({title})" if len(panels) > 1 else ""
                said += f", {missing} not answered" if missing else ""
                handles.append(Line2D([], [], label=said, **vars(shape)))
                if found.left_out:
                    notes.append(f"Not in the fit of {label}: {', '.join(found.left_out)} (mostly stopped).")
            handles += failure_marks(axes, cells, measure, look)
            axes.set_xscale("log")
            axes.set_yscale("log")
            plain_log_axis(axes.xaxis, cells[measure].min(), cells[measure].max())
            name_axes([axes], AXES[measure], f"{TIME_NAMES[time]} (s)")
            notes += clock_note(cells["seconds"])
        first = (
            f"A point per instance (median of repetitions). Exponents with {confidence:.0%} intervals, by least squares on "
            "logarithms."
        )
        if not all(cells["answered"].all() for cells in panels.values()):
            first += " A cell that the time limit stopped counts as the limit: exponents tend to be too small."
        add_legend(figure, handles, dict.fromkeys([first, *notes]))
    return figure


def _sized(records: Records, time: str, mix_nodes: bool) -> pd.DataFrame:
    """The cells of one task that have a size."""
    cells = tried(runtimes(records, time, mix_nodes))
    cells = cells[cells[size_measure(cells)] > 0]
    if not cells["answered"].any():
        raise InputError("plot 'scaling': no cell has both a valid answer and an instance_size above 0.")
    return cells
