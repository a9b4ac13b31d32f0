"""What the audit finds, how it reads a record, and one cell by itself: is its structure feasible, is it worth what was recorded, did
its clock tell the truth?

Where the instance cannot be made again, an answer may still contradict itself or its twins.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from problems import task_of
from solvers.base import tolerance

from ...records.fields import NOT_KEPT
from ...runner.handover import tuples

Row = dict[str, Any]


@dataclass(frozen=True)
class Finding:
    """Something that is wrong (`error`) or odd (`warning`). `keys` are the cells that cannot be relied on for it."""

    kind: str  # cell structure objective bound optimum infeasible contradiction doubt library; trace repetitions mixed clock
    instance: str
    labels: tuple[str, ...]
    text: str
    severity: Literal["error", "warning"] = "error"
    keys: tuple[str, ...] = ()


def finding_of(kind: str, rows: list[Row], text: str, severity: Literal["error", "warning"] = "error") -> Finding:
    """A finding about these rows of one instance."""
    labels = tuple(dict.fromkeys(str(row["label"]) for row in rows))
    return Finding(kind, str(rows[0]["instance"]), labels, text, severity, tuple(str(row["key"]) for row in rows))


def groups(rows: list[Row], *names: str) -> list[list[Row]]:
    """The rows that agree in these fields, in order of appearance."""
    found: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in rows:
        found[tuple(row[name] for name in names)].append(row)
    return list(found.values())


def number(value: Any) -> float:
    """A field's number; NaN where it is missing."""
    return math.nan if value is None else float(value)


def magnitude(row: Row) -> float:
    """The sum of absolute scores that rounding errors are relative to; 0 where it is not known."""
    value = number(row["magnitude"])
    return 0.0 if math.isnan(value) else value


def exceeds(row: Row, upper: float, other: Row) -> bool:
    """Is a row's objective above an upper value beyond what rounding explains? Never of a missing value."""
    objective = number(row["objective"])
    return objective - upper > tolerance(objective, upper, max(magnitude(row), magnitude(other)))


def has_objective(row: Row) -> bool:
    """Does it claim a feasible structure of some worth? `infeasible` with a structure does not."""
    return row["status"] != "infeasible" and not math.isnan(number(row["objective"]))


COLD_FACTOR = 30.0
"""A first call finds cold caches, and may take several times as long as later ones; beyond this it did other work."""
CLOCK_FACTOR, CLOCK_SECONDS = 1.05, 0.02
"""What a solver says it took may exceed the measured CPU time by this much: two clocks of different resolution."""


def cell_findings(rows: list[Row]) -> Iterable[Finding]:
    """What the runner's own check of a cell found."""
    for row in rows:
        if row["audit"] not in ("ok", ""):
            yield finding_of("cell", [row], str(row["audit"]))


class Scorer:
    """Feasibility and objective from structures alone, each structure of an instance scored once."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[str | None, float]] = {}

    def findings(self, row: Row, instance: Any) -> list[Finding]:
        if row["structure"] is None:
            if has_objective(row) and NOT_KEPT in row["message"]:
                return [finding_of("structure", [row], f"{NOT_KEPT}: nobody can score it again.", "warning")]
            if row["audit"] == "ok" and has_objective(row):
                return [finding_of("structure", [row], "has an objective, but no structure that is worth it.")]
            return []
        place = (row["instance_digest"], json.dumps(row["structure"], default=str))
        if place not in self._known:
            self._known[place] = _scored(row["structure"], instance)
        return _held_against(row, *self._known[place])


def _scored(structure: Any, instance: Any) -> tuple[str | None, float]:
    """Why a structure is not feasible, or None; and what it is worth."""
    task = task_of(instance)
    try:
        why = task.broken(instance, tuples(structure))
        return why, math.nan if why else float(task.objective(instance, tuples(structure)))
    except Exception as error:  # a task's code may trip over a structure in any way
        said = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        return f"it is no structure of this task ({said}).", math.nan


def _held_against(row: Row, why: str | None, objective: float) -> list[Finding]:
    if row["status"] == "infeasible":
        if why is None:
            return [finding_of("infeasible", [row], "says infeasible, but its own structure is feasible.")]
        return []
    if why is not None:
        return [finding_of("structure", [row], f"the structure is not feasible: {why}")]
    claimed = number(row["objective"])
    if math.isnan(claimed):
        return [finding_of("objective", [row], f"has no objective for a structure worth {objective:.9g}.")]
    if abs(claimed - objective) > tolerance(claimed, objective, magnitude(row)):
        return [finding_of("objective", [row], f"the structure is worth {objective:.9g}, not {claimed:.9g}.")]
    return []


def clock_findings(rows: list[Row]) -> Iterable[Finding]:
    """Solvers whose own clock shows more CPU time than the harness measured around them."""
    for row in rows:
        said = sum(
            value for name in ("build", "solve", "round") if not math.isnan(value := number(row[f"{name}_seconds"]))
        )
        measured = number(row["cpu_seconds"])
        if said > measured * CLOCK_FACTOR + CLOCK_SECONDS:  # never true of NaN
            text = f"says it took {said:.3f} s of CPU time, but {measured:.3f} s were measured."
            yield finding_of("clock", [row], text, "warning")
        first = number(row.get("first_seconds"))
        if first > COLD_FACTOR * measured:
            text = f"the first call took {1e3 * first:.3g} ms, later ones {1e3 * measured:.3g} ms: does it remember answers?"
            yield finding_of("clock", [row], text, "warning")


def untimed_findings(rows: list[Row]) -> Iterable[Finding]:
    """Records with times that cannot be: somebody changed the clocks, or the file."""
    for row in rows:
        if row.get("untimed"):
            yield finding_of("clock", [row], f"{row['untimed']}, which cannot be: left out of times.", "warning")


def disagreements(group: list[Row]) -> Iterable[Finding]:
    """Cells of one instance with the same structure and different objectives: those that most cells contradict are wrong."""
    twins: dict[str, list[Row]] = defaultdict(list)
    for row in group:
        if row["structure"] is not None and has_objective(row):
            twins[json.dumps(row["structure"], default=str)].append(row)
    for same in twins.values():
        worths = _by_worth(same)
        if len(worths) < 2:
            continue
        usual = max(worths, key=len)
        rivals = [rows for rows in worths if rows is not usual]
        if any(len(rows) == len(usual) for rows in rivals):
            values = " and ".join(f"{rows[0]['objective']:.9g}" for rows in worths)
            text = f"cells with the same structure give it different objectives, {values}: one of them is wrong."
            yield finding_of("doubt", same, text)
            continue
        for rows in rivals:
            text = (
                f"the structure is worth {usual[0]['objective']:.9g} in {len(usual)} other cells, "
                f"not {rows[0]['objective']:.9g}."
            )
            yield finding_of("objective", rows, text)


def _by_worth(rows: list[Row]) -> list[list[Row]]:
    """Rows whose objectives differ by no more than rounding."""
    found: list[list[Row]] = []
    for row in sorted(rows, key=lambda row: number(row["objective"])):
        first = found[-1][0] if found else None
        if first is not None and _same(first, row):
            found[-1].append(row)
        else:
            found.append([row])
    return found


def _same(first: Row, second: Row) -> bool:
    one, other = number(first["objective"]), number(second["objective"])
    return abs(one - other) <= tolerance(one, other, max(magnitude(first), magnitude(second)))


def self_contradictions(group: list[Row]) -> Iterable[Finding]:
    """Cells that the runner found right, with numbers that it cannot have found right: somebody changed one of them.

    Without the instance nobody can tell which, so such a cell proves nothing against others.
    """
    for row in group:
        if row["audit"] != "ok" or not has_objective(row):
            continue
        objective, bound = number(row["objective"]), number(row["bound"])
        if exceeds(row, bound, row):
            yield finding_of("bound", [row], f"the bound {bound:.9g} lies below its own objective {objective:.9g}.")
        elif row["status"] == "optimal" and bound - objective > tolerance(objective, bound, magnitude(row)):
            text = f"is called optimal, but its bound is {bound:.9g} and its objective {objective:.9g}."
            yield finding_of("optimum", [row], text)
