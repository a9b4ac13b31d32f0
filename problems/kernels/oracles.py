"""The best configuration of a factor whose projection is the active set method's: one oracle for `maximize` and `project`.

An oracle maximizes scores @ configuration + own score, writes the configuration to `point` and returns its own score. Its
scratch is part of the factor's memory in AD3 and allocated by `maximize`.
"""

from __future__ import annotations

import numpy as np

from .arborescence import arborescence_scratch, best_arborescence
from .automata import best_grand_siblings, best_head_bigrams, best_tri_siblings
from .cache import inner
from .codes import ARBORESCENCE, DENSE, GRAND_SIBLINGS, HEAD_BIGRAMS, KNAPSACK_HULL, PROJECTIVE_TREE, TRI_SIBLINGS
from .projective import best_projective_tree, projective_scratch


@inner
def has_oracle(code):
    return code in (DENSE, KNAPSACK_HULL) or code >= ARBORESCENCE


@inner
def scratch_sizes(code, degree, ints):
    """How many ints and floats of scratch an oracle needs."""
    if code == GRAND_SIBLINGS:
        return max(ints[0], 1) * (ints[1] + 1), ints[1] + 1
    if code == TRI_SIBLINGS:
        return degree * (degree + 1), degree * (degree + 1)
    if code == HEAD_BIGRAMS:
        return degree, degree
    if code == ARBORESCENCE:
        return arborescence_scratch(ints[0])
    if code == PROJECTIVE_TREE:
        return projective_scratch(ints[0])
    if code == DENSE:
        return 2 * len(ints), 0
    return degree * ((ints[0] + 64) // 64), ints[0] + 1


@inner
def best_state(scores, sizes, table, point, scratch):
    """One state per group; the last group varies fastest in the table."""
    groups = len(sizes)
    leading = 0
    for g in range(groups):
        scratch[g] = 0
        if g < groups - 1:
            leading += sizes[g]
    best = -np.inf
    best_own = 0.0
    entry = 0
    width = sizes[groups - 1]
    while entry < len(table):
        base = 0.0
        first = 0
        for g in range(groups - 1):
            base += scores[first + scratch[g]]
            first += sizes[g]
        found = -1
        for k in range(width):
            value = table[entry + k] + scores[leading + k] + base
            if value > best:
                best = value
                found = k
        if found >= 0:
            best_own = table[entry + found]
            scratch[groups - 1] = found
            for g in range(groups):
                scratch[groups + g] = scratch[g]
        entry += width
        for g in range(groups - 2, -1, -1):
            scratch[g] += 1
            if scratch[g] < sizes[g]:
                break
            scratch[g] = 0
    for i in range(len(scores)):
        point[i] = 0.0
    first = 0
    for g in range(groups):
        point[first + scratch[groups + g]] = 1.0
        first += sizes[g]
    return best_own


@inner
def best_packing(scores, ints, point, choices, values):
    """The exact knapsack over integer capacities, with one row of values and the choices as bits; no own score."""
    degree = len(scores)
    budget = ints[0]
    words = (budget + 64) // 64
    for left in range(budget + 1):
        values[left] = 0.0
    for k in range(degree * words):
        choices[k] = 0
    for i in range(degree):
        cost = ints[1 + i]
        for left in range(budget, cost - 1, -1):
            value = values[left - cost] + scores[i]
            if value > values[left]:
                values[left] = value
                choices[i * words + left // 64] |= np.int64(1) << np.int64(left % 64)
    left = budget
    for i in range(degree - 1, -1, -1):
        taken = (choices[i * words + left // 64] >> np.int64(left % 64)) & 1
        point[i] = float(taken)
        if taken:
            left -= ints[1 + i]
    return 0.0


@inner
def best_configuration(code, scores, ints, floats, point, int_scratch, float_scratch):
    if code == GRAND_SIBLINGS:
        return best_grand_siblings(scores, ints, floats, point, int_scratch, float_scratch)
    if code == TRI_SIBLINGS:
        return best_tri_siblings(scores, floats, point, int_scratch, float_scratch)
    if code == HEAD_BIGRAMS:
        return best_head_bigrams(scores, ints, floats, point, int_scratch, float_scratch)
    if code == ARBORESCENCE:
        best_arborescence(scores, ints, point, int_scratch, float_scratch)
        return 0.0
    if code == PROJECTIVE_TREE:
        best_projective_tree(scores, ints, point, int_scratch, float_scratch)
        return 0.0
    if code == DENSE:
        return best_state(scores, ints, floats, point, int_scratch)
    return best_packing(scores, ints, point, int_scratch, float_scratch)


@inner
def maximize_by_oracle(code, scores, ints, floats, point):
    """The best value, from fresh scratch."""
    int_count, float_count = scratch_sizes(code, len(scores), ints)
    int_scratch = np.empty(int_count, dtype=np.int64)
    value = best_configuration(code, scores, ints, floats, point, int_scratch, np.empty(float_count))
    for i in range(len(scores)):
        value += scores[i] * point[i]
    return value
