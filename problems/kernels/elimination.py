"""Shortened conjunctions and maximized outputs, in compiled code, on all factors of a graph at once: the second half of AD3's presolve.

`solvers.conjunctions` and `solvers.elimination` say what is done and why. The factors are those of `merging`, over merged variables;
the or_outs among them are `first` to `end - 1`.
"""

from __future__ import annotations

import numpy as np

from .cache import inner, kernel
from .codes import COVERAGE
from .reductions import find_alike


@kernel
def shorten_factors(merged, factors, first, end, kept, equal, degrees, becomes, variable_of, scores, totals):
    """Take what `reductions.shorten_conjunctions` found out of the factors; returns how many are left.

    `becomes` is 0, 1, ... before; `totals` are the scores afterwards.
    """
    codes, starts, variables, negated = merged.codes, merged.link_starts, merged.variables, merged.negated
    int_starts, float_starts = merged.int_starts, merged.float_starts
    for k in range(end - first):
        if equal[k] >= 0:
            becomes[variables[starts[first + k + 1] - 1]] = equal[k]
    left = first
    link = starts[first]
    old = link
    for factor in range(first, factors):
        last = starts[factor + 1]
        disjunction = factor < end
        gone = disjunction and equal[factor - first] >= 0
        while old < last:
            variable = variables[old]
            if gone or (disjunction and not kept[old]):
                degrees[variable] -= 1
            else:
                if disjunction:
                    degrees[variable] -= 1
                    variable = becomes[variable]
                    degrees[variable] += 1
                variables[link] = variable
                negated[link] = negated[old]
                link += 1
            old += 1
        if not gone:
            codes[left] = codes[factor]
            left += 1
            starts[left] = link
            int_starts[left] = int_starts[factor + 1]  # or_outs have no parameters: all others stay where they are
            float_starts[left] = float_starts[factor + 1]
    for variable in range(len(scores)):
        totals[variable] = 0.0
    for variable in range(len(scores)):
        totals[becomes[variable]] += scores[variable]
    for variable in range(len(variable_of)):
        variable_of[variable] = becomes[variable_of[variable]]
    return left


@inner
def take_outputs(merged, first, end, degrees, scores, starts, literals, worth, outputs, inverted, lone):
    """Take the or_outs whose output has no other link, and these outputs' scores; returns how many there are.

    Their inputs are `literals` (twice the variable, plus 1 where it is negated), and `worth` is the score of one of them being true.
    """
    old_starts, variables, negated = merged.link_starts, merged.variables, merged.negated
    taken = 0
    link = 0
    starts[0] = 0
    for factor in range(first, end):
        last = old_starts[factor + 1] - 1
        output = variables[last]
        lone[factor - first] = degrees[output] == 1
        if degrees[output] != 1:
            continue
        for old in range(old_starts[factor], last):
            literals[link] = 2 * variables[old] + negated[old]
            link += 1
        outputs[taken] = output
        inverted[taken] = negated[last]
        worth[taken] = -scores[output] if negated[last] else scores[output]
        scores[output] = 0.0
        taken += 1
        starts[taken] = link
    return taken


@inner
def by_degree(starts, taken, alike, order):
    """The first outputs of each set, fewest inputs first; returns how many. AD3 goes through loops of one length after the other."""
    most = 0
    for k in range(taken):
        most = max(most, starts[k + 1] - starts[k])
    ends = np.zeros(most + 2, dtype=np.int64)
    for k in range(taken):
        if alike[k] == k:
            ends[starts[k + 1] - starts[k] + 1] += 1
    for degree in range(most + 1):
        ends[degree + 1] += ends[degree]
    for k in range(taken):
        if alike[k] == k:
            degree = starts[k + 1] - starts[k]
            order[ends[degree]] = k
            ends[degree] += 1
    return ends[most]


@inner
def write_factors(merged, factors, first, end, lone, starts, literals, worth, taken, alike, places):
    """The other factors, then a coverage for each set of outputs with the same inputs and sign; returns how many of both.

    Coverages are in the order of their degrees. They take the place of the factors that there were. All but or_outs keep their parameters where they are.
    """
    codes, link_starts, variables, negated = merged.codes, merged.link_starts, merged.variables, merged.negated
    int_starts, float_starts, floats = merged.int_starts, merged.float_starts, merged.floats
    left = first
    link = link_starts[first]
    old = link
    for factor in range(first, factors):
        last = link_starts[factor + 1]
        if factor < end and lone[factor - first]:
            old = last
            continue
        while old < last:
            variables[link] = variables[old]
            negated[link] = negated[old]
            link += 1
            old += 1
        codes[left] = codes[factor]
        left += 1
        link_starts[left] = link
        int_starts[left] = int_starts[factor + 1]
        float_starts[left] = float_starts[factor + 1]
    others = left
    f = float_starts[left]
    order = np.empty(taken, dtype=np.int64)
    for place in range(by_degree(starts, taken, alike, order)):
        k = order[place]
        for entry in range(starts[k], starts[k + 1]):
            variables[link] = literals[entry] >> 1
            negated[link] = literals[entry] & 1 > 0
            link += 1
        places[k] = f  # where the score of all alike is
        floats[f] = worth[k]
        f += 1
        codes[left] = COVERAGE
        left += 1
        link_starts[left] = link
        int_starts[left] = int_starts[others]
        float_starts[left] = f
    for k in range(taken):
        if alike[k] >= 0 and alike[k] != k:
            floats[places[alike[k]]] += worth[k]
    return others, left - others


@kernel
def eliminate(
    merged, factors, first, end, degrees, scores, starts, literals, worth, outputs, inverted, lone, table, alike, places
):
    """Maximize out lone outputs, in place; returns how many that are, and how many other factors and coverages remain.

    `scores` lose those of the outputs, whose inputs and scores are `starts`, `literals` and `worth`; `table` is `find_alike`'s.
    """
    taken = take_outputs(merged, first, end, degrees, scores, starts, literals, worth, outputs, inverted, lone)
    find_alike(starts, taken, literals, worth, table, alike)
    others, coverages = write_factors(merged, factors, first, end, lone, starts, literals, worth, taken, alike, places)
    return taken, others, coverages
