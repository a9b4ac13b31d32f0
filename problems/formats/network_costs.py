"""The scores of a network as costs of at least 0 in whole numbers: tables of them, and those of toulbar2's files.

Each table's best entry costs nothing, so that an assignment scores `top` minus its costs. Files count in units of a power of ten
and have as many decimal digits as the scores have, or as fit: toulbar2 counts in 64 bits. (Solvers count in powers of two, see
`solvers.networks.whole_costs`.) `bound` is some twice of what all costs that are not forbidden can sum to, so that no rounding
takes one for the other.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from ..linear_program import Integers
from .network import Network, Table

FORBIDDEN = -1


@dataclass(frozen=True)
class CostTable:
    """Costs of a table's named tuples and of all others, FORBIDDEN where there is none."""

    scope: tuple[int, ...]
    default: int
    tuples: Integers
    costs: Integers
    complete: bool  # all tuples are named, in the order of their values

    @property
    def most(self) -> int:
        """The largest cost that is not forbidden."""
        return max(0, self.default, int(self.costs.max(initial=0)))

    @property
    def idle(self) -> bool:
        """Does it cost nothing, whatever is chosen?"""
        return not self.costs.any() and (self.complete or not self.default)

    def laid_out(self, domains: list[int]) -> Integers:
        """All costs, an axis for each variable."""
        table = np.full([domains[v] for v in self.scope], self.default, dtype=np.int64)
        table[tuple(self.tuples.T)] = self.costs
        return table

    def with_default(self) -> CostTable:
        """The most common cost as the default where all tuples are named."""
        if not self.complete:
            return self
        common = Counter(self.costs.tolist()).most_common(1)[0][0]
        other = self.costs != common
        return CostTable(self.scope, common, self.tuples[other], self.costs[other], complete=False)


@dataclass(frozen=True)
class Costs:
    digits: int
    top: int
    bound: int
    tables: list[CostTable]


def costs_of(network: Network, largest: int) -> Costs:
    """Costs whose sum is at most `largest`, tables that say nothing left out."""
    scores = [float(network.constant)]
    size = abs(network.constant)
    for table in network.tables:
        finite = _finite(table)
        scores += finite
        if finite:
            size += abs(max(finite)) + max(finite) - min(finite)
    digits = max([0, *map(_decimal_places, set(scores))])
    if size > 0:
        digits = min(digits, math.floor(math.log10(largest / 4) - math.log10(size)))
    top, most, tables = _units(network.constant, digits), 0, []
    for table in network.tables:
        made, best = _costs(table, digits)
        top += best
        most += made.most
        if not made.idle:
            tables.append(made)
    return Costs(digits, top, 2 * most + 1, tables)


def _finite(table: Table) -> list[float]:
    scores = table.scores[table.scores > -np.inf].tolist()
    return scores if table.default == -np.inf else [*scores, table.default]


def _costs(table: Table, digits: int) -> tuple[CostTable, int]:
    """The costs of a table, and what its best entry scores."""
    finite = _finite(table)
    best = _units(max(finite), digits) if finite else 0
    known = {score: best - _units(score, digits) for score in set(finite)} | {-np.inf: FORBIDDEN}
    costs = np.array([known[score] for score in table.scores.tolist()], dtype=np.int64)
    complete = bool(table.scope) and table.complete
    return CostTable(table.scope, known[table.default], table.tuples, costs, complete), best


def _decimal_places(score: float) -> int:
    exponent = Decimal(repr(score)).normalize().as_tuple().exponent
    assert isinstance(exponent, int)
    return -exponent


def _units(score: float, digits: int) -> int:
    return int(Decimal(repr(float(score))).scaleb(digits).to_integral_value())
