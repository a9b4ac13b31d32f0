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
def best_projective_tree(degree, parameters, p, ints, arcs, floats, scores, point, best):
    """Write the best projective tree to `point`; returns whether there is one.

    Scratch: ints for arcs by head and modifier, then splits and a stack; floats for the best spans by kind.
    """
    words = parameters[p]
    single = parameters[p + 1] == 1
    starts = p + HEADER
    heads = starts + words + 1
    width = words + 1
    size = width * width
    splits = arcs + size  # of RIGHT, LEFT and incomplete spans
    stack = splits + 3 * size
    for k in range(size):
        ints[arcs + k] = -1
    for m in range(words):
        for arc in range(parameters[starts + m], parameters[starts + m + 1]):
            ints[arcs + parameters[heads + arc] * width + m + 1] = arc
    for s in range(width):
        floats[best + s * width + s] = 0.0
        floats[best + size + s * width + s] = 0.0
    for length in range(1, width):
        for s in range(width - length):
            t = s + length
            cell = s * width + t
            value = -np.inf
            for k in range(s, s + 1 if single and s == 0 else t):
                found = floats[best + s * width + k] + floats[best + size + (k + 1) * width + t]
                if found > value:
                    value = found
                    ints[splits + 2 * size + cell] = k
            arc = ints[arcs + cell]
            floats[best + 2 * size + cell] = value + floats[scores + arc] if arc >= 0 else -np.inf
            arc = ints[arcs + t * width + s]
            floats[best + 3 * size + cell] = value + floats[scores + arc] if arc >= 0 else -np.inf
            value = -np.inf
            for k in range(s + 1, t + 1):
                found = floats[best + 2 * size + s * width + k] + floats[best + k * width + t]
                if found > value:
                    value = found
                    ints[splits + cell] = k
            floats[best + cell] = value
            value = -np.inf
            for k in range(s, t):
                found = floats[best + size + s * width + k] + floats[best + 3 * size + k * width + t]
                if found > value:
                    value = found
                    ints[splits + size + cell] = k
            floats[best + size + cell] = value
    for arc in range(degree):
        floats[point + arc] = 0.0
    if floats[best + words] == -np.inf:
        return False
    ints[stack + 0] = RIGHT
    ints[stack + 1] = 0
    ints[stack + 2] = words
    top = 3
    while top > 0:
        top -= 3
        kind = ints[stack + top]
        s = ints[stack + top + 1]
        t = ints[stack + top + 2]
        cell = s * width + t
        if s == t:
            continue
        if kind == RIGHT:
            k = ints[splits + cell]
            left, right = ARC_RIGHT, RIGHT
            middle = k
        elif kind == LEFT:
            k = ints[splits + size + cell]
            left, right = LEFT, ARC_LEFT
            middle = k
        else:
            k = ints[splits + 2 * size + cell]
            left, right = RIGHT, LEFT
            middle = k + 1
            arc = ints[arcs + cell] if kind == ARC_RIGHT else ints[arcs + t * width + s]
            floats[point + arc] = 1.0
        ints[stack + top] = left
        ints[stack + top + 1] = s
        ints[stack + top + 2] = k
        ints[stack + top + 3] = right
        ints[stack + top + 4] = middle
        ints[stack + top + 5] = t
        top += 6
    return True


@kernel
def projective_tree_exists(parameters):
    """For Python: is there a projective tree of these arcs? (See `arborescence` for the parameters.)"""
    int_count, float_count = projective_scratch(parameters[0])
    degree = len(parameters) - HEADER - parameters[0] - 1
    ints = np.empty(int_count, dtype=np.int64)
    floats = np.zeros(float_count + 2 * degree)
    zero = degree - degree
    return best_projective_tree(degree, parameters, zero, ints, zero, floats, zero, degree, 2 * degree)
