"""The figure of `compression_runtime`: seconds against words, one panel per family of solvers, with fitted exponents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..output.plots.canvas import COLOURS, DASHES, MARKERS, new_figure, plain_log_axis, save, style
from ..output.plots.scaling import PowerLaw

TICKS = (10, 20, 30, 50, 100)


def plot(
    times: Mapping[str, Mapping[int, float]],
    panels: Mapping[str, Sequence[str]],
    laws: Mapping[str, PowerLaw | None],
    path: Path,
) -> None:
    """Write PATH.png; each panel has its own legend."""
    with style():
        figure, axes = new_figure(len(panels))
        figure.set_size_inches(5.2 * len(panels), 7.4)
        for place, (axis, (title, names)) in enumerate(zip(axes, panels.items(), strict=True)):
            for index, name in enumerate(names):
                ended = {words: seconds for words, seconds in times[name].items() if seconds < float("inf")}
                if not ended:
                    continue
                law = laws[name]
                axis.plot(
                    list(ended),
                    list(ended.values()),
                    color=COLOURS[index % len(COLOURS)],
                    marker=MARKERS[index % len(MARKERS)],
                    linestyle=DASHES[index % len(DASHES)],
                    label=name if law is None else f"{name}: n^{law.exponent:.1f}",
                )
            axis.set_xscale("log")
            axis.set_yscale("log")
            plain_log_axis(axis.xaxis, TICKS[0], TICKS[-1])
            axis.set_xticks(TICKS)
            axis.set_title(title)
            axis.set_xlabel("words")
            if place == 0:
                axis.set_ylabel("CPU seconds, median")
            if axis.lines:
                axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2, fontsize=8, handlelength=2.8)
        save(figure, path, ("png",))
