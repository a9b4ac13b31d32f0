"""Which candidate arcs meet at which head: the layout that all higher-order scores share.

Words are 1..n, the root symbol is 0. Arcs are ordered by modifier, then by head, so the arcs into a word are a range. An
**automaton** is one side of one head: number 0 is the root symbol's right side, 2h - 1 the left and 2h the right side of
word h. It has I incoming arcs (candidate grandparents; none for the root symbol) and J outgoing arcs, ordered outward.
Its tables lie one after the other in flat arrays:

- sibling (J+1, J+1): [a, b] with a = 0 for START and i + 1 after modifier i; b = j for modifier j (j >= a) and J for END
- grandparent (I, J), grand-sibling (I, J+1, J+1) likewise
- tri-sibling (J, J, J+1): [a, b, c] for consecutive modifiers a < b < c, where c = J is END; [b, b, c] for START, b, c

Entries that no tree can reach (b < a; a grandparent that is also the modifier) are never read by the objective.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..factors.block import starts_of
from ..linear_program import Floats, Integers


class Automata:
    """The automata of a set of candidate arcs, and where their tables lie."""

    def __init__(self, number_of_words: int, heads: Integers, modifiers: Integers) -> None:
        self.number_of_words = number_of_words
        self.heads, self.modifiers = heads, modifiers
        self.count = 2 * number_of_words + 1
        self.incoming_starts = np.searchsorted(modifiers, np.arange(1, number_of_words + 2))  # of word h at h - 1
        automaton = 2 * heads - (modifiers < heads)
        distance = np.abs(modifiers - heads)
        self.outgoing = np.lexsort((distance, automaton))
        self.outgoing_counts = np.bincount(automaton, minlength=self.count)
        self.outgoing_starts = starts_of(self.outgoing_counts)
        self.automaton_of_arc = automaton
        self.position_of_arc = np.empty(len(heads), dtype=np.int64)
        self.position_of_arc[self.outgoing] = np.arange(len(heads)) - self.outgoing_starts[automaton[self.outgoing]]
        self.heads_per_word = np.diff(self.incoming_starts)
        words = np.arange(self.count) + 1 >> 1  # head of each automaton
        self.head_of_automaton = words
        self.incoming_counts = np.concatenate([np.zeros(1, dtype=np.int64), np.repeat(self.heads_per_word, 2)])
        degrees, grandparents = self.outgoing_counts, self.incoming_counts
        self.sibling_starts = starts_of((degrees + 1) ** 2)
        self.grandparent_starts = starts_of(grandparents * degrees)
        self.grand_sibling_starts = starts_of(grandparents * (degrees + 1) ** 2)
        self.tri_sibling_starts = starts_of(degrees**2 * (degrees + 1))
        self.bigram_starts = starts_of(self.heads_per_word[:-1] * self.heads_per_word[1:])

    def incoming_of(self, word: int) -> Integers:
        """The arcs into a word (none for the root symbol)."""
        if word == 0:
            return np.zeros(0, dtype=np.int64)
        return np.arange(self.incoming_starts[word - 1], self.incoming_starts[word])

    def outgoing_of(self, automaton: int) -> Integers:
        """The outgoing arcs of one side of a head, nearest modifier first."""
        return self.outgoing[self.outgoing_starts[automaton] : self.outgoing_starts[automaton + 1]]

    def sibling_table(self, scores: Floats, automaton: int) -> Floats:
        size = int(self.outgoing_counts[automaton]) + 1
        return _cut(scores, self.sibling_starts, automaton).reshape(size, size)

    def grandparent_table(self, scores: Floats, automaton: int) -> Floats:
        shape = int(self.incoming_counts[automaton]), int(self.outgoing_counts[automaton])
        return _cut(scores, self.grandparent_starts, automaton).reshape(shape)

    def grand_sibling_table(self, scores: Floats, automaton: int) -> Floats:
        size = int(self.outgoing_counts[automaton]) + 1
        shape = int(self.incoming_counts[automaton]), size, size
        return _cut(scores, self.grand_sibling_starts, automaton).reshape(shape)

    def tri_sibling_table(self, scores: Floats, automaton: int) -> Floats:
        size = int(self.outgoing_counts[automaton])
        return _cut(scores, self.tri_sibling_starts, automaton).reshape(size, size, size + 1)

    def bigram_table(self, scores: Floats, word: int) -> Floats:
        """Heads of `word` (rows) and of the word after it (columns)."""
        shape = int(self.heads_per_word[word - 1]), int(self.heads_per_word[word])
        return _cut(scores, self.bigram_starts, word - 1).reshape(shape)

    @cached_property
    def arc_numbers(self) -> dict[tuple[int, int], int]:
        """From (head, modifier) to the arc."""
        return {pair: arc for arc, pair in enumerate(zip(self.heads.tolist(), self.modifiers.tolist(), strict=True))}

    @cached_property
    def as_lists(self) -> dict[str, list[int]]:
        """Offsets as plain lists, which single look-ups read faster than arrays."""
        names = (
            "incoming_starts",
            "position_of_arc",
            "outgoing_counts",
            "sibling_starts",
            "grandparent_starts",
            "grand_sibling_starts",
            "tri_sibling_starts",
            "bigram_starts",
            "heads_per_word",
        )
        return {name: getattr(self, name).tolist() for name in names}


def _cut(scores: Floats, starts: Integers, index: int) -> Floats:
    return scores[starts[index] : starts[index + 1]]
