"""Performance profiles (Dolan & More 2002): the share of instances solved within a factor of the fastest solver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from problems.errors import InputError

from ...analysis.statistics.cells import best_known
from ...analysis.statistics.progress import times_within
from ...analysis.statistics.ratios import Profile, Race, Target, performance_profiles
from ...records.frame import Records
from .canvas import add_legend, name_axes, panel_figure, plain_log_axis, style
from .looks import looks
from .measures import TIME_NAMES, each_panel, runtimes

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def profile(records: Records, *, time: str = "cpu", target: Target = "optimal", mix_nodes: bool = False) -> Figure:
    """A panel per size and a step per instance; the right end of a line is the share of instances with the target reached at all.

    A share as target (0.01: within 1 % of the best known objective) takes times from traces, and of solvers that have none the
    time when they ended.
    """
    panels, notes = each_panel(records, lambda part: _steps(part, time, target, mix_nodes))
    look = looks(records)
    end = max(2.0, 1.15 * max(float(step.ratios[-1]) for steps in panels.values() for step in steps))
    with style():
        figure, all_axes = panel_figure(list(panels))
        handles: dict[str, Any] = {}
        for axes, steps in zip(all_axes, panels.values(), strict=True):
            for step in sorted(steps, key=lambda step: list(look).index(step.label)):
                (line,) = axes.plot(
                    np.append(step.ratios, end),
                    np.append(step.shares, step.shares[-1]),
                    drawstyle="steps-post",
                    markevery=(0.03, 0.17),
                    label=step.label if len(panels) > 1 else f"{step.label} ({step.shares[-1]:.0%})",
                    gid=step.label,
                    clip_on=False,
                    **vars(look[step.label]),
                )
                handles.setdefault(step.label, line)
            axes.set_xscale("log")
            axes.set_xlim(1.0, end)
            axes.set_ylim(-0.02, 1.03)
            axes.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
            plain_log_axis(axes.xaxis, 1.0, end)
        relative = f"{TIME_NAMES[time]} relative to the instance's fastest solver"
        name_axes(all_axes, relative, "share of instances solved")
        counts = " and ".join(dict.fromkeys(str(steps[0].instances) for steps in panels.values()))
        said = f"Instances{' per panel' if len(panels) > 1 else ''}: {counts}; solved: {meaning(target)}."
        at_all = "" if len(panels) > 1 else " In brackets: solved at all."
        add_legend(figure, [handles[label] for label in look if label in handles], [said + at_all, *notes])
    return figure


def meaning(target: Target) -> str:
    """What counts as solved."""
    if target == "optimal":
        return "proved optimal"
    if target == "any":
        return "any valid answer, whatever its objective"
    return f"an answer within {100 * float(target):g} % of the best known objective, the first one of a trace"


def _steps(records: Records, time: str, target: Target, mix_nodes: bool) -> list[Profile]:
    race = Race(runtimes(records, time, mix_nodes), best_known(records))
    times = race.times(target) if isinstance(target, str) else times_within(records, float(target), race.cells)
    steps = performance_profiles(times)
    if not steps or not steps[0].instances:
        raise InputError("plot 'profile': there is no instance that every solver has tried.")
    if not any(step.shares[-1] for step in steps):
        hint = '; target = "any" counts all valid answers' if target == "optimal" else ""
        raise InputError(f"plot 'profile': no cell is solved ({meaning(target)}){hint}.")
    return steps
