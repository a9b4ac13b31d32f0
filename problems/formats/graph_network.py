"""Factor graphs as networks of tables and linear constraints (`network`), for toulbar2's files.

- A group of 0/1 variables of which exactly one is true (of a dense factor, of head bigrams, of a `xor`, the heads of a word) is
  one variable with a value for each. A 0/1 variable stands for itself if it is in no group. Where two groups share some of their variables but not
  all, the second is a copy, tied to the first by tables.
- Logic, budgets and knapsacks are linear constraints, or tables if they are small (`network_constraints`).
- Trees, automata and derivations are written as their factors describe themselves to ILP solvers: each column one more 0/1
  variable, each row a linear constraint. That is exact, as those columns are 0 or 1 as soon as the variables are.
- A factor written in Python is refused: nothing is known of its columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from ..errors import InputError
from ..factor_graph import FactorGraph
from ..factors import Block
from ..factors.automata import HeadBigrams
from ..factors.budget import COST_TOLERANCE, Knapsack, KnapsackHull
from ..factors.subtree import Subtree
from ..factors.tables import Dense
from ..factors.trees import Arborescence
from ..linear_program import Floats, Integers, ProgramBuilder
from .network import Network, Table
from .network_constraints import Constraints, Literal
from .network_variables import Variables

COST_BITS = 45  # of the sum of a knapsack's costs where they are no whole numbers


def network_of(graph: FactorGraph) -> Network:
    """The same problem as a network; the names of its variables and values say which of the graph's they are."""
    return Translation(graph).network


class Translation:
    """A graph as a network, and the way back from the network's values to the graph's variables."""

    def __init__(self, graph: FactorGraph) -> None:
        if graph.has_own_factors:
            raise InputError("networks cannot say factors of your own: their tables are not known.")
        self.graph = graph
        self.scores = graph.scores.copy()
        self.variables = Variables(graph)
        self.network = self.variables.network
        self.network.constant = graph.constant
        self.constraints = Constraints(self.network)
        for variable, literals in self.variables.ties():
            self._tie(variable, literals)
        for block in graph.blocks:
            self._add_block(block)
        self._add_scores()

    def assignment(self, values: Integers) -> Floats:
        """The graph's 0/1 variables, given a value of each of the network's."""
        literals = self.variables.literals
        return np.array([values[literal.variable] == literal.value for literal in literals], dtype=np.float64)

    def _tie(self, variable: int, literals: list[tuple[int, Literal]]) -> None:
        """A copy of a group has a value if and only if that value's literal is true."""
        for value, literal in literals:
            self.constraints.same(Literal(variable, value), literal)

    def _add_scores(self) -> None:
        """What is left of linear scores, as tables over one variable."""
        worth = [np.zeros(domain) for domain in self.network.domains]
        for x, score in enumerate(self.scores.tolist()):
            literal = self.variables.literals[x]
            worth[literal.variable][literal.value] += score
        for variable, scores in enumerate(worth):
            if scores.any():
                self.network.tables.append(Table.full((variable,), scores))

    def _literals(self, block: Block) -> Iterator[list[Literal]]:
        """The literals of each factor."""
        found = [self.variables.literals[x] for x in block.variables.tolist()]
        signs = block.negated.tolist()
        signed = [literal.opposite() if sign else literal for literal, sign in zip(found, signs, strict=True)]
        for first, end in pairwise(block.starts.tolist()):
            yield signed[first:end]

    def _add_block(self, block: Block) -> None:
        if isinstance(block, Dense):
            self._add_dense(block)
        elif isinstance(block, HeadBigrams):
            self._add_bigrams(block)
        elif isinstance(block, Subtree):
            self._add_subtrees(block)
        elif block.kind == "pair":
            for literals, score in zip(self._literals(block), block.floats.tolist(), strict=True):
                self.constraints.pair(literals[0], literals[1], score)
        elif isinstance(block, Knapsack | KnapsackHull):
            for factor, literals in enumerate(self._literals(block)):
                costs, budget = _whole_costs(block, factor)
                self.constraints.linear(literals, (-costs).tolist(), -budget)
        elif block.kind in ("xor", "at_most_one", "or", "or_out", "budget"):
            self._add_logic(block)
        else:
            self._add_rows(block)

    def _add_logic(self, block: Block) -> None:
        for factor, literals in enumerate(self._literals(block)):
            *inputs, output = literals
            ones = [1] * len(literals)
            if block.kind == "or_out":
                self.constraints.clause([*inputs, output.opposite()])
                for literal in inputs:
                    self.constraints.clause([literal.opposite(), output])
            elif block.kind == "or":
                self.constraints.clause(literals)
            elif not self.variables.is_group(literals, block.kind):
                most = int(block.ints[factor]) if block.kind == "budget" else 1
                self.constraints.linear(literals, [-one for one in ones], -most)
                if block.kind == "xor":
                    self.constraints.clause(literals)

    def _add_dense(self, block: Dense) -> None:
        for factor, (first, end) in enumerate(pairwise(block.starts.tolist())):
            sizes = block.sizes(factor)
            groups = np.split(block.variables[first:end], np.cumsum(sizes)[:-1])
            self._add_table(groups, block.table(factor).reshape(sizes))

    def _add_bigrams(self, block: HeadBigrams) -> None:
        for factor, (first, end) in enumerate(pairwise(block.starts.tolist())):
            groups = np.split(block.variables[first:end], np.cumsum(block.sizes(factor))[:-1])
            for left, right, table in zip(groups, groups[1:], block.tables(factor), strict=False):
                self._add_table([left, right], table)

    def _add_table(self, groups: list[Integers], table: Floats) -> None:
        """A table over groups, its axes in the order of their variables' values."""
        scope = []
        for axis, group in enumerate(groups):
            variable, places = self.variables.group(group.tolist())
            scope.append(variable)
            table = np.take(table, places, axis=axis)
        self.network.tables.append(Table.full(tuple(scope), table))

    def _add_subtrees(self, block: Subtree) -> None:
        links, worth = block.linear_scores()
        np.add.at(self.scores, block.variables[links], worth)
        parents, undeletable = block.parents, block.undeletable
        for child in np.flatnonzero(parents >= 0).tolist():
            low = self.variables.literals[int(block.variables[child])]
            high = self.variables.literals[int(block.variables[parents[child]])]
            self.constraints.clause([low.opposite(), high])
            if undeletable[child]:
                self.constraints.clause([low, high.opposite()])

    def _add_rows(self, block: Block) -> None:
        """A factor's own columns and rows."""
        count, builder = self.graph.number_of_variables, ProgramBuilder()
        builder.add_columns(np.zeros(count), integer=True)
        if type(block) is Arborescence:  # a single flow's columns are no 0/1 variables; the trees are the same
            ints = block.ints.copy()
            ints[block.int_starts[:-1] + 2] = 0
            block = replace(block, ints=ints)
        block.constrain(builder)
        program = builder.build()
        self.network.constant += program.constant
        self.scores += program.objective[:count]
        literals = self.variables.literals[:count] + [
            self.variables.extra(score, self.network) for score in program.objective[count:].tolist()
        ]
        for row, (first, end) in enumerate(pairwise(program.row_starts.tolist())):
            entries = [literals[column] for column in program.row_columns[first:end].tolist()]
            weights = np.rint(program.row_values[first:end]).astype(np.int64)
            low, high = program.row_lower[row], program.row_upper[row]
            if np.isfinite(low):
                self.constraints.linear(entries, weights.tolist(), round(low))
            if np.isfinite(high):
                self.constraints.linear(entries, (-weights).tolist(), -round(high))


def _whole_costs(block: Knapsack | KnapsackHull, factor: int) -> tuple[Integers, int]:
    """Costs and budget in whole numbers; a budget in real numbers is exceeded by the tolerance that the factor has."""
    if isinstance(block, KnapsackHull):
        budget, costs = block.parameters(factor)
        return costs, budget
    room, *prices = block.floats[block.float_starts[factor] : block.float_starts[factor + 1]].tolist()
    room, real = room * (1.0 + COST_TOLERANCE), np.array(prices)
    real = np.minimum(real, 2.0 * room + 1.0)  # out of reach is out of reach
    scale = 1.0
    if (real != np.rint(real)).any():
        scale = 2.0 ** (COST_BITS - int(np.frexp(max(room, float(real.sum())))[1]))
    return np.rint(real * scale).astype(np.int64), int(np.floor(room * scale))
