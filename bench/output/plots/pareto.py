"""Quality against time: what a solver's answers are worth and what they cost, with the Pareto front."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from problems.errors import InputError, nearest

from ...analysis.statistics.summary import summary
from ...records.frame import Records
from ...records.marks import one_node
from ..escaping import figure_text
from ..units import heading_of, scale_of
from .canvas import GREY, add_legend, name_axes, panel_figure, plain_log_axis, style
from .looks import looks
from .measures import CLOCK_FLOOR, TIME_NAMES, clock_note, each_panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AVERAGES = {"sgm": "shifted geometric mean", "mean": "mean", "median": "median"}


def pareto_front(points: Sequence[tuple[float, float]]) -> list[int]:
    """Which points (time, quality) no other beats: at most as slow and at least as good, and better in one of them."""
    return [
        place
        for place, (time, quality) in enumerate(points)
        if not any(t <= time and q >= quality and (t, q) != (time, quality) for t, q in points)
    ]


def pareto(
    records: Records, *, quality: str = "objective", time: str = "cpu", average: str = "sgm", mix_nodes: bool = False
) -> Figure:
    """A panel per size and a point per solver; solvers that failed on some instances are hollow and not on the front."""
    metrics = [name.removeprefix("metrics.") for name in records.columns if name.startswith("metrics.")]
    if quality not in ("objective", *metrics):
        raise InputError(f"unknown quality {quality!r} of plot 'pareto': {nearest(quality, ['objective', *metrics])}")
    one_node(records, mix_nodes)
    panels, notes = each_panel(records, lambda part: _points(part, quality, time, average))
    look = looks(records)
    with style():
        from matplotlib.lines import Line2D

        figure, all_axes = panel_figure(list(panels))
        handles: dict[str, Any] = {}
        for axes, found in zip(all_axes, panels.values(), strict=True):
            front = _front(found)
            if len(front) > 1:
                axes.plot(
                    *zip(*front, strict=True), color=GREY, linewidth=1.2, drawstyle="steps-post", zorder=1, gid="front"
                )
            for label in [label for label in look if label in found.index]:
                shape, missing = look[label], int(found["missing"][label])
                (point,) = axes.plot(
                    [found["seconds"][label]],
                    [found["quality"][label]],
                    linestyle="none",
                    marker=shape.marker,
                    markersize=9,
                    color=shape.color,
                    markerfacecolor="white" if missing else shape.color,
                    markeredgewidth=1.4,
                    label=label + (f" ({missing} not answered)" if missing and len(panels) == 1 else ""),
                    gid=label,
                )
                handles.setdefault(label, point)
            axes.set_xscale("log")
            axes.margins(0.08)
            plain_log_axis(axes.xaxis, *axes.get_xlim())
        if quality == "objective":  # no share is above 100 %, even where all are 100
            span = max(100.0 - min(float(found["quality"].min()) for found in panels.values()), 0.1)
            all_axes[0].set_ylim(100.0 - 1.08 * span, 100.0 + 0.08 * span)
        worth = "share of the best known objective (%)" if quality == "objective" else figure_text(heading_of(quality))
        name_axes(all_axes, f"{AVERAGES[average]} of {TIME_NAMES[time]} over instances (s)", f"mean {worth}")
        shown = [handles[label] for label in look if label in handles]
        if any(len(_front(found)) > 1 for found in panels.values()):
            shown.append(Line2D([], [], color=GREY, linewidth=1.2, label="Pareto front"))
        notes.insert(0, "Towards the upper left: better and faster.")
        if any(found["missing"].any() for found in panels.values()):
            notes.append(
                "Hollow: the quality is of the answered instances only, hence not on the front; a cell that did not end "
                "counts as its time limit."
            )
        silent = [label for label in look if label not in handles]
        if silent:
            notes.append(f"Nothing to draw: {', '.join(silent)}.")
        early = [note for found in panels.values() for note in clock_note(found[average])]
        add_legend(figure, shown, [*notes, *early[:1]])
    return figure


def _points(records: Records, quality: str, time: str, average: str) -> pd.DataFrame:
    """By label: seconds, quality, and how many instances it has no answer of."""
    found = summary(records, time).rename(
        columns={"share" if quality == "objective" else f"metrics.{quality}": "quality"}
    )
    found = found[found[average].notna() & found["quality"].notna()]
    if found.empty:
        raise InputError(f"plot 'pareto': no solver has both a time and a value of {quality!r}.")
    seconds, worth = found[average].clip(lower=CLOCK_FLOOR), scale_of(quality) * found["quality"]
    return found.assign(missing=found["cells"] - found["scored"], seconds=seconds, quality=worth)


def _front(found: pd.DataFrame) -> list[tuple[float, float]]:
    answered = found[found["missing"] == 0]
    points = list(zip(answered["seconds"], answered["quality"], strict=True))
    return sorted(points[place] for place in pareto_front(points))
