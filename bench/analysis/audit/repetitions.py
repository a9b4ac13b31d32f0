"""All cells of one label and instance: repetitions that differ, labels that stand for different things."""

from __future__ import annotations

import json
from collections.abc import Iterable

from .finding import Finding, Row, exceeds, finding_of, has_objective


def repetition_findings(group: list[Row]) -> Iterable[Finding]:
    """Repetitions that ended differently although no limit had a hand in it."""
    free = [row for row in group if not _limited(row)]
    if len({row["repetition"] for row in free}) < 2:
        return
    statuses = sorted({str(row["status"]) for row in free})
    if len(statuses) > 1:
        yield finding_of("repetitions", free, f"repetitions ended as {' and as '.join(statuses)}.", "warning")
    values = [row for row in free if has_objective(row)]
    if values:
        low, high = (choose(values, key=lambda row: row["objective"]) for choose in (min, max))
        if exceeds(high, low["objective"], low):
            text = f"repetitions gave objectives from {low['objective']:.9g} to {high['objective']:.9g}."
            yield finding_of("repetitions", values, text, "warning")


def _limited(row: Row) -> bool:
    """Could a limit, of the harness or of the solver itself, have decided how this cell ended?"""
    if row["limit_hit"] or row["status"] in ("timeout", "memout", "skipped"):
        return True
    return row["status"] != "optimal" and any("limit" in name and value for name, value in row["options"].items())


def mixed_findings(group: list[Row]) -> Iterable[Finding]:
    """One label that stands for different solvers: another version, or other options."""
    versions = sorted({str(row["solver_version"]) for row in group})
    if len(versions) > 1:
        yield finding_of(
            "mixed", group, f"cells of different versions share this label: {', '.join(versions)}.", "warning"
        )
    if len({json.dumps([row["solver"], row["options"]], sort_keys=True, default=str) for row in group}) > 1:
        yield finding_of("mixed", group, "cells of different solvers or options share this label.", "warning")
