"""Subtree deletion (section 3.2 of Almeida & Martins): the compression model of one sentence per factor.

Literals are the nodes of a tree in preorder, the root (the dummy symbol) first. A kept node's parent is kept; deleting the
arc between a kept parent and a deleted child scores psi (Eq. 8), deletions below it score nothing. So the score is linear,
psi * (z_parent - z_child), and the rows z_child <= z_parent alone define an integral polytope; an undeletable arc makes
its two ends equal.
"""

from __future__ import annotations

import numpy as np

from ..kernels.codes import SUBTREE
from ..linear_program import Floats, Integers, ProgramBuilder
from .block import Block, Booleans, runs, starts_of


class Subtree(Block):
    """ints = local parent of each node (-1 for the root), then 1 for undeletable arcs; floats = deletion scores."""

    kind = "subtree"
    code = SUBTREE

    @classmethod
    def of_trees(
        cls, sizes: Integers, variables: Integers, parents: Integers, scores: Floats, undeletable: Booleans
    ) -> Subtree:
        """Trees in preorder, unchecked; parents are positions within their own tree, and roots have neither score nor arc."""
        starts, total = starts_of(sizes), len(variables)
        ints, local = np.empty(2 * total, dtype=np.int64), np.arange(total) + np.repeat(starts[:-1], sizes)
        ints[local] = parents
        ints[local + np.repeat(sizes, sizes)] = undeletable
        return cls(starts, variables, np.zeros(total, dtype=bool), 2 * starts, ints, starts, scores)

    @property
    def parents(self) -> Integers:
        """For each link the link of its parent; -1 for roots."""
        local = self.ints[runs(self.int_starts[:-1], self.degrees)]
        return np.where(local < 0, -1, local + np.repeat(self.starts[:-1], self.degrees))

    @property
    def undeletable(self) -> Booleans:
        return self.ints[runs(self.int_starts[:-1] + self.degrees, self.degrees)] > 0

    def _arcs(self) -> tuple[Integers, Integers, Floats, Booleans]:
        """Children, parents (as links), deletion scores and undeletability of all arcs."""
        parents = self.parents
        children = np.flatnonzero(parents >= 0)
        return children, parents[children], self.floats[children], self.undeletable[children]

    def linear_scores(self) -> tuple[Integers, Floats]:
        """The factors' own scores as unary ones: links (repeated) and what each adds to its variable."""
        children, parents, scores, _ = self._arcs()
        return np.concatenate([parents, children]), np.concatenate([scores, -scores])

    def constrain(self, builder: ProgramBuilder) -> None:
        children, parents, _, undeletable = self._arcs()
        pairs = np.stack([children, parents], axis=1).ravel()
        lengths = np.full(len(children), 2)
        self.add_rows(
            builder, pairs, lengths, np.tile([1.0, -1.0], len(children)), np.where(undeletable, 0.0, -np.inf), 0.0
        )
        links, worth = self.linear_scores()
        builder.add_objective(self.variables[links], worth)

    def literal_score(self, literals: Floats) -> Floats:
        children, parents, scores, undeletable = self._arcs()
        cut = literals[parents] - literals[children]
        broken = (cut < 0) | (undeletable & (cut != 0))
        owner = np.repeat(np.arange(len(self)), self.degrees)[children]
        totals = np.bincount(owner, weights=scores * cut, minlength=len(self))
        return np.where(np.bincount(owner, weights=broken, minlength=len(self)) > 0, -np.inf, totals)
