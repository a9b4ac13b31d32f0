"""Many grand-sibling automata at once: from whole tables to the packed ones of the factors, in a few numpy calls."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import ArrayLike

from ..checks import indices, numbers
from ..errors import InputError
from ..linear_program import Floats, Integers
from .block import Booleans, runs, starts_of


@cache
def _triangle(size: int) -> tuple[Integers, Integers]:
    first, second = np.triu_indices(size)
    return first, second


@dataclass(frozen=True)
class GrandSiblingArrays:
    """The arcs of all automata, one after the other; words are given for the rule that no grandparent is a modifier."""

    incoming_counts: Integers
    outgoing_counts: Integers
    incoming: Integers
    outgoing: Integers
    grandparents: Integers
    modifiers: Integers

    @classmethod
    def checked(cls, *arrays: ArrayLike) -> GrandSiblingArrays:
        names = ["numbers of incoming arcs", "numbers of outgoing arcs", "incoming arcs", "outgoing arcs"]
        names += ["grandparents", "modifiers"]
        given = cls(*(indices(array, f"the {name} of an automaton") for array, name in zip(arrays, names, strict=True)))
        counts = (given.incoming_counts, given.outgoing_counts)
        if len(counts[0]) != len(counts[1]) or min(int(part.min(initial=0)) for part in counts) < 0:
            raise InputError("automata need numbers of incoming and of outgoing arcs, at least 0 each.")
        sizes = (int(counts[0].sum()), int(counts[1].sum()))
        if (len(given.incoming), len(given.outgoing)) != sizes:
            raise InputError("the incoming and outgoing arcs of automata must be as many as their numbers say.")
        if (len(given.grandparents), len(given.modifiers)) != sizes:
            raise InputError("an automaton needs one grandparent per incoming and one modifier per outgoing arc.")
        return given

    @property
    def degrees(self) -> Integers:
        return self.incoming_counts + self.outgoing_counts

    @property
    def rows(self) -> Integers:
        """One triangle of scores for each incoming arc, and one where there is none."""
        return np.maximum(self.incoming_counts, 1)

    @cached_property
    def triangle_sizes(self) -> Integers:
        return (self.outgoing_counts + 1) * (self.outgoing_counts + 2) // 2

    @property
    def table_sizes(self) -> Integers:
        return self.rows * self.triangle_sizes

    def links(self, factor: int) -> Integers:
        """The incoming arcs of one automaton."""
        first = int(self.incoming_counts[:factor].sum())
        return self.incoming[first : first + int(self.incoming_counts[factor])]

    def all_links(self, kept: Booleans) -> Integers:
        """Incoming, then outgoing arcs of each of these automata."""
        factors = np.arange(len(kept))
        owner = np.concatenate([np.repeat(factors, self.incoming_counts), np.repeat(factors, self.outgoing_counts)])
        order = np.argsort(owner, kind="stable")
        arcs: Integers = np.concatenate([self.incoming, self.outgoing])[order]
        return arcs[kept[owner[order]]]

    def parameters(self, kept: Booleans) -> Integers:
        """Numbers of arcs, then the outgoing arc that each incoming one excludes (-1 if none), for these automata."""
        factors = np.arange(len(kept))
        owner = np.repeat(factors, self.outgoing_counts)
        span = 1 + max(int(self.modifiers.max(initial=0)), int(self.grandparents.max(initial=0)))
        keys = owner * span + self.modifiers
        order = np.argsort(keys)
        wanted = np.repeat(factors, self.incoming_counts) * span + self.grandparents
        place = np.minimum(np.searchsorted(keys, wanted, sorter=order), max(len(keys) - 1, 0))
        excluded = np.full(len(wanted), -1, dtype=np.int64)
        if len(keys):
            found = keys[order[place]] == wanted
            local = np.arange(len(keys)) - np.repeat(starts_of(self.outgoing_counts)[:-1], self.outgoing_counts)
            excluded[found] = local[order[place[found]]]
        counts = self.incoming_counts[kept]
        ints = np.empty(int((2 + counts).sum()), dtype=np.int64)
        starts = starts_of(2 + counts)[:-1]
        ints[starts] = counts
        ints[starts + 1] = self.outgoing_counts[kept]
        ints[runs(starts + 2, counts)] = excluded[np.repeat(kept, self.incoming_counts)]
        return ints

    def packed(self, sibling: ArrayLike, grandparent: ArrayLike, grand_sibling: ArrayLike | None) -> Floats:
        """The triangles of all automata: the sum of all scores of a transition, by incoming arc."""
        ends = self.outgoing_counts
        squares = (ends + 1) ** 2
        sizes = {"sibling": squares, "grandparent": self.incoming_counts * ends}
        sizes["grand-sibling"] = self.incoming_counts * squares
        plain = self._table(sibling, sizes["sibling"], "sibling")
        grand = self._table(grandparent, sizes["grandparent"], "grandparent")
        rows, triangle_sizes = self.rows, self.triangle_sizes
        triangles = [_triangle(size + 1) for size in ends.tolist()]
        if not triangles:
            return np.zeros(0)
        within = runs(np.repeat(starts_of(triangle_sizes)[:-1], rows), np.repeat(triangle_sizes, rows))
        a = np.concatenate([first for first, _ in triangles])[within]
        b = np.concatenate([second for _, second in triangles])[within]
        entries = rows * triangle_sizes
        end = np.repeat(ends, entries)
        row = np.repeat(np.arange(int(rows.sum())), np.repeat(triangle_sizes, rows))
        row -= np.repeat(starts_of(rows)[:-1], entries)
        place = a * (end + 1) + b
        table: Floats = plain[np.repeat(starts_of(squares)[:-1], entries) + place]
        inner = np.flatnonzero((b < end) & np.repeat(self.incoming_counts > 0, entries))
        offset = np.repeat(starts_of(sizes["grandparent"])[:-1], entries)
        table[inner] += grand[offset[inner] + row[inner] * end[inner] + b[inner]]
        if grand_sibling is not None:
            third = self._table(grand_sibling, sizes["grand-sibling"], "grand-sibling")
            headed = np.repeat(self.incoming_counts > 0, entries)
            offset = np.repeat(starts_of(sizes["grand-sibling"])[:-1], entries)
            table[headed] += third[(offset + row * (end + 1) ** 2 + place)[headed]]
        if not np.isfinite(table).all():
            raise InputError("the scores of an automaton must be finite.")
        return table

    def _table(self, scores: ArrayLike, sizes: Integers, what: str) -> Floats:
        flat = numbers(scores, f"{what} scores") if np.size(scores) else np.zeros(0)
        if len(flat) != sizes.sum():
            raise InputError(f"automata need {sizes.sum()} {what} scores, not {len(flat)}.")
        return flat
