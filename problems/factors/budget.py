"""Budget and knapsack factors (sections 2.2 and 3.3, appendix A of Almeida & Martins).

The budget polytope is integral. The knapsack's is the relaxed one of Eq. 11, {z in [0,1]: costs z <= budget}, unless the
0/1 hull is asked for (`KnapsackHull`, integer costs): a tighter bound at a higher price.
"""

from __future__ import annotations

import math

import numpy as np

from ..errors import InputError
from ..kernels.codes import BUDGET, KNAPSACK, KNAPSACK_HULL
from ..linear_program import Floats, Integers, ProgramBuilder
from .block import Block

COST_TOLERANCE = 1e-9  # slack in checking real-valued costs against a budget, relative to the budget
LARGEST_WHOLE_COST = 10**6  # rows of whole costs up to this stay whole: cuts live on it
LARGEST_COST = 1e9  # of a cost in units of a budget: a variable that dear is out of reach anyway
LARGEST_HULL = 10**8  # states of a knapsack's dynamic program


class Budget(Block):
    """At most ints[0] literals are true."""

    kind = "budget"
    code = BUDGET

    def constrain(self, builder: ProgramBuilder) -> None:
        links = np.arange(len(self.variables))
        self.add_rows(builder, links, self.degrees, np.ones(len(links)), -np.inf, self.ints)

    def literal_score(self, literals: Floats) -> Floats:
        return np.where(self.sums(literals) <= self.ints, 0.0, -np.inf)


class Knapsack(Block):
    """floats = budget, then one cost per literal."""

    kind = "knapsack"
    code = KNAPSACK

    @property
    def budgets(self) -> Floats:
        return self.floats[self.float_starts[:-1]]

    @property
    def costs(self) -> Floats:
        return np.delete(self.floats, self.float_starts[:-1])

    def constrain(self, builder: ProgramBuilder) -> None:
        links = np.arange(len(self.variables))
        self.add_rows(builder, links, self.degrees, self.costs, -np.inf, self.budgets)

    def literal_score(self, literals: Floats) -> Floats:
        used = self.sums(literals * self.costs)
        return np.where(used <= self.budgets * (1.0 + COST_TOLERANCE), 0.0, -np.inf)


class KnapsackHull(Block):
    """ints = budget, then one integer cost per literal; the polytope is the hull of the 0/1 points.

    Its linear description is the flow of one unit through the dynamic program's states (item, capacity used).
    """

    kind = "knapsack_hull"
    code = KNAPSACK_HULL

    def parameters(self, factor: int) -> tuple[int, Integers]:
        ints = self.ints[self.int_starts[factor] : self.int_starts[factor + 1]]
        return int(ints[0]), ints[1:]

    def constrain(self, builder: ProgramBuilder) -> None:
        for factor in range(len(self)):
            self._constrain_one(builder, factor)

    def _constrain_one(self, builder: ProgramBuilder, factor: int) -> None:
        budget, costs = self.parameters(factor)
        reachable = np.array([0])
        arrivals = [np.zeros(0, dtype=np.int64)]  # columns of the arcs into each state of the current layer
        for item, cost in enumerate(costs):
            takes = reachable[reachable + cost <= budget]
            skip_columns = builder.add_columns(np.zeros(len(reachable)))
            take_columns = builder.add_columns(np.zeros(len(takes)))
            for state, used in enumerate(reachable):  # flow in = flow out; the source sends one unit
                leaving = np.append(
                    skip_columns[state], take_columns[state : state + 1] if used + cost <= budget else []
                )
                columns = np.concatenate([leaving, arrivals[state]]).astype(np.int64)
                values = np.concatenate([np.ones(len(leaving)), -np.ones(len(arrivals[state]))])
                source = 1.0 if item == 0 else 0.0
                builder.add_rows(np.array([len(columns)]), columns, values, source, source)
            link = self.starts[factor] + item
            entries = np.append(take_columns, self.variables[link])
            values = np.append(np.ones(len(take_columns)), -1.0)
            negated = np.append(np.zeros(len(take_columns), dtype=bool), self.negated[link])
            builder.add_rows(np.array([len(entries)]), entries, values, 0.0, 0.0, negated)
            following = np.union1d(reachable, takes + cost)
            arrivals = [
                np.concatenate([skip_columns[reachable == used], take_columns[takes + cost == used]])
                for used in following
            ]
            reachable = following

    def literal_score(self, literals: Floats) -> Floats:
        is_budget = np.zeros(len(self.ints), dtype=bool)
        is_budget[self.int_starts[:-1]] = True
        used = self.sums(literals * self.ints[~is_budget])
        return np.where(used <= self.ints[is_budget], 0.0, -np.inf)


def checked_budget(budget: int, variables: int) -> int:
    """A budget over so many variables; more than all of them says nothing, and may not fit into a machine's integer."""
    if isinstance(budget, (bool, np.bool_)) or not _is_whole(budget) or budget < 0:
        raise InputError(f"a budget must be a whole number of at least 0, not {budget}.")
    return min(int(budget), variables)


def _is_whole(value: object) -> bool:
    try:
        return int(value) == value  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        return False


def knapsack_parameters(costs: Floats, budget: float) -> Floats:
    """Budget and costs in a unit that solvers' absolute tolerances fit: about the largest cost, or a smaller budget.

    The unit is a power of two, which is exact. Whole costs of a usual size stay as they are. A budget above the sum of the costs says nothing more than that sum.
    """
    budget = min(budget, float(costs.sum()))
    largest = float(costs.max(initial=0.0))
    if largest == 0.0 or (largest <= LARGEST_WHOLE_COST and (costs == np.rint(costs)).all()):
        return np.append(budget, costs)
    unit = math.ldexp(1.0, math.frexp(min(largest, budget) or largest)[1])
    return np.append(budget / unit, np.minimum(costs / unit, LARGEST_COST))


def hull_parameters(costs: Floats, budget: float) -> Integers:
    """Budget and costs as integers; a cost above the budget is as good as any other such cost."""
    if budget != np.floor(budget) or (costs != np.floor(costs)).any():
        raise InputError("the 0/1 hull of a knapsack needs integer costs and an integer budget.")
    budget = min(budget, float(costs.sum()))
    if (len(costs) + 1) * (budget + 1) > LARGEST_HULL:
        raise InputError(
            f"the 0/1 hull of a knapsack over {len(costs)} variables with a budget of {budget:g} is too large."
        )
    return np.append(budget, np.minimum(costs, budget + 1)).astype(np.int64)
