"""What a record says: every field, its default, and the vocabulary of statuses."""

from __future__ import annotations

import math
from typing import Any

STATUSES = ("optimal", "feasible", "relaxed", "infeasible", "timeout", "memout", "crash", "error", "skipped")
FAILURES = ("timeout", "memout", "crash", "error", "skipped")
FIELDS: dict[str, Any] = {
    "key": "",
    "experiment": "",
    "task": "",
    "size": "",
    "instance": "",
    "instance_digest": "",
    "instance_size": None,
    "length": None,
    "solver": "",
    "label": "",
    "options": {},
    "solver_version": "",
    "repetition": 0,
    "traced": False,
    "status": "",
    "message": "",
    "objective": None,
    "bound": None,
    "gap": None,
    "integral": None,
    "iterations": 0,
    "build_seconds": None,
    "solve_seconds": None,
    "round_seconds": None,
    "cpu_seconds": None,
    "wall_seconds": None,
    "calls": 1,
    "first_seconds": None,
    "peak_memory_mb": None,
    "base_memory_mb": None,
    "setup_seconds": 0.0,
    "metrics": {},
    "info": {},
    "structure": None,
    "magnitude": 0.0,
    "audit": "",
    "limit_hit": "",
    "limits": {},
    "node": "",
    "slot": 0,
    "jobs": 1,
    "started": "",
    "attempt": 1,
    "rerun_because": "",
}
"""Every field of a record and its value where there is nothing to say."""
IDENTITY = (*tuple(FIELDS)[: list(FIELDS).index("status")], "limits")
"""What a cell is, before anything is known of how it went."""
TIMES = ("build_seconds", "solve_seconds", "round_seconds", "cpu_seconds", "wall_seconds")
CIRCUMSTANCES = (
    *(*TIMES, "calls", "first_seconds", "peak_memory_mb", "base_memory_mb", "setup_seconds"),
    *("node", "slot", "jobs", "started"),
    *("attempt", "rerun_because"),  # a cell whose machine was lost is run once more
)
"""What may differ between two runs with the same seeds; all other fields are the same."""
NOT_KEPT = "the structure is too large to be kept"
"""Stands in the message of a record that has an answer's objective and metrics, but not its structure."""


def finite(value: Any) -> float | None:
    """A number that JSON can hold, or None."""
    return float(value) if value is not None and math.isfinite(value) else None
