"""How soon a solver's bound is near the optimum of the linear relaxation, against the time in which LP solvers find that optimum.

The optimum is the lowest bound of the run's LP solvers, which compute theirs from dual values. One definition holds for all: the
time of an untraced, warm call that *ended* with a bound within the target, building and solving. An LP solver ends when it is done;
a solver with a target of its own (`bound_within` of an experiment) ends when it finds out that it is there, by bounds that it
evaluates on its clock. Rounding is nobody's: a bound needs none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from ...records.fields import FAILURES
from .cells import current, sound

LP = "lp-"
TARGET = "bound_target"  # the option of those who stop at a bound
WITHIN = 0.001
ROUNDING = 1e-7  # of the optimum: what LP solvers may differ by, who find it to their tolerance
COLUMNS = ["label", "solver", "instance_digest", "seconds", "iterations"]


def relaxed_optima(records: pd.DataFrame) -> dict[str, float]:
    """The optimum of each instance's relaxation, by digest; an instance without an LP solver's answer has none."""
    frame = current(records)
    frame = frame[_is_lp(frame) & _good(frame) & frame["bound"].notna()]
    return {str(digest): float(bound) for digest, bound in frame.groupby("instance_digest")["bound"].min().items()}


def times_to_bound(records: pd.DataFrame, within: float = WITHIN) -> pd.DataFrame:
    """One row per label and instance: seconds and iterations until the bound is within this share of the relaxation's optimum.

    Medians over repetitions. Infinity where a repetition never is there, or failed. Only LP solvers and those with a target are in it.
    """
    frame, optima = current(records), relaxed_optima(records)
    frame = frame[frame["instance_digest"].isin(list(optima)) & (_is_lp(frame) | has_target(frame))]
    rows = []
    for (label, digest), group in frame[~frame["traced"].astype(bool)].groupby(
        ["label", "instance_digest"], sort=False
    ):
        near = group["bound"] <= _target(optima[str(digest)], within)
        seconds = (group["build_seconds"] + group["solve_seconds"]).where(_good(group) & near, np.inf)
        reached = bool(np.isfinite(seconds).all())
        steps = float(group["iterations"].median()) if reached and not _is_lp(group).any() else np.nan
        rows.append((label, group["solver"].iloc[0], digest, float(seconds.median()) if reached else np.inf, steps))
    return pd.DataFrame(rows, columns=COLUMNS)


def iterations_to_bound(records: Any, targets: Mapping[str, float]) -> pd.DataFrame:
    """One row per traced cell: the iterations until its bound is at most the instance's target (by digest), by the points of its trace.

    `reached`: is it ever there? Where it is not, `iterations` are all that it had. Bounds count as the lowest so far.
    """
    points = dict(tuple(records.traces.groupby("key", sort=False)))
    frame = current(records)
    rows = []
    for row in frame[frame["traced"].astype(bool) & _good(frame)].to_dict("records"):
        trace = points.get(row["key"], records.traces.iloc[:0]).sort_values("iteration")
        steps, bounds = [*trace["iteration"], row["iterations"]], [*trace["bound"], row["bound"]]
        target = targets.get(str(row["instance_digest"]), -np.inf)
        first = next((step for step, bound in zip(steps, bounds, strict=True) if bound <= target), None)
        end = float(row["iterations"]) if first is None else float(first)
        rows.append((row["label"], row["solver"], str(row["instance_digest"]), end, first is not None))
    return pd.DataFrame(rows, columns=["label", "solver", "instance_digest", "iterations", "reached"])


def fastest_lp(times: pd.DataFrame) -> pd.Series:
    """The shortest time of an LP solver on each instance; infinity where none reaches the target."""
    return times[_is_lp(times)].groupby("instance_digest")["seconds"].min()


def has_target(frame: pd.DataFrame) -> pd.Series:
    """Which records are of solvers that stop at a bound."""
    return frame["options"].map(lambda options: isinstance(options, dict) and options.get(TARGET) is not None)


def _is_lp(frame: pd.DataFrame) -> pd.Series:
    return frame["solver"].astype(str).str.startswith(LP)


def _good(frame: pd.DataFrame) -> Any:
    return ~frame["status"].isin(FAILURES) & frame["audit"].map(sound)


def _target(optimum: float, within: float) -> float:
    return optimum + (within + ROUNDING) * abs(optimum)
