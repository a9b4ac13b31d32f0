"""Factors that AD3's presolve makes of several others (`solvers.joining`): coverages of conjunctions, and trees with a budget."""

from __future__ import annotations

import numpy as np

from ..kernels.codes import PAIR_COVERAGE, TREE_BUDGET
from ..linear_program import Floats, Integers, ProgramBuilder
from .block import Block, Booleans, starts_of
from .budget import COST_TOLERANCE


class PairCoverage(Block):
    """floats[f] is scored when one or more groups of literals are true; ints are 1 for the second literal of a group, else 0."""

    kind = "pair_coverage"
    code = PAIR_COVERAGE

    @property
    def groups(self) -> tuple[Integers, Integers]:
        """The first link of each group, and how many links it has."""
        first = np.flatnonzero(self.ints == 0)
        return first, np.diff(np.append(first, len(self.ints)))

    def constrain(self, builder: ProgramBuilder) -> None:
        """A column for each factor and one for each group: the rows of `or_out` over `and_out`s."""
        first, sizes = self.groups
        owner = np.repeat(np.arange(len(self)), self.degrees)[first]
        output = builder.add_columns(self.floats)[owner]
        groups = builder.add_columns(np.zeros(len(first)))
        group_of, links = np.repeat(groups, sizes), np.arange(len(self.variables))
        plain = np.zeros(len(links), dtype=bool)
        pairs = np.stack([group_of, self.variables], axis=1).ravel()  # a group is true with all of its literals only
        negated = np.stack([plain, self.negated], axis=1).ravel()
        builder.add_rows(np.full(len(links), 2), pairs, np.tile([1.0, -1.0], len(links)), -np.inf, 0.0, negated)
        ends = np.append(first[1:], len(links))
        columns, values = np.insert(self.variables, ends, groups), np.insert(np.ones(len(links)), ends, -1.0)
        builder.add_rows(sizes + 1, columns, values, -np.inf, sizes - 1.0, np.insert(self.negated, ends, False))
        pairs = np.stack([groups, output], axis=1).ravel()
        builder.add_rows(np.full(len(groups), 2), pairs, np.tile([1.0, -1.0], len(groups)), -np.inf, 0.0)
        counts = np.bincount(owner, minlength=len(self))
        ends = np.cumsum(counts)
        columns = np.insert(groups, ends, output[ends - 1])
        builder.add_rows(counts + 1, columns, np.insert(np.ones(len(groups)), ends, -1.0), 0.0, np.inf)

    def literal_score(self, literals: Floats) -> Floats:
        first, _ = self.groups
        true = np.minimum.reduceat(literals, first) if len(first) else np.zeros(0)
        owner = np.repeat(np.arange(len(self)), self.degrees)[first]
        return np.where(np.bincount(owner, weights=true, minlength=len(self)) > 0, self.floats, 0.0)


class TreeBudget(Block):
    """ints = local parent of each node, -1 for roots; floats = budget, then one cost per node. Relaxed, as the knapsack."""

    kind = "tree_budget"
    code = TREE_BUDGET

    def _parents(self) -> tuple[Integers, Integers]:
        """Children and their parents, as links."""
        children = np.flatnonzero(self.ints >= 0)
        return children, (self.ints + np.repeat(self.starts[:-1], self.degrees))[children]

    @property
    def _costs(self) -> Floats:
        return np.delete(self.floats, self.float_starts[:-1])

    def constrain(self, builder: ProgramBuilder) -> None:
        children, parents = self._parents()
        pairs = np.stack([children, parents], axis=1).ravel()
        signs = np.tile([1.0, -1.0], len(children))
        self.add_rows(builder, pairs, np.full(len(children), 2), signs, -np.inf, 0.0)
        budgets = self.floats[self.float_starts[:-1]]
        self.add_rows(builder, np.arange(len(self.variables)), self.degrees, self._costs, -np.inf, budgets)

    def literal_score(self, literals: Floats) -> Floats:
        children, parents = self._parents()
        owner = np.repeat(np.arange(len(self)), self.degrees)[children]
        broken = np.bincount(owner, weights=literals[children] > literals[parents], minlength=len(self)) > 0
        budgets = self.floats[self.float_starts[:-1]]
        return np.where(broken | (self.sums(literals * self._costs) > budgets * (1.0 + COST_TOLERANCE)), -np.inf, 0.0)


def one_factor(kind: type[Block], variables: Integers, negated: Booleans, ints: Integers, floats: Floats) -> Block:
    """A block of one factor, unchecked."""
    starts = [starts_of(np.array([len(part)])) for part in (variables, ints, floats)]
    return kind(starts[0], variables, negated, starts[1], ints, starts[2], floats)
