"""Units of compressive summaries: the nodes that undeletable arcs tie together, and the tokens that lie on them."""

from __future__ import annotations

import numpy as np

from .cache import kernel


@kernel
def contract(starts, sizes, parents, undeletable, deletion_scores, words):
    """Units in preorder: unit of each node; per unit its parent unit, cost in words, own worth and sentence."""
    count = len(parents)
    unit_of_node = np.empty(count, dtype=np.int64)
    parent = np.empty(count, dtype=np.int64)
    cost = np.zeros(count, dtype=np.int64)
    worth = np.zeros(count)
    sentence = np.empty(count, dtype=np.int64)
    units = 0
    for s in range(len(starts)):
        for node in range(starts[s], starts[s] + sizes[s]):
            if parents[node] < 0 or not undeletable[node]:
                unit = units
                units += 1
                sentence[unit] = s
                parent[unit] = -1
                if parents[node] >= 0:
                    parent[unit] = unit_of_node[starts[s] + parents[node]]
                    worth[unit] -= deletion_scores[node]
                    worth[parent[unit]] += deletion_scores[node]
            else:
                unit = unit_of_node[starts[s] + parents[node]]
            unit_of_node[node] = unit
            if words[node] > 0:
                cost[unit] += 1
    ends = np.empty(units, dtype=np.int64)
    for unit in range(units):
        ends[unit] = unit + 1
    for unit in range(units - 1, -1, -1):
        if parent[unit] >= 0:
            ends[parent[unit]] = max(ends[parent[unit]], ends[unit])
    first_unit = np.empty(len(starts), dtype=np.int64)
    for s in range(len(starts)):
        first_unit[s] = unit_of_node[starts[s]]
    return unit_of_node, parent[:units], cost[:units], worth[:units], sentence[:units], ends, first_unit


@kernel
def unit_tokens(unit_of_node, units, token_starts, token_nodes):
    """The distinct units of each token, in preorder, and the tokens of each unit, both in CSR form."""
    tokens = len(token_starts) - 1
    starts = np.zeros(tokens + 1, dtype=np.int64)
    members = np.empty(len(token_nodes), dtype=np.int64)
    used = 0
    degree = np.zeros(units + 1, dtype=np.int64)
    for token in range(tokens):
        for entry in range(token_starts[token], token_starts[token + 1]):
            unit = unit_of_node[token_nodes[entry]]
            known = False
            for other in range(starts[token], used):
                known = known or members[other] == unit
            if not known:
                place_of = used
                while place_of > starts[token] and members[place_of - 1] > unit:
                    members[place_of] = members[place_of - 1]
                    place_of -= 1
                members[place_of] = unit
                used += 1
                degree[unit + 1] += 1
        starts[token + 1] = used
    of_unit_starts = degree
    for unit in range(units):
        of_unit_starts[unit + 1] += of_unit_starts[unit]
    of_unit = np.empty(used, dtype=np.int64)
    place = of_unit_starts[:-1].copy()
    for token in range(tokens):
        for entry in range(starts[token], starts[token + 1]):
            of_unit[place[members[entry]]] = token
            place[members[entry]] += 1
    return starts, members[:used], of_unit_starts, of_unit
