"""Speed-ups among equals: how many times faster one solver reaches a quality that the other reaches as well.

A quality is a target: "optimal" (a proof of optimality), a share such as 0.01 (an answer within 1 % of the best known objective), or
"any" (a valid answer, whatever it is worth). A solver's time to a target is when it ended with such an answer. A solver that ends
with less has no time for the target, however quick it was, and then there is no ratio.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from ...experiments.presentation import named_by
from .progress import worth_within
from .values import Interval, ratio_interval

Target = Literal["optimal", "any"] | float
TARGETS: tuple[Target, ...] = ("optimal", 0.001, 0.01)
"""What "auto" chooses from, the strictest first."""
SHARE = 0.01
"""The target of what needs a share and was given none."""


class SpeedUp(NamedTuple):
    """The other's time over the solver's own, median over instances (2: twice as fast), with its interval."""

    times: Interval
    target: Target
    pairs: int  # instances that it is the median of
    charged: int  # of these: where the time limit stopped one of the two, which counts as its time


class _Fastest(NamedTuple):
    """Of some labels, for each instance on which anybody reached the target."""

    seconds: pd.Series  # NaN where there is no time
    charged: pd.Series  # the time is a limit that the target was not reached within
    missed: pd.Series  # there is no time because they ended with less than the target
    failed: pd.Series  # or because they have no valid answer, although no time limit stopped them


class Race:
    """Who reaches which target, and when. The reduced cells (`reduce_cells`) should be of one size."""

    def __init__(self, cells: pd.DataFrame, best: Mapping[str, float]) -> None:
        self.cells = cells
        self.solvers = {str(label): str(name) for label, name in zip(cells["label"], cells["solver"], strict=True)}
        self._best = cells["instance_digest"].map(best).astype(float)
        self._tables: dict[Target, dict[str, pd.DataFrame]] = {}

    def reached(self, target: Target) -> pd.Series:
        """Which cells have a valid answer as good as the target; that a problem has no solution is an answer, too."""
        status, good = self.cells["status"], self.cells["status"].isin(["optimal", "feasible"])
        if target == "optimal":
            good = status == "optimal"
        elif target != "any":
            good = (status == "optimal") | (self.cells["objective"] >= worth_within(self._best, float(target)))
        return self.cells["answered"].astype(bool) & (good | (status == "infeasible"))

    def times(self, target: Target) -> pd.DataFrame:
        """Instances by labels: seconds to the target, infinity where it was not reached, NaN where there is no such cell."""
        seconds = self.cells["runtime"].where(self.reached(target), np.inf)
        table = self.cells.assign(seconds=seconds).pivot(index="instance_digest", columns="label", values="seconds")
        instances = list(dict.fromkeys(self.cells["instance_digest"]))
        return table.reindex(index=instances, columns=list(self.solvers))

    def common_target(self, target: Target | Literal["auto"] = "auto") -> Target:
        """The target that all solvers are counted by: "auto" is the strictest that somebody reaches on most instances."""
        if target != "auto":
            return target
        digests = self.cells["instance_digest"]
        for candidate in TARGETS:
            if 2 * digests[self.reached(candidate)].nunique() > digests.nunique():
                return candidate
        return "any"

    def speed_up(
        self,
        own: str,
        other: str,
        target: Target | Literal["auto"] = "auto",
        everywhere: bool = True,
        seed: int = 0,
    ) -> SpeedUp | None:
        """How many times faster `own` reaches the target than `other`: labels, or patterns (the fastest on each instance).

        Both have to reach the target wherever they ended and anybody reached it, and `own` at least once; "auto" takes the
        strictest of `TARGETS` of which this is true. Where the time limit stopped one of the two, the limit is its time, which
        charges it with too little. Instances that one of the two has not tried, or that `other` failed on, are left out; `own` must
        not fail. Without `everywhere` all instances where one of the two missed the target are left out: whoever tells such a ratio tells
        how many are left (`pairs`). None where there is no ratio.
        """
        mine = named_by(own, self.solvers)
        others = [label for label in named_by(other, self.solvers) if label not in mine]
        if not mine or not others:
            return None
        for candidate in TARGETS if target == "auto" else (target,):
            ours, theirs = self._fastest(candidate, mine), self._fastest(candidate, others)
            usable = ours.seconds.notna() & theirs.seconds.notna() & ~(ours.charged & theirs.charged)
            unequal = everywhere and (ours.missed | ours.failed | theirs.missed).any()
            if unequal or not (usable & ~ours.charged).any():
                continue
            times = ratio_interval(theirs.seconds[usable], ours.seconds[usable], seed=seed)
            charged = (ours.charged | theirs.charged)[usable]
            return SpeedUp(times, candidate, int(usable.sum()), int(charged.sum()))
        return None

    def _fastest(self, target: Target, labels: Sequence[str]) -> _Fastest:
        tables = [self._table(target, name) for name in _Fastest._fields]
        reached = (tables[0].notna() & ~tables[1]).any(axis=1)
        seconds, charged, *without = (table.loc[reached, list(labels)] for table in tables)
        fastest = seconds.min(axis=1, skipna=True)
        real = seconds.where(~charged).min(axis=1, skipna=True)
        missed, failed = (fastest.isna() & why.any(axis=1) for why in without)
        return _Fastest(fastest, fastest.notna() & (real != fastest), missed, failed)

    def _table(self, target: Target, name: str) -> pd.DataFrame:
        """Instances by labels of one field of `_Fastest`."""
        if target not in self._tables:
            cells, there = self.cells, self.reached(target)
            answered = cells["answered"].astype(bool)
            charged = ~there & ((cells["status"] == "timeout") | (cells["limited"].astype(bool) & answered))
            facts = cells[["label", "instance_digest"]].assign(
                seconds=cells["runtime"].where(there | charged),
                charged=charged,
                missed=answered & ~there & ~charged,
                failed=~answered & ~charged & (cells["status"] != "skipped"),
            )
            whole: Any = facts.pivot(index="instance_digest", columns="label", values=list(_Fastest._fields))
            self._tables[target] = {
                field: whole[field].astype(float) if field == "seconds" else whole[field].eq(True)
                for field in _Fastest._fields
            }
        return self._tables[target][name]


def speed_up(
    cells: pd.DataFrame,
    best: Mapping[str, float],
    own: str,
    other: str,
    target: Target | Literal["auto"] = "auto",
    everywhere: bool = True,
    seed: int = 0,
) -> SpeedUp | None:
    """`Race.speed_up` of reduced cells, with the best known objective of each instance (`best_known`)."""
    return Race(cells, best).speed_up(own, other, target, everywhere, seed)
