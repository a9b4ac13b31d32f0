"""The maximum arborescence by the algorithm of Chu-Liu, Edmonds and Tarjan for dense graphs, in O(words^2).

Heads that are best for each word alone are a tree more often than not; only if they are not, cycles are contracted. Paths
grow backwards along best entering arcs. A cycle becomes one component: its row of entering arcs (one for each word that
they may come from) is the best of its members' rows, each less the member's own choice.

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
def chosen_arcs_are_a_tree(words, chosen, heads, stamps):
    """Do all words lead to the root by the chosen arcs? chosen[m - 1] is the arc of word m."""
    for m in range(words + 1):
        stamps[m] = 0
    for m in range(1, words + 1):
        v = m
        while v > 0 and stamps[v] == 0:
            stamps[v] = m
            v = heads[chosen[v - 1]]
        if v > 0 and stamps[v] == m:
            return False
    return True


@inner
def best_arborescence(scores, ints, point, int_scratch, float_scratch):
    """Write the best tree to `point`; returns the number of words without an entering arc (0 where there is a tree)."""
    words = ints[0]
    single = ints[1] == 1
    starts = ints[HEADER : HEADER + words + 1]
    heads = ints[HEADER + words + 1 :]
    chosen = int_scratch[: 2 * words + 1]  # by node: words 1.., then components in the order of their making
    from_root = 0
    for m in range(words):
        best = starts[m]
        for arc in range(starts[m] + 1, starts[m + 1]):
            if scores[arc] > scores[best]:
                best = arc
        if starts[m] == starts[m + 1]:
            return 1
        chosen[m] = best
        if heads[best] == 0:
            from_root += 1
    missing = 0
    easy = from_root == 1 or (from_root > 1 and not single)
    if not (easy and chosen_arcs_are_a_tree(words, chosen, heads, int_scratch[2 * words + 1 :])):
        missing = contract(words, single, starts, heads, scores, int_scratch, float_scratch)
    for arc in range(len(scores)):
        point[arc] = 0.0
    if missing == 0:
        for m in range(words):
            point[chosen[m]] = 1.0
    return missing


@inner
def contract(words, single, starts, heads, scores, int_scratch, float_scratch):
    """The general case: fills the first `words` ints with the arc of each word."""
    width = words + 1
    chosen = int_scratch[: 2 * words + 1]
    rest = int_scratch[2 * words + 1 :]
    above = rest[: 2 * words + 1]  # the component that has swallowed a node, or -1
    row_of = rest[2 * words + 1 : 4 * words + 2]  # the row of a node's entering arcs
    component = rest[4 * words + 2 : 5 * words + 3]  # by word: its outermost node; the root symbol's is -1
    state = rest[5 * words + 3 : 7 * words + 4]  # 0 unseen, 1 on the path, 2 leads to the root
    path = rest[7 * words + 4 : 8 * words + 5]
    arcs = rest[8 * words + 5 :]  # by row and word: the arc
    values = float_scratch[: words * width]  # and what it is worth
    gains = float_scratch[words * width :]
    for k in range(words * width):
        values[k] = -np.inf
    for m in range(words):
        component[m + 1] = m
        above[m] = -1
        row_of[m] = m
        state[m] = 0
        for arc in range(starts[m], starts[m + 1]):
            values[m * width + heads[arc]] = scores[arc]
            arcs[m * width + heads[arc]] = arc
    component[0] = -1
    nodes = words
    for start in range(words):
        node = component[start + 1]
        if state[node] != 0:
            continue
        length = 0
        while True:
            if state[node] == 0:
                state[node] = 1
                path[length] = node
                length += 1
            row = row_of[node] * width
            source = -1
            best = -np.inf
            for u in range(1, width):
                if values[row + u] > best:
                    best = values[row + u]
                    source = u
            if values[row] > -np.inf and (source < 0 or (not single and values[row] > best)):
                best = values[row]
                source = 0
            if source < 0:
                return 1
            chosen[node] = arcs[row + source]
            gains[node] = best
            other = component[source]
            if other < 0 or state[other] == 2:
                break
            if state[other] == 0:
                node = other
                continue
            # a cycle: all nodes of the path from `other` on become one
            bottom = length - 1
            while path[bottom] != other:
                bottom -= 1
            target = row_of[other] * width
            for u in range(width):
                values[target + u] -= gains[other]
            for k in range(bottom + 1, length):
                member = row_of[path[k]] * width
                gain = gains[path[k]]
                for u in range(width):
                    value = values[member + u] - gain
                    if value > values[target + u]:
                        values[target + u] = value
                        arcs[target + u] = arcs[member + u]
            for k in range(bottom, length):
                above[path[k]] = nodes
                state[path[k]] = 2
            for u in range(1, width):
                if above[component[u]] == nodes:
                    component[u] = nodes
                    values[target + u] = -np.inf
            above[nodes] = -1
            row_of[nodes] = row_of[other]
            state[nodes] = 1
            path[bottom] = nodes
            length = bottom + 1
            node = nodes
            nodes += 1
        for k in range(length):
            state[path[k]] = 2
    # components give way from the outside in: the entered member takes the component's arc, the others keep their own
    for node in range(nodes - 1, words - 1, -1):
        arc = chosen[node]
        low = 0
        high = words
        while high - low > 1:
            middle = (low + high) // 2
            if starts[middle] <= arc:
                low = middle
            else:
                high = middle
        member = low
        while above[member] != node:
            member = above[member]
        chosen[member] = arc
    return 0


@kernel
def maximum_arborescence(scores, ints, point):
    """For Python: the best tree as 0/1 values of the arcs; returns whether there is one (see HEADER for the ints)."""
    int_count, float_count = arborescence_scratch(ints[0])
    missing = best_arborescence(scores, ints, point, np.empty(int_count, dtype=np.int64), np.empty(float_count))
    return missing == 0
