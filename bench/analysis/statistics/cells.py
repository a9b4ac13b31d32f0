"""From records to one value per solver and instance: which repetitions count, what is an answer, what is known of the best.

Traced repetitions are left out. Of several records of one cell (label, instance, repetition) the last counts. The time
of a cell is the median over its repetitions.
"""

from __future__ import annotations

from collections import defaultdict
from statistics import median as middle_of
from typing import Any

import numpy as np
import pandas as pd

from problems.errors import InputError, nearest, quoted

from ...records.fields import FAILURES

Row = dict[Any, Any]
TIMES = {"cpu": "cpu_seconds", "wall": "wall_seconds"}
WORSE = ("optimal", "feasible", "relaxed", "infeasible", "skipped", "timeout", "memout", "error", "crash")
"""Statuses from best to worst: where repetitions differ, the worst speaks for the cell."""
CELL = ["label", "instance_digest", "repetition", "traced"]
MEDIANS = {"bound": "bound", "gap": "gap", "build": "build_seconds", "solve": "solve_seconds", "round": "round_seconds"}
FACTS = ("task", "size", "instance", "instance_size", "length", "solver")


def time_column(time: str) -> str:
    """The record field of a kind of time."""
    if not isinstance(time, str) or time not in TIMES:
        raise InputError(f"unknown time {quoted(time)}: {nearest(time, TIMES)}")
    return TIMES[time]


def sound(audit: object) -> bool:
    """Did the audit find nothing wrong?"""
    return audit in ("ok", "")


def current(records: pd.DataFrame) -> pd.DataFrame:
    """The records that count, without the superseded ones (another version of the same label, say)."""
    return pd.DataFrame(records).drop_duplicates(CELL, keep="last")


def best_known(records: pd.DataFrame) -> dict[str, float]:
    """The best objective of each instance (by digest) over all solvers: only of verified structures.

    `bench.analysis.audit.with_audit` says which those are in the column `verified`; without it, those whose audit is "ok".
    """
    frame = current(records)
    sure = frame["verified"].astype(bool) if "verified" in frame.columns else frame["audit"] == "ok"
    verified = frame[sure & (frame["status"] != "infeasible") & frame["objective"].notna()]
    return {
        str(digest): float(value) for digest, value in verified.groupby("instance_digest")["objective"].max().items()
    }


def reduce_cells(records: pd.DataFrame, time: str = "cpu") -> pd.DataFrame:
    """One row per label and instance; a cell that failed in one repetition has failed.

    `finished`: there is an answer (no timeout, memout, crash, error, skipped). `ended`: it is finished, and not because
    the solver kept the time limit, so `seconds` is its time, else NaN; `limited`: finished, but at the limit. `runtime`:
    `seconds`, or the limit where it did not end. `untimed`: which time of a repetition cannot be, and was left out; without
    any other, `seconds` and `runtime` are NaN. `answered`: it finished with something valid: the audit found nothing
    wrong, and a structure, if there is one, is feasible. `objective` is NaN unless a feasible one was found.
    """
    column = time_column(time)
    frame = current(records)
    frame = frame[~frame["traced"].astype(bool)]
    metrics = [str(name) for name in frame.columns if str(name).startswith("metrics.")]
    default = seconds_limit(getattr(records, "experiment", {}).get("limits"))
    needed = ["label", "instance_digest", *FACTS, "status", "audit", "structure", "limits", "limit_hit"]
    needed += ["objective", "magnitude", *(["untimed"] if "untimed" in frame.columns else [])]
    needed += [column, *MEDIANS.values(), "integral", "peak_memory_mb", *metrics]
    groups: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in frame[list(dict.fromkeys(needed))].to_dict("records"):
        groups[row["label"], row["instance_digest"]].append(row)
    rows = [_reduce(group, column, metrics, default) for group in groups.values()]
    names = ["label", "instance_digest", *FACTS, "repetitions", "status", "audit", "finished", "ended", "limited"]
    names += ["untimed", "answered", "seconds", "limit", "runtime", "objective", "magnitude", *MEDIANS]
    names += ["integral", "memory", *metrics]
    return pd.DataFrame(rows, columns=names)


def _reduce(group: list[Row], column: str, metrics: list[str], default: float) -> Row:
    """One row from the repetitions of a cell; plain Python, because there are many small groups."""
    ended = [row for row in group if row["status"] not in FAILURES]
    status = max((row["status"] for row in group), key=lambda name: WORSE.index(name) if name in WORSE else len(WORSE))
    audits = [row["audit"] for row in group]
    wrong = [audit for audit in audits if not sound(audit)]
    finished = len(ended) == len(group)
    limited = finished and any(row["limit_hit"] == "time" for row in group)
    stopped = finished and not limited
    missed = any(row["status"] == "infeasible" and row["structure"] is not None for row in group)
    answered = finished and not wrong and not missed
    seconds = _middle(group, column) if stopped else np.nan
    limit = max((value for row in group if (value := seconds_limit(row["limits"])) == value), default=default)
    whole = [
        bool(row["integral"]) for row in group if row["integral"] is not None and row["integral"] == row["integral"]
    ]
    return {
        **{name: group[0][name] for name in ("label", "instance_digest", *FACTS)},
        "repetitions": len(group),
        "status": status,
        "audit": wrong[0] if wrong else max(audits),
        "finished": finished,
        "ended": stopped,
        "limited": limited,
        "untimed": next((said for row in group if (said := row.get("untimed"))), ""),
        "answered": answered,
        "seconds": seconds,
        "limit": limit,
        "runtime": seconds if stopped else limit,
        "objective": _middle(group, "objective") if answered and status in ("optimal", "feasible") else np.nan,
        "magnitude": max(_known(group, "magnitude"), default=0.0),
        **{name: _middle(group, source) if finished else np.nan for name, source in MEDIANS.items()},
        "integral": float(all(whole)) if finished and whole else np.nan,
        "memory": max(_known(group, "peak_memory_mb"), default=np.nan),
        **{name: _middle(group, name) if answered else np.nan for name in metrics},
    }


def _known(group: list[Row], name: str) -> list[float]:
    return [float(row[name]) for row in group if row[name] is not None and row[name] == row[name]]


def _middle(group: list[Row], name: str) -> float:
    values = _known(group, name)
    return middle_of(values) if values else np.nan


def seconds_limit(limits: object) -> float:
    value = limits.get("seconds") if isinstance(limits, dict) else None
    return float(value) if isinstance(value, (int, float)) else np.nan


def tried(cells: pd.DataFrame) -> pd.DataFrame:
    """Without what was skipped: such a cell has no time, not even its limit."""
    return cells[cells["status"] != "skipped"]
