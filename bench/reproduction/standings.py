"""Where each solver of a task stands, as plain data: what the cover page's figure and table are made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from problems.errors import InputError

from ..analysis.statistics import best_known, primal_gap, progress_table, reduce_cells, time_table
from ..output.plots.measures import CLOCK_FLOOR

if TYPE_CHECKING:
    from ..records.frame import Records

SAME, NEAR = 1e-6, 0.01  # of the best known objective: as good as found, and close to it
FAMILIES = (  # by how a name begins; the first that fits
    ("ilp-", "ILP"),
    ("tree-ilp", "ILP"),
    ("lp-", "LP and rounding"),
    ("ad3", "AD3"),
    ("subgradient", "subgradient"),
    ("dp-", "dynamic program"),
)


class Standing(NamedTuple):
    """One solver on one task.

    `ratio`: the median of its time over the fastest proof's of the same instance; `proved`, `found`: shares of instances with a
    proof, and with the best known objective; `loss`: what its answers lack of the best known, mean in per cent (no answer: 100);
    `to_target`: median seconds until its answer is within 1 % of the best known, infinity (None) if it mostly is not.
    """

    label: str
    solver: str
    family: str
    instances: int
    median: float
    ratio: float
    proved: float
    found: float
    loss: float
    to_target: float | None


def family(solver: str) -> str:
    return next((name for start, name in FAMILIES if solver.startswith(start)), "search")


def standings(records: Records) -> list[Standing]:
    """Of every solver in the run; the records should have been through `with_audit`."""
    cells = reduce_cells(records)
    if cells.empty:
        raise InputError("there are no cells to compare solvers by.")
    fastest = time_table(cells, {"optimal"}).min(axis=1).clip(lower=CLOCK_FLOOR)
    best = best_known(records)
    traced = progress_table(records, within=NEAR).groupby("label")["time_to_target"].median()
    rows = []
    for label, own in cells.groupby("label", sort=False):
        gaps = np.array([
            primal_gap(value, best.get(digest, np.nan))
            for value, digest in zip(own["objective"], own["instance_digest"], strict=True)
        ])  # fmt: skip
        gaps = np.where(np.isnan(gaps), 1.0, gaps)
        ratios = (
            (own.set_index("instance_digest")["runtime"].clip(lower=CLOCK_FLOOR) / fastest)
            .replace([np.inf, -np.inf], np.nan)
            .dropna()
        )
        ended = np.where(gaps <= NEAR, own["runtime"], np.inf)  # of a solver without traces: when it ended
        reached = float(traced.get(label, np.median(ended)))
        rows.append(
            Standing(
                str(label),
                str(own["solver"].iloc[0]),
                family(str(own["solver"].iloc[0])),
                len(own),
                float(own["runtime"].median()),
                float(ratios.median()) if len(ratios) else float("nan"),
                float((own["status"] == "optimal").mean()),
                float((gaps <= SAME).mean()),
                float(100 * gaps.mean()),
                reached if np.isfinite(reached) else None,
            )
        )
    return rows


def standing_of(document: dict[str, Any]) -> Standing:
    return Standing(**document)


class Advice(NamedTuple):
    """What to use for a task; None where no solver qualifies."""

    task: str
    fastest_found: Standing | None  # the best known objective on every instance, proved or not
    fastest_proved: Standing | None  # a proof on every instance
    best_anytime: Standing | None  # soonest within 1 % of the best known
    quickest: Standing  # the fastest of all, whatever it loses


def advice(task: str, found: list[Standing]) -> Advice:
    def first(candidates: list[Standing]) -> Standing | None:
        return min(candidates, key=lambda each: each.median, default=None)

    answered = [each for each in found if each.loss < 100.0] or found
    timely = [each for each in found if each.to_target is not None]
    return Advice(
        task,
        first([each for each in found if each.found == 1.0]),
        first([each for each in found if each.proved == 1.0]),
        min(timely, key=lambda each: each.to_target or 0.0, default=None),
        min(answered, key=lambda each: each.median),
    )
