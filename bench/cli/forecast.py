"""`dualbench run --dry-run`: what a run would do, and how long it may take."""

from __future__ import annotations

from collections import defaultdict

from ..output.tables import Table
from ..records.provenance import UNAVAILABLE
from ..runner.progress import duration
from ..runner.watched import Prepared


def forecast(prepared: Prepared, jobs: int) -> Table:
    """What a run would do: cells by solver, those already recorded, and the time they may take."""
    plan, estimator = prepared.plan, prepared.estimator
    by_label: dict[str, list[tuple[float | None, float]]] = defaultdict(list)
    for cell, weight in prepared.expected():
        by_label[cell.solver.label].append((estimator.seconds(cell), weight))
    limits = plan.experiment.limits
    rows, total, unknown = [], 0.0, 0
    for (spec, _, version, _), planned in zip(plan.solvers, plan.counts(), strict=True):
        cells = by_label[spec.label]
        left = round(sum(weight for _, weight in cells))
        known = sum(seconds * weight for seconds, weight in cells if seconds is not None)
        guesses = round(sum(weight for seconds, weight in cells if seconds is None))
        if version.startswith(UNAVAILABLE):
            said = "skipped"
        else:
            total += known
            unknown += guesses
            said = f"at most {duration(left * limits.seconds)}" if guesses else duration(known)
        rows.append([spec.label, str(planned), str(planned - left), str(left), said])
    seen = f" ({plan.looked_at} of them looked at)" if plan.total > plan.looked_at else ""
    traced = " (one traced)" if plan.experiment.trace else ""
    notes = [
        f"{plan.total} instances{seen}, {len(plan.rounds)} repetitions{traced}; "
        f"limits {limits.seconds:g} s and {limits.memory_gb:g} GB per cell.",
        f"About {duration(total / jobs)} with {jobs} job{'s' if jobs > 1 else ''}, from {prepared.learned} earlier records "
        "and those of `advise`",
    ]
    if unknown:
        most = duration(unknown * limits.seconds / jobs)
        notes[1] += f", and at most {most} for {unknown} cells of which nothing is known"
    notes[1] += "."
    return Table(
        f"What {plan.experiment.name!r} would run", ["solver", "cells", "recorded", "to run", "time"], rows, notes
    )
