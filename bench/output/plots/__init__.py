"""Figures from records: `make_plot(records, kind, **options)` and `save(figure, path)`.

Importing this package loads no matplotlib: the report of a run needs only the curves' numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from problems.errors import InputError

from ...analysis.audit import with_audit
from ...experiments.presentation import check_plot
from ...records.frame import Records
from .bins import bins
from .canvas import FORMATS, save
from .convergence import convergence
from .pareto import pareto
from .profile import profile
from .scaling import scaling

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FORMATS", "PLOTS", "check_plot", "draw", "make_plot", "save"]
PLOTS: dict[str, Callable[..., Figure]] = {
    function.__name__: function for function in (convergence, scaling, profile, pareto, bins)
}


def make_plot(records: Records, kind: str, **options: Any) -> Figure:
    """The figure of a kind; unknown kinds, options and values are refused with the nearest valid name."""
    check_plot({"kind": kind, **options})
    if records.empty:
        raise InputError(f"plot {kind!r}: the run has no records.")
    return PLOTS[kind](with_audit(records), **options)


def draw(records: Records, plots: Iterable[Mapping[str, Any]], folder: Path) -> list[Path]:
    """Write every plot (`kind` and options) in all formats, named after its kind; then complain of one without data."""
    wanted = [dict(plot) for plot in plots]
    for plot in wanted:
        check_plot(plot)
    written: list[Path] = []
    complaints: list[InputError] = []
    kinds: Counter[str] = Counter()
    for plot in wanted:
        kind = plot.pop("kind")
        kinds[kind] += 1
        try:
            figure = make_plot(records, kind, **plot)
        except InputError as error:
            complaints.append(error)
            continue
        written += save(figure, folder / (kind if kinds[kind] == 1 else f"{kind}-{kinds[kind]}"))
    if complaints:
        raise complaints[0]
    return written
