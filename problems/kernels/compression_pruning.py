"""Which spans a compression of at least a given rewarded score can have: max-marginals of `compression_relaxed`, O(n^3).

A span's max-marginal is the best rewarded score of any compression that has it, its own best plus the best of what is
around it. Compressions of exactly L words have their score plus a constant here, so a span below a known one's is useless.

What is around a span is known once all spans that it can be a part of have passed theirs on: by growing left end and
falling right end. A table that is raised for many right ends at once is kept by left end, one that is raised for many left ends
by right end (`turned`), so that all runs lie side by side in memory; where both happen, there are two, and the better counts.
"""

from __future__ import annotations

import numpy as np

from .cache import inner, kernel
from .rows import raise_run


@inner
def turn(table, side):
    """The same flat table by right and then left end."""
    turned = np.empty(side * side)
    for i in range(side):
        for j in range(side):
            turned[j * side + i] = table[i * side + j]
    return turned


@kernel
def max_marginals(arcs, bigrams, right, left, rightward, leftward, around_right, around_left, around_arc):
    """From the tables that `best_rewarded` left.

    `around_right[i, j]` and `around_left[i, j]` are the max-marginals of spans, `around_arc[h, m]` those of arcs between words.
    """
    n = len(arcs) - 1
    side = n + 2
    lowest = np.full(side * side, -np.inf)
    right_at, right_turned = lowest.copy(), lowest.copy()
    left_at, left_turned = lowest.copy(), lowest.copy()
    arc_right, arc_left_turned = lowest.copy(), lowest.copy()
    turned_right, turned_left, turned_leftward = turn(right, side), turn(left, side), turn(leftward, side)
    around_right[:] = -np.inf
    around_left[:] = -np.inf
    around_arc[:] = -np.inf
    for m in range(1, n + 1):
        for f in range(1, m + 1):
            base = bigrams[0, f] + arcs[0, m]
            left_at[f * side + m] = base + right[m * side + n]
            right_at[m * side + n] = max(right_at[m * side + n], base + left[f * side + m])
    for i in range(1, n + 1):
        row = i * side
        for j in range(n, i - 1, -1):
            column = j * side
            outer = max(right_at[row + j], right_turned[column + i])
            around_right[i, j] = outer + right[row + j]
            raise_run(arc_right, row + i + 1, turned_right, column + i + 1, j - i, outer)
            raise_run(right_turned, column + i + 1, rightward, row + i + 1, j - i, outer)
            outer = max(left_at[row + j], left_turned[column + i])
            around_left[i, j] = outer + left[row + j]
            if i == j:
                continue
            raise_run(arc_left_turned, column + i, left, row + i, j - i, outer)
            raise_run(left_at, row + i, turned_leftward, column + i, j - i, outer)
            around_arc[i, j] = arc_right[row + j] + rightward[row + j]
            around_arc[j, i] = arc_left_turned[column + i] + leftward[row + j]
            outer = max(arc_right[row + j] + arcs[i, j], arc_left_turned[column + i] + arcs[j, i])
            raise_run(right_at, row + i, turned_left, column + i + 1, j - i, outer)
            raise_run(left_turned, column + i + 1, right, row + i, j - i, outer)
