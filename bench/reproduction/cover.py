"""The cover page: which solver should I use for which problem? One figure and one table, size by size, from the comparisons' contests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..output.plots.canvas import COLOURS, GREY, MARKERS, plain_log_axis, style
from ..output.tables import Table
from .standings import HEADINGS, ILP, NOTES, Contest, Standing, contest_of, contest_row, interval_text, target_text
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


def _soonest(contest: Contest) -> str:
    found = contest.soonest
    return "none" if found is None else f"{found.label}: {1e3 * (found.to_target or 0.0):.3g} ms"


def cover_figure(found: Mapping[str, Sequence[Contest]]) -> Figure:
    """A panel per task: how many times faster than the fastest ILP solver each other solver is, by size, with its interval."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    shown = [each for contests in found.values() for contest in contests for each in drawn(contest)]
    names = list(dict.fromkeys(each.label for each in shown))
    looks = {name: (COLOURS[place % len(COLOURS)], MARKERS[place % len(MARKERS)]) for place, name in enumerate(names)}
    ends = [end for each in shown if each.speed_up for end in each.speed_up.times if end == end]
    low, high = min([*ends, 1.0]) / 3, max([*ends, 10.0]) * 1.5
    with style():
        lines = -(-(len(found) + 1) // COLUMNS)
        figure = Figure(figsize=(9.2, 2.7 * lines))
        FigureCanvasAgg(figure)
        panels = figure.subplots(lines, COLUMNS, sharey=True, squeeze=False).flatten()
        for axes, (task, contests) in zip(panels, found.items(), strict=False):
            axes.set_yscale("log")
            axes.set_ylim(low, high)
            plain_log_axis(axes.yaxis, low, high)
            axes.axhline(1.0, color=GREY, linewidth=0.9)
            for place, contest in enumerate(contests):
                for each, across in zip(drawn(contest), _places(place, len(drawn(contest))), strict=True):
                    _mark(axes, each, across, *looks[each.label])
            axes.set_xticks(range(len(contests)), [f"{each.size}\n{each.ilp_label}" for each in contests])
            axes.set_xlim(-0.5, len(contests) - 0.5)
            axes.set_title(task, loc="left", fontsize=10, fontweight="bold")
        for axes in panels[len(found) :]:
            axes.axis("off")
        for axes in panels[::COLUMNS]:
            axes.set_ylabel("times faster than\nthe fastest ILP", fontsize=9)
        handles = [
            Line2D([], [], linestyle="none", marker=looks[name][1], color=looks[name][0], label=name) for name in names
        ]
        for target, text in TARGETS.items():
            handles.append(Line2D([], [], linestyle="none", marker="o", color=GREY, label=text, **_fill(target)))
        handles.append(Line2D([], [], linestyle="none", marker="x", color=GREY, label="none of these everywhere"))
        panels[len(found)].legend(handles=handles, loc="center", ncols=2, frameon=False, fontsize=9)
    return figure


def _fill(target: Any) -> dict[str, Any]:
    return {"fillstyle": FILLS[target], "markerfacecoloralt": "white"}


def _places(place: int, many: int) -> list[float]:
    """Where the marks of one size are, from left to right."""
    step = SPREAD / max(many - 1, 1)
    return [place + (number - (many - 1) / 2) * step for number in range(many)]


def _mark(axes: Any, standing: Standing, across: float, colour: str, marker: str) -> None:
    """A solver at a size: its speed-up with its interval; a cross at the bottom if it reaches no target everywhere."""
    if standing.speed_up is None:
        axes.plot([across], [NO_RATIO], marker="x", color=colour, markersize=6, transform=axes.get_xaxis_transform())
        return
    value, low, high = standing.speed_up.times
    if low == low:
        axes.plot([across, across], [low, high], color=colour, linewidth=1.4)
    look = {"marker": marker, "color": colour, "markersize": 8, "markeredgewidth": 1.4}
    axes.plot([across], [value], **look, **_fill(standing.speed_up.target))


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
