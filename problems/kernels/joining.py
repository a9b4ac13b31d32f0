"""Conjunctions taken into their coverages, and trees joined with a budget: the last step of AD3's presolve, in compiled code.

`solvers.joining` says what is done and why. The factors are those that `elimination` has left.
"""

from __future__ import annotations

from .cache import kernel
from .codes import BUDGET, COVERAGE, KNAPSACK, OR_OUT, PAIR_COVERAGE, SUBTREE, TREE_BUDGET


@kernel
def find_budget(flat, places, seen):
    """The largest budget or knapsack, or -1 where it cannot be joined with the trees; then the number of nodes and of others.

    All links must be plain, each node in one tree only, and nothing twice in the budget. `places` are -1
    and `seen` False before; afterwards they have the places of all nodes and of the budget's other variables in the joined factor.
    """
    codes, starts, variables, negated = flat.codes, flat.link_starts, flat.variables, flat.negated
    budget = -1
    largest = -1
    nodes = 0
    for factor in range(len(codes)):
        degree = starts[factor + 1] - starts[factor]
        if codes[factor] in (BUDGET, KNAPSACK) and degree > largest:
            budget = factor
            largest = degree
        if codes[factor] == SUBTREE:
            for link in range(starts[factor], starts[factor + 1]):
                if negated[link] or places[variables[link]] >= 0:
                    return -1, 0, 0
                places[variables[link]] = nodes
                nodes += 1
    if budget < 0 or nodes == 0:
        return -1, 0, 0
    others = 0
    for link in range(starts[budget], starts[budget + 1]):
        variable = variables[link]
        if negated[link] or seen[variable]:
            return -1, 0, 0
        seen[variable] = True
        if places[variable] < 0:
            places[variable] = nodes + others
            others += 1
    return budget, nodes, others


@kernel
def find_pairs(flat, scores, degrees, pair_of):
    """The or_out of each token that is the conjunction of two literals and feeds one coverage and nothing else, else -1.

    `degrees` are zeros and `pair_of` -1 before. Returns how many there are.
    """
    codes, starts, variables, negated = flat.codes, flat.link_starts, flat.variables, flat.negated
    for link in range(len(variables)):
        degrees[variables[link]] += 1
    for factor in range(len(codes)):
        last = starts[factor + 1] - 1
        token = variables[last]
        conjunction = codes[factor] == OR_OUT and last == starts[factor] + 2 and negated[last]
        if conjunction and degrees[token] == 2 and scores[token] == 0.0:
            pair_of[token] = -2 - factor  # unless a coverage has it
    count = 0
    for factor in range(len(codes)):
        if codes[factor] == COVERAGE:
            for link in range(starts[factor], starts[factor + 1]):
                token = variables[link]
                if pair_of[token] < -1 and not negated[link]:
                    pair_of[token] = -2 - pair_of[token]
                    count += 1
    for variable in range(len(pair_of)):
        pair_of[variable] = max(pair_of[variable], -1)
    return count


@kernel
def keep_factors(flat, budget, total, pair_of, made, tokens, literals, signs):
    """Write the factors that stay, then coverages with pairs, then smaller budgets; returns how many there are of each.

    A budget of fewer than `total` variables becomes a budget of trees without arcs, which needs no kernels of another kind.
    Each token that goes is noted with the two literals of its or_out (twice a variable, plus 1 where it is negated) and the sign of
    its coverage's score.
    """
    codes, starts, variables, negated = flat.codes, flat.link_starts, flat.variables, flat.negated
    ints, int_starts, floats, float_starts = flat.ints, flat.int_starts, flat.floats, flat.float_starts
    new_codes, new_starts, new_variables, new_negated = made.codes, made.link_starts, made.variables, made.negated
    new_ints, new_int_starts, new_floats, new_float_starts = made.ints, made.int_starts, made.floats, made.float_starts
    count = 0
    link = 0
    i = 0
    f = 0
    gone = 0
    stay = 0
    covers = 0
    new_starts[0] = 0
    new_int_starts[0] = 0
    new_float_starts[0] = 0
    for turn in range(3):
        if turn == 1:
            stay = count
        elif turn == 2:
            covers = count - stay
        for factor in range(len(codes)):
            code = codes[factor]
            first = starts[factor]
            end = starts[factor + 1]
            if factor == budget or code == SUBTREE or (code == OR_OUT and pair_of[variables[end - 1]] == factor):
                continue
            paired = False
            if code == COVERAGE:
                for old in range(first, end):
                    paired = paired or pair_of[variables[old]] >= 0
            small = code in (BUDGET, KNAPSACK) and end - first < total
            if turn != (1 if paired else 2 if small else 0):
                continue
            if small:
                for _ in range(first, end):
                    new_ints[i] = -1
                    i += 1
                if code == BUDGET:
                    new_floats[f] = float(ints[int_starts[factor]])
                    f += 1
                    for _ in range(first, end):
                        new_floats[f] = 1.0
                        f += 1
            for old in range(first, end):
                pair = pair_of[variables[old]] if paired else -1
                size = 1
                if pair >= 0:
                    size = 2
                    tokens[gone] = variables[old]
                    signs[gone] = floats[float_starts[factor]]
                for k in range(size):
                    given = starts[pair] + k if pair >= 0 else old
                    new_variables[link] = variables[given]
                    new_negated[link] = negated[given] != (pair >= 0)
                    link += 1
                    if paired:
                        new_ints[i] = k
                        i += 1
                    if pair >= 0:
                        literals[2 * gone + k] = 2 * variables[given] + negated[given]
                gone += size - 1
            for old in range(int_starts[factor], int_starts[factor] if small else int_starts[factor + 1]):
                new_ints[i] = ints[old]
                i += 1
            for old in range(float_starts[factor], float_starts[factor + 1]):
                new_floats[f] = floats[old]
                f += 1
            new_codes[count] = PAIR_COVERAGE if paired else TREE_BUDGET if small else code
            count += 1
            new_starts[count] = link
            new_int_starts[count] = i
            new_float_starts[count] = f
    return stay, covers, count - stay - covers


@kernel
def join_trees(flat, budget, total, places, made, count):
    """Write the trees with the budget, which have so many variables, as one factor after so many others."""
    codes, starts, variables = flat.codes, flat.link_starts, flat.variables
    ints, int_starts, floats, float_starts = flat.ints, flat.int_starts, flat.floats, flat.float_starts
    new_ints, new_floats, new_variables, new_negated = made.ints, made.floats, made.variables, made.negated
    link = made.link_starts[count]
    i = made.int_starts[count]
    f = made.float_starts[count] + 1
    is_knapsack = codes[budget] == KNAPSACK
    made.codes[count] = TREE_BUDGET
    new_floats[f - 1] = floats[float_starts[budget]] if is_knapsack else float(ints[int_starts[budget]])
    for k in range(total):
        new_ints[i + k] = -1
        new_floats[f + k] = 0.0
        new_negated[link + k] = False
    for factor in range(len(codes)):
        first = starts[factor]
        if codes[factor] != SUBTREE and factor != budget:
            continue
        for old in range(first, starts[factor + 1]):
            place = places[variables[old]]
            new_variables[link + place] = variables[old]
            if factor == budget:
                new_floats[f + place] = floats[float_starts[budget] + 1 + old - first] if is_knapsack else 1.0
            elif ints[int_starts[factor] + old - first] >= 0:
                new_ints[i + place] = places[variables[first + ints[int_starts[factor] + old - first]]]
    made.link_starts[count + 1] = link + total
    made.int_starts[count + 1] = i + total
    made.float_starts[count + 1] = f + total
