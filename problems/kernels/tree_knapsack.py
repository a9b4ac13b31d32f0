"""The tree knapsack: the best set of nodes under a budget such that no node is kept without its parent.

Nodes are in preorder. Reaching a node means that its parent is kept; taking it leads to the next node in preorder, leaving
it to the first node after its subtree. So the dynamic program has one state per (node, words left): O(B * nodes), and an
undeletable node is one that cannot be left. Sentences one after the other are children of a super-root.
"""

from __future__ import annotations

import numpy as np

from .cache import kernel


@kernel
def subtree_ends(sizes, parents):
    """For each node in preorder the first node after its subtree."""
    ends = np.empty(len(parents), dtype=np.int64)
    start = 0
    for size in sizes:
        for i in range(start, start + size):
            ends[i] = i + 1
        for i in range(start + size - 1, start, -1):
            parent = start + parents[i]
            ends[parent] = max(ends[parent], ends[i])
        start += size
    return ends


@kernel
def tree_knapsack(sentences, starts, sizes, ends, undeletable, costs, weights, budget):
    """0/1 values of all nodes: the heaviest closed set within the given sentences whose costs are within the budget."""
    count = 0
    for s in sentences:
        count += sizes[s]
    order = np.empty(count, dtype=np.int64)  # position -> node
    skip = np.empty(count, dtype=np.int64)  # position after the node's subtree
    position = 0
    for s in sentences:
        offset = position - starts[s]
        for node in range(starts[s], starts[s] + sizes[s]):
            order[position] = node
            skip[position] = ends[node] + offset
            position += 1
    best = np.zeros((count + 1, budget + 1))
    take = np.zeros((count, budget + 1), dtype=np.bool_)
    for i in range(count - 1, -1, -1):
        node = order[i]
        cost = costs[node]
        for room in range(budget + 1):
            taken = -np.inf
            if cost <= room:
                taken = best[i + 1, room - cost] + weights[node]
            left = -np.inf if undeletable[node] else best[skip[i], room]
            take[i, room] = taken > left
            best[i, room] = max(taken, left)
    kept = np.zeros(len(weights))
    i = 0
    room = budget
    while i < count:
        if take[i, room]:
            kept[order[i]] = 1.0
            room -= costs[order[i]]
            i += 1
        else:
            i = skip[i]
    return kept
