"""One row per label: the numbers that tables and reports show."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Literal

import numpy as np
import pandas as pd

from problems.errors import InputError, nearest

from ...records.fields import STATUSES
from .cells import best_known, reduce_cells, solved_cells, time_table
from .progress import primal_gap
from .races import TIE, count_wins, virtual_best
from .values import NOTHING, SHIFT, Interval, mean, median_interval, par10, ratio_interval, shifted_geometric_mean

COLUMNS = (
    *("cells", "solved", *STATUSES, "wrong", "limited", "charged", "untimed"),
    *("mean", "median", "median_low", "median_high", "sgm", "par10", "wins"),
    *("ratio_baseline", "ratio_baseline_low", "ratio_baseline_high", "ratio_baseline_pairs"),
    *("ratio_best", "ratio_best_low", "ratio_best_high", "ratio_best_pairs"),
    *("share", "scored", "gap", "integral", "memory", "build", "solve", "round"),
)


def summary(
    records: pd.DataFrame,
    time: str = "cpu",
    baseline: str | None = None,
    solved: Collection[str] | None = None,
    failed: Literal["any", "all"] = "any",
    shift: float = SHIFT,
    tie: float = TIE,
    seed: int = 0,
) -> pd.DataFrame:
    """A frame indexed by label, in the order of the records, with `COLUMNS` and the means of all `metrics.*`.

    - Counts are of cells, one per instance, repetitions reduced by `reduce_cells`. `wrong`: ended, but the audit found something
      (then no status is believed); pass records through `bench.analysis.audit.with_audit` first, so that contradictions between solvers count. `solved`: valid
      answers, or those with a status in `solved` (`{"optimal"}` to compare exact solvers); it also decides `par10`,
      `wins` and both ratios.
    - `mean`, `median` (with a 95 % bootstrap interval), `sgm` are of run times, whatever the answer; the `charged` cells
      did not end by themselves and count as their limit (`limited`: those that kept the limit and have an answer); cells
      whose only times cannot be are in none of them (`untimed`: cells with such a time). They are NaN where no cell ended. `par10`: unsolved cells count 10 limits.
    - `ratio_baseline`: own time / the baseline's, median over instances (2: twice as slow). `ratio_best`: own time / that of
      the fastest *other* solver of each instance. An unsolved cell counts as its limit; where both are unsolved, or one
      was skipped, the instance is left out; `_pairs` says how many were left.
    - `share`: mean of the objective in % of the best known (100 - 100 x Berthold's primal gap) over the `scored` cells
      that have one; `gap`: mean of the solver's own gap; `integral`: % of integral relaxations where that is known;
      `memory`: largest peak in MB; `build`, `solve`, `round`: means of what the solver said, over cells that ended.
    """
    labels = [str(label) for label in dict.fromkeys(records["label"])]
    if baseline and baseline not in labels:
        raise InputError(f"unknown baseline {baseline!r}: {nearest(baseline, labels)}")
    cells = reduce_cells(records, time, failed)
    cells["is_solved"] = solved_cells(cells, solved)
    best = best_known(records)
    cells["share"] = [
        100 * (1 - primal_gap(value, best.get(digest, np.nan))) if value == value else np.nan
        for value, digest in zip(cells["objective"], cells["instance_digest"], strict=True)
    ]
    table = time_table(cells, solved)
    tried = time_table(cells[cells["status"] != "skipped"], solved).reindex(index=table.index)
    limits = cells.groupby("instance_digest")["limit"].max()
    wins = count_wins(table, tie).wins
    metrics = [str(name) for name in cells.columns if str(name).startswith("metrics.")]
    rows = {}
    for label in labels:
        own = cells[cells["label"] == label]
        row: dict[str, Any] = {"cells": len(own), "solved": int(own["is_solved"].sum())}
        wrong = own["finished"].astype(bool) & ~own["audit"].isin(["ok", ""])
        row |= {status: int(((own["status"] == status) & ~wrong).sum()) for status in STATUSES}
        row["wrong"], row["limited"] = int(wrong.sum()), int(own["limited"].sum())
        row["untimed"] = int((own["untimed"] != "").sum())
        row |= _times(own, shift, seed)
        row["wins"] = float(wins.get(label, 0.0))
        if label in tried.columns:
            against = tried[baseline] if baseline in tried.columns and baseline != label else None
            row |= _ratio("ratio_baseline", tried[label], against, limits, seed)
            others = virtual_best(tried, without=label) if len(tried.columns) > 1 else None
            row |= _ratio("ratio_best", tried[label], others, limits, seed)
        elif label in table.columns:  # skipped everywhere
            row |= {"ratio_baseline_pairs": 0, "ratio_best_pairs": 0}
        row["scored"] = int(own["share"].notna().sum())
        row |= {name: mean(own[name]) for name in ("share", "gap", "build", "solve", "round", *metrics)}
        row["integral"] = 100 * mean(own["integral"])
        row["memory"] = float(own["memory"].max()) if own["memory"].notna().any() else np.nan
        rows[label] = row
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=[*COLUMNS, *metrics])
    frame.index.name = "label"
    return frame


def _times(own: pd.DataFrame, shift: float, seed: int) -> dict[str, Any]:
    own = own[~((own["untimed"] != "") & own["ended"].astype(bool) & own["seconds"].isna())]
    ended = own["ended"].astype(bool)
    charged = int((~ended).sum())
    row: dict[str, Any] = {"charged": charged, "par10": par10(own["seconds"], own["is_solved"], own["limit"])}
    runtimes = own["runtime"]
    if not ended.any() or runtimes.isna().any():  # nothing to average, or a failed cell whose limit nobody knows
        runtimes = runtimes.iloc[:0]
    row["mean"], row["sgm"] = mean(runtimes), shifted_geometric_mean(runtimes, shift)
    return row | _named("median", median_interval(runtimes, seed=seed))


def _ratio(name: str, own: pd.Series, other: pd.Series | None, limits: pd.Series, seed: int) -> dict[str, Any]:
    """Paired ratios of two columns of a time table, where infinity counts as the instance's limit."""
    if other is None:
        return _named(name, NOTHING) | {f"{name}_pairs": 0}
    usable = own.notna() & other.notna() & (np.isfinite(own) | np.isfinite(other))
    own, other, limit = own[usable], other[usable], limits.reindex(own.index)[usable]
    above, below = own.where(np.isfinite(own), limit), other.where(np.isfinite(other), limit)
    pairs = int((above.notna() & below.notna()).sum())
    return _named(name, ratio_interval(above, below, seed=seed)) | {f"{name}_pairs": pairs}


def _named(name: str, interval: Interval) -> dict[str, Any]:
    return {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}
