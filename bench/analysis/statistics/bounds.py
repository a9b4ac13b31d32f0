"""How soon a solver's bound is near the optimum of the linear relaxation, against the time in which LP solvers find that optimum.

The optimum is the lowest bound of the run's LP solvers, which compute theirs from dual values. A solver with a trace reaches the
target at the first point whose bound is low enough; times of a trace start with building the graph. A traced cell runs once, cold
and between evaluations of the bound; its times are scaled by what the same iterations take in the untraced repetitions, which are
warm, as those of LP solvers are. An LP solver needs its building and solving. Rounding is nobody's: a bound needs none.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ...records.fields import FAILURES
from .cells import current, sound

LP = "lp-"
WITHIN = 0.001
COLUMNS = ["label", "solver", "instance_digest", "seconds", "iterations"]


def relaxed_optima(records: pd.DataFrame) -> dict[str, float]:
    """The optimum of each instance's relaxation, by digest; an instance without an LP solver's answer has none."""
    frame = current(records)
    frame = frame[_is_lp(frame) & _good(frame) & frame["bound"].notna()]
    return {str(digest): float(bound) for digest, bound in frame.groupby("instance_digest")["bound"].min().items()}


def times_to_bound(records: pd.DataFrame, within: float = WITHIN) -> pd.DataFrame:
    """One row per label and instance: seconds and iterations until the bound is within this share of the relaxation's optimum.

    Infinity where it never is, or where the cell failed. Only LP solvers and traced cells are in it.
    """
    frame, optima = current(records), relaxed_optima(records)
    frame = frame[frame["instance_digest"].isin(list(optima))]
    traces = getattr(records, "traces", None)
    points = {} if traces is None else dict(tuple(traces.groupby("key", sort=False)))
    rows = []
    warm = _warm_seconds(frame)
    traced = frame[~_is_lp(frame) & frame["traced"].astype(bool)]
    for cell in traced.drop_duplicates(["label", "instance_digest"], keep="last").to_dict("records"):
        reached = np.inf, np.nan
        if sound(cell["audit"]) and cell["key"] in points:
            trace = points[cell["key"]].sort_values("seconds", kind="stable")
            low = np.flatnonzero(trace["bound"].to_numpy(float) <= _target(optima[cell["instance_digest"]], within))
            if len(low):
                first = trace.iloc[low[0]]
                scale = warm.get((cell["label"], cell["instance_digest"], cell["iterations"]), np.nan) / _spent(cell)
                reached = float(first["seconds"]) * (scale if scale == scale else 1.0), float(first["iteration"])
        rows.append((cell["label"], cell["solver"], cell["instance_digest"], *reached))
    plain = frame[_is_lp(frame) & ~frame["traced"].astype(bool)]
    for (label, digest), group in plain.groupby(["label", "instance_digest"], sort=False):
        near = group["bound"] <= _target(optima[str(digest)], within)
        seconds = _spent(group).where(_good(group) & near, np.inf)
        rows.append((label, group["solver"].iloc[0], digest, float(seconds.median()), np.nan))
    return pd.DataFrame(rows, columns=COLUMNS)


def fastest_lp(times: pd.DataFrame) -> pd.Series:
    """The shortest time of an LP solver on each instance; infinity where none reaches the target."""
    return times[_is_lp(times)].groupby("instance_digest")["seconds"].min()


def _warm_seconds(frame: pd.DataFrame) -> dict[Any, float]:
    """Building and solving in untraced repetitions, by label, instance and number of iterations."""
    plain = frame[~frame["traced"].astype(bool) & _good(frame)]
    seconds = plain.assign(seconds=_spent(plain)).groupby(["label", "instance_digest", "iterations"])["seconds"]
    return dict(seconds.median())


def _spent(cells: Any) -> Any:
    """Of a record or of many."""
    return cells["build_seconds"] + cells["solve_seconds"]


def _is_lp(frame: pd.DataFrame) -> pd.Series:
    return frame["solver"].astype(str).str.startswith(LP)


def _good(frame: pd.DataFrame) -> pd.Series:
    return ~frame["status"].isin(FAILURES) & frame["audit"].map(sound)


def _target(optimum: float, within: float) -> float:
    return optimum + within * abs(optimum)
