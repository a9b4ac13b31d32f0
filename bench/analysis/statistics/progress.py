"""What a solver has in hand over time, from traces, always measured against the best value that *any* solver found.

Times are on the solver's own clock (what a trace costs is off it). The final answer is the last point of a trace. A
trace is credited with no more than the answer that passed the audit in the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from problems.errors import InputError
from solvers.base import OPTIMALITY_TOLERANCE

from ...records.fields import FAILURES
from .cells import best_known, current, seconds_limit, sound
from .values import Floats


def primal_gap(objective: float, best: float) -> float:
    """Berthold (2013): 0 if equal, 1 without a value or with opposite signs, else |difference| / the larger of the two."""
    if np.isnan(best):
        return np.nan
    if np.isnan(objective) or objective == -np.inf:
        return 1.0
    if objective >= best:
        return 0.0
    if objective * best < 0:
        return 1.0
    return float((best - objective) / max(abs(best), abs(objective)))


def worth_within(best: Any, share: float) -> Any:
    """The least objective that counts as within this share of the best known one; of numbers or of arrays."""
    return best - (share + OPTIMALITY_TOLERANCE) * abs(best)


@dataclass(frozen=True)
class Progress:
    """The incumbent of one traced cell as a step function: from `seconds[i]` on it is worth `objectives[i]`."""

    label: str
    instance_digest: str
    seconds: Floats
    objectives: Floats
    limit: float


def progress(records: pd.DataFrame) -> list[Progress]:
    """The progress of every traced cell, one per label and instance. A cell with a wrong answer has made none."""
    traces = getattr(records, "traces", None)
    points = {} if traces is None else dict(tuple(traces.groupby("key", sort=False)))
    frame = current(records)
    frame = frame[frame["traced"].astype(bool)].drop_duplicates(["label", "instance_digest"], keep="last")
    return [_progress(row, points) for row in frame.to_dict("records")]


def _progress(row: dict, points: Mapping) -> Progress:
    seconds, objectives = np.empty(0), np.empty(0)
    final = float(row["objective"])
    wrong = not sound(row["audit"]) or row["status"] == "infeasible"
    if not wrong:
        if row["key"] in points:
            trace = points[row["key"]]
            trace = trace[trace["objective"].notna() & trace["seconds"].notna()].sort_values("seconds", kind="stable")
            seconds, objectives = trace["seconds"].to_numpy(float), trace["objective"].to_numpy(float)
        if row["status"] not in FAILURES and not np.isnan(final):
            parts = [float(row[name]) for name in ("build_seconds", "solve_seconds", "round_seconds")]
            end = sum(part for part in parts if part == part) if any(p == p for p in parts) else row["cpu_seconds"]
            seconds = np.append(seconds, max(float(end), seconds[-1] if len(seconds) else 0.0))
            objectives = np.minimum(np.append(objectives, final), final)
        objectives = np.maximum.accumulate(objectives) if len(objectives) else objectives
    return Progress(str(row["label"]), str(row["instance_digest"]), seconds, objectives, seconds_limit(row["limits"]))


def primal_integral(trace: Progress, best: float, until: float | None = None) -> float:
    """Seconds times primal gap from 0 to `until` (the limit by default); NaN where no best value or no end is known."""
    end = trace.limit if until is None else until
    if np.isnan(best) or np.isnan(end):
        return np.nan
    inside = trace.seconds < end
    moments = np.concatenate([[0.0], trace.seconds[inside], [end]])
    gaps = [1.0, *(primal_gap(float(value), best) for value in trace.objectives[inside])]
    return float(np.sum(np.asarray(gaps) * np.diff(moments)))


def time_to_target(trace: Progress, best: float, within: float = 0.01) -> float:
    """When the incumbent came within this fraction of the best known value; infinity if it never did.

    The target is the same for all solvers of an instance, never a solver's own best.
    """
    if within < 0:
        raise InputError(f"the distance to a target must be at least 0, not {within}.")
    if np.isnan(best):
        return np.nan
    reached = np.flatnonzero(trace.objectives >= worth_within(best, within))
    return float(trace.seconds[reached[0]]) if len(reached) else np.inf


def progress_table(records: pd.DataFrame, within: float = 0.01, cells: pd.DataFrame | None = None) -> pd.DataFrame:
    """One row per traced cell: its primal integral, and its time to the common target.

    With reduced cells (`reduce_cells`) also those of solvers without a traced repetition, which have nothing before their end.
    """
    best, traces = best_known(records), progress(records)
    if cells is not None:
        traced = {(trace.label, trace.instance_digest) for trace in traces}
        ends = [_end(cell) for cell in cells.to_dict("records")]
        traces += [end for end in ends if (end.label, end.instance_digest) not in traced]
    rows = []
    for trace in traces:
        known = best.get(trace.instance_digest, np.nan)
        measures = primal_integral(trace, known), time_to_target(trace, known, within)
        rows.append((trace.label, trace.instance_digest, known, *measures))
    names = ["label", "instance_digest", "best", "primal_integral", "time_to_target"]
    return pd.DataFrame(rows, columns=names)


def _end(cell: dict[Any, Any]) -> Progress:
    """A cell that is known by its answer alone; one that was skipped has no limit to be charged with."""
    limit = np.nan if cell["status"] == "skipped" else cell["limit"]
    moment, worth = np.array([cell["runtime"]]), np.array([cell["objective"]])
    return Progress(str(cell["label"]), str(cell["instance_digest"]), moment, worth, limit)


def times_within(records: pd.DataFrame, share: float, cells: pd.DataFrame) -> pd.DataFrame:
    """Instances by labels: when a solver first had an answer within this share of the best known objective; infinity: never.

    NaN where there is no such cell. A solver without a traced repetition counts with the time when it ended.
    """
    table = progress_table(records, share, cells=cells)
    table = table.fillna({"time_to_target": np.inf})  # where no best value is known
    return table.pivot(index="instance_digest", columns="label", values="time_to_target")
