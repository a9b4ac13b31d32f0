"""The cover page: which solver should I use for which problem? One figure and one table, from the comparisons' standings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..output.tables import Table
from .standings import FAMILIES, Advice, Standing, advice, standing_of
from .store import Kept

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FAMILY_NAMES = (*dict.fromkeys(name for _, name in FAMILIES), "search")
EXACT = 0.005  # per cent of loss that is shown as none


def standings_by_task(kept: Mapping[str, Kept]) -> dict[str, list[Standing]]:
    """Of every comparison that has been run."""
    return {
        each.facts["task"]: [standing_of(standing) for standing in each.facts["standings"]]
        for each in kept.values()
        if "standings" in each.facts
    }


def cover_table(found: Mapping[str, list[Standing]]) -> Table:
    """A row per task; every entry says what it costs and what it loses."""
    rows = [_row(advice(task, standings)) for task, standings in found.items()]
    headings = ["task", "fastest that always finds the best", "fastest that always proves it", "soonest within 1 %"]
    headings += ["fastest of all", "and what it loses"]
    notes = [
        "Median CPU time per instance, building and rounding included. Found: the best objective that any solver has, on every instance.",
        "Soonest within 1 %: by its traces, the median time until its answer is within 1 % of the best known objective.",
    ]
    return Table("Which solver for which problem", headings, rows, notes, left=6)


def _row(found: Advice) -> list[str]:
    cells = [
        found.task,
        *("none" if each is None else f"{each.label} ({seconds(each.median)})" for each in found[1:3]),
    ]
    soonest = found.best_anytime
    cells.append("none" if soonest is None else f"{soonest.label} ({seconds(soonest.to_target or 0.0)})")
    quickest = found.quickest
    lost = "nothing" if quickest.loss < EXACT else f"{quickest.loss:.2f} % of the objective"
    return [*cells, f"{quickest.label} ({seconds(quickest.median)})", lost]


def seconds(value: float) -> str:
    """A time that a person can read: 0.31 ms, 45 ms, 1.2 s."""
    if value < 1.0:
        return f"{1e3 * value:.2g} ms" if value < 0.01 else f"{1e3 * value:.0f} ms"
    return f"{value:.2g} s" if value < 10 else f"{value:.0f} s"


def cover_figure(found: Mapping[str, list[Standing]]) -> Figure:
    """A panel per task: each solver's time relative to the fastest proof; filled where everything was proved."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    from ..output.plots.canvas import COLOURS, GREY, MARKERS, plain_log_axis, style

    with style():
        heights = [len(standings) + 1.2 for standings in found.values()]
        figure = Figure(figsize=(8.6, 0.27 * sum(heights) + 1.3))
        FigureCanvasAgg(figure)
        panels = figure.subplots(len(found), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
        ratios = [each.ratio for standings in found.values() for each in standings if each.ratio == each.ratio]
        low, high = min([*ratios, 1.0]), max([*ratios, 10.0])
        for axes, (task, standings) in zip(panels, found.items(), strict=True):
            ordered = sorted(standings, key=lambda each: (each.ratio != each.ratio, -each.ratio))
            axes.axvline(1.0, color=GREY, linewidth=0.8)
            for place, each in enumerate(ordered):
                look = FAMILY_NAMES.index(each.family)
                axes.plot(
                    [each.ratio],
                    [place],
                    linestyle="none",
                    marker=MARKERS[look],
                    markersize=8,
                    color=COLOURS[look % len(COLOURS)],
                    fillstyle="full" if each.proved == 1.0 else "none" if each.proved == 0.0 else "left",
                    markeredgewidth=1.4,
                )
                lost = "no loss" if each.loss < EXACT else f"loses {each.loss:.2f} %"
                said = f"{seconds(each.median)}, {each.proved:.0%} proved, {lost}"
                axes.text(1.01, place, said, transform=axes.get_yaxis_transform(), va="center", fontsize=8)
            axes.set_yticks(range(len(ordered)), [each.label for each in ordered])
            axes.set_ylim(-0.7, len(ordered) - 0.3)
            axes.set_title(task, loc="left", fontsize=10, fontweight="bold")
        panels[-1].set_xscale("log")
        panels[-1].set_xlim(low / 2, high * 2)
        plain_log_axis(panels[-1].xaxis, low, high)
        panels[-1].set_xlabel("median CPU time relative to the fastest proof of the same instance (1: as fast)")
        used = {each.family for standings in found.values() for each in standings}
        handles = [
            Line2D([], [], linestyle="none", marker=MARKERS[place], color=COLOURS[place % len(COLOURS)], label=name)
            for place, name in enumerate(FAMILY_NAMES)
            if name in used
        ]
        figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)
    return figure


def cover_alt(found: Mapping[str, list[Standing]]) -> str:
    """The figure in words, for readers who cannot see it."""
    said = []
    for task, standings in found.items():
        ordered = sorted((each for each in standings if each.ratio == each.ratio), key=lambda each: each.ratio)
        parts = [f"{each.label} {each.ratio:.2g} times ({each.proved:.0%} proved)" for each in ordered]
        said.append(f"{task}: {', '.join(parts)}")
    return "Time of each solver relative to the fastest proof, from fast to slow. " + ". ".join(said) + "."
