"""Networks of tables and linear constraints (`network`) as factor graphs.

A variable with two values is one 0/1 variable, true for value 1. It becomes a one-of-k group like the others, a 0/1 variable
for each value, if a table contains it that is neither over one or two such variables nor a clause. So

- tables over one or two of them are scores, pairs, and a clause (`or`) for each forbidden combination; a table that forbids one
  combination and is constant otherwise is a clause, too; all others are dense factors;
- a linear constraint is a clause, `at_most_one`, a budget or a knapsack, whichever says it.

Groups and variables are numbered in the network's order.
"""

from __future__ import annotations

import numpy as np

from ..checks import LARGEST_MAGNITUDE
from ..errors import InputError
from ..factor_graph import FactorGraph
from ..factors.block import starts_of
from ..linear_program import Floats, Integers
from .network import MOST_ENTRIES, MOST_VALUES, Linear, Network, Table


def graph_of(network: Network) -> FactorGraph:
    """The same problem as a factor graph."""
    if sum(network.domains) > MOST_VALUES:
        raise InputError(f"the variables have {sum(network.domains)} values together, more than {MOST_VALUES}.")
    return _Translation(network).graph


class _Translation:
    def __init__(self, network: Network) -> None:
        self.domains = network.domains
        self.graph = FactorGraph()
        self.graph.constant = network.constant
        dense = [table for table in network.tables if self._is_dense(table)]
        size = sum(table.entries(self.domains) for table in dense)
        if size > MOST_ENTRIES:
            raise InputError(f"the tables have {size} entries together, more than {MOST_ENTRIES}.")
        grouped = {v for table in dense for v in table.scope} | {v for v, d in enumerate(self.domains) if d != 2}
        self.grouped = grouped
        sizes = np.array([domain if v in grouped else 1 for v, domain in enumerate(self.domains)], dtype=np.int64)
        self.first = starts_of(sizes).tolist()  # graph variable of each variable's first value, or of value 1 alone
        self.scores = np.zeros(int(sizes.sum()))
        self.graph.add_variables(self.scores)
        self.logic: dict[str, list[tuple[list[int], list[bool]]]] = {"or": [], "at_most_one": []}  # added in blocks
        self.pairs: list[tuple[int, int, float]] = []
        for table in network.tables:
            self._add_table(table)
        for linear in network.linears:
            self._add_linear(linear)
        for v in sorted(grouped - {v for table in dense for v in table.scope}):
            self.graph.add_logic("xor", self._group(v))
        self._add_gathered()
        if len(self.scores):
            self.graph.add_scores(np.arange(len(self.scores)), self.scores)
        if not abs(self.graph.constant) <= LARGEST_MAGNITUDE:
            raise InputError(f"the costs of all tables must sum to at most {LARGEST_MAGNITUDE:g}.")

    def _add_gathered(self) -> None:
        for kind, factors in self.logic.items():
            if factors:
                degrees = np.array([len(links) for links, _ in factors])
                links, negated = (np.concatenate(part) for part in zip(*factors, strict=True))
                self.graph.add_logic_block(kind, degrees, links, negated)
        if self.pairs:
            links = np.array([(first, second) for first, second, _ in self.pairs]).ravel()
            self.graph.add_pair_block(links, [score for _, _, score in self.pairs])

    def _is_dense(self, table: Table) -> bool:
        if len(table.scope) <= 1:
            return False
        two_valued = all(self.domains[v] == 2 for v in table.scope)
        return not two_valued or (len(table.scope) > 2 and not _is_clause(table))

    def _group(self, v: int) -> Integers:
        return np.arange(self.first[v], self.first[v] + self.domains[v])

    def _literal(self, v: int, value: int) -> tuple[int, bool]:
        """The graph variable, and whether it is negated, that says "v has this value"."""
        if v in self.grouped:
            return self.first[v] + value, False
        return self.first[v], value == 0

    def _forbid(self, scope: tuple[int, ...], values: list[int]) -> None:
        literals = [self._literal(v, value) for v, value in zip(scope, values, strict=True)]
        self.logic["or"].append(([x for x, _ in literals], [not negated for _, negated in literals]))

    def _add_table(self, table: Table) -> None:
        if not table.scope:
            score = float(table.scores[-1]) if len(table.scores) else table.default
            if score == -np.inf:
                self._contradict()
            else:
                self.graph.constant += score
        elif self._is_dense(table):
            self.graph.add_dense([self._group(v) for v in table.scope], table.laid_out(self.domains))
        elif len(table.scope) > 2:
            self.graph.constant += table.default
            self._forbid(table.scope, table.tuples[0].tolist())
        else:
            laid_out = table.laid_out(self.domains)
            forbidden = np.argwhere(laid_out == -np.inf)
            if len(table.scope) == 1 and table.scope[0] in self.grouped:  # of many values, perhaps
                chosen = self._group(table.scope[0])[forbidden[:, 0]]
                self.graph.add_logic_block("or", np.ones(len(chosen), dtype=np.int64), chosen, chosen >= 0)
            else:
                for values in forbidden.tolist():
                    self._forbid(table.scope, values)
            self._add_scores(table.scope, _filled(laid_out))

    def _add_scores(self, scope: tuple[int, ...], table: Floats) -> None:
        """A finite table over one variable, or over two with two values each."""
        if len(scope) == 1:
            self._add_unary(scope[0], table)
            return
        self._add_unary(scope[0], table[:, 0])
        self._add_unary(scope[1], table[0, :] - table[0, 0])
        both = table[1, 1] - table[1, 0] - table[0, 1] + table[0, 0]
        if both:
            self.pairs.append((self._literal(scope[0], 1)[0], self._literal(scope[1], 1)[0], float(both)))

    def _add_unary(self, v: int, scores: Floats) -> None:
        if v in self.grouped:
            self.scores[self._group(v)] += scores
        else:
            self.graph.constant += float(scores[0])
            self.scores[self.first[v]] += scores[1] - scores[0]

    def _contradict(self) -> None:
        if not self.graph.number_of_variables:
            raise InputError("the problem has no variables and a constraint that cannot hold.")
        self.logic["or"] += [([0], [False]), ([0], [True])]

    def _add_linear(self, linear: Linear) -> None:
        """sum of weights >= least, as costs of at most a budget: a positive weight is a cost of not having the value."""
        weights: dict[int, int] = {}
        least = linear.least
        terms = zip(linear.variables.tolist(), linear.values.tolist(), linear.weights.tolist(), strict=True)
        for v, value, weight in terms:
            x, negated = self._literal(v, value)
            least -= weight if negated else 0
            weights[x] = weights.get(x, 0) + (-weight if negated else weight)
        variables = [x for x, weight in weights.items() if weight]
        costs = np.array([abs(weights[x]) for x in variables], dtype=np.int64)
        negations = np.array([weights[x] > 0 for x in variables], dtype=bool)
        budget = int(costs[negations].sum()) - least
        if budget < 0:
            self._contradict()
        elif budget < costs.sum():
            self._add_costs(variables, costs, budget, negations)

    def _add_costs(self, variables: list[int], costs: Integers, budget: int, negated: np.ndarray) -> None:
        count = len(variables)
        if (costs != costs[0]).any():
            self.graph.add_knapsack(variables, costs, budget, negated)
            return
        most = budget // int(costs[0])
        if most == count - 1:
            self.logic["or"].append((variables, (~negated).tolist()))
        elif most == 1:
            self.logic["at_most_one"].append((variables, negated.tolist()))
        else:
            self.graph.add_budget(variables, most, negated)


def _is_clause(table: Table) -> bool:
    return len(table.tuples) == 1 and table.scores[0] == -np.inf and table.default > -np.inf


def _filled(table: Floats) -> Floats:
    """A table with scores for its forbidden entries, which clauses forbid; of two variables, such that no pair is needed."""
    forbidden = np.argwhere(table == -np.inf)
    filled = table.copy()
    filled[table == -np.inf] = table.max(initial=-np.inf) if len(forbidden) < table.size else 0.0
    if len(forbidden) and table.ndim == 2:
        i, j = forbidden[-1].tolist()
        filled[i, j] = filled[i, 1 - j] + filled[1 - i, j] - filled[1 - i, 1 - j]
    return filled
