"""Speed-ups among equals: how many times faster one solver reaches a quality that the other reaches as well.

A quality is a target: "optimal" (a proof of optimality), a share such as 0.01 (an answer within 1 % of the best known objective), or
"any" (a valid answer, whatever it is worth). A solver's time to a target is when it ended with such an answer. A solver that ends
with less has no time for the target, however quick it was, and then there is no ratio.

Wins and performance profiles are of such times as well, instance by instance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from ...experiments.presentation import named_by
from .progress import worth_within
from .values import SHORTEST, Floats, Interval, ratio_interval

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
        self, own: str, other: str, target: Target | Literal["auto"] = "auto", everywhere: bool = True
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
            times = ratio_interval(theirs.seconds[usable], ours.seconds[usable])
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
) -> SpeedUp | None:
    """`Race.speed_up` of reduced cells, with the best known objective of each instance (`best_known`)."""
    return Race(cells, best).speed_up(own, other, target, everywhere)


TIE = 0.01
"""Times within this fraction of the fastest are a tie."""


class Wins(NamedTuple):
    """How often each label was the fastest; k labels that tie have 1/k of a win each."""

    wins: pd.Series
    ties: int
    instances: int
    unsolved: int


def complete(table: pd.DataFrame) -> pd.DataFrame:
    """The instances for which every label has a cell: a solver that has not run yet has not lost."""
    return table[table.notna().all(axis=1)]


def count_wins(table: pd.DataFrame, tie: float = TIE) -> Wins:
    """Wins from a table of times (infinity: unsolved). Only instances that every label has tried count."""
    shared = complete(table)
    times = shared.to_numpy(dtype=np.float64)
    wins, ties, unsolved = np.zeros(len(table.columns)), 0, 0
    for row in times:
        fastest = row.min() if len(row) else np.inf
        if fastest == np.inf:
            unsolved += 1
            continue
        winners = row <= max(fastest, SHORTEST) * (1 + tie)
        wins[winners] += 1 / winners.sum()
        ties += int(winners.sum() > 1)
    return Wins(pd.Series(wins, index=table.columns, name="wins"), ties, len(shared), unsolved)


@dataclass(frozen=True)
class Profile:
    """A step function: the share of instances solved within `ratio` times the time of the fastest solver."""

    label: str
    ratios: Floats  # rising, where it steps; the first is 1
    shares: Floats  # from that ratio on
    instances: int


def performance_profiles(table: pd.DataFrame) -> list[Profile]:
    """Dolan & More (2002) from a table of times (infinity: unsolved), over the instances that every label has tried.

    Instances that nobody solved stay in the denominator, so that a profile ends at the share of solved instances.
    """
    shared = complete(table)
    times = np.maximum(shared.to_numpy(dtype=np.float64), SHORTEST)
    count = len(times)
    fastest = times.min(axis=1) if times.size else np.empty(0)
    profiles = []
    for column, label in enumerate(table.columns):
        finite = np.isfinite(times[:, column])
        ratios = np.sort(times[finite, column] / fastest[finite])
        steps, counts = np.unique(np.concatenate([[1.0], ratios]), return_counts=True)
        counts[0] -= 1  # the step at 1 is there for every profile
        shares = np.cumsum(counts) / count if count else np.zeros(len(steps))
        profiles.append(Profile(str(label), steps, shares, count))
    return profiles
