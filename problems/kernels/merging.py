"""Equal variables become one, in compiled code, on all factors of a graph at once: the first half of AD3's presolve.

`solvers.presolve` says which variables are equal and why; this is the same on flat arrays, without a numpy call per step. The second
half is `elimination`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .cache import kernel
from .codes import BUDGET, KNAPSACK, OR_OUT, SUBTREE
from .reductions import join, number_sets


class Factors(NamedTuple):
    """The arrays of `problems.factors.flat.FlatFactors`; those that a kernel writes may be longer than what it fills."""

    codes: Any
    link_starts: Any
    variables: Any
    negated: Any
    int_starts: Any
    ints: Any
    float_starts: Any
    floats: Any


@kernel
def merge_variables(given, scores, own, tops, variable_of, totals):
    """Number the sets of equal variables and add up their scores, to which trees add their own; returns how many sets there are.

    `own` are zeros, for the trees' scores; tops[link] is the topmost node that a tree's node is tied to. Scores are added in the order of `presolve.merge_equal`, so that
    both give the same to the last bit.
    """
    codes, starts, variables, negated = given.codes, given.link_starts, given.variables, given.negated
    ints, int_starts, floats, float_starts = given.ints, given.int_starts, given.floats, given.float_starts
    for variable in range(len(scores)):
        variable_of[variable] = variable
        totals[variable] = 0.0
    for factor in range(len(codes)):
        first = starts[factor]
        degree = starts[factor + 1] - first
        if codes[factor] == SUBTREE:
            for i in range(degree):
                parent = ints[int_starts[factor] + i]
                tops[first + i] = first + i
                if parent >= 0:
                    own[variables[first + parent]] += floats[float_starts[factor] + i]
                    if ints[int_starts[factor] + degree + i] > 0:
                        tops[first + i] = tops[first + parent]
                        join(variables[first + i], variables[first + parent], variable_of)
        elif codes[factor] == OR_OUT and degree == 2 and negated[first] == negated[first + 1]:
            join(variables[first], variables[first + 1], variable_of)
    for factor in range(len(codes)):
        if codes[factor] == SUBTREE:
            for i in range(starts[factor + 1] - starts[factor]):
                if ints[int_starts[factor] + i] >= 0:
                    own[variables[starts[factor] + i]] -= floats[float_starts[factor] + i]
    sets = number_sets(variable_of)
    for variable in range(len(scores)):
        totals[variable_of[variable]] += scores[variable] + own[variable]
    return sets


@kernel
def add_up_budgets(codes, starts, variables, negated, variable_of, places, owners, literals, amounts, distinct):
    """The different literals of each budget in their order, and how often each occurs; returns whether one occurs twice.

    `places` are zeros, one more than there are literals of merged variables.
    """
    count = len(places) - 1
    for factor in range(len(codes)):
        distinct[factor] = 0
        if codes[factor] == BUDGET:
            for link in range(starts[factor], starts[factor + 1]):
                places[2 * variable_of[variables[link]] + negated[link] + 1] += 1
    for literal in range(count):
        places[literal + 1] += places[literal]
    for factor in range(len(codes)):  # `owners` are the budgets of each literal, literal after literal
        if codes[factor] == BUDGET:
            for link in range(starts[factor], starts[factor + 1]):
                literal = 2 * variable_of[variables[link]] + negated[link]
                owners[places[literal]] = factor
                places[literal] += 1
    repeated = False
    entry = 0
    for literal in range(count):
        while entry < places[literal]:
            factor = owners[entry]
            end = starts[factor] + distinct[factor]
            if distinct[factor] > 0 and literals[end - 1] == literal:
                amounts[end - 1] += 1
                repeated = True
            else:
                literals[end] = literal
                amounts[end] = 1
                distinct[factor] += 1
            entry += 1
    return repeated


@kernel
def merge_factors(given, tops, variable_of, as_knapsacks, literals, amounts, distinct, degrees, parents, made):
    """The factors over merged variables; returns how many there are.

    A tree keeps one link for each set of tied nodes, and an or_out that is an equality goes. `degrees` are the links of each variable
    afterwards, `parents` the variable above each one in a tree, else -1. With `as_knapsacks`, budgets become knapsacks on what
    `add_up_budgets` found.
    """
    codes, starts, variables, negated = given.codes, given.link_starts, given.variables, given.negated
    ints, int_starts, floats, float_starts = given.ints, given.int_starts, given.floats, given.float_starts
    made_variables, made_negated, made_ints, made_floats = made.variables, made.negated, made.ints, made.floats
    for variable in range(len(degrees)):
        degrees[variable] = 0
        parents[variable] = -1
    factors = 0
    link = 0
    i = 0
    f = 0
    made.link_starts[0] = 0
    made.int_starts[0] = 0
    made.float_starts[0] = 0
    for factor in range(len(codes)):
        code = codes[factor]
        first = starts[factor]
        end = starts[factor + 1]
        if code == OR_OUT and end - first == 2 and negated[first] == negated[first + 1]:
            continue
        if code == SUBTREE:
            begin = link
            for node in range(first, end):
                if tops[node] == node:
                    parent = ints[int_starts[factor] + node - first]
                    amounts[node] = link - begin  # where it is in the tree that is left
                    made_ints[i] = -1
                    made_variables[link] = variable_of[variables[node]]
                    if parent >= 0:
                        made_ints[i] = amounts[tops[first + parent]]
                        parents[made_variables[link]] = made_variables[begin + made_ints[i]]
                    made_negated[link] = negated[node]
                    made_floats[f] = 0.0
                    link += 1
                    i += 1
                    f += 1
            for _ in range(begin, link):
                made_ints[i] = 0
                i += 1
        elif code == BUDGET and as_knapsacks:
            code = KNAPSACK
            made_floats[f] = ints[int_starts[factor]]
            f += 1
            for entry in range(first, first + distinct[factor]):
                made_variables[link] = literals[entry] >> 1
                made_negated[link] = literals[entry] & 1 > 0
                made_floats[f] = amounts[entry]
                link += 1
                f += 1
        else:
            for old in range(first, end):
                made_variables[link] = variable_of[variables[old]]
                made_negated[link] = negated[old]
                link += 1
            for old in range(int_starts[factor], int_starts[factor + 1]):
                made_ints[i] = ints[old]
                i += 1
            for old in range(float_starts[factor], float_starts[factor + 1]):
                made_floats[f] = floats[old]
                f += 1
        made.codes[factors] = code
        factors += 1
        made.link_starts[factors] = link
        made.int_starts[factors] = i
        made.float_starts[factors] = f
    for entry in range(link):
        degrees[made_variables[entry]] += 1
    return factors
