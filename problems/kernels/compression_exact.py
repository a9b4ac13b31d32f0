"""The best compression of every length: Eisner's algorithm with counted deletions, O(n^5) time and O(n^3) space.

Each kept word carries the run of deleted words behind it, and the run is charged the bigram that spans it, so no span has
to know its rightmost kept word. Spans over words i..j, i < j, and d deleted words among those they count:

- right[i, j, d]: word i with all its right modifiers and deleted run, counting i..j; the next kept word is j + 1
- left[i, j, d]: the left modifiers of word j, counting i..j-1; word i is kept, or i = j and nothing is counted
- inside[i, j, d]: what lies inside an arc between kept words i and j, whichever is the head, counting i..j-1

`arcs[h, m]` includes the token score of m. `bigrams` has rows and columns for the start (0) and end (n + 1) symbols. At most
`deletions` words are deleted and `length` kept: counts that no such compression can have are left out.

Spans that are not active, and arcs worth minus infinity, are left out; `compression_pruning` says which may be.

A back-pointer is split * (n + 2) + deletions of the left part, or `RUN` where a right span is its deleted run alone.
"""

from __future__ import annotations

import numpy as np

from .cache import inner, kernel

RUN = -1


@inner
def combine(first, second, shift, code, best, back):
    """Add one score to a row of scores, and keep what is better than before, with where it comes from."""
    for d in range(len(second)):
        value = first + second[d]
        better = value > best[shift + d]
        best[shift + d] = value if better else best[shift + d]
        back[shift + d] = code if better else back[shift + d]


@kernel
def fill_exact(
    arcs,
    bigrams,
    deletions,
    length,
    right_active,
    left_active,
    right,
    left,
    inside,
    right_back,
    left_back,
    inside_back,
):
    """Fill all tables; those of scores need no initial values, what is not active is neither written nor read."""
    n = len(arcs) - 1
    best = np.empty(n + 2)
    back = np.empty(n + 2, dtype=np.int64)
    for i in range(1, n + 1):
        left[i, i, 0] = 0.0
    for width in range(n):
        for i in range(1, n + 1 - width):
            j = i + width
            if width > 0 and (arcs[i, j] > -np.inf or arcs[j, i] > -np.inf):  # inside an arc
                most = min(width - 1, deletions)
                for d in range(most + 1):
                    best[d] = -np.inf
                for s in range(i, j):
                    if not (right_active[i, s] and left_active[s + 1, j]):
                        continue
                    first_most = min(s - i, deletions)
                    second_most = min(max(j - s - 2, 0), deletions)
                    second_least = max(0, j - s - 1 - length)
                    for d in range(max(0, s - i + 1 - length), first_most + 1):
                        top = min(second_most, deletions - d)
                        combine(
                            right[i, s, d],
                            left[s + 1, j, second_least : top + 1],
                            d + second_least,
                            s * (n + 2) + d,
                            best,
                            back,
                        )
                for d in range(max(0, width - length), most + 1):
                    inside[i, j, d] = best[d]
                    inside_back[i, j, d] = back[d]
            if width > 0 and left_active[i, j]:  # left modifiers of j
                most = min(width - 1, deletions)
                for d in range(most + 1):
                    best[d] = -np.inf
                for r in range(i, j):
                    if not left_active[i, r] or arcs[j, r] == -np.inf:
                        continue
                    first_most = min(max(r - i - 1, 0), deletions)
                    second_most = min(j - r - 1, deletions)
                    second_least = max(0, j - r - length)
                    for d in range(max(0, r - i - length), first_most + 1):
                        top = min(second_most, deletions - d)
                        combine(
                            left[i, r, d] + arcs[j, r],
                            inside[r, j, second_least : top + 1],
                            d + second_least,
                            r * (n + 2) + d,
                            best,
                            back,
                        )
                for d in range(max(0, width - length), most + 1):
                    left[i, j, d] = best[d]
                    left_back[i, j, d] = back[d]
            if not right_active[i, j]:
                continue
            most = min(width, deletions)  # right modifiers of i, and its deleted run
            for d in range(most + 1):
                best[d] = -np.inf
            if width <= deletions:
                best[width] = bigrams[i, j + 1]
                back[width] = RUN
            for r in range(i + 1, j + 1):
                if not right_active[r, j] or arcs[i, r] == -np.inf:
                    continue
                first_most = min(r - i - 1, deletions)
                second_most = min(j - r, deletions)
                second_least = max(0, j - r + 1 - length)
                for d in range(max(0, r - i - length), first_most + 1):
                    top = min(second_most, deletions - d)
                    combine(
                        inside[i, r, d] + arcs[i, r],
                        right[r, j, second_least : top + 1],
                        d + second_least,
                        r * (n + 2) + d,
                        best,
                        back,
                    )
            for d in range(max(0, width + 1 - length), most + 1):
                right[i, j, d] = best[d]
                right_back[i, j, d] = back[d]


@kernel
def finish_exact(arcs, bigrams, deletions, length, left_active, left, front, front_back):
    """front[m, d]: the best of what stands before word m below the root symbol, with d deletions; needs `left` only."""
    n = len(arcs) - 1
    for m in range(1, n + 1):
        for d in range(min(m - 1, deletions) + 1):
            front[m, d] = -np.inf
        for f in range(1, min(m, deletions + 1) + 1):  # the first kept word
            if not left_active[f, m]:
                continue
            base = bigrams[0, f] + arcs[0, m]
            for d in range(max(0, m - f - length), min(max(m - f - 1, 0), deletions - f + 1) + 1):
                value = base + left[f, m, d]
                if value > front[m, f - 1 + d]:
                    front[m, f - 1 + d] = value
                    front_back[m, f - 1 + d] = f


@kernel
def decode_exact(kept, right_active, right, front, front_back, right_back, left_back, inside_back, heads):
    """The head of each word of the best compression that keeps `kept` words (-1 if deleted); returns its score."""
    n = len(heads) - 1
    missing = n - kept
    best = -np.inf
    root, before = 1, 0
    for m in range(1, n + 1):  # the word below the root symbol
        if not right_active[m, n]:
            continue
        for d in range(max(0, m - 1 - kept, missing - (n - m)), min(m - 1, missing) + 1):
            value = front[m, d] + right[m, n, missing - d]
            if value > best:
                best = value
                root, before = m, d
    for word in range(n + 1):
        heads[word] = -1
    if best == -np.inf:
        return best
    heads[root] = 0
    stack = np.empty((2 * n + 4, 4), dtype=np.int64)  # kind of span (0 right, 1 left, 2 inside), i, j, deletions
    first = np.int64(front_back[root, before])
    stack[0] = 1, first, root, before - (first - 1)
    stack[1] = 0, root, n, missing - before
    size = 2
    while size:
        size -= 1
        kind, i, j, d = stack[size]
        if kind == 0:
            code = right_back[i, j, d]
            if code == RUN:
                continue
            r, taken = code // (n + 2), code % (n + 2)
            heads[r] = i
            stack[size] = 2, i, r, taken
            stack[size + 1] = 0, r, j, d - taken
        elif kind == 1:
            if i == j:
                continue
            code = left_back[i, j, d]
            r, taken = code // (n + 2), code % (n + 2)
            heads[r] = j
            stack[size] = 1, i, r, taken
            stack[size + 1] = 2, r, j, d - taken
        else:
            code = inside_back[i, j, d]
            s, taken = code // (n + 2), code % (n + 2)
            stack[size] = 0, i, s, taken
            stack[size + 1] = 1, s + 1, j, d - taken
        size += 2
    return best
