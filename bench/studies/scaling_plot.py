"""The figures of `scaling`: CPU seconds against size, and memory against size, with fitted exponents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..output.plots.canvas import COLOURS, DASHES, MARKERS, add_legend, new_figure, plain_log_axis, save, style
from ..output.plots.scaling import PowerLaw

LEAST_SECONDS, LEAST_MEGABYTES = 1e-5, 0.1  # below these the clock and the page size are all that is seen


def plot(
    task: str,
    unit: str,
    series: Mapping[str, Sequence[Mapping[str, Any]]],
    laws: Mapping[str, PowerLaw | None],
    path: Path,
) -> None:
    """Write PATH.png: two log-log panels."""
    with style():
        figure, _ = new_figure(2)
        figure.clear()
        axes = list(figure.subplots(1, 2))
        handles = []
        for index, (name, points) in enumerate(series.items()):
            law = laws[name]
            sizes = [point["size"] for point in points]
            for place, (key, least) in enumerate((("seconds", LEAST_SECONDS), ("memory_mb", LEAST_MEGABYTES))):
                (line,) = axes[place].plot(
                    sizes,
                    [max(point[key], least) for point in points],
                    color=COLOURS[index % len(COLOURS)],
                    marker=MARKERS[index % len(MARKERS)],
                    linestyle=DASHES[index % len(DASHES)],
                    label=name if law is None else f"{name}: n^{law.exponent:.2f}",
                )
            handles.append(line)
        largest = max(point["size"] for points in series.values() for point in points)
        smallest = min(point["size"] for points in series.values() for point in points)
        for axis, title in zip(axes, ("CPU seconds", "MB beyond the instance"), strict=True):
            axis.set_xscale("log")
            axis.set_yscale("log")
            plain_log_axis(axis.xaxis, smallest, largest)
            axis.set_xlabel(unit)
            axis.set_title(f"{task}: {title}")
        add_legend(figure, handles, ["Exponents of CPU seconds over the larger half of the sizes."])
        save(figure, path, ("png",))
