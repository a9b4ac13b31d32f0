"""The one protocol by which regularization constants are chosen, for every system and corpus.

A constant is worth the mean ROUGE-2 of development topics. The grid starts with three constants, a decade apart, and gets another
decade wherever its best constant is at an end. Constants within one standard error of the best (of the paired differences over
topics) cannot be told from it: of these the one nearest to the default is taken, the stronger one of two. So small development
sets do not scatter the constants over the whole grid.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from problems.linear_program import Floats

GRID = (1.0, 10.0, 100.0)  # where the search starts
DEFAULT = 10.0
LOWEST, HIGHEST = 1e-3, 1e5  # the grid gets no wider than this

Scores = Callable[[float], Sequence[float]]  # of a constant: one score per development topic


class Chosen(NamedTuple):
    """A constant, the mean score of every constant that was tried, and whether the best one is still at an end of the grid."""

    constant: float
    means: dict[float, float]
    at_end: bool


def choose(scores: Scores, grid: Sequence[float] = GRID) -> Chosen:
    """The constant that development topics ask for. A grid of one constant leaves nothing to choose."""
    if len(grid) == 1:
        return Chosen(grid[0], {}, False)
    found = {constant: np.asarray(scores(constant), dtype=np.float64) for constant in sorted(grid)}
    while (more := beyond(found)) is not None:
        found[more] = np.asarray(scores(more), dtype=np.float64)
    means = {constant: float(values.mean()) for constant, values in sorted(found.items())}
    best = best_constant(means)
    return Chosen(nearest_to_default(found, best), means, best in (min(means), max(means)))


def beyond(found: Mapping[float, Floats]) -> float | None:
    """The constant to try next: a decade beyond the end of the grid that the best one is at."""
    best = best_constant({constant: float(values.mean()) for constant, values in found.items()})
    if best == max(found) and best < 0.99 * HIGHEST:
        return float(f"{10 * best:g}")
    if best == min(found) and best > 1.01 * LOWEST:
        return float(f"{best / 10:g}")
    return None


def best_constant(means: Mapping[float, float]) -> float:
    """The constant with the best mean; the strongest among equals."""
    return max(constant for constant, value in means.items() if value == max(means.values()))


def nearest_to_default(found: Mapping[float, Floats], best: float) -> float:
    """Of the constants within one standard error of the best, the nearest to the default; the stronger of two."""
    equal = [constant for constant, values in found.items() if _within_an_error(found[best] - values)]
    return min(equal, key=lambda constant: (round(abs(math.log(constant / DEFAULT)), 9), -constant))


def _within_an_error(losses: Floats) -> bool:
    """Is the mean of paired losses no more than its standard error? One topic has none."""
    if len(losses) < 2:
        return not losses.any()
    return bool(losses.mean() <= losses.std(ddof=1) / math.sqrt(len(losses)))
