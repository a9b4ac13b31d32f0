"""Can the times of a run be trusted? The spread over repetitions and the machine's load say so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median
from typing import Any, Literal

from ..records.fields import FAILURES
from ..records.marks import nodes

MOST_SPREAD = 0.10
"""Relative spread (slowest / fastest repetition - 1) of the median cell, above which a run is noisy."""
SPARE = 0.5
"""Load above the number of cores that is still taken as an accident of the load average."""


@dataclass(frozen=True)
class Noise:
    """How noisy a run's times are, what that rests on, and one sentence that says what to do."""

    level: Literal["quiet", "noisy", "unknown"]
    sentence: str
    spread: float | None  # of the median cell; None if nothing was repeated
    cells: int  # that were repeated
    load_start: float | None
    load_end: float | None
    cores: int | None
    jobs: int


def noise(records: Any) -> Noise:
    """How noisy these records are; only untraced repetitions that ended count."""
    spreads = [value for values in _spreads(records).values() for value in values]
    spread = median(spreads) if spreads else None
    provenance = getattr(records, "provenance", None) or {}
    sessions = provenance.get("sessions") or []
    start = _load(session.get("load_start") for session in sessions)
    end = _load(session.get("load_end") for session in sessions)
    cores = _cores(provenance.get("machine") or {})
    if any(session.get("dask") for session in sessions):
        start, end, cores = _of_nodes(records)
    jobs = int(records["jobs"].max()) if len(records) else 1
    level, sentence = _level(spread, start, end, cores, jobs)
    if jobs > 1:
        sentence += f" Up to {jobs} cells ran at the same time and shared caches and memory."
    return Noise(level, sentence, spread, len(spreads), start, end, cores, jobs)


def _level(
    spread: float | None, start: float | None, end: float | None, cores: int | None, jobs: int
) -> tuple[Literal["quiet", "noisy", "unknown"], str]:
    if cores is not None and jobs > cores:
        return "noisy", f"{jobs} cells ran at once on {cores} cores; run again with --jobs {max(1, cores - 1)} or less."
    if cores is not None and start is not None and start + jobs > cores + SPARE:
        return "noisy", (
            f"The machine was busy when the run began (load {start:.2f}, {cores} cores, {jobs} of them needed); "
            "stop other programs and run again."
        )
    if cores is not None and end is not None and end > cores + SPARE:
        return "noisy", (
            f"Other programs kept the machine busy (load {end:.2f} at the end, {cores} cores); stop them and run again."
        )
    if spread is None:
        return "unknown", "Every cell ran once; set repetitions = 3 or more to see how far times can be trusted."
    if spread > MOST_SPREAD:
        return "noisy", (
            f"Repetitions of the median cell differ by {100 * spread:.0f} %; use a quiet machine, "
            "more repetitions or larger instances."
        )
    return "quiet", f"Repetitions of the median cell differ by {100 * spread:.1f} %; nothing needs to be done."


def label_spreads(records: Any) -> dict[str, float]:
    """The spread of each label's median cell; labels without repeated cells are not in it."""
    return {label: median(values) for label, values in _spreads(records).items()}


def _spreads(records: Any) -> dict[str, list[float]]:
    """By label, the relative spread of each cell that ended at least twice."""
    timed = records[~records["traced"].astype(bool) & ~records["status"].isin(FAILURES) & (records["cpu_seconds"] > 0)]
    times = timed.groupby(["label", "instance_digest"], sort=False)["cpu_seconds"].agg(["min", "max", "count"])
    times = times[times["count"] > 1]
    found: dict[str, list[float]] = defaultdict(list)
    for (label, _), value in (times["max"] / times["min"] - 1).items():
        found[str(label)].append(float(value))
    return found


def _load(loads: Iterable[Any]) -> float | None:
    """The highest one-minute load of all sessions."""
    return max((value for load in loads if load and (value := _number(load[0])) is not None), default=None)


def _of_nodes(records: Any) -> tuple[float | None, None, int | None]:
    """The same of a cluster's machines: the highest load when they joined, and the fewest cores."""
    facts = [facts for _, facts in nodes(records)]
    loads = [_number(str(fact.get("load", "unknown")).partition(",")[0]) for fact in facts]
    cores = [many for many in map(_cores, facts) if many is not None]
    return max((load for load in loads if load is not None), default=None), None, min(cores, default=None)


def _cores(machine: dict[str, Any]) -> int | None:
    many = _number(machine.get("cores"))
    return int(many) if many is not None and many >= 1 else None


def _number(value: Any) -> float | None:
    """A number that somebody recorded; None where it is none."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        return None
    return found if 0 <= found <= 1e9 else None
