"""Derivations of a packed forest: any dynamic program over spans or states as one factor.

A `Forest` has items in topological order: item 0 is the axiom, the last one the goal. An edge derives an item from one or
two earlier ones (or from the axiom) and has a score of its own; an item that is part of the derivation turns its literals
on. A configuration is allowed if some derivation of the goal turns on exactly those literals, and is worth the best one.

The linear description is the flow of one unit from the goal down the edges (Martin, Rardin & Campbell 1990), whose
polytope is the hull of the derivations if no derivation uses an item twice. That is for the maker of a forest to see to.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..errors import InputError
from ..kernels.codes import DERIVATION
from ..linear_program import Floats, Integers, ProgramBuilder
from .block import Block, starts_of

NONE = -1


class Forest(NamedTuple):
    """Edges are ordered by the item that they derive."""

    edge_counts: Integers  # per item; none for the axiom
    links: Integers  # (items, 2): the literals that an item turns on, NONE for none
    tails: Integers  # (edges, 2): the items that an edge starts from, 0 for the axiom
    scores: Floats  # (edges)

    def pack(self) -> Integers:
        """The parameters of `kernels.derivation`."""
        starts = starts_of(self.edge_counts)
        sizes = np.array([len(self.edge_counts), len(self.tails)])
        return np.concatenate([sizes, starts, self.links.ravel(), self.tails.ravel()])


def forest_of(
    number_of_items: int, links: Integers, edges: list[tuple[Integers, Integers, Integers, Floats]]
) -> Forest:
    """A forest from edges in any order, in groups of (derived items, first tails, second tails, scores)."""
    derived, first, second, scores = (np.concatenate(part) for part in zip(*edges, strict=True))
    order = np.argsort(derived, kind="stable")
    counts = np.bincount(derived, minlength=number_of_items)
    return Forest(counts, links, np.stack([first[order], second[order]], axis=1), scores[order])


def check_forest(forest: Forest, degree: int) -> None:
    """Refuse what is no forest over `degree` literals, or has no derivation of the goal."""
    items, edges = len(forest.edge_counts), len(forest.tails)
    if items < 2 or forest.links.shape != (items, 2) or forest.tails.shape != (edges, 2):
        raise InputError("a forest needs an axiom and a goal, two literals per item and two tails per edge.")
    if forest.edge_counts.min() < 0 or forest.edge_counts[0] != 0 or forest.edge_counts.sum() != edges:
        raise InputError("the edge counts of a forest must sum to its edges, and the axiom has none.")
    if forest.scores.shape != (edges,) or not np.isfinite(forest.scores).all():
        raise InputError("a forest needs one finite score per edge.")
    if forest.links.min() < NONE or forest.links.max() >= degree or (forest.links[0] != NONE).any():
        raise InputError(f"the literals of a forest must be from 0 to {degree - 1}, or {NONE}; the axiom has none.")
    derived = np.repeat(np.arange(items), forest.edge_counts)
    if edges and (forest.tails.min() < 0 or (forest.tails >= derived[:, None]).any()):
        raise InputError("the items of a forest must be in topological order: each edge starts from earlier items.")
    if not _derivable(forest, derived):
        raise InputError("the goal of a forest has no derivation.")


def _derivable(forest: Forest, derived: Integers) -> bool:
    """Has the goal a derivation? What has no edge is not derivable, nor what can only be derived from such items."""
    dead = forest.edge_counts == 0
    dead[0] = False
    while True:
        alive = np.bincount(derived, weights=~dead[forest.tails].any(axis=1), minlength=len(dead)) > 0
        alive[0] = True
        if np.array_equal(alive, ~dead):
            return bool(alive[-1])
        dead = ~alive


class Derivation(Block):
    """ints = a packed forest, floats = the scores of its edges."""

    kind = "derivation"
    code = DERIVATION

    def forest(self, factor: int) -> Forest:
        ints = self.ints[self.int_starts[factor] : self.int_starts[factor + 1]]
        items, edges = int(ints[0]), int(ints[1])
        counts, links, tails = np.split(ints[2:], [items + 1, 3 * items + 1])
        scores = self.floats[self.float_starts[factor] : self.float_starts[factor + 1]]
        return Forest(np.diff(counts), links.reshape(items, 2), tails.reshape(edges, 2), scores)

    def constrain(self, builder: ProgramBuilder) -> None:
        for factor in range(len(self)):
            self._constrain_one(builder, factor)

    def _constrain_one(self, builder: ProgramBuilder, factor: int) -> None:
        """A column for each edge. An item's edges sum to the edges that start from it, the goal's to one."""
        forest, first_link = self.forest(factor), int(self.starts[factor])
        items, degree = len(forest.edge_counts), int(self.degrees[factor])
        columns = builder.add_columns(forest.scores)
        derived = np.repeat(np.arange(items), forest.edge_counts)
        rows, entries, values = [derived], [columns], [np.ones(len(columns))]
        for tail in forest.tails.T:
            real = tail > 0
            rows.append(tail[real])
            entries.append(columns[real])
            values.append(np.full(int(real.sum()), -1.0))
        total = np.zeros(items)
        total[-1] = 1.0
        _add_rows(builder, items, rows, entries, values, total, first=1)
        rows, entries, values = [], [], []
        for link in forest.links.T:  # a literal is the sum of the edges of the items that turn it on
            fires = link[derived] != NONE
            rows.append(link[derived][fires])
            entries.append(columns[fires])
            values.append(np.ones(int(fires.sum())))
        rows.append(np.arange(degree))
        links = np.arange(first_link, first_link + degree)
        entries.append(self.variables[links])
        values.append(np.where(self.negated[links], 1.0, -1.0))
        _add_rows(builder, degree, rows, entries, values, self.negated[links].astype(np.float64))

    def literal_score(self, literals: Floats) -> Floats:
        """The own score of the best derivation with exactly these literals, by large scores for and against them."""
        scores = np.empty(len(self))
        for factor in range(len(self)):
            one = self.take(np.array([factor]))
            wanted = literals[self.starts[factor] : self.starts[factor + 1]]
            certain = 4.0 * float(np.abs(one.floats).sum()) or 1.0
            worth = certain * (2.0 * wanted - 1.0)
            plain = Derivation(one.starts, one.variables, np.zeros(len(wanted), dtype=bool), *_parameters(one))
            values, found = plain.maximize(worth)
            scores[factor] = values[0] - worth @ found if np.array_equal(found, wanted) else -np.inf
        return scores


def _parameters(block: Block) -> tuple[Integers, Integers, Integers, Floats]:
    return block.int_starts, block.ints, block.float_starts, block.floats


def _add_rows(
    builder: ProgramBuilder,
    count: int,
    rows: list[Integers],
    columns: list[Integers],
    values: list[Floats],
    total: Floats,
    first: int = 0,
) -> None:
    """Equations from entries in any order; rows before `first` are left out."""
    row, column, value = np.concatenate(rows), np.concatenate(columns), np.concatenate(values)
    order = np.argsort(row, kind="stable")
    order = order[int((row < first).sum()) :]
    lengths = np.bincount(row, minlength=count)[first:]
    builder.add_rows(lengths, column[order], value[order], total[first:], total[first:])
