"""A network with whole costs as weighted clauses, for MaxSAT solvers.

- A variable with two values is one of the formula's, with more values one for each, of which exactly one is true.
- Costs of one variable are soft literals. In other tables exactly one tuple is chosen, so the tuples of one cost share an
  auxiliary variable: it is soft, its weight is the cost, and it implies that none of them is chosen. Forbidden tuples are
  hard clauses.
- Linear constraints are clauses, cardinality constraints (a sequential counter) or knapsacks (a generalised totalizer).
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from problems.errors import InputError
from problems.factors.block import Booleans
from problems.formats.network import Linear, Network
from problems.formats.network_costs import FORBIDDEN, CostTable
from problems.linear_program import Integers

from .totalizer import at_most
from .whole_costs import WholeCosts

MOST_CLAUSES = 2_000_000
FEW = 5  # literals that exclude each other pairwise


class Clauses:
    """`hard` clauses, and `soft` literals with the weight that each costs if it is false."""

    def __init__(self, network: Network, costs: WholeCosts, solver: str) -> None:
        self.network, self.solver = network, solver
        self.hard: list[list[int]] = []
        self.soft: dict[int, int] = {}
        self.variables = 0
        self.literals = [self._values_of(domain) for domain in network.domains]
        for table in costs.tables:
            self._add_table(table)
        for linear in network.linears:
            self._add_linear(linear)

    def values(self, true: Booleans) -> Integers:
        """The network's values in a model: `true[x]` for variable x of the formula."""
        holds = [[true[abs(literal)] == (literal > 0) for literal in values] for values in self.literals]
        return np.array([values.index(True) for values in holds], dtype=np.int64)

    def new_variable(self) -> int:
        self.variables += 1
        return self.variables

    def _add(self, clauses: Iterable[list[int]], what: str) -> None:
        for clause in clauses:
            self.hard.append(clause)
            if len(self.hard) > MOST_CLAUSES:
                raise InputError(
                    f"solver {self.solver!r} would need more than {MOST_CLAUSES} clauses for this graph, "
                    f"the last of them for {what}."
                )

    def _values_of(self, domain: int) -> list[int]:
        """A literal for each value."""
        if domain == 2:
            yes = self.new_variable()
            return [-yes, yes]
        values = [self.new_variable() for _ in range(domain)]
        self._add([values], "a group")
        self._at_most(values, 1)
        return values

    def _soften(self, literal: int, weight: int) -> None:
        self.soft[literal] = self.soft.get(literal, 0) + weight

    def _add_table(self, table: CostTable) -> None:
        what = f"a table over {len(table.scope)} variables"
        laid_out = table.laid_out(self.network.domains)
        for cost in np.unique(laid_out[laid_out != 0]).tolist():
            here = laid_out == cost
            if cost == FORBIDDEN:
                self._add(self._none_of(table.scope, here), what)
            elif len(table.scope) == 1:
                for value in np.flatnonzero(here).tolist():
                    self._soften(-self.literals[table.scope[0]][value], cost)
            else:
                avoided = self.new_variable()
                self._add(([-avoided, *clause] for clause in self._none_of(table.scope, here)), what)
                self._soften(avoided, cost)

    def _none_of(self, scope: tuple[int, ...], tuples: Booleans) -> Iterable[list[int]]:
        """Clauses which say that none of these tuples is chosen; or that the only other one is."""
        others = np.argwhere(~tuples)
        if len(others) == 1:
            return [[self.literals[v][value]] for v, value in zip(scope, others[0].tolist(), strict=True)]
        places = np.argwhere(tuples).tolist()
        return ([-self.literals[v][value] for v, value in zip(scope, place, strict=True)] for place in places)

    def _add_linear(self, linear: Linear) -> None:
        """sum of weights >= least, as costs of the false literals that sum to a budget at most."""
        weights: dict[int, int] = {}
        least = linear.least
        terms = zip(linear.variables.tolist(), linear.values.tolist(), linear.weights.tolist(), strict=True)
        for v, value, weight in terms:
            literal = self.literals[v][value]
            least -= weight if literal < 0 else 0
            weights[abs(literal)] = weights.get(abs(literal), 0) + (weight if literal > 0 else -weight)
        literals = [-x if weight > 0 else x for x, weight in weights.items() if weight]
        costs = [abs(weight) for weight in weights.values() if weight]
        budget = sum(weight for weight in weights.values() if weight > 0) - least
        unit = math.gcd(*costs) if costs else 1
        costs, budget = [cost // unit for cost in costs], budget // unit
        if budget < 0:
            self._add([[]], "a linear constraint")
        elif sum(costs) <= budget:
            return
        elif set(costs) == {1}:
            self._at_most(literals, budget)
        else:
            what = f"a linear constraint with {len(costs)} terms"
            self._add(at_most(literals, costs, budget, self.new_variable), what)

    def _at_most(self, literals: list[int], most: int) -> None:
        """At most so many of these, fewer than all, are true."""
        from pysat.card import CardEnc, EncType

        what, count = f"a budget over {len(literals)} variables", len(literals)
        if most == 0:
            self._add(([-x] for x in literals), what)
        elif most == count - 1:
            self._add([[-x for x in literals]], what)
        elif most == 1 and count <= FEW:
            self._add(([-x, -y] for at, x in enumerate(literals) for y in literals[:at]), what)
        elif count > most:
            if count * most > MOST_CLAUSES:  # the counter has at least as many
                raise InputError(f"solver {self.solver!r} would need more than {MOST_CLAUSES} clauses for {what}.")
            made = CardEnc.atmost(literals, most, top_id=self.variables, encoding=EncType.seqcounter)
            self.variables = max(self.variables, made.nv)
            self._add(made.clauses, what)
