"""Networks of tables and linear constraints over variables with few values: what toulbar2's files say.

They are written here as scores to be maximized, -inf for what is forbidden; toulbar2's costs are to be minimized. Values are
0, 1, ... of each variable.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from ..linear_program import Floats, Integers

MOST_VALUES = 10_000_000  # of all variables together: each may become a 0/1 variable
MOST_ENTRIES = 10_000_000  # of all tables together, as they are laid out
ROUNDING = 1e-13  # of a bound and of the sum of decimal scores that is compared with it
LARGEST_WEIGHT = 2**53  # of linear constraints, and of the sum of the weights of one


@dataclass(frozen=True)
class Table:
    """A score for every combination of values of some variables: `default`, but for the tuples that are named."""

    scope: tuple[int, ...]
    default: float
    tuples: Integers  # (tuples, variables)
    scores: Floats
    complete: bool = False  # all tuples are named, in the order of their values

    @staticmethod
    def full(scope: tuple[int, ...], table: Floats) -> Table:
        """A table with all its entries; the axes of the array are the variables."""
        states = np.indices(table.shape).reshape(len(scope), -1).T
        return Table(scope, -np.inf, states, table.ravel(), complete=True)

    def entries(self, domains: list[int]) -> int:
        return math.prod(domains[v] for v in self.scope)

    def best(self, domains: list[int]) -> float:
        """The largest score; the default counts unless all tuples are named."""
        named = float(self.scores.max(initial=-np.inf))
        return named if len(self.scores) == self.entries(domains) else max(named, self.default)

    def laid_out(self, domains: list[int]) -> Floats:
        """All entries, an axis for each variable."""
        table = np.full([domains[v] for v in self.scope], self.default)
        table[tuple(self.tuples.T)] = self.scores
        return table


@dataclass(frozen=True)
class Linear:
    """The weights of the values that their variables have sum to at least `least`."""

    variables: Integers
    values: Integers
    weights: Integers
    least: int

    def by_variable(self) -> dict[int, list[int]]:
        """Value, weight, value, weight, ... of each variable."""
        found: dict[int, list[int]] = {}
        for v, value, weight in zip(self.variables.tolist(), self.values.tolist(), self.weights.tolist(), strict=True):
            found.setdefault(v, []).extend((value, weight))
        return found


@dataclass
class Network:
    domains: list[int]
    tables: list[Table] = field(default_factory=list)
    linears: list[Linear] = field(default_factory=list)
    constant: float = 0.0
    names: list[str] = field(default_factory=list)  # of the variables, where they have any
    value_names: list[list[str]] = field(default_factory=list)  # of each variable's values; none: 0, 1, ...

    def forbid(self, bound: float, rounding: float = ROUNDING) -> None:
        """Forbid each entry whose assignments all score `bound` or less: so toulbar2 reads costs that are large enough.

        Assignments that reach the bound in several steps stay allowed. `rounding` is how exact sums of scores are.
        """
        best = [table.best(self.domains) for table in self.tables]
        total = self.constant + sum(best)
        bound += rounding * (abs(bound) + sum(map(abs, best)) + abs(self.constant))
        for number, (table, most) in enumerate(zip(self.tables, best, strict=True)):
            low = bound - total + most
            if table.default <= low or table.scores.min(initial=np.inf) <= low:
                scores = np.where(table.scores <= low, -np.inf, table.scores)
                default = -np.inf if table.default <= low else table.default
                self.tables[number] = replace(table, default=default, scores=scores)

    def scale(self, unit: float) -> None:
        """Divide all scores."""
        for number, table in enumerate(self.tables):
            self.tables[number] = replace(table, default=table.default / unit, scores=table.scores / unit)
        self.constant /= unit
