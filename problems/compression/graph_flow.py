"""The integer program of Thadani & McKeown (2013): single-commodity flow for the tree, and the chain of bigrams.

Kept words and arcs are 0/1 columns. Each kept word has one head and passes on what it receives less one unit, of which the
root symbol sends out L: so every kept word hangs from the root symbol. Bigrams are a path from the start to the end symbol
through the kept words; since it only ever goes forward it cannot be a cycle, and needs no integrality given the words.

Projectivity is not in their program. A tree over words 0..n is projective if no two arcs cross, the root symbol's arc
included. The words of an arc {a, c} have the others on two sides, inside and outside. An arc from outside that has its
modifier inside is one of the arcs into that word, of which there is only one, and the same holds with the sides
exchanged; so O(n^3) rows say it all:

    arc(a,c) + arc(c,a) + sum over h outside of arc(h,m) <= 1     for each m inside
    arc(a,c) + arc(c,a) + sum over h inside of arc(h,m)  <= 1     for each m outside
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from ..factor_graph import FactorGraph
from ..linear_program import Integers, LinearProgram, ProgramBuilder
from .instance import CompressionInstance

if TYPE_CHECKING:
    from ..factors import Block


def arc_columns(words: int) -> Integers:
    """[head, modifier - 1]: the column of each arc; 0 (a word's column, never to be used) from a word to itself."""
    columns = np.zeros((words + 1, words), dtype=np.int64)
    real = ~np.eye(words + 1, words, -1, dtype=bool)
    columns[real] = words + np.arange(words * words)
    return columns


class FlowGraph(FactorGraph):
    """Variables (words, then arcs) whose rows belong to no factor: it has the face of LP and ILP solvers only."""

    def __init__(self, instance: CompressionInstance) -> None:
        super().__init__()
        self.instance = instance
        words = instance.number_of_words
        self.add_variables(instance.token_scores)
        self.add_variables(instance.arc_scores[~np.eye(words + 1, words, -1, dtype=bool)])

    @property
    def blocks(self) -> list[Block]:
        raise InputError("formulation 'flow' has no factors: it is for LP and ILP solvers; use 'factors' or 'chart'.")

    @property
    def magnitude(self) -> float:
        return self.instance.magnitude

    def linear_program(self) -> LinearProgram:
        builder = ProgramBuilder()
        builder.add_columns(self.scores, integer=True)
        _Rows(builder, self.instance).add()
        return builder.build()


class _Rows:
    def __init__(self, builder: ProgramBuilder, instance: CompressionInstance) -> None:
        self.builder, self.instance = builder, instance
        self.words, self.length = instance.number_of_words, instance.length
        self.arcs = arc_columns(self.words)
        self.kept = np.arange(self.words)

    def add(self) -> None:
        self._row(self.kept, 1.0, self.length, self.length)
        self._bigrams()
        self._tree()
        if self.instance.projective:
            self._no_crossing()

    def _row(self, columns: Integers, values: object, lower: float, upper: float) -> None:
        entries = np.broadcast_to(np.asarray(values, dtype=np.float64), len(columns))
        self.builder.add_rows(np.array([len(columns)]), columns, entries, lower, upper)

    def _bigrams(self) -> None:
        """A path from the start symbol (0) to the end symbol (n + 1) that passes through the kept words."""
        last = self.words + 1
        first, second = np.triu_indices(self.words + 2, 1)
        possible = second - first - 1 <= self.words - self.length
        first, second = first[possible], second[possible]
        columns = self.builder.add_columns(self.instance.bigram_scores[first, second])
        self._row(columns[first == 0], 1.0, 1.0, 1.0)
        self._row(columns[second == last], 1.0, 1.0, 1.0)
        for side in (first, second):
            for word in range(1, last):
                through = columns[side == word]
                self._row(np.append(through, word - 1), np.append(np.ones(len(through)), -1.0), 0.0, 0.0)

    def _tree(self) -> None:
        words, length = self.words, self.length
        real = ~np.eye(words + 1, words, -1, dtype=bool)
        flow = np.zeros((words + 1, words), dtype=np.int64)
        count = words * words
        capacity = np.where(np.nonzero(real)[0] == 0, float(length), float(max(length - 1, 0)))
        flow[real] = self.builder.add_columns(np.zeros(count), 0.0, capacity)
        self._row(self.arcs[0], 1.0, min(length, 1), min(length, 1))
        for word in range(1, words + 1):
            heads, modifiers = real[:, word - 1], real[word]
            into, out = flow[heads, word - 1], flow[word, modifiers]
            arcs = self.arcs[heads, word - 1]
            self._row(np.append(arcs, word - 1), np.append(np.ones(len(arcs)), -1.0), 0.0, 0.0)
            values = np.concatenate([np.ones(len(into)), -np.ones(len(out)), [-1.0]])
            self._row(np.concatenate([into, out, [word - 1]]), values, 0.0, 0.0)
            kept_head = self.arcs[word, modifiers]  # an arc needs its head: the flow alone would say so weakly
            pairs = np.stack([kept_head, np.full(len(kept_head), word - 1)], axis=1).ravel()
            self.builder.add_rows(np.full(len(kept_head), 2), pairs, np.tile([1.0, -1.0], len(kept_head)), -np.inf, 0.0)
        # at least the modifier's own unit flows along an arc, and at most all of them
        used = np.stack([flow[real], self.arcs[real]], axis=1).ravel()
        least = np.tile([1.0, -1.0], count)
        self.builder.add_rows(np.full(count, 2), used, least, 0.0, np.inf)
        most = np.stack([np.ones(count), -capacity], axis=1).ravel()
        self.builder.add_rows(np.full(count, 2), used, most, -np.inf, 0.0)

    def _no_crossing(self) -> None:
        everywhere = np.arange(self.words + 1)
        for first in range(1, self.words - 1):
            for last in range(first + 2, self.words + 1):
                inside = everywhere[first + 1 : last]
                outside = np.concatenate([everywhere[:first], everywhere[last + 1 :]])
                both = np.array([self.arcs[first, last - 1], self.arcs[last, first - 1]])
                self._crossing_rows(both, outside, inside)
                self._crossing_rows(both, inside, outside[1:])  # the root symbol is no modifier

    def _crossing_rows(self, both: Integers, heads: Integers, modifiers: Integers) -> None:
        """At most one of the arcs over a span and the arcs that cross it into each of these modifiers."""
        count = len(modifiers)
        crossing = self.arcs[heads][:, modifiers - 1].T
        columns = np.concatenate([np.broadcast_to(both, (count, 2)), crossing], axis=1)
        lengths = np.full(count, columns.shape[1])
        self.builder.add_rows(lengths, columns.ravel(), np.ones(columns.size), -np.inf, 1.0)
