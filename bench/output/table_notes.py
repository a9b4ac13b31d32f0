"""What a reader must know about a table's numbers: which time, which limits, how failures count, how far to trust it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from solvers.base import OPTIMALITY_TOLERANCE

from ..records.damage import told
from ..records.fields import FAILURES
from ..records.machines import machines
from .table_columns import LETTERS, Column

if TYPE_CHECKING:
    from ..records.frame import Records

Rows = list[dict[str, Any]]


def notes(
    records: Records,
    rows: Rows,
    columns: Mapping[str, Column],
    unit: str,
    time: str,
    solved: str,
    baseline: str | None,
    by: str,
) -> list[str]:
    """The notes below a table, in the order in which a reader asks."""
    from ..analysis.noise import noise

    timed = any(column.times for column in columns.values())
    said = [_setting(records, unit if timed else "", time)]
    said += _meanings(columns, baseline)
    said += _solving(columns, solved)
    if any(row["charged"] == row["charged"] and row["charged"] for row in rows):
        said.append(
            "A cell that failed in any repetition has failed. In mean, median and sgm it counts as its time limit; "
            "build, solve, round, quality and gap are of the others."
        )
    seen = [kind for kind in LETTERS if any(row[kind] == row[kind] and row[kind] for row in rows)]
    if "failed" in columns and seen:
        said.append("failed: " + ", ".join(f"{LETTERS[kind]} {kind}" for kind in seen) + ".")
    limited = {str(row["label"]): int(row["limited"]) for row in rows if row["limited"] == row["limited"]}
    if any(limited.values()):
        told = ", ".join(f"{label} {number}x" for label, number in limited.items() if number)
        said.append(
            f"Stopped at the time limit with an answer (l): {told}; such a cell counts as its limit and as unsolved, its "
            "objective counts."
        )
    said += _incomplete(rows, by)
    mixed = machines(records)
    if len(mixed) > 1:
        said.append(f"Times of several machines are mixed: {', '.join(mixed)}.")
    again = int((records["attempt"] > 1).sum())
    if again:
        said.append(f"{again} {'cell was' if again == 1 else 'cells were'} run again because a machine was lost.")
    verdict = noise(records)
    said.append(f"Noise: {verdict.verdict}. {verdict.sentence}")
    return [*said, *_damaged(records), *_troubles(records)]


def _damaged(records: Records) -> list[str]:
    """What could not be read of the run."""
    return [f"Warning: {said}" for said in told(getattr(records, "damage", None) or [], most=3)]


def _setting(records: Records, unit: str, time: str) -> str:
    untraced = records[~records["traced"].astype(bool)]
    instances = untraced["instance_digest"].nunique()
    repetitions = untraced["repetition"].nunique()
    tasks = ", ".join(sorted({str(task) for task in records["task"]}))
    repeated = f"median of {repetitions} repetitions" if repetitions > 1 else "1 repetition"
    parts = [f"{instances} {'instance' if instances == 1 else 'instances'} of {tasks}; {repeated}"]
    if unit:
        parts.append(f"{'CPU' if time == 'cpu' else 'wall-clock'} {unit}")
    parts.append(_limits(untraced["limits"]))
    return "; ".join(part for part in parts if part) + "."


def _limits(limits: Iterable[Any]) -> str:
    """The limits of all cells, several where they differ."""
    maps = [limit for limit in limits if isinstance(limit, dict)]
    said = []
    for name, unit in (("seconds", "s"), ("memory_gb", "GB")):
        values = sorted({float(limit[name]) for limit in maps if limit.get(name) is not None})
        if values:
            said.append(" or ".join(f"{value:g}" for value in values) + f" {unit}")
    return f"limits {', '.join(said)}" if said else "no limits"


def _meanings(columns: Mapping[str, Column], baseline: str | None) -> list[str]:
    said = dict.fromkeys(column.said.format(baseline=baseline) for column in columns.values() if column.said)
    return [". ".join(said) + "."] if said else []


def _solving(columns: Mapping[str, Column], solved: str) -> list[str]:
    said = []
    if "optimal" in columns or solved == "optimal":
        said.append(f"Optimal: the objective meets a valid bound within {OPTIMALITY_TOLERANCE:g} (relative).")
    if {"par10", "wins", "xbaseline", "xbest"} & set(columns):
        meant = "proved optimal" if solved == "optimal" else "a valid answer, optimal or not"
        said.append(f"Solved, for PAR10, wins and ratios: {meant}; in ratios an unsolved cell counts as its limit.")
    return [" ".join(said)] if said else []


def _incomplete(rows: Rows, by: str) -> list[str]:
    """Said where solvers have not tried the same number of instances: then averages cannot be compared."""
    counts: dict[Any, set[int]] = {}
    for row in rows:
        counts.setdefault(row.get(by), set()).add(0 if row["cells"] != row["cells"] else int(row["cells"]))
    if all(len(found) == 1 for found in counts.values()):
        return []
    return ["Not every solver has tried every instance: averages are over different instances; wins over shared ones."]


def _troubles(records: Records) -> list[str]:
    """A note for each row with an asterisk: how often, and the first reason."""
    from ..analysis.statistics import reduce_cells, sound

    untraced = records[~records["traced"].astype(bool)]
    cells = reduce_cells(records)
    said = []
    for label in dict.fromkeys(cells["label"]):
        own, raw = cells[cells["label"] == label], untraced[untraced["label"] == label]
        parts = []
        for kind in FAILURES:
            if many := int((own["status"] == kind).sum()):
                first = raw[raw["status"] == kind].iloc[0]
                parts.append(f"{kind} on {many} of {len(own)} ({_reason(first['instance'], first['message'])})")
        wrong = own[[not sound(audit) for audit in own["audit"]]]
        if len(wrong):
            first = wrong.iloc[0]
            parts.append(f"wrong on {len(wrong)} of {len(own)} ({_reason(first['instance'], first['audit'])})")
        untimed = own[own["untimed"] != ""]
        if len(untimed):
            first = untimed.iloc[0]
            parts.append(
                f"a time that cannot be on {len(untimed)} of {len(own)}, left out of times "
                f"({_reason(first['instance'], first['untimed'])})"
            )
        if parts:
            said.append(f"* {label}: {'; '.join(parts)}.")
    return said


def _reason(instance: str, message: str) -> str:
    text = " ".join(str(message).split()).rstrip(".")
    return f"{instance}: {text[:157] + '...' if len(text) > 160 else text}" if text else f"{instance}"
