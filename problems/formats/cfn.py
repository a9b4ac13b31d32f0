"""toulbar2's `.cfn` files: cost function networks in JSON, with decimal costs of either sign.

    {"problem":   {"name": "n", "mustbe": "<10.00"},          costs are minimized, 10 is too many; ">...": maximized
     "variables": {"x": 2, "y": ["red", "green", "blue"]},    a number of values, or their names
     "functions": {
       "f": {"scope": ["x", "y"], "costs": [1.5, 2, 0, -3, 0, 0]},                  all costs, last variable fastest
       "g": {"scope": ["x", "y"], "defaultcost": 0, "costs": [1, "red", 2.5]},      values, then what they cost
       "h": {"scope": ["y", "x"], "costs": "f"},                                    the table of another function
       "k": {"scope": ["x"], "type": "knapsack", "params": {"capacity": 1, "weights": [1]}},
       "v": {"scope": ["y"], "type": "knapsackv", "params": {"capacity": 1, "weightedvalues": [["y", 2, 1]]}}}}

As for toulbar2, commas, colons and quotes are white space, braces and brackets the same, `#` at the start of a line and `//`
start comments, variables and functions need no names, and all tags may be left out if `problem` is. The order of the fields
is fixed. Variables and values are named or numbered from 0. Knapsacks are as in `.wcsp` files: weights of at least the capacity.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np

from ..errors import InputError, quoted
from ..factor_graph import FactorGraph
from ..linear_program import Floats, Integers
from . import whole_number
from .cfn_words import CLOSE, OPEN, Words
from .network import LARGEST_WEIGHT, MOST_VALUES, Linear, Network, Table
from .network_graph import graph_of
from .wcsp import linear_of

DECIMAL = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")


def read_cfn(path: Path) -> FactorGraph:
    """Read a network; what is no table and no linear constraint is refused by its name."""
    return graph_of(_Reader(Words(path)).network)


class _Reader:
    def __init__(self, tokens: Words) -> None:
        self.tokens = tokens
        bound = self._read_header()
        self.network = Network([])
        self.total = 0  # values of all variables
        self.number_of: dict[str, int] = {}
        self.values_of: list[dict[str, int]] = []
        self.tokens.tag("variables")
        self.tokens.open("the variables")
        while not self.tokens.closes():
            self._read_variable()
        self.tables: dict[str, Table] = {}
        self.borrowed: list[tuple[int, str]] = []  # functions with another one's table: their place, and its name
        self.tokens.tag("functions")
        self.tokens.open("the functions")
        while not self.tokens.closes():
            self._read_function()
        self.tokens.close("the problem")
        tokens.end()
        self._lend()
        self.network.forbid(bound)

    def _cost(self, text: str) -> float:
        """A cost as a score."""
        if not DECIMAL.fullmatch(text) or not math.isfinite(cost := float(text)):
            self.tokens.fail(f"expected a cost, a decimal number, found {quoted(text)}.")
        return self.sign * cost

    def _read_header(self) -> float:
        """The score that is too small."""
        self.tokens.open("the problem")
        if self.tokens.peek() == "problem":
            self.tokens.tagged = True
            self.tokens.next += 1
        self.tokens.open("the problem's name and bound")
        self.tokens.tag("name")
        self.tokens.take("the name of the problem")
        self.tokens.tag("mustbe")
        bound = self.tokens.take("the bound of the problem")
        if bound[0] not in "<>":
            self.tokens.fail(f"expected < or > and the bound of the problem, found {quoted(bound)}.")
        self.sign = -1.0 if bound[0] == "<" else 1.0
        low = self._cost(bound[1:])
        self.tokens.close("the problem's name and bound")
        return low

    def _read_variable(self) -> None:
        tokens, number = self.tokens, len(self.network.domains)
        token = tokens.take("a variable")
        name = f"x{number}"
        if token not in OPEN and not _numeric(token):
            name, token = token, tokens.take(f"the values of variable {quoted(token)}")
        values: list[str] = []
        if token in OPEN:
            values = self.tokens.words(f"the values of variable {quoted(name)}")
        size = len(values) if token in OPEN else whole_number(token)
        if size is None or not 1 <= size <= MOST_VALUES:
            most = f"from 1 to {MOST_VALUES} values of variable {quoted(name)}"
            tokens.fail(f"expected {most}, found {quoted(token) if token not in OPEN else 'none'}.")
        if name in self.number_of:
            tokens.fail(f"variable {quoted(name)} is defined twice.")
        if len(set(values)) < len(values) or any(map(_numeric, values)):
            tokens.fail(f"the values of variable {quoted(name)} need different names that are no numbers.")
        self.number_of[name] = number
        self.values_of.append({value: place for place, value in enumerate(values)})
        self.network.domains.append(size)
        self.total += size
        if self.total > MOST_VALUES:
            tokens.fail(f"the variables have more than {MOST_VALUES} values together.")

    def _read_function(self) -> None:
        tokens, number = self.tokens, len(self.network.tables) + len(self.network.linears)
        name = f"function {number + 1}"
        if self.tokens.peek() not in OPEN:
            name = tokens.take("a function")
        self.tokens.open(f"function {quoted(name)}")
        self.tokens.tag("scope")
        self.tokens.open(f"the scope of {quoted(name)}")
        scope = tuple(self._variable(word) for word in self.tokens.words(f"the scope of {quoted(name)}"))
        if len(set(scope)) < len(scope):
            tokens.fail(f"function {quoted(name)} names a variable twice.")
        default = None
        if self.tokens.peek() == "defaultcost" if self.tokens.tagged else _numeric(self.tokens.peek()):
            self.tokens.tag("defaultcost")
            default = self._cost(tokens.take("the default cost"))
        word = tokens.take(f"the costs or the type of {quoted(name)}")
        if self.tokens.tagged and word not in ("costs", "type"):
            tokens.fail(f"expected the tag 'costs' or 'type' of {quoted(name)}, found {quoted(word)}.")
        tag = word
        if self.tokens.tagged:
            word = tokens.take(f"the {tag} of {quoted(name)}")
        if word in OPEN and tag != "type":
            table = self._read_table(name, scope, default)
            self.network.tables.append(table)
            self.tables[name] = table
        elif tag == "costs" or (not self.tokens.tagged and self.tokens.peek() in CLOSE):
            if default is not None:
                tokens.fail(f"function {quoted(name)} has a default cost and the table of another function.")
            self.borrowed.append((len(self.network.tables), word))
            self.network.tables.append(Table(scope, 0.0, np.zeros((0, len(scope)), dtype=np.int64), np.zeros(0)))
        else:
            self.network.linears.append(self._read_linear(name, word, scope))
        self.tokens.close(f"function {quoted(name)}")

    def _read_table(self, name: str, scope: tuple[int, ...], default: float | None) -> Table:
        words, domains = self.tokens.words(f"the costs of {quoted(name)}"), [self.network.domains[v] for v in scope]
        if default is None or not scope:
            size = math.prod(domains)
            if len(words) != size and not (default is not None and not words):
                self.tokens.fail(f"function {quoted(name)} needs {size} costs, not {len(words)}.")
            if not scope:
                score = self._cost(words[0]) if words else default
                return Table((), score or 0.0, np.zeros((0, 0), dtype=np.int64), np.zeros(0))
            return Table.full(scope, np.array([self._cost(word) for word in words]).reshape(domains))
        return Table(scope, default, *self._read_tuples(name, scope, words))

    def _read_tuples(self, name: str, scope: tuple[int, ...], words: list[str]) -> tuple[Integers, Floats]:
        width = len(scope) + 1
        if len(words) % width:
            self.tokens.fail(f"the costs of {quoted(name)} are no tuples of {width - 1} values and a cost each.")
        count = len(words) // width
        tuples = np.empty((count, len(scope)), dtype=np.int64)
        for place, v in enumerate(scope):
            tuples[:, place] = [self._value(v, word) for word in words[place::width]]
        if len(np.unique(tuples, axis=0)) < count:
            self.tokens.fail(f"function {quoted(name)} names a tuple twice.")
        return tuples, np.array([self._cost(word) for word in words[width - 1 :: width]], dtype=np.float64)

    def _read_linear(self, name: str, kind: str, scope: tuple[int, ...]) -> Linear:
        if kind not in ("knapsack", "knapsackv"):
            known = "tables, knapsack and knapsackv are"
            self.tokens.fail(f"functions of type {quoted(kind)} are not supported; {known}.")
        self.tokens.tag("params")
        self.tokens.open(f"the parameters of {quoted(name)}")
        self.tokens.tag("capacity")
        least = self._weight(self.tokens.take("the capacity"))
        self.tokens.tag("weights" if kind == "knapsack" else "weightedvalues")
        self.tokens.open(f"the weights of {quoted(name)}")
        words = self.tokens.words(f"the weights of {quoted(name)}")
        self.tokens.close(f"the parameters of {quoted(name)}")
        if kind == "knapsack":
            if len(words) != len(scope) or any(self.network.domains[v] != 2 for v in scope):
                self.tokens.fail(f"knapsack {quoted(name)} needs variables with two values, and a weight for each.")
            terms = [(v, 1, self._weight(word)) for v, word in zip(scope, words, strict=True)]
        else:
            if len(words) % 3:
                self.tokens.fail(f"the weights of {quoted(name)} are no triples of variable, value and weight.")
            variables = list(map(self._variable, words[::3]))
            if not set(variables) <= set(scope):
                self.tokens.fail(f"knapsackv {quoted(name)} has weights for variables that are not in its scope.")
            values = map(self._value, variables, words[1::3])
            terms = list(zip(variables, values, map(self._weight, words[2::3]), strict=True))
        try:
            return linear_of(terms, least)
        except InputError as error:
            self.tokens.fail(str(error))

    def _lend(self) -> None:
        for place, name in self.borrowed:
            scope = self.network.tables[place].scope
            if name not in self.tables:
                self.tokens.fail(f"a function uses the table of {quoted(name)}, which is not defined.")
            lent = self.tables[name]
            if [self.network.domains[v] for v in lent.scope] != [self.network.domains[v] for v in scope]:
                self.tokens.fail(f"a function with other domain sizes uses the table of {quoted(name)}.")
            self.network.tables[place] = Table(scope, lent.default, lent.tuples, lent.scores)

    def _variable(self, word: str) -> int:
        number = whole_number(word) if _numeric(word) else self.number_of.get(word)
        if number is None or not 0 <= number < len(self.network.domains):
            self.tokens.fail(f"variable {quoted(word)} does not exist.")
        return number

    def _value(self, v: int, word: str) -> int:
        place = whole_number(word) if _numeric(word) else self.values_of[v].get(word)
        if place is None and not self.values_of[v] and word[:1] == "v":
            place = whole_number(word[1:])  # the values of a mere number are v0, v1, ...
        if place is None or not 0 <= place < self.network.domains[v]:
            self.tokens.fail(f"variable {v} has no value {quoted(word)}.")
        return place

    def _weight(self, word: str) -> int:
        number = whole_number(word)
        if number is None or abs(number) > LARGEST_WEIGHT:
            self.tokens.fail(f"expected a whole number as a weight or capacity, found {quoted(word)}.")
        return number


def _numeric(word: str) -> bool:
    return word[:1] in tuple("0123456789-+.")
