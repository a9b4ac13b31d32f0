"""Which spans a compression of at least a given rewarded score can have: max-marginals of `compression_relaxed`, O(n^3).

A span's max-marginal is the best rewarded score of any compression that has it, its own best plus the best of what is
around it. Compressions of exactly L words have their score plus a constant here, so a span below a known one's is useless.
"""

from __future__ import annotations

import numpy as np

from .cache import kernel


@kernel
def max_marginals(arcs, bigrams, right, left, inside, around_right, around_left, around_arc):
    """Turns the tables that `best_rewarded` left into max-marginals.

    `around_right[i, j]` and `around_left[i, j]` are those of spans, `around_arc[h, m]` those of arcs between words.
    """
    n = len(arcs) - 1
    around_right[:] = -np.inf
    around_left[:] = -np.inf
    around_arc[:] = -np.inf
    for m in range(1, n + 1):
        for f in range(1, m + 1):
            base = bigrams[0, f] + arcs[0, m]
            around_left[f, m] = max(around_left[f, m], base + right[m, n])
            around_right[m, n] = max(around_right[m, n], base + left[m, f])
    for width in range(n - 1, -1, -1):
        for i in range(1, n + 1 - width):
            j = i + width
            outer = around_right[i, j]
            for r in range(i + 1, j + 1):
                around_arc[i, r] = max(around_arc[i, r], outer + right[r, j])
                around_right[r, j] = max(around_right[r, j], outer + inside[i, r])
            if width == 0:
                continue
            outer = around_left[i, j]
            for r in range(i, j):
                around_arc[j, r] = max(around_arc[j, r], outer + left[r, i])
                around_left[i, r] = max(around_left[i, r], outer + inside[j, r])
            outer = max(around_arc[i, j] + arcs[i, j], around_arc[j, i] + arcs[j, i])
            for s in range(i, j):
                around_right[i, s] = max(around_right[i, s], outer + left[j, s + 1])
                around_left[s + 1, j] = max(around_left[s + 1, j], outer + right[i, s])
    for i in range(1, n + 1):
        for j in range(i, n + 1):
            around_right[i, j] += right[i, j]
            around_left[i, j] += left[j, i]
            if i < j:
                around_arc[i, j] += inside[i, j]
                around_arc[j, i] += inside[j, i]
