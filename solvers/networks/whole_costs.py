"""The scores of a network as costs in whole numbers, as `ilp-cpsat` has them: a power of two, 45 bits, a known error.

Each table's best entry costs nothing. An assignment scores `top` minus its cost divided by `scale`, give or take `error`. A
bound on the least cost is so a bound on the score once the error is added.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from problems.errors import InputError
from problems.formats.network import Network, Table
from problems.formats.network_costs import FORBIDDEN, CostTable
from problems.linear_program import Floats

from ..linear.integral import OBJECTIVE_BITS
from ..linear.scaling import objective_scale


@dataclass(frozen=True)
class WholeCosts:
    tables: list[CostTable]
    top: float
    scale: float
    error: float
    most: int  # what all costs that are not forbidden sum to at most
    impossible: bool  # some table forbids everything

    def score(self, cost: float) -> float:
        return self.top - cost / self.scale

    def bound(self, least_cost: float) -> float:
        """An upper bound on every score, given a lower bound on every cost."""
        return self.score(least_cost) + self.error


def whole_costs(network: Network, solver: str) -> WholeCosts:
    """Costs whose sum is below 2^45; tables that say nothing are left out."""
    best = [table.best(network.domains) for table in network.tables]
    impossible = -math.inf in best
    found = [] if impossible else list(zip(network.tables, best, strict=True))
    losses = [_losses(table, most, network.domains) for table, most in found]
    ranges = np.array([loss[np.isfinite(loss)].max(initial=0.0) for loss in losses])
    if not math.isfinite(ranges.sum()):
        raise InputError(f"the scores are too large for solver {solver!r}: their sum is not finite.")
    scale = objective_scale(ranges, np.ones(len(ranges)), OBJECTIVE_BITS)
    tables, errors, most = [], [], 0
    for (table, _), loss in zip(found, losses, strict=True):
        allowed = np.isfinite(loss)
        costs = np.full(len(loss), FORBIDDEN, dtype=np.int64)
        costs[allowed] = np.rint(loss[allowed] * scale)
        errors.append(float(np.abs(costs[allowed] / scale - loss[allowed]).max(initial=0.0)))
        made = CostTable(table.scope, int(costs[-1]), table.tuples, costs[:-1], table.complete)
        most += made.most
        if not made.idle:
            tables.append(made)
    top = math.fsum([network.constant, *best]) if not impossible else -math.inf
    return WholeCosts(tables, top, scale, math.fsum(errors), most, impossible)


def _losses(table: Table, best: float, domains: list[int]) -> Floats:
    """How far each named tuple, and then the default, stays behind the best; a default that is none counts for nothing."""
    default = best if len(table.scores) == table.entries(domains) else table.default
    return best - np.append(table.scores, default)
