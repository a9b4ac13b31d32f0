"""Solvers against each other, instance by instance: wins and performance profiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from .values import SHORTEST, Floats

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

    def at(self, ratio: float) -> float:
        """The share at a ratio; 0 below 1."""
        place = int(np.searchsorted(self.ratios, ratio, side="right"))
        return float(self.shares[place - 1]) if place else 0.0


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
