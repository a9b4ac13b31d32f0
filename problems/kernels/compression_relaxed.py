"""The best compression of any length, each kept word rewarded by a multiplier: O(n^3), the program of `compression_exact`
without counts.

`reward` is added to the score of every kept word. The result is the same as that of `compression_paper_relaxed`.
"""

from __future__ import annotations

import numpy as np

from .cache import kernel

RUN = -1


@kernel
def best_rewarded(arcs, bigrams, reward, right, left, inside, right_back, left_back, inside_back, heads):
    """The head of each word (-1 if deleted) of the best compression of at least one word; returns its rewarded score.

    The tables are workspace, (n + 2) x (n + 2); `left` is stored as [j, i] and `inside` both ways, so that what is combined
    lies side by side in memory.
    """
    n = len(arcs) - 1
    for i in range(1, n + 1):
        left[i, i] = 0.0
    for width in range(n):
        for i in range(1, n + 1 - width):
            j = i + width
            if width > 0:
                best = -np.inf
                split = i
                for s in range(i, j):
                    value = right[i, s] + left[j, s + 1]
                    if value > best:
                        best = value
                        split = s
                inside[i, j] = best + arcs[i, j]
                inside[j, i] = best + arcs[j, i]
                inside_back[i, j] = split
                best = -np.inf
                for r in range(i, j):
                    value = left[r, i] + inside[j, r]
                    if value > best:
                        best = value
                        split = r
                left[j, i] = best
                left_back[i, j] = split
            best = bigrams[i, j + 1] + reward
            split = RUN
            for r in range(i + 1, j + 1):
                value = inside[i, r] + right[r, j]
                if value > best:
                    best = value
                    split = r
            right[i, j] = best
            right_back[i, j] = split
    best = -np.inf
    first, root = 1, 1
    for m in range(1, n + 1):
        for f in range(1, m + 1):
            value = bigrams[0, f] + left[m, f] + right[m, n] + arcs[0, m]
            if value > best:
                best = value
                first, root = f, m
    for word in range(n + 1):
        heads[word] = -1
    heads[root] = 0
    stack = np.empty((2 * n + 4, 3), dtype=np.int64)  # kind of span (0 right, 1 left, 2 inside), i, j
    stack[0] = 1, first, root
    stack[1] = 0, root, n
    size = 2
    while size:
        size -= 1
        kind, i, j = stack[size]
        if kind == 0:
            r = right_back[i, j]
            if r == RUN:
                continue
            heads[r] = i
            stack[size] = 2, i, r
            stack[size + 1] = 0, r, j
        elif kind == 1:
            if i == j:
                continue
            r = left_back[i, j]
            heads[r] = j
            stack[size] = 1, i, r
            stack[size + 1] = 2, r, j
        else:
            s = inside_back[i, j]
            stack[size] = 0, i, s
            stack[size + 1] = 1, s + 1, j
        size += 2
    return best
