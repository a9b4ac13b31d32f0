"""Dynamic programs of AD3's files as packed forests (`problems.factors.derivation`), one factor each.

Every position of a sequence and every node of a tree is in one of several states; literals are the states, one position after
the other. State 0 is the one that counts: a sequence may have a budget of it, a tree says how often it occurs.
"""

from __future__ import annotations

import numpy as np

from ..errors import InputError
from ..factors.block import starts_of
from ..factors.derivation import NONE, Forest, forest_of
from ..linear_program import Floats, Integers

MOST_EDGES = 1_000_000
GONE = -1  # in grids of items: there is no such item


class _Builder:
    """Items and edges as they come; item 0 is the axiom."""

    def __init__(self) -> None:
        self.count = 1
        self.edge_count = 0
        self._links: list[tuple[int, int]] = [(NONE, NONE)]
        self._edges: list[tuple[Integers, Integers, Integers, Floats]] = []

    def items(self, count: int, first: int = NONE, second: int = NONE) -> Integers:
        """New items that turn on the same literals."""
        self._links += [(first, second)] * count
        self.count += count
        return np.arange(self.count - count, self.count)

    def edges(self, derived: Integers, first: Integers, second: Integers | int, scores: Floats | float) -> None:
        self.edge_count += len(derived)
        if self.edge_count > MOST_EDGES:
            raise InputError(f"its dynamic program has more than {MOST_EDGES} steps.")
        tails = np.broadcast_to(np.asarray(second, dtype=np.int64), derived.shape)
        worth = np.broadcast_to(np.asarray(scores, dtype=np.float64), derived.shape)
        self._edges.append((derived, first, tails, worth))

    def finish(self, last: Integers, scores: Floats | float) -> Forest:
        """The goal, derived from each of these items."""
        goal = self.items(1)
        self.edges(np.repeat(goal, len(last)), last, 0, scores)
        return forest_of(self.count, np.array(self._links), self._edges)


def sequence_forest(sizes: list[int], tables: list[Floats], budget: int) -> Forest:
    """All sequences with state 0 at most `budget` times; tables[i] scores positions i - 1 and i (START and END included)."""
    builder, offsets = _Builder(), starts_of(np.array(sizes)).tolist()
    before = np.zeros((1, 1), dtype=np.int64)  # the axiom is START; [state, how often state 0 occurred]
    for position, size in enumerate(sizes):
        state, count = np.nonzero(before != GONE)
        now = np.full((size, min(budget, position + 1) + 1), GONE, dtype=np.int64)
        for current in range(size):
            counts = count + (current == 0)
            fits = counts < now.shape[1]
            possible = np.unique(counts[fits])
            now[current, possible] = builder.items(len(possible), offsets[position] + current)
            tails = before[state[fits], count[fits]]
            builder.edges(now[current, counts[fits]], tails, 0, tables[position][state[fits], current])
        before = now
    state, count = np.nonzero(before != GONE)
    if not len(state):
        raise InputError(f"no sequence has state 0 at most {budget} times.")
    return builder.finish(before[state, count], tables[-1][state, 0])


def tree_forest(sizes: list[int], parents: list[int], tables: list[Floats], counted: bool) -> Forest:
    """All labellings of a tree; tables[i] is [state of the parent, state of node i], the root's is not used.

    `counted`: one more literal for 0, 1, ..., len(sizes) occurrences of state 0, of which exactly the right one is on.
    """
    builder, offsets = _Builder(), starts_of(np.array(sizes)).tolist()
    grids: dict[int, Integers] = {}
    for node in reversed(_from_the_root(parents)):
        if node not in grids:
            grids[node] = _alone(builder, sizes[node], offsets[node], counted)
        if node:
            parent = parents[node]
            if parent not in grids:
                grids[parent] = _alone(builder, sizes[parent], offsets[parent], counted)
            grids[parent] = _merged(builder, grids[parent], grids.pop(node), tables[node])
    root = grids[0]
    if not counted:
        return builder.finish(root.ravel(), 0.0)
    totals = []
    for count in np.flatnonzero((root != GONE).any(axis=0)).tolist():
        states = root[root[:, count] != GONE, count]
        totals.append(builder.items(1, offsets[-1] + count))
        builder.edges(np.repeat(totals[-1], len(states)), states, 0, 0.0)
    return builder.finish(np.concatenate(totals), 0.0)


def _from_the_root(parents: list[int]) -> list[int]:
    """All nodes, parents before their children."""
    children: list[list[int]] = [[] for _ in parents]
    for node, parent in enumerate(parents[1:], 1):
        children[parent].append(node)
    order = [0]
    for node in order:
        order += children[node]
    if len(order) < len(parents):
        lost = min(set(range(len(parents))) - set(order))
        raise InputError(f"node {lost} of the tree is not below node 0.")
    return order


def _alone(builder: _Builder, size: int, offset: int, counted: bool) -> Integers:
    """A node without its children: the items [state, occurrences of state 0]."""
    grid = np.full((size, 2 if counted else 1), GONE, dtype=np.int64)
    for state in range(size):
        item = builder.items(1, offset + state)
        builder.edges(item, np.zeros(1, dtype=np.int64), 0, 0.0)
        grid[state, int(counted and state == 0)] = item[0]
    return grid


def _merged(builder: _Builder, upper: Integers, lower: Integers, table: Floats) -> Integers:
    """A node with one more of its children."""
    grid = np.full((len(upper), upper.shape[1] + lower.shape[1] - 1), GONE, dtype=np.int64)
    child_state, child_count = np.nonzero(lower != GONE)
    child = lower[child_state, child_count]
    for state, row in enumerate(upper):
        own = np.flatnonzero(row != GONE)
        counts = (own[:, None] + child_count).ravel()
        possible = np.unique(counts)
        grid[state, possible] = builder.items(len(possible))
        tails = np.repeat(row[own], len(child))
        scores = np.tile(table[state, child_state], len(own))
        builder.edges(grid[state, counts], tails, np.tile(child, len(own)), scores)
    return grid


def compressor_forest(words: int, scores: Floats) -> Forest:
    """Any subset of words; scores[a, b] for kept neighbours a < b (0 is START, words + 1 END).

    Literals are the words, then one that is on unless no word is.
    """
    builder = _Builder()
    kept = np.zeros(
        0, dtype=np.int64
    )  # items that end with some word, two of each: the first one kept, and a later one
    word_of = np.zeros(0, dtype=np.int64)
    for word in range(1, words + 1):
        mine = builder.items(1, word - 1, words)
        builder.edges(mine, np.zeros(1, dtype=np.int64), 0, scores[0, word])
        if len(kept):
            later = builder.items(1, word - 1)
            builder.edges(np.repeat(later, len(kept)), kept, 0, scores[word_of, word])
            mine = np.append(mine, later)
        kept, word_of = np.append(kept, mine), np.append(word_of, np.full(len(mine), word))
    return builder.finish(np.append(kept, 0), np.append(scores[word_of, words + 1], scores[0, words + 1]))
