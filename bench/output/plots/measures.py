"""What the figures need of the records, by way of `bench.analysis.statistics`, and marks for cells without a valid answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import pandas as pd

from problems.errors import InputError

from ...analysis.groups import fields_of, grouped
from ...analysis.statistics.cells import reduce_cells
from ...records.frame import Records
from ...records.marks import one_node
from .canvas import GREY
from .looks import Look

Made = TypeVar("Made")
TIME_NAMES = {"cpu": "CPU time", "wall": "wall-clock time"}
CLOCK_FLOOR = 1e-6
"""Seconds; a shorter time (a clock that did not tick) is drawn here, because a log axis has no zero."""
MOST_PANELS = 4
STACKED = 7 / 72
"""Inches between the crosses of several solvers, which would hide each other."""


def each_panel(records: Records, make: Callable[[Records], Made], by: str = "") -> tuple[dict[str, Made], list[str]]:
    """What `make` says of each size, by the title of its panel, and notes on sizes that have none.

    Of more sizes than panels the smallest, the largest, and others evenly between them are shown. A size without anything to draw
    has no panel; where none has, the first complaint is raised.
    """
    fields, parts = fields_of(records, by), grouped(records, by)
    many, drawn, complaints = len(parts), {}, []
    shown = {round(place * (many - 1) / max(1, MOST_PANELS - 1)) for place in range(MOST_PANELS)}
    left_out = [" ".join(name) for place, name in enumerate(parts) if many > MOST_PANELS and place not in shown]
    for name, part in parts.items():
        if " ".join(name) in left_out:
            continue
        try:
            drawn[f"size {name[0]}" if fields == ("size",) else ", ".join(name)] = make(part)
        except InputError as error:
            complaints.append(error)
            left_out.append(" ".join(name))
    if not drawn:
        raise complaints[0]
    return drawn, [f"Without a panel: {', '.join(left_out)}."] if left_out else []


def runtimes(records: Records, time: str, mix_nodes: bool) -> pd.DataFrame:
    """The reduced cells (one per solver and instance) of one machine."""
    one_node(records, mix_nodes)
    return reduce_cells(records, time)


def clock_note(seconds: pd.Series) -> list[str]:
    """Said where a time is too short for its clock and for a log axis."""
    return [f"Times below {CLOCK_FLOOR:g} s are drawn there."] if (seconds < CLOCK_FLOOR).any() else []


def failure_marks(axes: Any, cells: pd.DataFrame, column: str, look: Mapping[str, Look]) -> list[Any]:
    """Crosses at the limit for cells without a valid answer (above all points where no limit is known); their legend entry."""
    from matplotlib.lines import Line2D
    from matplotlib.transforms import ScaledTranslation

    failed = cells[~cells["answered"].astype(bool)]
    if failed.empty:
        return []
    limits = sorted(set(failed["limit"].dropna()))
    height = failed["limit"].fillna(max([2.0 * cells["seconds"].max(), *limits]))
    failing = [label for label in look if label in set(failed["label"])]
    axes.margins(y=0.05 + 0.035 * len(failing))
    for place, label in enumerate(failing):
        own = failed["label"] == label
        axes.plot(
            failed.loc[own, column],
            height[own],
            linestyle="none",
            marker="x",
            color=look[label].color,
            markersize=6,
            markeredgewidth=1.5,
            gid=f"{label} failed",
            clip_on=False,
            transform=axes.transData + ScaledTranslation(0, place * STACKED, axes.figure.dpi_scale_trans),
        )
    for limit in limits:
        axes.axhline(limit, color=GREY, linewidth=0.8, zorder=1)
    where = f"limit {' or '.join(f'{limit:g}' for limit in limits)} s" if limits else "no limit"
    said = f"no valid answer ({where})"
    return [Line2D([], [], linestyle="none", marker="x", color=GREY, markeredgewidth=1.5, label=said)]
