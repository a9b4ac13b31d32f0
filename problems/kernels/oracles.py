"""The best configuration of a factor whose projection is the active set method's: one oracle for `maximize` and `project`.

An oracle maximizes scores @ configuration + own score, writes the configuration and returns its own score. Everything is
given as whole arrays and a position in each, because slices take longer than many an oracle: `parameters` (from p on) and
`table` (from t on) are the factor's, `ints` is scratch (from i on), `floats` has the scores, the configuration (`point`)
and scratch (from f on). In AD3 that is a factor's memory; `maximize` allocates it.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba.np.numpy_support import carray

from .arborescence import arborescence_scratch, best_arborescence
from .automata import best_grand_siblings, best_head_bigrams, best_tri_siblings
from .cache import inner
from .codes import (
    ARBORESCENCE,
    DENSE,
    DERIVATION,
    GRAND_SIBLINGS,
    HEAD_BIGRAMS,
    KNAPSACK_HULL,
    OWN,
    PROJECTIVE_TREE,
    TRI_SIBLINGS,
)
from .derivation import best_derivation, derivation_scratch
from .families import ORACLE, call_family, family
from .own import MAXIMIZE, call_own
from .projective import best_projective_tree, projective_scratch

part = numba.njit(inline="always", error_model="numpy")


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
    if code == DERIVATION:
        return derivation_scratch(ints[0])
    if code == DENSE:
        return 2 * len(ints), 0
    if code == OWN:
        return 0, 0
    return degree * ((ints[0] + 64) // 64), ints[0] + 1


@inner
def best_state(groups, parameters, p, table, t, entries, ints, i, floats, scores, point):
    """One state per group (parameters: their sizes); the last group varies fastest in the table."""
    leading = 0
    for g in range(groups):
        ints[i + g] = 0
        if g < groups - 1:
            leading += parameters[p + g]
    best = -np.inf
    best_own = 0.0
    entry = 0
    width = parameters[p + groups - 1]
    while entry < entries:
        base = 0.0
        first = scores
        for g in range(groups - 1):
            base += floats[first + ints[i + g]]
            first += parameters[p + g]
        found = -1
        for k in range(width):
            value = table[t + entry + k] + floats[scores + leading + k] + base
            if value > best:
                best = value
                found = k
        if found >= 0:
            best_own = table[t + entry + found]
            ints[i + groups - 1] = found
            for g in range(groups):
                ints[i + groups + g] = ints[i + g]
        entry += width
        for g in range(groups - 2, -1, -1):
            ints[i + g] += 1
            if ints[i + g] < parameters[p + g]:
                break
            ints[i + g] = 0
    for k in range(leading + width):
        floats[point + k] = 0.0
    first = point
    for g in range(groups):
        floats[first + ints[i + groups + g]] = 1.0
        first += parameters[p + g]
    return best_own


@inner
def best_packing(degree, parameters, p, ints, choices, floats, scores, point, values):
    """The exact knapsack over integer capacities (parameters: budget, costs), with one row of values and bits for choices."""
    budget = parameters[p]
    words = (budget + 64) // 64
    for left in range(budget + 1):
        floats[values + left] = 0.0
    for k in range(degree * words):
        ints[choices + k] = 0
    for item in range(degree):
        cost = parameters[p + 1 + item]
        for left in range(budget, cost - 1, -1):
            value = floats[values + left - cost] + floats[scores + item]
            if value > floats[values + left]:
                floats[values + left] = value
                ints[choices + item * words + left // 64] |= np.int64(1) << np.int64(left % 64)
    left = budget
    for item in range(degree - 1, -1, -1):
        taken = (ints[choices + item * words + left // 64] >> np.int64(left % 64)) & 1
        floats[point + item] = float(taken)
        if taken:
            left -= parameters[p + 1 + item]
    return 0.0


# -- families ----------------------------------------------------------------------------------------------------------


def _grand_siblings(
    code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer
):
    zero = degree - degree
    parameters, table = carray(ints, int_count), carray(floats, float_count)
    scratch, scores = carray(int_memory, place), carray(float_memory, place)
    return best_grand_siblings(parameters, zero, table, zero, scratch, zero, scores, zero, degree, place)


def _with_degree(best: Any) -> Any:
    def entry(
        code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer
    ):
        zero = degree - degree
        parameters, table = carray(ints, int_count), carray(floats, float_count)
        scratch, scores = carray(int_memory, place), carray(float_memory, place)
        return best(degree, parameters, zero, table, zero, scratch, zero, scores, zero, degree, place)

    return entry


def _without_table(best: Any) -> Any:
    def entry(
        code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer
    ):
        zero = degree - degree
        parameters = carray(ints, int_count)
        scratch, scores = carray(int_memory, place), carray(float_memory, place)
        best(degree, parameters, zero, scratch, zero, scores, zero, degree, place)
        return 0.0

    return entry


def _tri_siblings(
    code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer
):
    zero = degree - degree
    scratch, scores = carray(int_memory, place), carray(float_memory, place)
    return best_tri_siblings(degree, carray(floats, float_count), zero, scratch, zero, scores, zero, degree, place)


def _dense(code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer):
    zero = degree - degree
    parameters, table = carray(ints, int_count), carray(floats, float_count)
    scratch, scores = carray(int_memory, place), carray(float_memory, place)
    return best_state(int_count, parameters, zero, table, zero, float_count, scratch, zero, scores, zero, degree)


def _own(code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer):
    zero = degree - degree
    parameters, table = carray(ints, int_count), carray(floats, float_count)
    scores = carray(float_memory, place)
    return call_own(
        MAXIMIZE, degree, scores, zero, 1.0, parameters, zero, int_count, table, zero, float_count, scores, degree
    )


_oracles = {
    GRAND_SIBLINGS: _grand_siblings,
    TRI_SIBLINGS: _tri_siblings,
    HEAD_BIGRAMS: _with_degree(best_head_bigrams),
    ARBORESCENCE: _without_table(best_arborescence),
    PROJECTIVE_TREE: _without_table(best_projective_tree),
    DERIVATION: _with_degree(best_derivation),
    DENSE: _dense,
    OWN: _own,
    KNAPSACK_HULL: _without_table(best_packing),
}
ORACLE_CODES = tuple(_oracles)
for _code, _entry in _oracles.items():
    family(ORACLE, (_code,), _entry)


@part
def best_configuration(code, degree, parameters, p, p_end, table, t, t_end, ints, i, floats, scores, f):
    """The own score of the best configuration, which is written behind the scores."""
    return call_family(
        ORACLE,
        code,
        degree,
        floats,
        scores,
        1.0,
        parameters,
        p,
        p_end,
        table,
        t,
        t_end,
        ints,
        i,
        floats,
        scores,
        f - scores,
        floats,
        scores,
    )


@inner
def maximize_by_oracle(code, scores, parameters, table, point):
    """The best value, from fresh scratch."""
    degree = len(scores)
    int_count, float_count = scratch_sizes(code, degree, parameters)
    ints = np.empty(int_count, dtype=np.int64)
    floats = np.empty(2 * degree + float_count)
    for k in range(degree):
        floats[k] = scores[k]
    zero = degree - degree
    value = best_configuration(
        code,
        degree,
        parameters,
        zero,
        len(parameters),
        table,
        zero,
        len(table),
        ints,
        zero,
        floats,
        zero,
        2 * degree,
    )
    for k in range(degree):
        point[k] = floats[degree + k]
        value += scores[k] * point[k]
    return value
