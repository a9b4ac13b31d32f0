"""The cover page: which solver should I use for which problem? One figure and one table, size by size, from the comparisons' contests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ..output.plots.canvas import GREY, plain_log_axis, style
from ..output.plots.looks import Look, assigned
from ..output.table_columns import percent
from ..output.tables import Table
from .standings import (
    HEADINGS,
    ILP,
    NOTES,
    Contest,
    Standing,
    contest_of,
    contest_row,
    interval_text,
    size_name,
    target_text,
)
from .store import Kept

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = 2
SPREAD = 0.6  # of the distance between two sizes: how far the marks of one size are apart
FILLS: dict[Any, Any] = {"optimal": "full", 0.001: "left", 0.01: "none"}  # by target
TARGETS: dict[Any, str] = {"optimal": "proves the optimum", 0.001: "within 0.1 % of the best known", 0.01: "within 1 %"}
NO_RATIO = 0.06  # height, as a share of a panel, of those without a common target


def contests_by_task(kept: Mapping[str, Kept]) -> dict[str, list[Contest]]:
    """Of every comparison that has been run."""
    return {
        each.facts["task"]: [contest_of(contest) for contest in each.facts["contests"]]
        for each in kept.values()
        if "contests" in each.facts
    }


def cover_table(found: Mapping[str, Sequence[Contest]], more: Iterable[str] = ()) -> Table:
    """A row per task and size; `more` notes are about how the comparisons were recorded."""
    rows: list[list[str]] = []
    for contests in found.values():
        if rows:
            rows.append([])
        rows += [[*contest_row(contest), _soonest(contest)] for contest in contests]
    soonest = "soonest within 1 %: by traces, the median time until a solver has such an answer, and whose it is."
    notes = [*NOTES, soonest, *more]
    return Table(
        "Which solver for which problem", [*HEADINGS, "soonest within 1 %"], rows, notes, left=len(HEADINGS) + 1
    )


def cover_data(found: Mapping[str, Sequence[Contest]]) -> Table:
    """The same for programs: a number per cell, milliseconds throughout."""
    headings = ["task", "size", "instances", "fastest proof", "fastest proof ms", "proved", "fastest ILP"]
    headings += ["fastest ILP ms", "combinatorial algorithm", "its ms", "compared at", "times faster", "at a limit"]
    headings += ["quality %", "soonest within 1 %", "soonest ms"]
    rows = [_numbers(contest) for contests in found.values() for contest in contests]
    return Table("Which solver for which problem", headings, rows, [], left=3)


def _numbers(contest: Contest) -> list[str]:
    proof, rival, soonest = contest.proof, contest.rival, contest.soonest
    cells = [contest.task, contest.size, str(contest.instances)]
    cells += [proof.label, interval_text(proof.seconds, 1e3), str(proof.proved)] if proof else ["", "", "0"]
    cells += [contest.ilp_label, interval_text(contest.ilp, 1e3) if contest.ilp_label else ""]
    cells += [rival.label, interval_text(rival.seconds, 1e3)] if rival else ["", ""]
    found = rival.speed_up if rival else None
    cells += [target_text(found), interval_text(found.times), str(found.charged)] if found else ["", "", ""]
    cells.append(percent(rival.share) if rival else "")
    return [*cells, *([soonest.label, f"{1e3 * (soonest.to_target or 0.0):.3g}"] if soonest else ["", ""])]


def _soonest(contest: Contest) -> str:
    found = contest.soonest
    return "none" if found is None else f"{found.label}: {1e3 * (found.to_target or 0.0):.3g} ms"


def cover_figure(found: Mapping[str, Sequence[Contest]], narrow: bool = False) -> Figure:
    """A panel per task: how many times faster than the fastest ILP solver each other solver is, by size, with its interval.

    The narrow one has a single column, for a telephone.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    shown = [each for contests in found.values() for contest in contests for each in drawn(contest)]
    looks = assigned(each.label for each in shown)
    ends = [end for each in shown if each.speed_up for end in each.speed_up.times if end == end]
    low, high = min([*ends, 1.0]) / 3, max([*ends, 10.0]) * 1.5
    columns = 1 if narrow else COLUMNS
    with style():
        lines = -(-(len(found) + 1) // columns)
        legend_height = 0.22 * (len(looks) + len(TARGETS) + 1) if narrow else 2.7
        heights = [*[2.7] * (lines - 1), legend_height]
        figure = Figure(figsize=(4.3 if narrow else 9.2, sum(heights)))
        FigureCanvasAgg(figure)
        panels = figure.subplots(lines, columns, sharey=True, squeeze=False, height_ratios=heights).flatten()
        for axes, (task, contests) in zip(panels, found.items(), strict=False):
            axes.set_yscale("log")
            axes.set_ylim(low, high)
            plain_log_axis(axes.yaxis, low, high)
            axes.axhline(1.0, color=GREY, linewidth=0.9)
            for place, contest in enumerate(contests):
                for each, across in zip(drawn(contest), _places(place, len(drawn(contest))), strict=True):
                    _mark(axes, each, across, looks[each.label])
            names = [_tick(contest, 9 if len(contests) > 3 or narrow else 18) for contest in contests]
            axes.set_xticks(range(len(contests)), names)
            axes.set_xlim(-0.5, len(contests) - 0.5)
            axes.set_title(task, loc="left", fontsize=10, fontweight="bold")
        for axes in panels[len(found) :]:
            axes.axis("off")
        for axes in panels[: len(found) : columns]:
            axes.set_ylabel("times faster than\nthe fastest ILP", fontsize=9)
        legend = panels[len(found)]
        legend.legend(handles=_handles(looks), loc="center", ncols=1 if narrow else 2, frameon=False, fontsize=9)
    return figure


def _tick(contest: Contest, widest: int) -> str:
    """A size with the ILP solver that is the fastest most often below it."""
    return "\n".join(
        [size_name(contest.size), *wrap(contest.ilp_label, widest, break_long_words=False, break_on_hyphens=False)]
    )


def _handles(looks: Mapping[str, Look]) -> list[Any]:
    """The solvers, and what the fillings of their marks say."""
    from matplotlib.lines import Line2D

    found = [
        Line2D([], [], linestyle="none", marker=look.marker, color=look.color, label=name)
        for name, look in looks.items()
    ]
    for target, text in TARGETS.items():
        found.append(Line2D([], [], linestyle="none", marker="o", color=GREY, label=text, **_fill(target)))
    return [*found, Line2D([], [], linestyle="none", marker="x", color=GREY, label="none of these everywhere")]


def _fill(target: Any) -> dict[str, Any]:
    return {"fillstyle": FILLS[target], "markerfacecoloralt": "white"}


def _places(place: int, many: int) -> list[float]:
    """Where the marks of one size are, from left to right."""
    step = SPREAD / max(many - 1, 1)
    return [place + (number - (many - 1) / 2) * step for number in range(many)]


def _mark(axes: Any, standing: Standing, across: float, look: Look) -> None:
    """A solver at a size: its speed-up with its interval; a cross at the bottom if it reaches no target everywhere."""
    if standing.speed_up is None:
        axes.plot(
            [across], [NO_RATIO], marker="x", color=look.color, markersize=6, transform=axes.get_xaxis_transform()
        )
        return
    value, low, high = standing.speed_up.times
    if low == low:
        axes.plot([across, across], [low, high], color=look.color, linewidth=1.4)
    axes.plot(
        [across],
        [value],
        marker=look.marker,
        color=look.color,
        markersize=8,
        markeredgewidth=1.4,
        **_fill(standing.speed_up.target),
    )


def drawn(contest: Contest) -> list[Standing]:
    """Who is compared with the ILP solvers."""
    return [each for each in contest.standings if each.family != ILP]


def cover_alt(found: Mapping[str, Sequence[Contest]]) -> str:
    """The figure in words, for readers who cannot see it."""
    parts = []
    for task, contests in found.items():
        for contest in contests:
            solvers = [
                f"{each.label} {interval_text(each.speed_up.times)} times ({target_text(each.speed_up)})"
                for each in drawn(contest)
                if each.speed_up is not None
            ]
            parts.append(f"{task}, {contest.size}: {', '.join(solvers) or 'no solver reaches a common target'}")
    return "How many times faster than the fastest ILP solver each solver is. " + "; ".join(parts) + "."
