"""The figures of Martins, Almeida & Smith (2013): growth of the subproblems (Table 1), and AD3 against subgradient (Figure 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..piece import Shown
from .parsing_claims import Growth, Race

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def growth_figure(found: list[Growth]) -> Shown:
    from ...output.plots.canvas import COLOURS, DASHES, MARKERS, add_legend, new_figure, plain_log_axis, style

    regimes = list(dict.fromkeys(each.regime for each in found))
    names = list(dict.fromkeys(each.name for each in found))
    with style():
        figure, axes = new_figure(len(regimes))
        handles = []
        for axis, regime in zip(axes, regimes, strict=True):
            for each in found:
                if each.regime == regime:
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
            axis.set_title(regime)
            plain_log_axis(axis.xaxis, *axis.get_xlim())
            axis.set_xlabel("words")
        axes[0].set_ylabel("CPU time of one call (us)")
        add_legend(figure, handles)
    slopes = "; ".join(f"{each.regime}, {each.name}: {each.slope:.1f}" for each in found)
    return Shown(
        "growth",
        "Cost of one call of every oracle, and of an AD3 iteration, against sentence length.",
        f"Log-log lines of CPU time over words in {len(regimes)} panels, one per pruning. Slopes: {slopes}.",
        figure,
    )


def length_figure(races: list[Race]) -> Shown:
    figure = _lines(races)
    longest = max(races, key=lambda race: race.words)
    return Shown(
        "figure2",
        "Mean CPU time by sentence length, in bins of five words; the paper's figure has seconds on its own machine.",
        f"Two lines over sentence length. On the longest sentence ({longest.words} words) AD3 takes {longest.ad3_ms:.1f} ms, "
        f"the subgradient method {longest.subgradient_ms:.1f} ms.",
        figure,
    )


def _lines(races: list[Race]) -> Figure:
    from ...output.plots.canvas import COLOURS, MARKERS, add_legend, new_figure, style

    groups = np.array([min(race.words // 5, 12) for race in races])
    with style():
        figure, (axis,) = new_figure()
        handles = []
        named = (("AD3", [race.ad3_ms for race in races]), ("subgradient", [race.subgradient_ms for race in races]))
        for look, (label, values) in enumerate(named):
            places = sorted(set(groups.tolist()))
            means = [float(np.mean(np.array(values)[groups == place])) for place in places]
            x = [5 * place + 2.5 for place in places]
            handles += axis.plot(x, means, marker=MARKERS[look], color=COLOURS[2 * look], label=label)
        axis.set_xlabel("sentence length (words)")
        axis.set_ylabel("mean CPU time (ms)")
        axis.set_ylim(bottom=0)
        add_legend(figure, handles)
    return figure
