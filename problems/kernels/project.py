"""The `project` face in compiled code: the quadratic problem of one factor in AD3 (Eq. 3 of the turbo parser paper).

With the square completed, a factor minimizes 1/2 ||z - point||^2 - scale * own(z) over its polytope, where `own` are the
factor's own scores (none for hard constraints) and `scale` is 1/eta. Every kernel works on literals: a negated link has
been turned to 1 - a already. Kernels of closed forms take a run first:end of flat arrays, which spares the slices.

The active set method stops after a few steps, and goes on in the next call; all kernels return whether z is final.

A factor has memory of its own across calls: scratch, what `prepare_factor` found out once, and a warm start.

    knapsack, budget   ints: working set (n)                  floats: last tau, split points (2n)
    subtree            ints: units, unit of each node (n),    floats: size of each unit, sums, sizes and means of
                       parents (n), heaps (3n)                        blocks, the point with own scores (n each)
    tree budget        see `tree_budget`
    with an oracle     see `active_set` and `oracles`
    all others         nothing
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.np.numpy_support import carray

from .active_set import clear_active_set, part, room_for
from .cache import inner, kernel
from .codes import (
    AT_MOST_ONE,
    BUDGET,
    COVERAGE,
    KNAPSACK,
    OR,
    OR_OUT,
    OWN_PROJECTED,
    PAIR,
    PAIR_COVERAGE,
    SUBTREE,
    TREE_BUDGET,
    XOR,
)
from .families import PROJECT, call_family, family
from .oracles import ORACLE_CODES, has_oracle
from .own import PROJECT as OWN_PROJECT
from .own import call_own
from .pair_coverage import project_pair_coverage
from .project_coverage import project_coverage
from .project_knapsack import project_knapsack
from .project_logic import project_at_most_one, project_or, project_or_out, project_pair, project_xor
from .project_oracle import active_set_sizes, project_by_active_set
from .project_subtree import contract_tree, project_subtree
from .tree_budget import WEIGHTS, project_tree_budget, tree_budget_memory


@inner
def memory_sizes(code, degree, ints):
    """How many ints and floats of memory a factor needs."""
    if code in (BUDGET, KNAPSACK):
        return degree, 1 + 2 * degree
    if code == SUBTREE:
        return 1 + 5 * degree, 5 * degree
    if code == TREE_BUDGET:
        return tree_budget_memory(degree)
    if has_oracle(code) and code != OWN_PROJECTED:
        return active_set_sizes(code, degree, ints)
    return 0, 0


@inner
def prepare_factor(code, degree, ints, floats, int_memory, float_memory):
    """Fill a factor's memory before its first projection."""
    if code in (BUDGET, KNAPSACK):
        float_memory[0] = 0.0
    elif code == SUBTREE:
        contract_tree(degree, ints, int_memory, float_memory)
    elif code == TREE_BUDGET:
        for i in range(WEIGHTS):
            float_memory[i] = 0.0
        for i in range(degree):
            float_memory[WEIGHTS + i] = 1.0
    elif has_oracle(code) and code != OWN_PROJECTED:
        clear_active_set(room_for(degree), int_memory)


# -- families ----------------------------------------------------------------------------------------------------------


def _closed_form(project: Any) -> Any:
    def entry(
        code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer
    ):
        project(carray(source, degree), degree - degree, degree, carray(answer, degree))
        return 1.0  # `degree - degree` is no literal 0, for which numba would compile everything once more

    return entry


def _coverage(
    code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer
):
    first = degree - degree
    project_coverage(carray(source, degree), first, degree, scale * floats[0], carray(answer, degree))
    return 1.0


def _pair(code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer):
    project_pair(carray(source, degree), degree - degree, scale * floats[0], carray(answer, degree))
    return 1.0


def _budget(code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer):
    first = degree - degree
    last = carray(float_memory, 1 + 2 * degree)
    point, costs, z = carray(source, degree), carray(floats, float_count), carray(answer, degree)
    project_knapsack(point, first, degree, costs, first - 1, float(ints[0]), carray(int_memory, degree), last, z)
    return 1.0


def _knapsack(
    code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer
):
    first = degree - degree
    last = carray(float_memory, 1 + 2 * degree)
    point, costs, z = carray(source, degree), carray(floats, float_count), carray(answer, degree)
    project_knapsack(point, first, degree, costs, first + 1, floats[0], carray(int_memory, degree), last, z)
    return 1.0


def _subtree(
    code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer
):
    sizes = carray(float_memory, 5 * degree)
    project_subtree(carray(source, degree), carray(int_memory, 1 + 5 * degree), sizes, carray(answer, degree))
    return 1.0


def _pair_coverage(
    code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer
):
    second = carray(ints, degree)
    project_pair_coverage(carray(source, degree), second, scale * floats[0], carray(answer, degree))
    return 1.0


def _tree_budget(
    code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer
):
    project_tree_budget(
        carray(source, degree),
        carray(ints, degree),
        carray(floats, float_count)[1:],
        floats[0],
        carray(int_memory, 5 * degree),
        carray(float_memory, WEIGHTS + 6 * degree),
        carray(answer, degree),
    )
    return 1.0


def _own(code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer):
    first = degree - degree
    parameters, table = carray(ints, int_count), carray(floats, float_count)
    point, z = carray(source, degree), carray(answer, degree)
    call_own(
        OWN_PROJECT, degree, point, first, scale, parameters, first, int_count, table, first, float_count, z, first
    )
    return 1.0


def _by_active_set() -> Any:
    def entry(
        code, degree, source, scale, ints, int_count, floats, float_count, int_memory, float_memory, place, answer
    ):
        finished = project_by_active_set(
            code,
            degree,
            carray(source, degree),
            scale,
            carray(ints, int_count),
            carray(floats, float_count),
            carray(int_memory, place),
            carray(float_memory, place),
            carray(answer, degree),
        )
        return 1.0 if finished else 0.0

    return entry


for _code, _entry in (
    (XOR, _closed_form(project_xor)),
    (AT_MOST_ONE, _closed_form(project_at_most_one)),
    (OR, _closed_form(project_or)),
    (OR_OUT, _closed_form(project_or_out)),
    (COVERAGE, _coverage),
    (PAIR, _pair),
    (BUDGET, _budget),
    (KNAPSACK, _knapsack),
    (SUBTREE, _subtree),
    (PAIR_COVERAGE, _pair_coverage),
    (TREE_BUDGET, _tree_budget),
    (OWN_PROJECTED, _own),
):
    family(PROJECT, (_code,), _entry)
family(PROJECT, ORACLE_CODES, _by_active_set())


@part
def project_factor_folded(code, point, scale, ints, floats, int_memory, float_memory, z):
    """`project_factor` for a point that holds linear own scores (those of a subtree) already; whether z is final."""
    zero = len(point) - len(point)
    return (
        call_family(
            PROJECT,
            code,
            len(point),
            point,
            zero,
            scale,
            ints,
            zero,
            len(ints),
            floats,
            zero,
            len(floats),
            int_memory,
            zero,
            float_memory,
            zero,
            max(len(int_memory), len(float_memory)),
            z,
            zero,
        )
        != 0.0
    )


@part
def project_factor(code, point, scale, ints, floats, int_memory, float_memory, z):
    """The minimizer z of 1/2 ||z - point||^2 - scale * own(z) over the factor's polytope, however many calls it takes."""
    count = len(point)
    shifted = point
    if code == SUBTREE:
        shifted = float_memory[4 * count : 5 * count]
        for i in range(count):
            shifted[i] = point[i]
        for i in range(1, count):
            shifted[ints[i]] += scale * floats[i]
            shifted[i] -= scale * floats[i]
    for _ in range(4 * count + 100):
        if project_factor_folded(code, shifted, scale, ints, floats, int_memory, float_memory, z):
            break


@kernel
def project_block(code, starts, negated, int_starts, ints, float_starts, floats, points, scale, z):
    """`project_factor` for all factors of a block, each from a fresh memory, in terms of variables: fills z."""
    most_ints = 0
    most_floats = 0
    longest = 0
    for f in range(len(starts) - 1):
        degree = starts[f + 1] - starts[f]
        int_count, float_count = memory_sizes(code, degree, ints[int_starts[f] : int_starts[f + 1]])
        most_ints = max(most_ints, int_count)
        most_floats = max(most_floats, float_count)
        longest = max(longest, degree)
    int_memory = np.empty(most_ints, dtype=np.int64)
    float_memory = np.empty(most_floats)
    literals = np.empty(longest)
    for f in range(len(starts) - 1):
        first = starts[f]
        degree = starts[f + 1] - first
        own_ints = ints[int_starts[f] : int_starts[f + 1]]
        own_floats = floats[float_starts[f] : float_starts[f + 1]]
        for i in range(degree):
            literals[i] = 1.0 - points[first + i] if negated[first + i] else points[first + i]
        prepare_factor(code, degree, own_ints, own_floats, int_memory, float_memory)
        project_factor(
            code,
            literals[:degree],
            scale,
            own_ints,
            own_floats,
            int_memory,
            float_memory,
            z[first : first + degree],
        )
        for link in range(first, first + degree):
            if negated[link]:
                z[link] = 1.0 - z[link]
