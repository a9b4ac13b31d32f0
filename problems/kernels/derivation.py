"""The best derivation of a packed forest: the oracle of the factor kind `derivation`.

Items are in topological order; item 0 is the axiom, worth nothing, the last item is the goal. Each edge derives an item
from two earlier ones (the axiom where it has fewer). An item in the derivation turns its literals on, at most two.

    parameters   number of items, number of edges, where each item's edges start (items + 1), literals (2 per item, -1 for
                 none), tails (2 per edge)
    table        own score of each edge

Like the other oracles it takes whole arrays and a position in each: scratch is 2 ints and 1 float per item.
"""

from __future__ import annotations

import numpy as np

from .cache import inner


@inner
def derivation_scratch(items):
    return 2 * items, items


@inner
def best_derivation(degree, parameters, p, table, t, ints, i, floats, scores, point, f):
    """Writes the configuration of the best derivation to `point` and returns its own score."""
    items = parameters[p]
    starts = p + 2
    links = starts + items + 1
    tails = links + 2 * items
    choice = i
    used = i + items
    floats[f] = 0.0
    ints[used] = 0
    for item in range(1, items):
        best = -np.inf
        best_edge = -1
        for edge in range(parameters[starts + item], parameters[starts + item + 1]):
            value = table[np.uint64(t + edge)] + floats[np.uint64(f + parameters[np.uint64(tails + 2 * edge)])]
            value += floats[np.uint64(f + parameters[np.uint64(tails + 2 * edge + 1)])]
            if value > best:
                best = value
                best_edge = edge
        first = parameters[links + 2 * item]
        second = parameters[links + 2 * item + 1]
        if first >= 0:
            best += floats[scores + first]
        if second >= 0:
            best += floats[scores + second]
        floats[f + item] = best
        ints[choice + item] = best_edge
        ints[used + item] = 0
    for k in range(degree):
        floats[point + k] = 0.0
    own = 0.0
    ints[used + items - 1] = 1
    for item in range(items - 1, 0, -1):
        if ints[used + item] == 0 or ints[choice + item] < 0:
            continue
        edge = ints[choice + item]
        own += table[t + edge]
        for k in range(2):
            ints[used + parameters[tails + 2 * edge + k]] = 1
            link = parameters[links + 2 * item + k]
            if link >= 0:
                floats[point + link] = 1.0
    return own
