"""The best compression of exactly L words after a Lagrangian search: the fast exact program on what the bound leaves.

With the multiplier of the lowest bound g, a compression of L words worth v can only have spans whose max-marginal is at
least v. So the exact program runs with the spans within `margin` of g: if it finds a compression within the margin, that is
the optimum; if it finds one below, its score is the next margin, which is then enough; if none, the margin grows. With no
margin at all it searches the face of maximizers: where scores tie, that may hold L words although no maximizer that the
search happened to meet does.
"""

from __future__ import annotations

import math

import numpy as np

from .compression import Floats, Integers
from .relaxation import Relaxation
from .tables import FastTables

FIRST_MARGIN = 0.5  # in mean absolute token scores
GROWTH = 8.0
ROUNDING = 1e-11  # relative to the sum of all absolute scores


def rounding_error(magnitude: float, multiplier: float, words: int) -> float:
    """Differences of bounds up to this mean nothing."""
    return ROUNDING * (magnitude + abs(multiplier) * words)


class Remaining:
    """What a multiplier's bound leaves of a sentence: the exact program on the spans within a margin of the maximum."""

    def __init__(self, arcs: Floats, bigrams: Floats, length: int, multiplier: float, magnitude: float) -> None:
        self.arcs, self.bigrams, self.length = arcs, bigrams, length
        relaxation = Relaxation(arcs, bigrams, "fast")
        self.top = relaxation.maximize(multiplier)
        self.right, self.left, self.arc = relaxation.max_marginals()
        self.bound = self.top - multiplier * length
        self.slack = rounding_error(magnitude, multiplier, len(arcs))

    def best(self, margin: float) -> tuple[float, Integers]:
        """The best compression of L words made of such spans, and its head vector; minus infinity where there is none."""
        least = self.top - margin - self.slack
        kept_arcs = np.where(self.arc >= least, self.arcs, -math.inf)
        kept_arcs[0] = self.arcs[0]
        deletions = len(self.arcs) - 1 - self.length
        tables = FastTables(kept_arcs, self.bigrams, deletions, self.length, (self.right >= least, self.left >= least))
        return tables.decode(self.length), tables.heads


def best_of_length(
    arcs: Floats, bigrams: Floats, length: int, multiplier: float, unit: float, magnitude: float
) -> tuple[float, Integers, int]:
    """The optimum, its head vector (-1: deleted), and how often the exact program ran."""
    remaining = Remaining(arcs, bigrams, length, multiplier, magnitude)
    margin, runs, enough = FIRST_MARGIN * unit, 0, False
    while True:
        score, heads = remaining.best(margin)
        runs += 1
        if enough or score >= remaining.bound - margin:
            return score, heads, runs
        enough = score > -math.inf
        margin = remaining.bound - score if enough else margin * GROWTH


def best_on_face(
    arcs: Floats, bigrams: Floats, length: int, multiplier: float, magnitude: float
) -> tuple[float, Integers, int] | None:
    """A compression of L words that is a maximizer at this multiplier, hence optimal, as above; None where there is none."""
    remaining = Remaining(arcs, bigrams, length, multiplier, magnitude)
    score, heads = remaining.best(0.0)
    return (score, heads, 1) if score >= remaining.bound - remaining.slack else None
