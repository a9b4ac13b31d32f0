"""How an experiment wants its records shown: the layout of its table, its plots, and bins of sentence lengths, which both may have.

`output` makes the tables and figures. What they can be asked for stands here, so that an experiment is refused before it
runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problems.errors import InputError, nearest, quoted

LENGTH_BINS = (10, 20, 30, 40)
"""The longest length of each bin but the last: 1-10, 11-20, 21-30, 31-40, 41+ (Martins, Almeida & Smith 2013, Figure 2)."""


def bin_names(edges: Sequence[int] = LENGTH_BINS) -> list[str]:
    """What the bins are called, the open one at the end."""
    if not edges or any(a >= b for a, b in zip((0, *edges), edges, strict=False)) or any(e != int(e) for e in edges):
        raise InputError(f"the edges of length bins must be rising whole numbers above 0, not {list(edges)}.")
    starts = (1, *(edge + 1 for edge in edges))
    closed = [f"{first}-{last}" for first, last in zip(starts, edges, strict=False)]
    return [*closed, f"{starts[-1]}+"]


def length_bins(lengths: NDArray[np.float64], edges: Sequence[int] = LENGTH_BINS) -> NDArray[np.int64]:
    """The number of each length's bin, from 0."""
    return np.searchsorted(np.asarray(edges), lengths, side="left")


COLUMNS = (
    *("label", "cells", "optimal", "feasible", "failed", "build", "solve", "round", "mean", "median", "sgm", "par10"),
    *("million", "wins", "xbaseline", "xbest", "ttt", "primal", "objective", "gap", "integral", "memory"),
)
PLOT_OPTIONS = {
    "convergence": ("x", "quantiles", "floor", "mix_nodes"),
    "scaling": ("time", "confidence", "mix_nodes"),
    "profile": ("time", "target", "mix_nodes"),
    "pareto": ("quality", "time", "average", "mix_nodes"),
    "bins": ("time", "edges", "log", "mix_nodes"),
}
PLOT_CHOICES: dict[str, tuple[str, ...]] = {
    "time": ("cpu", "wall"),
    "x": ("seconds", "iterations", "both"),
    "average": ("sgm", "mean", "median"),
}
LAYOUT = ("columns", "baseline", "target", "time", "by", "mix_nodes")
LAYOUT_CHOICES: dict[str, tuple[str, ...]] = {"time": ("cpu", "wall"), "by": ("", "size", "length", "task", "none")}
TARGET = "'optimal', 'any' or a share between 0 and 1"


def is_target(value: object) -> bool:
    """Is this a quality that answers may be asked to have: a proof, any valid answer, or a distance from the best known?"""
    if isinstance(value, str):
        return value in ("optimal", "any")
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 1


def baselines(layout: Mapping[str, Any]) -> list[str]:
    """The labels or patterns that a table's ratios are against."""
    given = layout.get("baseline") or []
    return [given] if isinstance(given, str) else list(given)


def ratio_name(pattern: str) -> str:
    """The field with a solver's speed-up over the fastest of those that a pattern names."""
    return f"times faster than {pattern}"


def named_by(pattern: str, solvers: Mapping[str, str]) -> list[str]:
    """The labels (of these, with their solvers' names) that a label, a solver's name or a pattern such as `ilp-*` names."""
    if pattern in solvers:
        return [pattern]
    return [label for label, name in solvers.items() if any(fnmatchcase(text, pattern) for text in (label, name))]


def check_layout(layout: Mapping[str, Any], metrics: Iterable[str] = ()) -> None:
    """Refuse a layout that no run could fill; `metrics` are the quality measures that may be columns."""
    for name, value in layout.items():
        if name not in LAYOUT:
            raise InputError(f"unknown key {quoted(name)} of a table: {nearest(name, LAYOUT)}")
        if name in LAYOUT_CHOICES and value not in LAYOUT_CHOICES[name]:
            raise InputError(f"unknown {name} {quoted(value)} of a table: {nearest(value, LAYOUT_CHOICES[name])}")
    columns = layout.get("columns", [])
    if not isinstance(columns, (list, tuple)) or not all(isinstance(name, str) for name in columns):
        raise InputError(f"'columns' of a table must be a list of names, not {quoted(columns)}.")
    valid = {*COLUMNS, *metrics}
    for name in columns:
        if name not in valid:
            raise InputError(f"unknown column {quoted(name)} of a table: {nearest(name, valid)}")
    baseline = layout.get("baseline", "")
    if not isinstance(baseline, str) and not (
        isinstance(baseline, (list, tuple)) and all(isinstance(name, str) for name in baseline)
    ):
        raise InputError(
            f"'baseline' of a table must be a solver's label or a pattern, or several, not {quoted(baseline)}."
        )
    if (target := layout.get("target", "auto")) != "auto" and not is_target(target):
        raise InputError(f"'target' of a table must be 'auto', {TARGET}, not {quoted(target)}.")
    if not isinstance(layout.get("mix_nodes", False), bool):
        raise InputError(f"'mix_nodes' of a table must be true or false, not {quoted(layout['mix_nodes'])}.")
    if "xbaseline" in columns and not layout.get("baseline"):
        raise InputError("the column 'xbaseline' of a table needs a 'baseline' (a solver's label).")


def check_plot(plot: Mapping[str, Any]) -> None:
    """Refuse a plot (`kind` and options, as in an experiment) that cannot be drawn whatever the records are."""
    kind = plot.get("kind")
    if kind is None:
        raise InputError(f"a plot needs a kind: {nearest('', PLOT_OPTIONS)}")
    if not isinstance(kind, str) or kind not in PLOT_OPTIONS:
        raise InputError(f"unknown plot {quoted(kind)}: {nearest(kind, PLOT_OPTIONS)}")
    valid, where = PLOT_OPTIONS[kind], f"of plot {quoted(kind)}"
    for name, value in plot.items():
        if name == "kind":
            continue
        if name not in valid:
            raise InputError(f"unknown option {quoted(name)} {where}: {nearest(name, valid)}")
        if name in PLOT_CHOICES and value not in PLOT_CHOICES[name]:
            raise InputError(f"unknown {name} {quoted(value)} {where}: {nearest(value, PLOT_CHOICES[name])}")
        if name not in PLOT_CHOICES and not _fits(name, value):
            raise InputError(f"option {quoted(name)} {where} must be {VALUES[name][1]}, not {quoted(value)}.")


def _fits(name: str, value: Any) -> bool:
    try:
        return bool(VALUES[name][0](value))
    except (ArithmeticError, TypeError, ValueError):
        return False


def _are_rising_shares(value: Any) -> bool:
    low, high = value
    return bool(0 <= low < high <= 1)


_SHARE = (lambda value: 0 < value < 1, "between 0 and 1")
_FLAG = (lambda value: isinstance(value, bool), "true or false")
VALUES: dict[str, tuple[Callable[[Any], object], str]] = {
    "quantiles": (_are_rising_shares, "two rising shares of 1"),
    "floor": _SHARE,
    "confidence": _SHARE,
    "edges": (bin_names, "rising whole numbers above 0"),
    "log": _FLAG,
    "mix_nodes": _FLAG,
    "quality": (lambda value: isinstance(value, str), "'objective' or the name of a metric"),
    "target": (is_target, TARGET),
}
"""What options of plots may be, and how to say it."""
