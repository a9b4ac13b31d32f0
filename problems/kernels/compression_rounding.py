"""Rounding in compiled code: the best tree over given words, and exchanges of kept words for deleted ones.

`arcs` is [head, modifier - 1] over the whole sentence; `kept` holds word numbers in order.
"""

from __future__ import annotations

import numpy as np

from .cache import inner, kernel
from .stacks import put3

SMALLEST_GAIN = 1e-12  # relative to the value that it would improve


@inner
def best_projective(arcs, kept, right, left, inside, backs, heads):
    """Eisner's algorithm with one word below the root symbol: fills heads (words, not positions), returns the score."""
    count = len(kept)
    if count == 0:
        return 0.0
    for width in range(count):
        for i in range(count - width):
            j = i + width
            if width == 0:
                right[i, j] = 0.0
                left[i, j] = 0.0
                continue
            best = -np.inf
            for s in range(i, j):
                value = right[i, s] + left[s + 1, j]
                if value > best:
                    best = value
                    backs[0, i, j] = s
            inside[i, j] = best
            best = -np.inf
            for m in range(i, j):
                value = left[i, m] + inside[m, j] + arcs[kept[j], kept[m] - 1]
                if value > best:
                    best = value
                    backs[1, i, j] = m
            left[i, j] = best
            best = -np.inf
            for m in range(i + 1, j + 1):
                value = inside[i, m] + arcs[kept[i], kept[m] - 1] + right[m, j]
                if value > best:
                    best = value
                    backs[2, i, j] = m
            right[i, j] = best
    best = -np.inf
    root = 0
    for m in range(count):
        value = left[0, m] + right[m, count - 1] + arcs[0, kept[m] - 1]
        if value > best:
            best = value
            root = m
    heads[root] = 0
    stack = np.empty((2 * count + 4, 3), dtype=np.int64)  # kind of span (0 inside, 1 left, 2 right), i, j
    put3(stack, 0, 1, 0, root)
    put3(stack, 1, 2, root, count - 1)
    size = 2
    while size:
        size -= 1
        kind = stack[size, 0]
        i = stack[size, 1]
        j = stack[size, 2]
        if i == j:
            continue
        m = backs[kind, i, j]
        if kind == 0:
            put3(stack, size, 2, i, m)
            put3(stack, size + 1, 1, m + 1, j)
        elif kind == 1:
            heads[m] = kept[j]
            put3(stack, size, 1, i, m)
            put3(stack, size + 1, 0, m, j)
        else:
            heads[m] = kept[i]
            put3(stack, size, 0, i, m)
            put3(stack, size + 1, 2, m, j)
        size += 2
    return best


@inner
def reattach(arcs, kept, heads, value):
    """Give words better heads, one at a time and without cycles, as long as that helps: trees that need not be projective."""
    count = len(kept)
    position = np.zeros(len(arcs), dtype=np.int64)
    for k in range(count):
        position[kept[k]] = k
    improved = True
    while improved:
        improved = False
        for k in range(count):
            if heads[k] == 0:
                continue
            best = arcs[heads[k], kept[k] - 1] + SMALLEST_GAIN * abs(value)
            better = -1
            for h in range(count):
                if h == k or arcs[kept[h], kept[k] - 1] <= best:
                    continue
                above = h  # is word k above word h?
                while heads[above] != 0 and above != k:
                    above = position[heads[above]]
                if above != k:
                    best = arcs[kept[h], kept[k] - 1]
                    better = h
            if better >= 0:
                value += best - arcs[heads[k], kept[k] - 1]
                heads[k] = kept[better]
                improved = True
    return value


@inner
def best_value(tokens, bigrams, arcs, projective, kept, right, left, inside, backs, heads):
    """What the words are worth with the best tree that is found over them."""
    value = best_projective(arcs, kept, right, left, inside, backs, heads)
    if not projective:
        value = reattach(arcs, kept, heads, value)
    before = 0
    for word in kept:
        value += tokens[word - 1] + bigrams[before, word]
        before = word
    return value + bigrams[before, len(tokens) + 1]


@kernel
def improve_kept(tokens, bigrams, arcs, projective, kept, heads, leaving, entering, rounds):
    """Exchange a word of `leaving` for one of `entering` as long as that helps, for at most so many rounds.

    Changes `kept`, fills `heads` and returns the value. Without candidates it only finds the tree.
    """
    count = len(kept)
    right = np.empty((count, count))
    left = np.empty((count, count))
    inside = np.empty((count, count))
    backs = np.empty((3, count, count), dtype=np.int64)
    value = best_value(tokens, bigrams, arcs, projective, kept, right, left, inside, backs, heads)
    other = np.empty(count, dtype=np.int64)
    other_heads = np.empty(count, dtype=np.int64)
    for _ in range(rounds):
        improved = False
        for a in range(len(leaving)):
            for b in range(len(entering)):
                at = 0
                placed = False
                for k in range(count):
                    if kept[k] == leaving[a]:
                        continue
                    if not placed and kept[k] > entering[b]:
                        other[at] = entering[b]
                        at += 1
                        placed = True
                    other[at] = kept[k]
                    at += 1
                if not placed:
                    other[at] = entering[b]
                found = best_value(tokens, bigrams, arcs, projective, other, right, left, inside, backs, other_heads)
                if found > value + SMALLEST_GAIN * abs(value):
                    value = found
                    for k in range(count):
                        kept[k] = other[k]
                        heads[k] = other_heads[k]
                    leaving[a], entering[b] = entering[b], leaving[a]
                    improved = True
        if not improved:
            break
    return value
