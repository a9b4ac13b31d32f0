"""What `auto` costs: its total time against that of the virtual best, which knows for every instance the fastest solver that met the target.

The virtual best is made of all other solvers of the same run; an instance on which none of them met the target says nothing and is left
out. A solver that has no answer, or no proof where one is asked for, is charged the time limit. Where `auto` answered with more than 1 %
of loss, no time makes up for it: the instance is counted as missed, and not part of the ratio. The single best is the one solver that, taken for all instances,
would have cost the least among those that miss no more often: what a fixed choice in hindsight would have achieved.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from problems.errors import InputError
from solvers.advice import TARGETS
from solvers.advice.forecasts import CLOSE

from ..records.frame import Records
from .audit import with_audit
from .groups import in_order
from .statistics.cells import best_known, reduce_cells
from .statistics.values import RESAMPLES, Interval

ASKS = "auto"
ALL = "all"


class Regret(NamedTuple):
    """Of one target on one size of a task (`all`: on all of them together)."""

    task: str
    target: str
    size: str
    instances: int
    missed: int  # instances on which `auto` missed the target and another solver did not
    seconds: float  # of `auto`, in all
    best: float  # of the virtual best, in all
    ratio: Interval
    single: str  # the label of the single best
    single_ratio: float


def regrets(records: Records) -> list[Regret]:
    """Of every target that a solver `auto` of the run has, for each size and for all."""
    audited = with_audit(records)
    cells, best = reduce_cells(audited), best_known(audited)
    targets = _targets(records)
    found = []
    for (task,), part in cells.groupby(["task"], sort=False):
        for label, target in targets.items():
            met = _met(part, target, best)
            answered = _met(part, "fastest", best)
            cost = part["seconds"].where(met if target == "exact" else answered, part["limit"])
            wide = pd.DataFrame({"at": part["instance_digest"], "label": part["label"], "cost": cost, "met": met})
            wide["answered"] = answered
            answers = wide.pivot(index="at", columns="label", values="answered")
            costs = wide.pivot(index="at", columns="label", values="cost")
            success = wide.pivot(index="at", columns="label", values="met") == True  # noqa: E712 (NaN: not run there)
            sizes = part.drop_duplicates("instance_digest").set_index("instance_digest")["size"].astype(str)
            for size in (*in_order(sizes), ALL):
                rows = costs.index if size == ALL else sizes.index[sizes == size]
                ended = answers.loc[rows, label] == True  # noqa: E712
                made = _regret(costs.loc[rows], success.loc[rows], ended, label, target, set(targets))
                if made is not None:
                    found.append(Regret(str(task), target, size, *made))
    return found


def _targets(records: Records) -> dict[str, str]:
    """The labels of `auto`, and their targets."""
    own = records[records["solver"] == ASKS]
    found = {str(row["label"]): str(row["options"].get("target", TARGETS[0])) for row in own.to_dict("records")}
    if not found:
        raise InputError(f"{records.folder}: no cell of solver {ASKS!r}: there is no regret to compute.")
    return found


def _met(cells: pd.DataFrame, target: str, best: dict[str, float]) -> pd.Series[bool]:
    ended = cells["answered"].astype(bool) & cells["ended"].astype(bool) & cells["seconds"].notna()
    if target == "exact":
        return ended & cells["status"].isin(["optimal", "infeasible"])
    if target == "fastest":
        return ended & cells["objective"].notna()
    top = cells["instance_digest"].map(best)
    scale = np.maximum(top.abs(), cells["objective"].abs())
    return ended & (top - cells["objective"] <= CLOSE * scale)


def _regret(
    costs: pd.DataFrame, success: pd.DataFrame, answered: pd.Series[bool], label: str, target: str, asks: set[str]
) -> tuple[int, int, float, float, Interval, str, float] | None:
    others = [name for name in costs.columns if name not in asks]
    possible = success[others].any(axis=1) & costs[label].notna()
    costs, success = costs[possible], success[possible]
    if costs.empty:
        return None
    missed = int((~success[label]).sum())
    if target != "exact":
        costs, success = costs[success[label] | ~answered[possible]], success[success[label] | ~answered[possible]]
    if costs.empty:
        return None
    virtual = costs[others].where(success[others]).min(axis=1).to_numpy(float)
    own = costs[label].to_numpy(float)
    everywhere = [name for name in others if costs[name].notna().all()]
    everywhere = [name for name in everywhere if success[name].sum() >= success[label].sum()]
    totals = costs[everywhere].sum().sort_values()
    single, least = (str(totals.index[0]), float(totals.iloc[0])) if len(totals) else ("-", np.nan)
    total, below = float(own.sum()), float(virtual.sum())
    return int(possible.sum()), missed, total, below, _interval(own, virtual), single, least / below


def _interval(above: NDArray[np.float64], below: NDArray[np.float64], confidence: float = 0.95) -> Interval:
    """A ratio of sums with its percentile bootstrap interval over instances."""
    count = len(above)
    if count < 2:
        return Interval(float(above.sum() / below.sum()), np.nan, np.nan)
    drawn = np.random.default_rng(0).integers(0, count, (RESAMPLES, count))
    ratios = above[drawn].sum(axis=1) / below[drawn].sum(axis=1)
    low, high = np.quantile(ratios, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(above.sum() / below.sum()), float(low), float(high))
