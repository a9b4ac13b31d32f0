"""The best compression of any length, each kept word rewarded by a multiplier: O(n^3), the program of `compression_exact`
without counts.

`reward` is added to the score of every kept word. The result is the same as that of `compression_paper_relaxed`.

Tables are flat, (n + 2) x (n + 2), by the left and then the right end of a span. Spans are finished by falling left end
and growing right end; a finished one raises a whole run of those that it is a part of, which lie side by side in memory.
There are no back-pointers: the few choices that a compression needs are searched again.
"""

from __future__ import annotations

import numpy as np

from .cache import kernel
from .rows import raise_run
from .stacks import put3

RUN = -1
RIGHT, LEFT, INSIDE = 0, 1, 2  # kinds of spans


@kernel
def best_rewarded(arcs, bigrams, reward, right, left, rightward, leftward, heads):
    """The head of each word (-1 if deleted) of the best compression of at least one word; returns its rewarded score.

    The tables are workspace: right and left halves as in `compression_exact`, and what lies inside an arc with the arc to
    the right or to the left.
    """
    n = len(arcs) - 1
    side = n + 2
    for i in range(n, 0, -1):
        row = i * side
        for j in range(i, n + 1):
            right[row + j] = bigrams[i, j + 1] + reward
            left[row + j] = -np.inf
            rightward[row + j] = -np.inf  # without the arc until its turn comes
        left[row + i] = 0.0
        for j in range(i, n + 1):
            if j > i:
                best = rightward[row + j]
                rightward[row + j] = best + arcs[i, j]
                leftward[row + j] = best + arcs[j, i]
                left[row + j] = max(left[row + j], leftward[row + j])
                raise_run(left, row + j + 1, leftward, j * side + j + 1, n - j, left[row + j])
                raise_run(right, row + j, right, j * side + j, n - j + 1, rightward[row + j])
            raise_run(rightward, row + j + 1, left, (j + 1) * side + j + 1, n - j, right[row + j])
    best = -np.inf
    first, root = 1, 1
    for m in range(1, n + 1):
        for f in range(1, m + 1):
            value = bigrams[0, f] + left[f * side + m] + right[m * side + n] + arcs[0, m]
            if value > best:
                best = value
                first, root = f, m
    for word in range(n + 1):
        heads[word] = -1
    heads[root] = 0
    stack = np.empty((2 * n + 4, 3), dtype=np.int64)  # kind of span, i, j
    put3(stack, 0, LEFT, first, root)
    put3(stack, 1, RIGHT, root, n)
    size = 2
    while size:
        size -= 1
        kind = stack[size, 0]
        i = stack[size, 1]
        j = stack[size, 2]
        row = i * side
        highest = -np.inf
        split = RUN
        if kind == RIGHT:
            highest = bigrams[i, j + 1] + reward
            for r in range(i + 1, j + 1):
                value = rightward[row + r] + right[r * side + j]
                if value > highest:
                    highest = value
                    split = r
            if split == RUN:
                continue
            heads[split] = i
            put3(stack, size, INSIDE, i, split)
            put3(stack, size + 1, RIGHT, split, j)
        elif kind == LEFT:
            if i == j:
                continue
            for r in range(i, j):
                value = left[row + r] + leftward[r * side + j]
                if value > highest:
                    highest = value
                    split = r
            heads[split] = j
            put3(stack, size, LEFT, i, split)
            put3(stack, size + 1, INSIDE, split, j)
        else:
            for s in range(i, j):
                value = right[row + s] + left[(s + 1) * side + j]
                if value > highest:
                    highest = value
                    split = s
            put3(stack, size, RIGHT, i, split)
            put3(stack, size + 1, LEFT, split + 1, j)
        size += 2
    return best
