"""The exact algorithm of Qian & Liu (2014), section 3.2: O(n^6) time, O(n^4) space.

Deleted words hang by virtual arcs from the word before them. Spans know k, their number of virtual arcs, and complete
left-headed spans also p, their rightmost kept word; all other spans end in a kept word. As printed the rules have errors;
these are the right ones (word i is the left end, j the right end, bigrams are those of `compression_exact`):

- Case 1 and 3: a complete span of i and the deleted words i+1..j: k = j - i, p = i, score 0 (the left-hand side is C, and
  "x_j" is x_{i+1}: everything below a virtual arc is deleted)
- Case 2': an arc between i and j, of either direction: C(i..r; k', p) + C(r+1..j; k'') + arc + bigram(p, r + 1)
- Case 4': left-headed C(i..j; k, q) = I(i..r; k') + C(r..j; k'', q), right-headed C(i..j; k) = C(i..r; k') + I(r..j; k''); no
  bigram in either, the two spans share word r
- The root symbol has the chain of deleted words before the first kept one, and exactly one real modifier.

`complete` holds the left-headed complete spans: those of i..j are a block from `starts[i, j]` on, row k (at most `deletions`),
column p - i. A back-pointer is (r * (n + 2) + k') * (n + 2) + p, without p in Case 4', and `CHAIN` for Case 3.
"""

from __future__ import annotations

import numpy as np

from .cache import kernel
from .stacks import put5

CHAIN = -1


@kernel
def fill_paper(arcs, bigrams, deletions, starts, complete, left, inside, complete_back, left_back, inside_back):
    """Fill all tables; those of scores need no initial values."""
    n = len(arcs) - 1
    for i in range(1, n + 1):
        left[i, i, 0] = 0.0
    for width in range(n):
        columns = width + 1
        for i in range(1, n + 1 - width):
            j = i + width
            if width > 0:
                most = min(width - 1, deletions)
                for k in range(most + 1):
                    inside[i, j, k] = -np.inf
                    left[i, j, k] = -np.inf
                for r in range(i, j):  # Case 2'
                    wide = r - i + 1
                    for before in range(min(r - i, deletions) + 1):
                        row = starts[i, r] + before * wide
                        for behind in range(min(max(j - r - 2, 0), deletions - before) + 1):
                            k = before + behind
                            for p in range(i, r + 1):
                                value = complete[row + p - i] + left[r + 1, j, behind] + bigrams[p, r + 1]
                                if value > inside[i, j, k]:
                                    inside[i, j, k] = value
                                    inside_back[i, j, k] = (r * (n + 2) + before) * (n + 2) + p
                for r in range(i, j):  # Case 4', right-headed
                    for before in range(min(max(r - i - 1, 0), deletions) + 1):
                        for behind in range(min(j - r - 1, deletions - before) + 1):
                            k = before + behind
                            value = left[i, r, before] + inside[r, j, behind] + arcs[j, r]
                            if value > left[i, j, k]:
                                left[i, j, k] = value
                                left_back[i, j, k] = r * (n + 2) + before
            start = starts[i, j]
            for cell in range(start, start + (min(width, deletions) + 1) * columns):
                complete[cell] = -np.inf
            if width <= deletions:  # Cases 1 and 3
                complete[start + width * columns] = 0.0
                complete_back[start + width * columns] = CHAIN
            for r in range(i + 1, j + 1):  # Case 4', left-headed
                wide = j - r + 1
                for before in range(min(r - i - 1, deletions) + 1):
                    value = inside[i, r, before] + arcs[i, r]
                    code = r * (n + 2) + before
                    for behind in range(min(j - r, deletions - before) + 1):
                        from_row = starts[r, j] + behind * wide
                        to_row = start + (before + behind) * columns + r - i
                        for q in range(wide):
                            found = value + complete[from_row + q]
                            if found > complete[to_row + q]:
                                complete[to_row + q] = found
                                complete_back[to_row + q] = code


@kernel
def decode_paper(arcs, bigrams, kept, starts, complete, left, complete_back, left_back, inside_back, heads):
    """The head of each word of the best compression that keeps `kept` words (-1 if deleted); returns its score."""
    n = len(arcs) - 1
    missing = n - kept
    best = -np.inf
    first, root, before, last = 1, 1, 0, 1
    for f in range(1, n + 1):  # the first kept word
        for m in range(f, n + 1):  # the word below the root symbol
            for k in range(min(max(m - f - 1, 0), missing - f + 1) + 1):
                behind = missing - (f - 1) - k
                if behind > n - m:
                    continue
                for q in range(m, n + 1):
                    rest = complete[starts[m, n] + behind * (n - m + 1) + q - m] + bigrams[q, n + 1]
                    value = bigrams[0, f] + left[f, m, k] + rest + arcs[0, m]
                    if value > best:
                        best = value
                        first, root, before, last = f, m, k, q
    for word in range(n + 1):
        heads[word] = -1
    if best == -np.inf:
        return best
    heads[root] = 0
    stack = np.empty((2 * n + 4, 5), dtype=np.int64)  # kind (0 left-headed, 1 right-headed, 2 inside), i, j, k, p
    put5(stack, 0, 1, first, root, before, root)
    put5(stack, 1, 0, root, n, missing - (first - 1) - before, last)
    size = 2
    while size:
        size -= 1
        kind = stack[size, 0]
        i = stack[size, 1]
        j = stack[size, 2]
        k = stack[size, 3]
        p = stack[size, 4]
        if kind == 0:
            code = complete_back[starts[i, j] + k * (j - i + 1) + p - i]
            if code == CHAIN:
                continue
            r, taken = code // (n + 2), code % (n + 2)
            heads[r] = i
            put5(stack, size, 2, i, r, taken, r)
            put5(stack, size + 1, 0, r, j, k - taken, p)
        elif kind == 1:
            if i == j:
                continue
            code = left_back[i, j, k]
            r, taken = code // (n + 2), code % (n + 2)
            heads[r] = j
            put5(stack, size, 1, i, r, taken, r)
            put5(stack, size + 1, 2, r, j, k - taken, j)
        else:
            code = inside_back[i, j, k]
            p, code = code % (n + 2), code // (n + 2)
            r, taken = code // (n + 2), code % (n + 2)
            put5(stack, size, 0, i, r, taken, p)
            put5(stack, size + 1, 1, r + 1, j, k - taken, j)
        size += 2
    return best
