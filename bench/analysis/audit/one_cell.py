"""One cell by itself: is its structure feasible, is it worth what was recorded, did its clock tell the truth?"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

from problems import task_of
from solvers.base import tolerance

from ...records.fields import NOT_KEPT
from ...runner.handover import tuples
from .finding import Finding, Row, finding_of, has_objective, magnitude, number

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
        return (
            f"it is no structure of this task ({type(error).__name__}: {' '.join(str(error).split())[:200]}).",
            math.nan,
        )


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
