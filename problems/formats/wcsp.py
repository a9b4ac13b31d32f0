"""toulbar2's `.wcsp` files: weighted constraint networks with whole costs, to be minimized.

    name  variables  largest domain  functions  upper bound
    domain sizes
    arity  variables  default cost  tuples  (values  cost)*       a table; values of the variables, then what they cost
    arity  variables  -1  knapsack  capacity  weights             sum of weights of 0/1 variables >= capacity
    arity  variables  -1  knapsackp  capacity  (count  (value  weight)*)*     weights of values, for each variable in turn
    arity  variables  -1  knapsackv  capacity  count  (variable  value  weight)*

All fields are separated by white space. A cost that reaches the upper bound, whatever the rest, forbids. A table whose arity is written as a negative
number can be used again: a later one gives its number (the first is 1) as a negative number of tuples. A score is a negated
cost. Files that we wrote say in their name how costs become scores, and keep them (`wcsp_writer`). The bound is used for
nothing else: an assignment that costs more in total is not excluded, though toulbar2 would not look for it.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from ..errors import InputError, quoted
from ..factor_graph import FactorGraph
from ..linear_program import Floats, Integers
from .network import LARGEST_WEIGHT, MOST_VALUES, ROUNDING, Linear, Network, Table
from .network_graph import graph_of
from .tokens import Tokens

LARGEST_COST = 2**63 - 1
EXACT = 2**53  # costs below are whole in floating point
OURS = re.compile(r"dualbench:score=(?P<top>[-+.e0-9]+)-cost/1e(?P<digits>-?[0-9]{1,3})")


def read_wcsp(path: Path) -> FactorGraph:
    """Read a network; what is no table and no linear constraint is refused by its name."""
    return graph_of(_Reader(Tokens(path)).network)


def as_scores(name: str) -> tuple[float, float]:
    """What the name of a problem says about scores: score = top - cost / scale."""
    match = OURS.fullmatch(name)
    try:
        return (float(match["top"]), 10.0 ** int(match["digits"])) if match else (0.0, 1.0)
    except ValueError:
        return 0.0, 1.0


class _Reader:
    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        top, scale = as_scores(tokens.take("the name of the problem"))
        count = tokens.integer("the number of variables")
        tokens.integer("the largest domain size")
        functions = tokens.integer("the number of cost functions")
        bound = self._cost("the upper bound")
        tokens.require(count, "the domain size of a variable")
        domains = [tokens.integer("a domain size of at least 1", 1) for _ in range(count)]
        if sum(domains) > MOST_VALUES:
            tokens.fail(f"the variables have {sum(domains)} values together, more than {MOST_VALUES}.")
        self.network = Network(domains)
        self.shared: list[Table] = []
        for number in range(1, functions + 1):
            self._read_function(number)
        tokens.end()
        self.network.forbid(-float(bound), 0.0 if bound < EXACT else ROUNDING)
        self.network.scale(scale)
        self.network.constant += top

    def _cost(self, expected: str) -> int:
        token = self.tokens.take(expected)
        if not (token.isascii() and token.isdecimal() and len(token) <= 19 and int(token) <= LARGEST_COST):
            self.tokens.fail(f"expected {expected}, found {quoted(token)}.")
        return int(token)

    def _read_function(self, number: int) -> None:
        tokens, domains = self.tokens, self.network.domains
        arity = tokens.integer(f"the arity of cost function {number}", -len(domains), len(domains))
        tokens.require(abs(arity), "a variable")
        scope = tuple(tokens.integer("a variable", 0, len(domains) - 1) for _ in range(abs(arity)))
        if len(set(scope)) < len(scope):
            tokens.fail(f"cost function {number} names a variable twice.")
        if tokens.next < len(tokens.tokens) and tokens.tokens[tokens.next] == "-1":
            tokens.next += 1
            self.network.linears.append(self._read_linear(scope))
            return
        default = -float(self._cost(f"the default cost of cost function {number}"))
        count = tokens.integer("a number of tuples", -len(self.shared), None if scope else 0)
        if count < 0:
            given = self.shared[-count - 1]
            if [domains[v] for v in given.scope] != [domains[v] for v in scope]:
                tokens.fail(f"cost function {number} and the shared one that it uses have other domain sizes.")
            table = Table(scope, given.default, given.tuples, given.scores)
        else:
            table = Table(scope, default, *self._read_tuples(number, scope, count))
        self.network.tables.append(table)
        if arity < 0:
            self.shared.append(table)

    def _read_tuples(self, number: int, scope: tuple[int, ...], count: int) -> tuple[Integers, Floats]:
        width = len(scope) + 1
        self.tokens.require(count * width, f"a tuple of cost function {number}")
        rows = np.empty((count, width), dtype=np.int64)
        domains = [self.network.domains[v] for v in scope]
        for row in range(count):
            for place, domain in enumerate(domains):
                rows[row, place] = self.tokens.integer(f"a value from 0 to {domain - 1}", most=domain - 1)
            rows[row, -1] = self._cost("the cost of a tuple, a whole number of at least 0")
        if len(np.unique(rows[:, :-1], axis=0)) < count and scope:
            self.tokens.fail(f"cost function {number} names a tuple twice.")
        return rows[:, :-1], -rows[:, -1].astype(np.float64)

    def _read_linear(self, scope: tuple[int, ...]) -> Linear:
        tokens, domains = self.tokens, self.network.domains
        kind = tokens.take("the kind of a cost function")
        if kind not in ("knapsack", "knapsackp", "knapsackv"):
            known = "tables, knapsack, knapsackp and knapsackv are"
            tokens.fail(f"cost functions of kind {quoted(kind)} are not supported; {known}.")
        least = self._weight("the capacity")
        terms: list[tuple[int, int, int]] = []
        if kind == "knapsackv":
            count = tokens.integer("the number of weighted values")
            tokens.require(3 * count, "a variable, its value and the weight")
            for _ in range(count):
                v = tokens.integer("a variable", 0, len(domains) - 1)
                if v not in scope:
                    tokens.fail(f"variable {v} is not in the scope of the knapsackv.")
                terms.append((v, self._value(v), self._weight("a weight")))
        for v in scope if kind != "knapsackv" else ():
            if kind == "knapsackp":
                count = tokens.integer("a number of values")
                tokens.require(2 * count, "a value and its weight")
                terms += [(v, self._value(v), self._weight("a weight")) for _ in range(count)]
            elif domains[v] != 2:
                tokens.fail(f"a knapsack is over variables with two values, and variable {v} has {domains[v]}.")
            else:
                terms.append((v, 1, self._weight("a weight")))
        try:
            return linear_of(terms, least)
        except InputError as error:
            tokens.fail(str(error))

    def _value(self, v: int) -> int:
        most = self.network.domains[v] - 1
        return self.tokens.integer(f"a value from 0 to {most}", most=most)

    def _weight(self, expected: str) -> int:
        return self.tokens.integer(f"{expected}, a whole number", -LARGEST_WEIGHT, LARGEST_WEIGHT)


def linear_of(terms: list[tuple[int, int, int]], least: int) -> Linear:
    """A constraint of (variable, value, weight); sums of weights must stay exact."""
    if sum(abs(weight) for _, _, weight in terms) + abs(least) > LARGEST_WEIGHT:
        raise InputError(f"the weights of a linear constraint must sum to at most {LARGEST_WEIGHT}.")
    variables, values, weights = np.array(terms, dtype=np.int64).reshape(-1, 3).T
    return Linear(variables, values, weights, least)
