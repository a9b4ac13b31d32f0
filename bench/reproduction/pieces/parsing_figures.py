"""The figures of Martins, Almeida & Smith (2013): growth of the subproblems (Table 1), and AD3 against subgradient (Figure 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from ...studies.parsing_costs import Growth
from ..piece import Shown
from .parsing_cells import AD3, most_favourable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORDS = 5  # of a bin of Figure 2


def growth_figure(found: Sequence[Growth]) -> Shown:
    from ...output.plots.canvas import COLOURS, DASHES, MARKERS, add_legend, new_figure, plain_log_axis, style

    prunings = list(dict.fromkeys(each.pruning for each in found))
    names = list(dict.fromkeys(each.name for each in found))
    with style():
        figure, axes = new_figure(len(prunings))
        handles = []
        for axis, pruning in zip(axes, prunings, strict=True):
            for each in found:
                if each.pruning == pruning:
                    look = names.index(each.name)
                    (line,) = axis.loglog(
                        each.lengths,
                        [1e6 * value for value in each.seconds],
                        marker=MARKERS[look],
                        color=COLOURS[look],
                        linestyle=DASHES[look % len(DASHES)],
                        label=each.name,
                    )
                    handles.append(line)
            axis.set_title(pruning)
            plain_log_axis(axis.xaxis, *axis.get_xlim())
            axis.set_xlabel("words")
        axes[0].set_ylabel("CPU time of one call (us)")
        add_legend(figure, handles)
    slopes = "; ".join(f"{each.pruning}, {each.name}: {each.law.exponent:.1f}" for each in found)
    return Shown(
        "growth",
        "Cost of one call of every oracle, and of an AD3 iteration, against sentence length.",
        f"Log-log lines of CPU time over words in {len(prunings)} panels, one per pruning. Slopes: {slopes}.",
        figure,
    )


def length_figure(cells: pd.DataFrame) -> Shown:
    """From the cells of `parsing-lengths`."""
    lines = {"AD3": cells[cells["label"] == AD3], "subgradient": most_favourable(cells)}
    means = {label: _means(own) for label, own in lines.items()}
    longest = {label: 1e3 * float(own.sort_values("length")["runtime"].iloc[-1]) for label, own in lines.items()}
    return Shown(
        "figure2",
        f"Mean CPU time by sentence length, in bins of {WORDS} words; the paper's figure has seconds on its own machine.",
        f"Two lines over sentence length. On the longest sentence ({cells['length'].max():.0f} words) AD3 takes "
        f"{longest['AD3']:.1f} ms, the subgradient method {longest['subgradient']:.1f} ms.",
        _lines(means),
    )


def _means(own: pd.DataFrame) -> pd.DataFrame:
    """Mean length and milliseconds of each bin."""
    values = own.assign(milliseconds=1e3 * own["runtime"])[["length", "milliseconds"]]
    return values.groupby((own["length"] // WORDS).to_numpy()).mean()


def _lines(means: dict[str, pd.DataFrame]) -> Figure:
    from ...output.plots.canvas import COLOURS, MARKERS, add_legend, new_figure, style

    with style():
        figure, (axis,) = new_figure()
        handles = []
        for look, (label, own) in enumerate(means.items()):
            handles += axis.plot(
                own["length"], own["milliseconds"], marker=MARKERS[look], color=COLOURS[2 * look], label=label
            )
        axis.set_xlabel("sentence length (words)")
        axis.set_ylabel("mean CPU time (ms)")
        axis.set_ylim(bottom=0)
        add_legend(figure, handles)
    return figure
