"""Synthetic records for tests of tables, statistics and plots: only what matters is said, the rest is filled in."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from bench.analysis.statistics.progress import Progress
from bench.records.fields import CIRCUMSTANCES
from bench.records.frame import Records, make_frame


def made_records(
    rows: Iterable[dict[str, Any]],
    traces: Iterable[dict[str, Any]] = (),
    experiment: dict[str, Any] | None = None,
    provenance: dict[str, Any] | None = None,
    folder: Path = Path(),
) -> Records:
    """Records with defaults: label = solver, digest = instance, a key of its own, status optimal, a 60 s limit."""
    made = []
    for number, row in enumerate(rows):
        record = {
            "key": f"cell{number}",
            "experiment": "made",
            "task": "extraction",
            "instance": "a",
            "solver": "s",
            "status": "optimal",
            "audit": "ok",
            "limits": {"seconds": 60.0, "memory_gb": 4.0, "grace_seconds": 0.5},
            **row,
        }
        record.setdefault("label", record["solver"])
        record.setdefault("instance_digest", record["instance"])
        made.append(record)
    return make_frame(made, traces, provenance, experiment, folder)


def same_cells(first: Iterable[dict[str, Any]], second: Iterable[dict[str, Any]]) -> bool:
    """Do two sets of records say the same, times and other circumstances aside?"""

    def said(records: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
        return {r["key"]: {name: value for name, value in r.items() if name not in CIRCUMSTANCES} for r in records}

    return said(first) == said(second)


def incumbent(trace: Progress, seconds: float) -> float:
    """The objective in hand at a moment; NaN before the first."""
    place = int(np.searchsorted(trace.seconds, seconds, side="right"))
    return float(trace.objectives[place - 1]) if place else np.nan
