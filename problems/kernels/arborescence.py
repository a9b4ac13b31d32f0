"""The maximum arborescence by the algorithm of Chu-Liu, Edmonds and Tarjan for dense graphs, in O(words^2).

Paths grow backwards along best entering arcs. A cycle becomes one component: its row of entering arcs (one for each word
that they may come from) is the best of its members' rows, each less the member's own choice. Rows are made only for words
that are on a cycle; if there is none, going through the candidate arcs once is all.

A single root: arcs from the root symbol are taken only where a component has no other entering arc. Then as few of them
are used as possible, and the tree is the best of those (Stanojevic & Cohen 2021 subtract a large constant to that end).
Because arcs from the root close no cycle, the two orders never mix: no constant is needed and nothing is rounded.
"""

from __future__ import annotations

import numpy as np

from .cache import inner, kernel

HEADER = 3  # ints: number of words, single root, form of the flow; then the starts of each word's arcs, and their heads


@inner
def arborescence_scratch(words):
    """How many ints and floats of scratch an arborescence needs."""
    return words * (words + 1) + 10 * words + 8, words * (words + 1) + 2 * words + 1


@inner
def best_arborescence(degree, parameters, p, ints, chosen, floats, scores, point, f):
    """Write the best tree to `point`; returns whether there is one.

    ints[chosen:] by node (the words, then components in the order of their making): the entering arc. With a single root
    the best tree of all is tried first: it usually has one.
    """
    words = parameters[p]
    starts = p + HEADER
    heads = starts + words + 1
    roots = 0
    for m in range(words):
        if parameters[starts + m] == parameters[starts + m + 1]:
            return False
        best = parameters[starts + m]
        highest = floats[scores + best]
        for arc in range(best + 1, parameters[starts + m + 1]):
            value = floats[np.uint64(scores + arc)]
            if value > highest:
                highest = value
                best = arc
        ints[chosen + m] = best
        if parameters[heads + best] == 0:
            roots += 1
    single = parameters[p + 1] == 1
    found = True
    if roots == 0 or has_cycle(words, parameters, heads, ints, chosen):  # with any number of roots (no literal False)
        found = contract(words, words < 0, parameters, starts, ints, chosen, floats, scores, f)
        roots = 0
        for m in range(words):
            if parameters[heads + ints[chosen + m]] == 0:
                roots += 1
    if single and roots > 1:
        prefer_other_heads(words, parameters, starts, ints, chosen, floats, scores)
        found = contract(words, single, parameters, starts, ints, chosen, floats, scores, f)
    for arc in range(degree):
        floats[point + arc] = 0.0
    if found:
        for m in range(words):
            floats[point + ints[chosen + m]] = 1.0
    return found


@inner
def has_cycle(words, parameters, heads, ints, chosen):
    """Does some word not lead to the root symbol by the chosen arcs?"""
    stamps = chosen + 2 * words
    for m in range(1, words + 1):
        ints[stamps + m] = 0
    for m in range(1, words + 1):
        v = m
        while v > 0 and ints[stamps + v] == 0:
            ints[stamps + v] = m
            v = parameters[heads + ints[chosen + v - 1]]
        if v > 0 and ints[stamps + v] == m:
            return True
    return False


@inner
def prefer_other_heads(words, parameters, starts, ints, chosen, floats, scores):
    """The best head of each word that is not the root symbol, where there is one."""
    heads = starts + words + 1
    for m in range(words):
        best = -1
        for arc in range(parameters[starts + m], parameters[starts + m + 1]):
            if parameters[heads + arc] > 0 and (best < 0 or floats[scores + arc] > floats[scores + best]):
                best = arc
        ints[chosen + m] = best if best >= 0 else parameters[starts + m]


@inner
def contract(words, single, parameters, starts, ints, chosen, floats, scores, values):
    """The general case, from the best arc of each word on; whether there is a tree.

    floats[values:] by row and source: what an entering arc is worth; behind them, the worth of each node's choice.
    """
    width = words + 1
    heads = starts + words + 1
    above = chosen + 2 * words + 1  # the component that has swallowed a node
    row_of = above + 2 * words + 1  # the row of a component's entering arcs
    component = row_of + 2 * words + 1  # by word: its outermost node; the root symbol's is -1
    state = component + width  # 0 unseen, 1 on the path, 2 leads to the root
    path = state + 2 * words + 1
    arcs = path + words  # by row and source: the arc
    gains = values + words * width
    ints[component] = -1
    for m in range(words):
        ints[component + m + 1] = m
        ints[state + m] = 0
        ints[above + m] = -1
    nodes = words
    for start in range(words):
        node = ints[component + start + 1]
        if ints[state + node] != 0:
            continue
        length = 0
        while True:
            if ints[state + node] == 0:
                ints[state + node] = 1
                ints[path + length] = node
                length += 1
            if node < words:
                arc = ints[chosen + node]
                source = parameters[heads + arc]
                floats[gains + node] = floats[scores + arc]
            else:
                row = ints[row_of + node] * width
                source = -1
                best = -np.inf
                for u in range(1, width):
                    value = floats[np.uint64(values + row + u)]
                    if value > best:
                        best = value
                        source = u
                at_root = floats[values + row]
                if at_root > -np.inf and (source < 0 or (not single and at_root > best)):
                    best = at_root
                    source = 0
                if source < 0:
                    return False
                ints[chosen + node] = ints[arcs + row + source]
                floats[gains + node] = best
            other = ints[component + source]
            if other < 0 or ints[state + other] == 2:
                break
            if ints[state + other] == 0:
                node = other
                continue
            # a cycle: all nodes of the path from `other` on become one, in the row of the last
            target = -1
            k = length
            while True:
                k -= 1
                member = ints[path + k]
                gain = floats[gains + member]
                if member < words:
                    if target < 0:
                        target = member * width
                        for u in range(width):
                            floats[values + target + u] = -np.inf
                    for arc in range(parameters[starts + member], parameters[starts + member + 1]):
                        place = target + parameters[np.uint64(heads + arc)]
                        value = floats[np.uint64(scores + arc)] - gain
                        if value > floats[np.uint64(values + place)]:
                            floats[np.uint64(values + place)] = value
                            ints[np.uint64(arcs + place)] = arc
                else:
                    row = ints[row_of + member] * width
                    if target < 0:
                        target = row
                        for u in range(width):
                            floats[values + row + u] -= gain
                    else:
                        for u in range(width):
                            value = floats[np.uint64(values + row + u)] - gain
                            if value > floats[np.uint64(values + target + u)]:
                                floats[np.uint64(values + target + u)] = value
                                ints[np.uint64(arcs + target + u)] = ints[np.uint64(arcs + row + u)]
                ints[above + member] = nodes
                if member == other:
                    break
            for u in range(1, width):
                if ints[np.uint64(above + ints[np.uint64(component + u)])] == nodes:
                    ints[component + u] = nodes
                    floats[values + target + u] = -np.inf
            ints[above + nodes] = -1
            ints[row_of + nodes] = target // width
            ints[state + nodes] = 1
            ints[path + k] = nodes
            length = k + 1
            node = nodes
            nodes += 1
        for k in range(length):
            ints[state + ints[path + k]] = 2
    # components give way from the outside in: the entered member takes the component's arc, the others keep their own
    for m in range(words):
        for arc in range(parameters[starts + m], parameters[starts + m + 1]):
            ints[arcs + arc] = m  # rows are of no more use
    for node in range(nodes - 1, words - 1, -1):
        arc = ints[chosen + node]
        member = ints[arcs + arc]
        while ints[above + member] != node:
            member = ints[above + member]
        ints[chosen + member] = arc
    return True


@kernel
def maximum_arborescence(scores, parameters, point):
    """For Python: the best tree as 0/1 values of the arcs; returns whether there is one (see HEADER for the parameters)."""
    degree = len(scores)
    int_count, float_count = arborescence_scratch(parameters[0])
    ints = np.empty(int_count, dtype=np.int64)
    floats = np.empty(float_count + 2 * degree)
    for arc in range(degree):
        floats[arc] = scores[arc]
    zero = degree - degree
    found = best_arborescence(degree, parameters, zero, ints, zero, floats, zero, degree, 2 * degree)
    for arc in range(degree):
        point[arc] = floats[degree + arc]
    return found
