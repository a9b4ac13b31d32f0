"""What a reader must know about a table's numbers: which time, which limits, how failures count, how far to trust it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from solvers.base import OPTIMALITY_TOLERANCE

from ..analysis.groups import in_order
from ..analysis.noise import noise
from ..analysis.statistics.cells import reduce_cells, sound
from ..analysis.statistics.ratios import SpeedUp
from ..records.damage import told
from ..records.fields import FAILURES
from ..records.frame import Records
from ..records.marks import machines
from .table_columns import Column

Rows = list[dict[str, Any]]
FEWEST = 3  # repetitions of a time that may be published
REDUCED = (
    "reduced: of the same program, equal variables merged and rows dropped that an optimum satisfies by itself; optimum and relaxation "
    "stay the same, and the time has this work in it (docs/ilp-settings.md)."
)


def notes(records: Records, rows: Rows, columns: Mapping[str, Column], unit: str, time: str, by: str) -> list[str]:
    """The notes below a table, in the order in which a reader asks: what the numbers are, and how far to trust them."""
    said = meanings(records, rows, columns, unit, time, by)
    mixed = machines(records)
    if len(mixed) > 1:
        said.append(f"Times of several machines are mixed: {', '.join(mixed)}.")
    again = int((records["attempt"] > 1).sum())
    if again:
        said.append(f"{again} {'cell was' if again == 1 else 'cells were'} run again because a machine was lost.")
    quiet = noise(records)
    said.append(f"Noise: {quiet.level}. {quiet.sentence}")
    said += [f"Warning: {damaged}" for damaged in told(getattr(records, "damage", None) or [], most=3)]
    return [*said, *_troubles(records)]


def meanings(records: Records, rows: Rows, columns: Mapping[str, Column], unit: str, time: str, by: str) -> list[str]:
    """What the numbers of a table are."""
    kinds = {column.kind for column in columns.values()}
    said = [_setting(records, unit if "time" in kinds else "", time)]
    if kinds & {"time", "ratio"}:
        said += _repetitions(records)
    if by in ("task", "none") and records["size"].nunique() > 1:
        said.append(f"Sizes are put together: {', '.join(in_order(records['size']))}.")
    said += _headings(columns, rows)
    said += _targets(columns, rows)
    if any((each.get("options") or {}).get("reduced") for each in records.experiment.get("solvers", [])):
        said.append(REDUCED)
    if any(row["charged"] == row["charged"] and row["charged"] for row in rows):
        said.append(
            "A cell that failed in any repetition has failed. In mean, median and sgm it counts as its time limit; "
            "build, solve, round, quality and gap are of the others."
        )
    if any(row["skipped"] == row["skipped"] and row["skipped"] for row in rows):
        said.append("Skipped cells were not run: they are in no time and no ratio.")
    limited: Counter[str] = Counter()
    for row in rows:
        limited[row["label"]] += 0 if row["limited"] != row["limited"] else int(row["limited"])
    if limited.total():
        named = ", ".join(f"{label} {number}x" for label, number in limited.items() if number)
        said.append(
            f"Stopped at the time limit with an answer (limited): {named}; the limit is the time of such a cell, its answer counts."
        )
    return [*said, *_incomplete(rows)]


def _setting(records: Records, unit: str, time: str) -> str:
    untraced = records[~records["traced"].astype(bool)]
    instances = untraced["instance_digest"].nunique()
    repetitions = untraced["repetition"].nunique()
    tasks = ", ".join(sorted({str(task) for task in records["task"]}))
    many = f"{repetitions} {'repetition' if repetitions == 1 else 'repetitions'}"
    parts = [f"{instances} {'instance' if instances == 1 else 'instances'} of {tasks}"]
    parts.append(f"median of {many}" if repetitions > 1 else many)
    if unit:
        parts.append(f"{'CPU' if time == 'cpu' else 'wall-clock'} {unit}")
    parts.append(_limits(untraced["limits"]))
    return "; ".join(part for part in parts if part) + "."


def _repetitions(records: Records) -> list[str]:
    many = records["repetition"][~records["traced"].astype(bool)].nunique()
    times = f"Times of {many} {'repetition' if many == 1 else 'repetitions'}"
    return [f"{times}; publish none with fewer than {FEWEST}."] if 0 < many < FEWEST else []


def _limits(limits: Iterable[Any]) -> str:
    """The limits of all cells, several where they differ."""
    maps = [limit for limit in limits if isinstance(limit, dict)]
    said = []
    for name, unit in (("seconds", "s"), ("memory_gb", "GB")):
        values = sorted({float(limit[name]) for limit in maps if limit.get(name) is not None})
        if values:
            said.append(" or ".join(f"{value:g}" for value in values) + f" {unit}")
    return f"limits {', '.join(said)}" if said else "no limits"


def _headings(columns: Mapping[str, Column], rows: Rows) -> list[str]:
    within = next((100 * row["within"] for row in rows if row["within"] == row["within"]), 0)
    said = dict.fromkeys(column.said.replace("{within}", f"{within:g}") for column in columns.values() if column.said)
    return [". ".join(said) + "."] if said else []


def _targets(columns: Mapping[str, Column], rows: Rows) -> list[str]:
    """What a proof is, what ratios and wins are told at, and how often a limit stands for a time in them."""
    ratios = [row[column.field] for column in columns.values() if column.kind == "ratio" for row in rows]
    found: list[SpeedUp] = [each for each in ratios if each is not None and each == each]
    targets = {each.target for each in found}
    if any(column.at for column in columns.values()):
        targets |= {row["target"] for row in rows if row["target"] == row["target"]}
    said = []
    if "optimal" in columns or targets:
        said.append(f"Optimal: the objective meets a valid bound within {OPTIMALITY_TOLERANCE:g} (relative).")
    if targets:
        shares = ", ".join(f"@{100 * share:g}%" for share in sorted(targets - {"optimal", "any"}))
        kinds = ["a proof of optimality"] if "optimal" in targets else []
        kinds += [f"an answer that close to the best known objective ({shares})"] if shares else []
        kinds += ["any valid answer (@any)"] if "any" in targets else []
        said.append(f"The target is {' or '.join(kinds)}.")
    if ratios:
        said.append(
            "Ratios: median over instances with 95 % bootstrap interval, among solvers that reach the same target wherever they "
            "ended; a dash: there is none."
        )
    if charged := sum(each.charged for each in found):
        pairs = sum(each.pairs for each in found)
        said.append(f"In {charged} of {pairs} pairs the time limit stopped one of the two and counts as its time.")
    return [" ".join(said)] if said else []


def _incomplete(rows: Rows) -> list[str]:
    """Said where solvers have not tried the same number of instances: then averages cannot be compared."""
    counts: dict[Any, set[int]] = {}
    for row in rows:
        group = tuple(row.get(field) for field in ("task", "size", "length"))
        counts.setdefault(group, set()).add(0 if row["cells"] != row["cells"] else int(row["cells"]))
    if all(len(found) == 1 for found in counts.values()):
        return []
    return ["Not every solver has tried every instance: averages are over different instances; wins over shared ones."]


def _troubles(records: Records) -> list[str]:
    """A note for each row with an asterisk: how often, and the first reason."""
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
