"""The `maximize` face in compiled code: the best point of one factor's polytope for linear scores.

Every kernel works on literals (a negated link has been turned already), writes the best point to `point` and returns its
score, the factor's own scores included. `maximize_factor` dispatches on the kind's integer code.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.np.numpy_support import carray

from .cache import inner, kernel
from .codes import (
    AT_MOST_ONE,
    BUDGET,
    COVERAGE,
    KNAPSACK,
    OR,
    OR_OUT,
    OWN,
    OWN_PROJECTED,
    PAIR,
    PAIR_COVERAGE,
    SUBTREE,
    TREE_BUDGET,
    XOR,
)
from .families import MAXIMIZE, call_family, family
from .oracles import ORACLE_CODES, maximize_by_oracle, part
from .own import MAXIMIZE as OWN_MAXIMIZE
from .own import call_own
from .pair_coverage import maximize_pair_coverage
from .tree_budget import maximize_tree_budget


@inner
def maximize_xor(scores, point):
    best = np.argmax(scores)
    point[:] = 0.0
    point[best] = 1.0
    return scores[best]


@inner
def maximize_at_most_one(scores, point):
    best = np.argmax(scores)
    point[:] = 0.0
    if scores[best] <= 0.0:
        return 0.0
    point[best] = 1.0
    return scores[best]


@inner
def maximize_or(scores, point):
    """All positive literals, and at least the best one."""
    value = 0.0
    for i in range(len(scores)):
        point[i] = 1.0 if scores[i] > 0.0 else 0.0
        value += max(scores[i], 0.0)
    best = np.argmax(scores)
    if scores[best] <= 0.0:
        point[best] = 1.0
        value = scores[best]
    return value


@inner
def maximize_or_out(scores, point):
    """Either everything off, or the output on with the best non-empty set of inputs."""
    last = len(scores) - 1
    value = maximize_or(scores[:last], point[:last]) + scores[last]
    if value <= 0.0:
        point[:] = 0.0
        return 0.0
    point[last] = 1.0
    return value


@inner
def maximize_coverage(scores, score, point):
    """Either everything off, or the factor's score with the best non-empty set of literals."""
    value = maximize_or(scores, point) + score
    if value <= 0.0:
        point[:] = 0.0
        return 0.0
    return value


@inner
def maximize_budget(scores, budget, point):
    """The (at most) `budget` best positive literals."""
    point[:] = 0.0
    positive = 0
    value = 0.0
    for i in range(len(scores)):
        if scores[i] > 0.0:
            positive += 1
    if positive <= budget:
        for i in range(len(scores)):
            if scores[i] > 0.0:
                point[i] = 1.0
                value += scores[i]
        return value
    order = np.argsort(-scores)
    for k in range(budget):
        point[order[k]] = 1.0
        value += scores[order[k]]
    return value


@inner
def maximize_knapsack(scores, costs, budget, point):
    """Eq. 11's relaxed polytope: the fractional greedy knapsack, by score per unit of cost."""
    value = 0.0
    ratio = np.empty(len(scores))
    for i in range(len(scores)):
        point[i] = 0.0
        if scores[i] <= 0.0:
            ratio[i] = -1.0
        elif costs[i] == 0.0:
            ratio[i] = np.inf
        else:
            ratio[i] = scores[i] / costs[i]
    left = budget
    for i in np.argsort(-ratio):
        if ratio[i] <= 0.0:
            break
        if costs[i] <= left:
            point[i] = 1.0
            left -= costs[i]
            value += scores[i]
        else:
            point[i] = left / costs[i]
            value += scores[i] * point[i]
            break
    return value


@inner
def maximize_pair(scores, score, point):
    both = scores[0] + scores[1] + score
    first = scores[0]
    second = scores[1]
    value = max(0.0, first, second, both)
    point[0] = 1.0 if value > 0.0 and (value in (both, first)) else 0.0
    point[1] = 1.0 if value > 0.0 and (value == both or value != first) else 0.0
    return value


@inner
def maximize_subtree(scores, parents, undeletable, deletion_scores, point):
    """The Viterbi algorithm for trees (section 3.2): a deleted arc takes its whole subtree with it.

    Nodes are in preorder, so parents come before children; node 0 is the root, whose arc does not exist.
    """
    count = len(scores)
    kept = scores.copy()  # the best score of the subtree of a kept node
    for i in range(count - 1, 0, -1):
        if undeletable[i] or kept[i] > deletion_scores[i]:
            kept[parents[i]] += kept[i]
        else:
            kept[parents[i]] += deletion_scores[i]
    if kept[0] <= 0.0:
        point[:] = 0.0
        return 0.0
    point[0] = 1.0
    for i in range(1, count):
        keep = point[parents[i]] == 1.0 and (undeletable[i] or kept[i] > deletion_scores[i])
        point[i] = 1.0 if keep else 0.0
    return kept[0]


@inner
def maximize_own(scores, ints, floats, point):
    """Someone else's kernel, which returns the own score only."""
    count = len(scores)
    zero = count - count
    value = call_own(
        OWN_MAXIMIZE, count, scores, zero, 1.0, ints, zero, len(ints), floats, zero, len(floats), point, zero
    )
    for i in range(count):
        value += scores[i] * point[i]
    return value


# -- families ----------------------------------------------------------------------------------------------------------


def _without_parameters(maximize: Any) -> Any:
    def entry(
        code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer
    ):
        return maximize(carray(source, degree), carray(answer, degree))

    return entry


def _with_score(maximize: Any) -> Any:
    def entry(
        code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer
    ):
        return maximize(carray(source, degree), floats[0], carray(answer, degree))

    return entry


def _budget(code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer):
    return maximize_budget(carray(source, degree), ints[0], carray(answer, degree))


def _knapsack(
    code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer
):
    costs = carray(floats, float_count)[1:]
    return maximize_knapsack(carray(source, degree), costs, floats[0], carray(answer, degree))


def _subtree(
    code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer
):
    nodes, scores = carray(ints, int_count), carray(floats, float_count)
    return maximize_subtree(carray(source, degree), nodes[:degree], nodes[degree:], scores, carray(answer, degree))


def _pair_coverage(
    code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer
):
    return maximize_pair_coverage(carray(source, degree), carray(ints, degree), floats[0], carray(answer, degree))


def _tree_budget(
    code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer
):
    parents, costs = carray(ints, degree), carray(floats, float_count)[1:]
    return maximize_tree_budget(carray(source, degree), parents, costs, floats[0], carray(answer, degree))


def _own(code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer):
    parameters, table = carray(ints, int_count), carray(floats, float_count)
    return maximize_own(carray(source, degree), parameters, table, carray(answer, degree))


def _by_oracle(
    code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer
):
    parameters, table = carray(ints, int_count), carray(floats, float_count)
    return maximize_by_oracle(code, carray(source, degree), parameters, table, carray(answer, degree))


for _codes, _entry in (
    ((XOR,), _without_parameters(maximize_xor)),
    ((AT_MOST_ONE,), _without_parameters(maximize_at_most_one)),
    ((OR,), _without_parameters(maximize_or)),
    ((OR_OUT,), _without_parameters(maximize_or_out)),
    ((BUDGET,), _budget),
    ((KNAPSACK,), _knapsack),
    ((PAIR,), _with_score(maximize_pair)),
    ((COVERAGE,), _with_score(maximize_coverage)),
    ((SUBTREE,), _subtree),
    ((PAIR_COVERAGE,), _pair_coverage),
    ((TREE_BUDGET,), _tree_budget),
    ((OWN, OWN_PROJECTED), _own),
    (ORACLE_CODES, _by_oracle),
):
    family(MAXIMIZE, _codes, _entry)


@part
def maximize_factor(code, scores, ints, floats, point):
    """The best value of one factor, whose kind must be loaded (see `families`)."""
    zero = len(scores) - len(scores)
    return call_family(
        MAXIMIZE,
        code,
        len(scores),
        scores,
        zero,
        1.0,
        ints,
        zero,
        len(ints),
        floats,
        zero,
        len(floats),
        ints,
        zero,
        floats,
        zero,
        zero,
        point,
        zero,
    )


@kernel
def maximize_block(code, starts, negated, int_starts, ints, float_starts, floats, scores, points):
    """`maximize_factor` for all factors of a block: fills `points` and returns one value per factor."""
    values = np.empty(len(starts) - 1)
    literal_scores = np.empty(len(scores))
    for f in range(len(starts) - 1):
        first = starts[f]
        end = starts[f + 1]
        constant = 0.0
        for link in range(first, end):
            literal_scores[link] = -scores[link] if negated[link] else scores[link]
            if negated[link]:
                constant += scores[link]
        values[f] = constant + maximize_factor(
            code,
            literal_scores[first:end],
            ints[int_starts[f] : int_starts[f + 1]],
            floats[float_starts[f] : float_starts[f + 1]],
            points[first:end],
        )
        for link in range(first, end):
            if negated[link]:
                points[link] = 1.0 - points[link]
    return values
