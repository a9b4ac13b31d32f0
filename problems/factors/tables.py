"""Factors with scores of their own on small sets of variables: pairs, and dense tables over one-of-k groups."""

from __future__ import annotations

import numpy as np

from ..kernels.codes import DENSE, PAIR
from ..linear_program import Floats, Integers, ProgramBuilder
from .block import Block


class Pair(Block):
    """floats[f] is scored when both literals are true."""

    kind = "pair"
    code = PAIR

    def constrain(self, builder: ProgramBuilder) -> None:
        first, second = self.starts[:-1], self.starts[:-1] + 1
        both = builder.add_columns(self.floats)
        count, literal = len(self), np.zeros(len(self), dtype=bool)
        for link in (first, second):  # both <= each
            columns = np.stack([both, self.variables[link]], axis=1).ravel()
            negated = np.stack([literal, self.negated[link]], axis=1).ravel()
            builder.add_rows(np.full(count, 2), columns, np.tile([1.0, -1.0], count), -np.inf, 0.0, negated)
        columns = np.stack([both, self.variables[first], self.variables[second]], axis=1).ravel()
        negated = np.stack([literal, self.negated[first], self.negated[second]], axis=1).ravel()
        builder.add_rows(np.full(count, 3), columns, np.tile([-1.0, 1.0, 1.0], count), -np.inf, 1.0, negated)

    def literal_score(self, literals: Floats) -> Floats:
        return np.where(literals[self.starts[:-1]] * literals[self.starts[:-1] + 1] > 0, self.floats, 0.0)


class Dense(Block):
    """ints = the sizes of the groups; floats = the table, last group fastest; -inf entries are forbidden states.

    In each group exactly one literal is true. The linear description has one column per allowed table entry, whose
    marginals are the literals.
    """

    kind = "dense"
    code = DENSE

    def sizes(self, factor: int) -> Integers:
        return self.ints[self.int_starts[factor] : self.int_starts[factor + 1]]

    def table(self, factor: int) -> Floats:
        return self.floats[self.float_starts[factor] : self.float_starts[factor + 1]]

    def constrain(self, builder: ProgramBuilder) -> None:
        for factor in range(len(self)):
            sizes, table = self.sizes(factor), self.table(factor)
            allowed = np.flatnonzero(table > -np.inf)
            states = np.stack(np.unravel_index(allowed, tuple(sizes)))
            entries = builder.add_columns(table[allowed])
            builder.add_rows(np.array([len(entries)]), entries, np.ones(len(entries)), 1.0, 1.0)
            first = self.starts[factor]
            for group, size in enumerate(sizes):  # each literal is the sum of the entries in its state
                order = np.argsort(states[group], kind="stable")
                links = np.arange(first, first + size)
                first += size
                lengths = np.bincount(states[group], minlength=size)
                where = np.cumsum(lengths)
                columns = np.insert(entries[order], where, self.variables[links])
                values = np.insert(np.ones(len(entries)), where, -1.0)
                negated = np.insert(np.zeros(len(entries), dtype=bool), where, self.negated[links])
                builder.add_rows(lengths + 1, columns, values, 0.0, 0.0, negated)

    def literal_score(self, literals: Floats) -> Floats:
        scores = np.empty(len(self))
        for factor in range(len(self)):
            sizes = self.sizes(factor)
            state, ends = [], np.cumsum(sizes)
            values = literals[self.starts[factor] : self.starts[factor + 1]]
            for end, size in zip(ends, sizes, strict=True):
                group = values[end - size : end]
                state.append(int(group.argmax()) if group.sum() == 1 else -1)
            if -1 in state:
                scores[factor] = -np.inf
            else:
                scores[factor] = self.table(factor)[np.ravel_multi_index(tuple(state), tuple(sizes))]
        return scores

    def candidates(self, factor: int) -> Floats:
        sizes = self.sizes(factor)
        states = np.stack(np.unravel_index(np.arange(len(self.table(factor))), tuple(sizes)), axis=1)
        return np.concatenate([np.eye(size)[states[:, g]] for g, size in enumerate(sizes)], axis=1)
