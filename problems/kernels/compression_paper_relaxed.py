"""The relaxed algorithm of Qian & Liu (2014), section 3.3: `compression_paper` without counts, O(n^4) time, O(n^3) space.

Without k, a virtual arc over (i, i + 1) would look like a real one and a chain of deleted words like any complete span, so
they stay items of their own: the chain is the complete span with p = i, which is all that Case 3 may extend.
`reward`, the multiplier, is added to the score of every kept word (by the arc that it hangs from).
"""

from __future__ import annotations

import numpy as np

from .cache import kernel
from .stacks import put4

CHAIN = -1


@kernel
def best_rewarded_paper(arcs, bigrams, reward, complete, left, inside, complete_back, left_back, inside_back, heads):
    """The head of each word (-1 if deleted) of the best compression of at least one word; returns its rewarded score.

    `complete` and `complete_back` are (n + 2) x (n + 2) x (n + 2), the other tables (n + 2) x (n + 2).
    """
    n = len(arcs) - 1
    for i in range(1, n + 1):
        left[i, i] = 0.0
    for width in range(n):
        for i in range(1, n + 1 - width):
            j = i + width
            if width > 0:
                best = -np.inf
                code = 0
                for r in range(i, j):  # Case 2'
                    for p in range(i, r + 1):
                        value = complete[i, r, p] + left[r + 1, j] + bigrams[p, r + 1]
                        if value > best:
                            best = value
                            code = r * (n + 2) + p
                inside[i, j] = best + arcs[i, j] + reward
                inside[j, i] = best + arcs[j, i] + reward
                inside_back[i, j] = code
                best = -np.inf
                for r in range(i, j):  # Case 4', right-headed
                    value = left[i, r] + inside[j, r]
                    if value > best:
                        best = value
                        code = r
                left[i, j] = best
                left_back[i, j] = code
            complete[i, j, i] = 0.0  # Cases 1 and 3
            complete_back[i, j, i] = CHAIN
            for q in range(i + 1, j + 1):
                complete[i, j, q] = -np.inf
            for r in range(i + 1, j + 1):  # Case 4', left-headed
                for q in range(r, j + 1):
                    value = inside[i, r] + complete[r, j, q]
                    if value > complete[i, j, q]:
                        complete[i, j, q] = value
                        complete_back[i, j, q] = r
    best = -np.inf
    first, root, last = 1, 1, 1
    for m in range(1, n + 1):
        for f in range(1, m + 1):
            for q in range(m, n + 1):
                value = bigrams[0, f] + left[f, m] + complete[m, n, q] + bigrams[q, n + 1] + arcs[0, m] + reward
                if value > best:
                    best = value
                    first, root, last = f, m, q
    for word in range(n + 1):
        heads[word] = -1
    heads[root] = 0
    stack = np.empty((2 * n + 4, 4), dtype=np.int64)  # kind (0 left-headed, 1 right-headed, 2 inside), i, j, p
    put4(stack, 0, 1, first, root, root)
    put4(stack, 1, 0, root, n, last)
    size = 2
    while size:
        size -= 1
        kind = stack[size, 0]
        i = stack[size, 1]
        j = stack[size, 2]
        p = stack[size, 3]
        if kind == 0:
            r = complete_back[i, j, p]
            if r == CHAIN:
                continue
            heads[r] = i
            put4(stack, size, 2, i, r, r)
            put4(stack, size + 1, 0, r, j, p)
        elif kind == 1:
            if i == j:
                continue
            r = left_back[i, j]
            heads[r] = j
            put4(stack, size, 1, i, r, r)
            put4(stack, size + 1, 2, r, j, j)
        else:
            code = inside_back[i, j]
            r, p = code // (n + 2), code % (n + 2)
            put4(stack, size, 0, i, r, p)
            put4(stack, size + 1, 1, r + 1, j, j)
        size += 2
    return best
