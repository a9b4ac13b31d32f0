"""One row per label: the numbers that tables and reports show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from ...experiments.presentation import named_by, ratio_name
from ...records.fields import STATUSES
from .cells import best_known, reduce_cells, tried
from .progress import primal_gap, progress_table
from .ratios import SHARE, Race, Target, count_wins
from .values import SHIFT, mean, median, median_interval, par10, shifted_geometric_mean

COLUMNS = (
    *("cells", "target", "reached", *STATUSES, "wrong", "limited", "charged", "untimed"),
    *("mean", "median", "median_low", "median_high", "sgm", "par10", "wins"),
    *("share", "scored", "gap", "integral", "memory", "build", "solve", "round", "within", "ttt", "primal"),
)


def summary(
    records: pd.DataFrame,
    time: str = "cpu",
    baselines: Sequence[str] = (),
    target: Target | Literal["auto"] = "auto",
    shift: float = SHIFT,
) -> pd.DataFrame:
    """A frame indexed by label, in the order of the records, with `COLUMNS`, the ratios, and the means of all `metrics.*`.

    The records should be of one task and one size: no number of it means anything otherwise.

    - Counts are of cells, one per instance, repetitions reduced by `reduce_cells`. `wrong`: ended, but the audit found something
      (then no status is believed); pass records through `bench.analysis.audit.with_audit` first, so that contradictions between
      solvers count. `reached`: cells with an answer as good as `target` (`Race.common_target`); it also decides `par10` and `wins`.
    - `mean`, `median` (with a 95 % bootstrap interval), `sgm` are of run times, whatever the answer; the `charged` cells
      did not end by themselves and count as their limit (`limited`: those that kept the limit and have an answer); cells
      whose only times cannot be are in none of them (`untimed`: cells with such a time), nor are skipped ones. They are NaN
      where no cell ended.
      `par10`: cells that do not reach the target count 10 limits; NaN where none was tried.
    - `ratio_name(pattern)` for each baseline, and for "*", all other solvers: the `SpeedUp` over the fastest of them on each
      instance; None where there is no ratio among equals, NaN where there is nobody to compare with.
    - `share`: mean of the objective in % of the best known (100 - 100 x Berthold's primal gap) over the `scored` cells
      that have one; `gap`: mean of the solver's own gap; `integral`: % of integral relaxations where that is known;
      `memory`: largest peak in MB; `build`, `solve`, `round`: means of what the solver said, over cells that ended.
    - `ttt`: median time until an answer was `within` this share of the best known, infinity where most never were; `primal`: mean
      primal integral until the limit. Both are of traced repetitions, or of the end of a solver that cannot trace; NaN where nothing
      was traced.
    """
    cells, best = reduce_cells(records, time), best_known(records)
    race = Race(cells, best)
    labels = [str(label) for label in dict.fromkeys(records["label"])]
    counted_by = race.common_target(target)
    within = float(target) if isinstance(target, (int, float)) else SHARE
    cells["reached"] = race.reached(counted_by)
    cells["share"] = [
        100 * (1 - primal_gap(value, best.get(digest, np.nan))) if value == value else np.nan
        for value, digest in zip(cells["objective"], cells["instance_digest"], strict=True)
    ]
    wins = count_wins(race.times(counted_by)).wins
    progress = _progress(records, cells, within)
    metrics = [str(name) for name in cells.columns if str(name).startswith("metrics.")]
    rows: dict[str, Any] = {}
    ratios: dict[str, list[Any]] = {ratio_name(pattern): [] for pattern in (*baselines, "*")}
    for label in labels:
        own = cells[cells["label"] == label]
        row: dict[str, Any] = {"cells": len(own), "target": counted_by, "reached": int(own["reached"].sum())}
        wrong = own["finished"].astype(bool) & ~own["audit"].isin(["ok", ""])
        row |= {status: int(((own["status"] == status) & ~wrong).sum()) for status in STATUSES}
        row["wrong"], row["limited"] = int(wrong.sum()), int(own["limited"].sum())
        row["untimed"] = int((own["untimed"] != "").sum())
        row |= _times(own, shift)
        row["wins"] = float(wins.get(label, 0.0))
        row["scored"] = int(own["share"].notna().sum())
        row |= {name: mean(own[name]) for name in ("share", "gap", "build", "solve", "round", *metrics)}
        row["integral"] = 100 * mean(own["integral"])
        row["memory"] = float(own["memory"].max()) if own["memory"].notna().any() else np.nan
        rows[label] = row | {"within": within} | progress.get(label, {})
        for pattern in (*baselines, "*"):
            alone = label not in race.solvers or not {*named_by(pattern, race.solvers)} - {label}
            ratios[ratio_name(pattern)].append(np.nan if alone else race.speed_up(label, pattern, target))
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=[*COLUMNS, *metrics])
    frame.index.name = "label"
    return frame.assign(**{name: pd.Series(found, labels, dtype=object) for name, found in ratios.items()})


def _progress(records: pd.DataFrame, cells: pd.DataFrame, within: float) -> dict[str, dict[str, float]]:
    """By label what its traces say, or its end where it cannot trace; nothing where no cell of the run was traced."""
    if not records["traced"].any():
        return {}
    table = progress_table(records, within, cells=cells)
    return {
        str(label): {"ttt": median(own["time_to_target"]), "primal": mean(own["primal_integral"])}
        for label, own in table.groupby("label")
    }


def _times(own: pd.DataFrame, shift: float) -> dict[str, Any]:
    own = own[~((own["untimed"] != "") & own["ended"].astype(bool) & own["seconds"].isna())]
    own = tried(own)
    row: dict[str, Any] = {"par10": par10(own["runtime"], own["reached"], own["limit"])}
    ended = own["ended"].astype(bool)
    row["charged"] = int((~ended).sum())
    runtimes = own["runtime"]
    if not ended.any() or runtimes.isna().any():  # nothing to average, or a failed cell whose limit nobody knows
        runtimes = runtimes.iloc[:0]
    row["mean"], row["sgm"] = mean(runtimes), shifted_geometric_mean(runtimes, shift)
    middle = median_interval(runtimes)
    return row | {"median": middle.value, "median_low": middle.low, "median_high": middle.high}
