"""Runtime by sentence length, in bins as in Figure 2 of Martins, Almeida & Smith (2013)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from problems.errors import InputError

from ...analysis.statistics.cells import tried
from ...analysis.statistics.values import median_interval
from ...experiments.presentation import LENGTH_BINS, bin_names, length_bins
from ...records.frame import Records
from .canvas import add_legend, new_figure, style
from .looks import looks
from .measures import CLOCK_FLOOR, TIME_NAMES, clock_note, runtimes

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def bins(
    records: Records,
    *,
    time: str = "cpu",
    edges: tuple[int, ...] = LENGTH_BINS,
    log: bool = True,
    mix_nodes: bool = False,
) -> Figure:
    """A line per solver over the bins; `edges` are the longest lengths of all bins but the last, which is open."""
    names = bin_names(edges)
    found = runtimes(records, time, mix_nodes)
    cells = tried(found[found["length"].notna()]).copy()
    if cells.empty:
        raise InputError("plot 'bins': no cell has a length (words of the sentence).")
    cells["bin"] = length_bins(cells["length"].to_numpy(float), edges)
    if not cells["ended"].any():
        raise InputError("plot 'bins': no cell with a length ended by itself.")
    unknown = cells[cells["runtime"].isna()].groupby("label")["bin"].agg(set).to_dict()
    used = sorted(set(cells["bin"]))
    place = {number: position for position, number in enumerate(used)}
    look = looks(records)
    with style():
        figure, (axes,) = new_figure()
        handles = []
        shift = np.linspace(-0.12, 0.12, len(look)) if len(look) > 1 else [0.0]  # so that intervals can be told apart
        for (label, shape), aside in zip(look.items(), shift, strict=True):
            own = cells[(cells["label"] == label) & ~cells["bin"].isin(unknown.get(label, ()))]
            rows = [
                (place[number] + aside, *median_interval(group["runtime"].clip(lower=CLOCK_FLOOR)))
                for number, group in own.groupby("bin")
            ]
            if not rows:
                continue
            x, middle, low, high = np.array(rows).T
            drawn = axes.errorbar(
                x, middle, yerr=np.nan_to_num([middle - low, high - middle]), elinewidth=0.9, label=label, **vars(shape)
            )
            drawn.lines[0].set_gid(label)
            handles.append(drawn)
        counts = [cells[cells["bin"] == number]["instance_digest"].nunique() for number in used]
        ticks = [f"{names[number]}\n(n={count})" for number, count in zip(used, counts, strict=True)]
        axes.set_xticks(range(len(used)), ticks)
        axes.grid(visible=False, axis="x")
        axes.set_xlim(-0.4, len(used) - 0.6)
        if log:
            axes.set_yscale("log")
        else:
            axes.set_ylim(bottom=0)
        axes.set_xlabel("sentence length (words)")
        axes.set_ylabel(f"median {TIME_NAMES[time]} (s)")
        notes = ["Median over the sentences of a bin with its 95% bootstrap interval."]
        if charged := int((~cells["ended"].astype(bool)).sum()):
            notes.append(f"{charged} cells did not end by themselves and count as their time limit.")
        if skipped := int((found["status"] == "skipped").sum()):
            notes.append(f"{skipped} cells were skipped and are left out: the others of their bins may be easier ones.")
        if unknown:
            notes.append("Bins with such a cell and no time limit are left out.")
        add_legend(figure, handles, [*notes, *clock_note(cells["seconds"])])
    return figure
