"""The best compression of exactly L words after a Lagrangian search: the fast exact program on what the bound leaves.

With the multiplier of the lowest bound g, a compression of L words worth v can only have spans whose max-marginal is at
least v. So the exact program runs with the spans within `margin` of g: if it finds a compression within the margin, that is
the optimum; if it finds one below, its score is the next margin, which is then enough; if none, the margin grows.
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


def best_of_length(
    arcs: Floats, bigrams: Floats, length: int, multiplier: float, unit: float, magnitude: float
) -> tuple[float, Integers, int]:
    """The optimum, its head vector (-1: deleted), and how often the exact program ran."""
    deletions = len(arcs) - 1 - length
    relaxation = Relaxation(arcs, bigrams, "fast")
    top = relaxation.maximize(multiplier)
    right, left, arc = relaxation.max_marginals()
    bound = top - multiplier * length
    margin, runs, enough = FIRST_MARGIN * unit, 0, False
    while True:
        least = top - margin - ROUNDING * (magnitude + abs(multiplier) * len(arcs))
        kept_arcs = np.where(arc >= least, arcs, -math.inf)
        kept_arcs[0] = arcs[0]
        tables = FastTables(kept_arcs, bigrams, deletions, length, (right >= least, left >= least))
        score = tables.decode(length)
        runs += 1
        if enough or score >= bound - margin:
            return score, tables.heads, runs
        enough = score > -math.inf
        margin = bound - score if enough else margin * GROWTH
