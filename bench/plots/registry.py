"""Kinds of figures by name, their options and the values that these take; loads no matplotlib."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from problems.errors import InputError, nearest, quoted

from ..lengths import bin_names
from .bins import bins
from .canvas import save
from .convergence import AXES, convergence
from .measures import TIME_NAMES
from .pareto import AVERAGES, pareto
from .profile import SOLVED, profile
from .scaling import scaling

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..frames import Records


class Plot(NamedTuple):
    """A kind of figure and the names of its options."""

    function: Callable[..., Figure]
    options: tuple[str, ...]


def _plot(function: Callable[..., Figure]) -> Plot:
    parameters = inspect.signature(function).parameters.values()
    return Plot(function, tuple(p.name for p in parameters if p.kind is p.KEYWORD_ONLY))


PLOTS = {function.__name__: _plot(function) for function in (convergence, scaling, profile, pareto, bins)}
CHOICES: dict[str, tuple[str, ...]] = {
    "time": tuple(TIME_NAMES),
    "x": (*AXES, "both"),
    "average": tuple(AVERAGES),
    "solved": tuple(SOLVED),
}


def make_plot(records: Records, kind: str, **options: Any) -> Figure:
    """The figure of a kind; unknown kinds, options and values are refused with the nearest valid name."""
    check_plot({"kind": kind, **options})
    if records.empty:
        raise InputError(f"plot {kind!r}: the run has no records.")
    from ..audit import with_audit

    return PLOTS[kind].function(with_audit(records), **options)


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


def check_plot(plot: Mapping[str, Any]) -> None:
    """Refuse a plot (`kind` and options, as in an experiment) that cannot be drawn whatever the records are."""
    kind = plot.get("kind")
    if kind is None:
        raise InputError(f"a plot needs a kind: {nearest('', PLOTS)}")
    if not isinstance(kind, str) or kind not in PLOTS:
        raise InputError(f"unknown plot {quoted(kind)}: {nearest(kind, PLOTS)}")
    valid = PLOTS[kind].options
    for name, value in plot.items():
        if name == "kind":
            continue
        if name not in valid:
            raise InputError(f"unknown option {quoted(name)} of plot {quoted(kind)}: {nearest(name, valid)}")
        if name in CHOICES and value not in CHOICES[name]:
            raise InputError(f"unknown {name} {quoted(value)} of plot {quoted(kind)}: {nearest(value, CHOICES[name])}")
        if name not in CHOICES and not _fits(name, value):
            raise InputError(
                f"option {quoted(name)} of plot {quoted(kind)} must be {EXPECTED[name]}, not {quoted(value)}."
            )


EXPECTED = {
    "quantiles": "two rising shares of 1",
    "floor": "between 0 and 1",
    "confidence": "between 0 and 1",
    "edges": "rising whole numbers above 0",
    "log": "true or false",
    "mix_nodes": "true or false",
    "quality": "'objective' or the name of a metric",
}


def _fits(name: str, value: Any) -> bool:
    if name in ("log", "mix_nodes"):
        return isinstance(value, bool)
    if name == "quality":
        return isinstance(value, str)
    try:
        if name == "edges":
            return bool(bin_names(value))
        if name == "quantiles":
            low, high = value
            return bool(0 <= low < high <= 1)
        return bool(0 < value < 1)
    except (ArithmeticError, TypeError, ValueError):
        return False
