"""Scaling: runtime against the size of the instance, with the exponent of a fitted power law per solver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from problems.errors import InputError

from .canvas import add_legend, looks, new_figure, plain_log_axis, style
from .measures import CLOCK_FLOOR, TIME_NAMES, clock_note, failure_marks, runtimes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...records.frame import Records


@dataclass(frozen=True)
class PowerLaw:
    """seconds = factor * size ** exponent, by least squares on logarithms; the interval is Student's for the exponent."""

    exponent: float
    low: float
    high: float
    factor: float


def fit_power_law(
    sizes: NDArray[np.float64], seconds: NDArray[np.float64], confidence: float = 0.95
) -> PowerLaw | None:
    """None where there are fewer than three points or fewer than two sizes."""
    from scipy import stats

    if len(sizes) < 3 or len(np.unique(sizes)) < 2:
        return None
    fitted = stats.linregress(np.log(sizes), np.log(seconds))
    error = 0.0 if np.isnan(fitted.stderr) else float(fitted.stderr)  # scipy has none where all times are equal
    reach = float(stats.t.ppf(0.5 + confidence / 2, len(sizes) - 2)) * error
    slope = float(fitted.slope)
    return PowerLaw(slope, slope - reach, slope + reach, float(np.exp(fitted.intercept)))


def scaling(records: Records, *, time: str = "cpu", confidence: float = 0.95, mix_nodes: bool = False) -> Figure:
    """Runtime against `instance_size`, log-log: a point per instance, failed cells at the limit, the fitted line."""
    cells = runtimes(records, time, mix_nodes)
    cells = cells[cells["instance_size"] > 0]
    if not cells["answered"].any():
        raise InputError("plot 'scaling': no cell has both a valid answer and an instance_size above 0.")
    unanswered = not cells["answered"].all()
    look = looks(records)
    with style():
        from matplotlib.lines import Line2D

        figure, (axes,) = new_figure()
        handles = []
        for label, shape in look.items():
            own = cells[cells["label"] == label]
            done = own[own["answered"].astype(bool)].sort_values("instance_size")
            sizes, seconds = done["instance_size"].to_numpy(float), done["seconds"].to_numpy(float)
            seconds = np.maximum(seconds, CLOCK_FLOOR)
            axes.plot(
                sizes,
                seconds,
                shape.marker,
                color=shape.color,
                alpha=0.7,
                markeredgecolor="none",
                markersize=6,
                gid=label,
            )
            law = fit_power_law(sizes, seconds, confidence)
            if law:
                ends = np.array([sizes[0], sizes[-1]])
                line = law.factor * ends**law.exponent
                axes.plot(ends, line, color=shape.color, linestyle=shape.linestyle, gid=f"{label} fit")
            missing = len(own) - len(done)
            said = f"{label}: {_said(law)}" + (f", {missing} not answered" if missing else "")
            handles.append(
                Line2D([], [], color=shape.color, marker=shape.marker, linestyle=shape.linestyle, label=said)
            )
        handles += failure_marks(axes, cells, "instance_size", look)
        axes.set_xscale("log")
        axes.set_yscale("log")
        plain_log_axis(axes.xaxis, cells["instance_size"].min(), cells["instance_size"].max())
        axes.set_xlabel("instance size (variables or words)")
        axes.set_ylabel(f"{TIME_NAMES[time]} (s)")
        notes = [
            f"A point per instance (median of repetitions). Exponents of size with {confidence:.0%} intervals, fitted by "
            "least squares on logarithms"
            + (". Cells without a valid answer are in no fit: exponents tend to be too small." if unanswered else ".")
        ]
        add_legend(figure, handles, [*notes, *clock_note(cells["seconds"])])
    return figure


def _said(law: PowerLaw | None) -> str:
    return "no fit" if law is None else f"n^{law.exponent:.2f} [{law.low:.2f}, {law.high:.2f}]"
