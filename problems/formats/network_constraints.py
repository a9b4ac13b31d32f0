"""Constraints and pairs over literals of a network.

What is over two variables, or forbids one combination of three, is a table; all else is a linear constraint.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..factors.block import Booleans
from .network import Linear, Network, Table

MOST_TABLE_ENTRIES = 512


class Literal(NamedTuple):
    """A variable of the network has this value, or (negated) has it not."""

    variable: int
    value: int
    negated: bool = False

    def opposite(self) -> Literal:
        return Literal(self.variable, self.value, not self.negated)


class Constraints:
    def __init__(self, network: Network) -> None:
        self.network = network

    def pair(self, first: Literal, second: Literal, score: float) -> None:
        """A score for two literals being true."""
        scope = tuple(dict.fromkeys((first.variable, second.variable)))
        both = self._truth(scope, first) & self._truth(scope, second)
        places = np.argwhere(both)
        if score and len(places) * 2 < both.size:
            self.network.tables.append(Table(scope, 0.0, places, np.full(len(places), score)))
        elif score:
            self.network.tables.append(Table.full(scope, np.where(both, score, 0.0)))

    def clause(self, literals: list[Literal]) -> None:
        """At least one of these is true."""
        self.linear(literals, [1] * len(literals), 1)

    def same(self, first: Literal, second: Literal) -> None:
        self.clause([first, second.opposite()])
        self.clause([first.opposite(), second])

    def linear(self, literals: list[Literal], weights: list[int], least: int) -> None:
        """The weights of those that are true sum to at least `least`."""
        worth: dict[tuple[int, int], int] = {}
        for literal, weight in zip(literals, weights, strict=True):
            key = (literal.variable, literal.value)
            worth[key] = worth.get(key, 0) + (-weight if literal.negated else weight)
            least -= weight if literal.negated else 0
        terms = [(variable, value, weight) for (variable, value), weight in worth.items() if weight]
        scope = tuple(dict.fromkeys(variable for variable, _, _ in terms))
        if len(scope) <= 3 and math.prod(self.network.domains[v] for v in scope) <= MOST_TABLE_ENTRIES:
            total = np.zeros([self.network.domains[v] for v in scope])
            for variable, value, weight in terms:
                total += weight * self._truth(scope, Literal(variable, value))
            if len(scope) < 3 or (total < least).sum() == 1:
                self._forbid(scope, total < least)
                return
        if sum(min(0, weight) for _, _, weight in terms) < least:
            variables, values, amounts = np.array(terms, dtype=np.int64).T
            self.network.linears.append(Linear(variables, values, amounts, least))

    def _forbid(self, scope: tuple[int, ...], forbidden: Booleans) -> None:
        places = np.argwhere(forbidden)
        if not len(places):
            return
        if scope and len(places) * 2 < forbidden.size:
            self.network.tables.append(Table(scope, 0.0, places, np.full(len(places), -np.inf)))
        elif scope:
            self.network.tables.append(Table.full(scope, np.where(forbidden, -np.inf, 0.0)))
        else:  # a sum of nothing that is to be more
            self.network.tables.append(Table((), -np.inf, np.zeros((0, 0), dtype=np.int64), np.zeros(0)))

    def _truth(self, scope: tuple[int, ...], literal: Literal) -> Booleans:
        """Where the literal is true, an axis for each variable of the scope."""
        shape = [self.network.domains[v] if v == literal.variable else 1 for v in scope]
        truth = (np.arange(self.network.domains[literal.variable]) == literal.value) ^ literal.negated
        return np.broadcast_to(truth.reshape(shape), [self.network.domains[v] for v in scope])
