"""Quality against time: what a solver's answers are worth and what they cost, with the Pareto front."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from problems.errors import InputError, nearest

from ...records.machines import one_node
from ..escaping import figure_text
from .canvas import GREY, add_legend, looks, new_figure, plain_log_axis, style
from .measures import CLOCK_FLOOR, TIME_NAMES, clock_note

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...records.frame import Records

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
    """A point per solver; solvers that failed on some instances are hollow and not on the front."""
    metrics = [name.removeprefix("metrics.") for name in records.columns if name.startswith("metrics.")]
    if quality not in ("objective", *metrics):
        raise InputError(f"unknown quality {quality!r} of plot 'pareto': {nearest(quality, ['objective', *metrics])}")
    from ...analysis.statistics import summary

    one_node(records, mix_nodes)
    found = summary(records, time).rename(
        columns={"share" if quality == "objective" else f"metrics.{quality}": "quality"}
    )
    found = found[found[average].notna() & found["quality"].notna()]
    if found.empty:
        raise InputError(f"plot 'pareto': no solver has both a time and a value of {quality!r}.")
    look = looks(records)
    missing = found["cells"] - found["scored"]
    seconds = found[average].clip(lower=CLOCK_FLOOR)
    points = list(zip(seconds[missing == 0], found["quality"][missing == 0], strict=True))
    front = sorted(points[place] for place in pareto_front(points))
    with style():
        from matplotlib.lines import Line2D

        figure, (axes,) = new_figure()
        if len(front) > 1:
            axes.plot(
                *zip(*front, strict=True), color=GREY, linewidth=1.2, drawstyle="steps-post", zorder=1, gid="front"
            )
        handles = []
        for label in [label for label in look if label in found.index]:
            shape, hollow = look[label], bool(missing[label])
            (point,) = axes.plot(
                [seconds[label]],
                [found["quality"][label]],
                linestyle="none",
                marker=shape.marker,
                markersize=9,
                color=shape.color,
                markerfacecolor="white" if hollow else shape.color,
                markeredgewidth=1.4,
                label=label + (f" ({missing[label]} not answered)" if hollow else ""),
                gid=label,
            )
            handles.append(point)
        if len(front) > 1:
            handles.append(Line2D([], [], color=GREY, linewidth=1.2, label="Pareto front"))
        axes.set_xscale("log")
        axes.margins(0.08)
        plain_log_axis(axes.xaxis, *axes.get_xlim())
        if quality == "objective":  # no share is above 100 %, even where all are 100
            span = max(100.0 - float(found["quality"].min()), 0.1)
            axes.set_ylim(100.0 - 1.08 * span, 100.0 + 0.08 * span)
        axes.set_xlabel(f"{AVERAGES[average]} of {TIME_NAMES[time]} over instances (s)")
        axes.set_ylabel(
            "mean share of the best known objective (%)" if quality == "objective" else f"mean {figure_text(quality)}"
        )
        notes = ["Towards the upper left: better and faster."]
        if missing.any():
            notes.append(
                "Hollow: the quality is of the answered instances only, hence not on the front; a cell that did not end "
                "counts as its time limit."
            )
        silent = [label for label in look if label not in found.index]
        if silent:
            notes.append(f"Nothing to draw: {', '.join(silent)}.")
        add_legend(figure, handles, [*notes, *clock_note(found[average])])
    return figure
