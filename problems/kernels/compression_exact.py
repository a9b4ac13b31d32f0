"""The best compression of every length: Eisner's algorithm with counted deletions, O(n^5) time and O(n^3) space.

Each kept word carries the run of deleted words behind it, and the run is charged the bigram that spans it, so no span has
to know its rightmost kept word. Spans over words i..j, i < j, and d deleted words among those they count:

- right[i, j, d]: word i with all its right modifiers and deleted run, counting i..j; the next kept word is j + 1
- left[j, i, d]: the left modifiers of word j, counting i..j-1; word i is kept, or i = j and nothing is counted
- inside[i, j, d]: what lies inside an arc between kept words i and j, whichever is the head, counting i..j-1

`arcs[h, m]` includes the token score of m. `bigrams` has rows and columns for the start (0) and end (n + 1) symbols. At most
`deletions` words are deleted and `length` kept: counts that no such compression can have are left out.

Spans that are not active, and arcs worth minus infinity, are left out; `compression_pruning` says which may be.

Tables are flat, (n + 2) x (n + 2) x (deletions + 1). There are no back-pointers: a compression has 2n spans, and to search
their choices again takes far less than to note all of them while the tables are filled.
"""

from __future__ import annotations

import numpy as np

from .cache import inner, kernel
from .rows import raise_run
from .stacks import put4

RIGHT, LEFT, INSIDE = 0, 1, 2  # kinds of spans


@inner
def combine(first, a, least, most, second, b, other_least, other_most, gain, deletions, best):
    """best[d + e] becomes at least gain + first[a + d] + second[b + e], d and e from least to most; the longer run inside."""
    if most - least <= other_most - other_least:
        for d in range(least, most + 1):
            count = min(other_most, deletions - d) - other_least + 1
            raise_run(best, d + other_least, second, b + other_least, count, first[a + d] + gain)
    else:
        for e in range(other_least, other_most + 1):
            count = min(most, deletions - e) - least + 1
            raise_run(best, e + least, first, a + least, count, second[b + e] + gain)


@kernel
def fill_exact(arcs, bigrams, deletions, length, right_active, left_active, right, left, inside):
    """Fill all tables; they need no initial values, what is not active is neither written nor read."""
    n = len(arcs) - 1
    depth = deletions + 1
    side = (n + 2) * depth
    best = np.empty(n + 2)
    for i in range(1, n + 1):
        left[i * side + i * depth] = 0.0
    for width in range(n):
        for i in range(1, n + 1 - width):
            j = i + width
            if width > 0 and (arcs[i, j] > -np.inf or arcs[j, i] > -np.inf):  # inside an arc
                most = min(width - 1, deletions)
                for d in range(most + 1):
                    best[d] = -np.inf
                for s in range(i, j):
                    if right_active[i, s] and left_active[s + 1, j]:
                        combine(
                            right,
                            i * side + s * depth,
                            max(0, s - i + 1 - length),
                            min(s - i, deletions),
                            left,
                            j * side + (s + 1) * depth,
                            max(0, j - s - 1 - length),
                            min(max(j - s - 2, 0), deletions),
                            0.0,
                            deletions,
                            best,
                        )
                for d in range(max(0, width - length), most + 1):
                    inside[i * side + j * depth + d] = best[d]
            if width > 0 and left_active[i, j]:  # left modifiers of j
                most = min(width - 1, deletions)
                for d in range(most + 1):
                    best[d] = -np.inf
                for r in range(i, j):
                    if left_active[i, r] and arcs[j, r] > -np.inf:
                        combine(
                            left,
                            r * side + i * depth,
                            max(0, r - i - length),
                            min(max(r - i - 1, 0), deletions),
                            inside,
                            r * side + j * depth,
                            max(0, j - r - length),
                            min(j - r - 1, deletions),
                            arcs[j, r],
                            deletions,
                            best,
                        )
                for d in range(max(0, width - length), most + 1):
                    left[j * side + i * depth + d] = best[d]
            if not right_active[i, j]:
                continue
            most = min(width, deletions)  # right modifiers of i, and its deleted run
            for d in range(most + 1):
                best[d] = -np.inf
            if width <= deletions:
                best[width] = bigrams[i, j + 1]
            for r in range(i + 1, j + 1):
                if right_active[r, j] and arcs[i, r] > -np.inf:
                    combine(
                        inside,
                        i * side + r * depth,
                        max(0, r - i - length),
                        min(r - i - 1, deletions),
                        right,
                        r * side + j * depth,
                        max(0, j - r + 1 - length),
                        min(j - r, deletions),
                        arcs[i, r],
                        deletions,
                        best,
                    )
            for d in range(max(0, width + 1 - length), most + 1):
                right[i * side + j * depth + d] = best[d]


@kernel
def finish_exact(arcs, bigrams, deletions, length, left_active, left, front, front_back):
    """front[m, d]: the best of what stands before word m below the root symbol, with d deletions; needs `left` only."""
    n = len(arcs) - 1
    depth = deletions + 1
    for m in range(1, n + 1):
        for d in range(min(m - 1, deletions) + 1):
            front[m, d] = -np.inf
        for f in range(1, min(m, deletions + 1) + 1):  # the first kept word
            if not left_active[f, m]:
                continue
            base = bigrams[0, f] + arcs[0, m]
            row = (m * (n + 2) + f) * depth
            for d in range(max(0, m - f - length), min(max(m - f - 1, 0), deletions - f + 1) + 1):
                value = base + left[row + d]
                if value > front[m, f - 1 + d]:
                    front[m, f - 1 + d] = value
                    front_back[m, f - 1 + d] = f


@kernel
def best_root(kept, deletions, right_active, right, front, found):
    """The score of the best compression of `kept` words; found: the word below the root symbol, the deletions before it."""
    n = len(front) - 1
    missing = n - kept
    best = -np.inf
    for m in range(1, n + 1):
        if not right_active[m, n]:
            continue
        row = (m * (n + 2) + n) * (deletions + 1)
        for d in range(max(0, m - 1 - kept, missing - (n - m)), min(m - 1, missing) + 1):
            value = front[m, d] + right[row + missing - d]
            if value > best:
                best = value
                found[0] = m
                found[1] = d
    return best


@inner
def pair_up(first, a, least, most, second, b, other_least, other_most, gain, total, split, found, best):
    """If a pair of d and total - d is worth more than `best`, found is (split, d); returns what is best now."""
    for d in range(max(least, total - other_most), min(most, total - other_least) + 1):
        value = first[a + d] + gain + second[b + total - d]
        if value > best:
            best = value
            found[0] = split
            found[1] = d
    return best


@inner
def find_split(kind, i, j, total, arcs, deletions, length, right_active, left_active, right, left, inside, found):
    """The split of a span with `total` deletions that its table entry comes from, and the deletions of its first part."""
    n = len(arcs) - 1
    depth = deletions + 1
    side = (n + 2) * depth
    best = -np.inf
    if kind == RIGHT:
        for r in range(i + 1, j + 1):
            if right_active[r, j] and arcs[i, r] > -np.inf:
                best = pair_up(
                    inside,
                    i * side + r * depth,
                    max(0, r - i - length),
                    min(r - i - 1, deletions),
                    right,
                    r * side + j * depth,
                    max(0, j - r + 1 - length),
                    min(j - r, deletions),
                    arcs[i, r],
                    total,
                    r,
                    found,
                    best,
                )
    elif kind == LEFT:
        for r in range(i, j):
            if left_active[i, r] and arcs[j, r] > -np.inf:
                best = pair_up(
                    left,
                    r * side + i * depth,
                    max(0, r - i - length),
                    min(max(r - i - 1, 0), deletions),
                    inside,
                    r * side + j * depth,
                    max(0, j - r - length),
                    min(j - r - 1, deletions),
                    arcs[j, r],
                    total,
                    r,
                    found,
                    best,
                )
    else:
        for s in range(i, j):
            if right_active[i, s] and left_active[s + 1, j]:
                best = pair_up(
                    right,
                    i * side + s * depth,
                    max(0, s - i + 1 - length),
                    min(s - i, deletions),
                    left,
                    j * side + (s + 1) * depth,
                    max(0, j - s - 1 - length),
                    min(max(j - s - 2, 0), deletions),
                    0.0,
                    total,
                    s,
                    found,
                    best,
                )


@kernel
def decode_exact(
    kept, arcs, deletions, length, right_active, left_active, right, left, inside, front, front_back, heads
):
    """The head of each word of the best compression that keeps `kept` words (-1 if deleted); returns its score."""
    n = len(heads) - 1
    missing = n - kept
    for word in range(n + 1):
        heads[word] = -1
    found = np.zeros(2, dtype=np.int64)
    best = best_root(kept, deletions, right_active, right, front, found)
    if best == -np.inf:
        return best
    root, before = found[0], found[1]
    heads[root] = 0
    stack = np.empty((2 * n + 4, 4), dtype=np.int64)  # kind of span, i, j, deletions
    first = np.int64(front_back[root, before])
    put4(stack, 0, LEFT, first, root, before - (first - 1))
    put4(stack, 1, RIGHT, root, n, missing - before)
    size = 2
    while size:
        size -= 1
        kind = stack[size, 0]
        i = stack[size, 1]
        j = stack[size, 2]
        d = stack[size, 3]
        if (kind == LEFT and i == j) or (kind == RIGHT and d == j - i):  # a word alone, or with its deleted run
            continue
        find_split(kind, i, j, d, arcs, deletions, length, right_active, left_active, right, left, inside, found)
        r, taken = found[0], found[1]
        if kind == RIGHT:
            heads[r] = i
            put4(stack, size, INSIDE, i, r, taken)
            put4(stack, size + 1, RIGHT, r, j, d - taken)
        elif kind == LEFT:
            heads[r] = j
            put4(stack, size, LEFT, i, r, taken)
            put4(stack, size + 1, INSIDE, r, j, d - taken)
        else:
            put4(stack, size, RIGHT, i, r, taken)
            put4(stack, size + 1, LEFT, r + 1, j, d - taken)
        size += 2
    return best
