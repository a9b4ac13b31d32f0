"""The maximum projective tree by Eisner's algorithm, in O(words^3).

Chart items are spans of words, the root symbol is word 0: RIGHT spans have their head at the left end, LEFT spans at the
right end; incomplete spans (from head to modifier) are what an arc makes of a LEFT and a RIGHT span that meet.
"""

from __future__ import annotations

import numpy as np

from .arborescence import HEADER
from .cache import inner, kernel

RIGHT, LEFT, ARC_RIGHT, ARC_LEFT = 0, 1, 2, 3  # spans by kind; the last two are incomplete


@inner
def projective_scratch(words):
    """How many ints and floats of scratch a projective tree needs."""
    size = (words + 1) * (words + 1)
    return 4 * size + 12 * words + 12, 4 * size


@inner
def best_projective_tree(scores, ints, point, int_scratch, float_scratch):
    """Write the best projective tree to `point`; returns 0, or 1 where there is none."""
    words = ints[0]
    single = ints[1] == 1
    starts = ints[HEADER : HEADER + words + 1]
    heads = ints[HEADER + words + 1 :]
    width = words + 1
    size = width * width
    arcs = int_scratch[:size]  # by head and modifier
    splits = int_scratch[size : 4 * size]  # of RIGHT, LEFT and incomplete spans
    stack = int_scratch[4 * size :]
    best = float_scratch
    for k in range(size):
        arcs[k] = -1
    for m in range(words):
        for arc in range(starts[m], starts[m + 1]):
            arcs[heads[arc] * width + m + 1] = arc
    for s in range(width):
        best[s * width + s] = 0.0
        best[size + s * width + s] = 0.0
    for length in range(1, width):
        for s in range(width - length):
            t = s + length
            cell = s * width + t
            value = -np.inf
            for k in range(s, s + 1 if single and s == 0 else t):
                found = best[s * width + k] + best[size + (k + 1) * width + t]
                if found > value:
                    value = found
                    splits[2 * size + cell] = k
            arc = arcs[cell]
            best[2 * size + cell] = value + scores[arc] if arc >= 0 else -np.inf
            arc = arcs[t * width + s]
            best[3 * size + cell] = value + scores[arc] if arc >= 0 else -np.inf
            value = -np.inf
            for k in range(s + 1, t + 1):
                found = best[2 * size + s * width + k] + best[k * width + t]
                if found > value:
                    value = found
                    splits[cell] = k
            best[cell] = value
            value = -np.inf
            for k in range(s, t):
                found = best[size + s * width + k] + best[3 * size + k * width + t]
                if found > value:
                    value = found
                    splits[size + cell] = k
            best[size + cell] = value
    for arc in range(len(scores)):
        point[arc] = 0.0
    if best[words] == -np.inf:
        return 1
    stack[0] = RIGHT
    stack[1] = 0
    stack[2] = words
    top = 3
    while top > 0:
        top -= 3
        kind = stack[top]
        s = stack[top + 1]
        t = stack[top + 2]
        cell = s * width + t
        if s == t:
            continue
        if kind == RIGHT:
            k = splits[cell]
            left, right = ARC_RIGHT, RIGHT
            middle = k
        elif kind == LEFT:
            k = splits[size + cell]
            left, right = LEFT, ARC_LEFT
            middle = k
        else:
            k = splits[2 * size + cell]
            left, right = RIGHT, LEFT
            middle = k + 1
            point[arcs[cell] if kind == ARC_RIGHT else arcs[t * width + s]] = 1.0
        stack[top] = left
        stack[top + 1] = s
        stack[top + 2] = k
        stack[top + 3] = right
        stack[top + 4] = middle
        stack[top + 5] = t
        top += 6
    return 0


@kernel
def projective_tree_exists(ints):
    """For Python: is there a projective tree of these arcs? (See `arborescence` for the ints.)"""
    int_count, float_count = projective_scratch(ints[0])
    scores = np.zeros(len(ints) - HEADER - ints[0] - 1)
    point = np.empty(len(scores))
    missing = best_projective_tree(scores, ints, point, np.empty(int_count, dtype=np.int64), np.empty(float_count))
    return missing == 0
