"""Compiled parts of AD3's presolve (`solvers.conjunctions`, `solvers.elimination`), on the flat arrays of `or_out` and coverage blocks.

In an `or_out` block an and-with-output has all links negated, an or-with-output none.
"""

from __future__ import annotations

import numpy as np

from .cache import inner, kernel

DEEPEST = 1000  # steps of a walk towards the root of a tree
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@inner
def representative(variable, joined):
    """The least variable of a set, with the ways to it halved."""
    while joined[variable] != variable:
        joined[variable] = joined[joined[variable]]
        variable = joined[variable]
    return variable


@inner
def join(first, second, joined):
    """Two variables are equal: the lesser representative of their sets becomes that of both."""
    one = representative(first, joined)
    two = representative(second, joined)
    joined[max(one, two)] = min(one, two)


@kernel
def join_equal(first, second, joined):
    """Number the sets that pairs of equal variables make, in the order of their least members; `joined` is 0, 1, ... before."""
    for k in range(len(first)):
        join(first[k], second[k], joined)
    number_sets(joined)


@inner
def number_sets(joined):
    """From a representative of each variable to the number of its set, in the order of least members; returns how many sets there are."""
    for variable in range(len(joined)):
        joined[variable] = joined[joined[variable]]  # less than itself, and final already
    sets = 0
    for variable in range(len(joined)):
        if joined[variable] == variable:
            joined[variable] = sets
            sets += 1
        else:
            joined[variable] = joined[joined[variable]]
    return sets


@kernel
def find_rising(starts, variables, negated, degrees, scores, links, conjunctions, rising):
    """Mark outputs of one conjunction that only gain by growing: all else that links them are disjunctions, as inputs.

    These disjunctions' outputs have no other link and no negative score. `links` and `conjunctions` are zeros to count with.
    """
    for factor in range(len(starts) - 1):
        last = starts[factor + 1] - 1
        output = variables[last]
        turned = 0
        for link in range(starts[factor], last + 1):
            turned += negated[link]
        if turned == last + 1 - starts[factor]:
            links[output] += 1
            conjunctions[output] += 1
        elif turned == 0 and degrees[output] == 1 and scores[output] >= 0.0:
            for link in range(starts[factor], last):
                links[variables[link]] += 1
    for variable in range(len(scores)):
        alone = links[variable] == degrees[variable] and conjunctions[variable] == 1
        rising[variable] = alone and scores[variable] >= 0.0


@inner
def is_above(ancestor, node, parents):
    """Does a walk from a node towards its root meet the ancestor?"""
    for _ in range(DEEPEST):
        node = parents[node]
        if node < 0 or node == ancestor:
            break
    return node == ancestor


@kernel
def shorten_conjunctions(starts, variables, negated, parents, rising, kept, equal):
    """Unmark inputs of rising conjunctions that others imply; equal[f] is the only input where one is left, else -1."""
    for factor in range(len(starts) - 1):
        first = starts[factor]
        last = starts[factor + 1] - 1
        equal[factor] = -1
        for link in range(first, last + 1):
            kept[link] = True
        conjunction = rising[variables[last]]
        for link in range(first, last + 1):
            conjunction = conjunction and negated[link]
        if not conjunction:
            continue
        left = last - first
        for link in range(first, last):
            for other in range(first, last):
                if (
                    other != link
                    and kept[other]
                    and (variables[other] == variables[link] or is_above(variables[link], variables[other], parents))
                ):
                    kept[link] = False
                    left -= 1
                    break
        if left == 1:
            for link in range(first, last):
                if kept[link]:
                    equal[factor] = variables[link]


@inner
def find_alike(starts, count, literals, floats, table, first):
    """The first factor with the same literals in the same order and a score of the same sign; -1 for a factor without a score.

    `table` is full of -1; its length is a power of two, and at least twice the number of factors.
    """
    size = len(table)
    for factor in range(count):
        first[factor] = -1
        if floats[factor] == 0.0:
            continue
        digest = np.uint64(1 if floats[factor] < 0.0 else 2)
        for link in range(starts[factor], starts[factor + 1]):
            digest = (digest ^ np.uint64(literals[link])) * MULTIPLIER
            digest ^= digest >> np.uint64(29)
        place = np.int64(digest & np.uint64(size - 1))
        first[factor] = factor
        while table[place] >= 0:
            other = table[place]
            if is_alike(factor, other, starts, literals) and (floats[factor] < 0.0) == (floats[other] < 0.0):
                first[factor] = other
                break
            place = (place + 1) & (size - 1)
        if first[factor] == factor:
            table[place] = factor


@inner
def is_alike(factor, other, starts, literals):
    degree = starts[factor + 1] - starts[factor]
    if degree != starts[other + 1] - starts[other]:
        return False
    i = 0
    while i < degree and literals[starts[factor] + i] == literals[starts[other] + i]:
        i += 1
    return i == degree
