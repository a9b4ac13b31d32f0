"""Performance profiles (Dolan & More 2002): the share of instances solved within a factor of the fastest solver."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from problems.errors import InputError

from .canvas import add_legend, looks, new_figure, plain_log_axis, style
from .measures import TIME_NAMES, runtimes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...records.frame import Records

SOLVED = {"optimal": ("optimal",), "valid": None}
SAID = {"optimal": "proved optimal", "valid": "any valid answer, whatever its objective"}


def profile(records: Records, *, time: str = "cpu", solved: str = "optimal", mix_nodes: bool = False) -> Figure:
    """A step per instance; the right end of a line is the share of instances that the solver solved at all."""
    from ...analysis.statistics import performance_profiles, time_table

    steps = performance_profiles(time_table(runtimes(records, time, mix_nodes), SOLVED[solved]))
    count = steps[0].instances if steps else 0
    if not count:
        raise InputError("plot 'profile': there is no instance that every solver has tried.")
    if not any(step.shares[-1] for step in steps):
        hint = '; solved = "valid" counts all valid answers' if solved == "optimal" else ""
        raise InputError(f"plot 'profile': no cell is solved ({SAID[solved]}){hint}.")
    look = looks(records)
    end = max(2.0, 1.15 * max(float(step.ratios[-1]) for step in steps))
    with style():
        figure, (axes,) = new_figure()
        handles = []
        for step in sorted(steps, key=lambda step: list(look).index(step.label)):
            shape = look[step.label]
            (line,) = axes.plot(
                np.append(step.ratios, end),
                np.append(step.shares, step.shares[-1]),
                drawstyle="steps-post",
                color=shape.color,
                linestyle=shape.linestyle,
                marker=shape.marker,
                markevery=(0.03, 0.17),
                label=f"{step.label} ({step.shares[-1]:.0%})",
                gid=step.label,
                clip_on=False,
            )
            handles.append(line)
        axes.set_xscale("log")
        axes.set_xlim(1.0, end)
        axes.set_ylim(-0.02, 1.03)
        axes.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
        plain_log_axis(axes.xaxis, 1.0, end)
        axes.set_xlabel(f"{TIME_NAMES[time]} relative to the fastest solver of the instance")
        axes.set_ylabel("share of instances solved")
        add_legend(figure, handles, [f"Instances: {count}; solved: {SAID[solved]}. In brackets: solved at all."])
    return figure
