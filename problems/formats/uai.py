"""UAI MARKOV files: variables of any arity, tables of non-negative potentials.

Each variable becomes a one-of-k group of 0/1 variables and each table a dense factor with log scores; a zero entry is a
forbidden state (-inf). A table over one variable without zeros is added to that variable's scores. Groups are numbered in
the file's order: the group of variable v starts at the sum of the arities before it.
"""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path
from typing import NoReturn

import numpy as np

from ..errors import InputError, quoted
from ..factor_graph import FactorGraph
from . import read_text, whole_number

MOST_STATES = 10_000_000  # of all variables together: each becomes a 0/1 variable


class _Tokens:
    """The whitespace-separated tokens of a file; line numbers are worked out only for messages."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = read_text(path)
        self.tokens = self.text.split()
        self.next = 0

    def fail(self, message: str) -> NoReturn:
        line = 1
        for index, match in enumerate(re.finditer(r"\S+", self.text)):
            if index == max(0, self.next - 1):
                line = self.text.count("\n", 0, match.start()) + 1
                break
        raise InputError(f"{self.path}, line {line}: {message}")

    def take(self, expected: str) -> str:
        if self.next >= len(self.tokens):
            self.fail(f"the file ends where {expected} was expected.")
        self.next += 1
        return self.tokens[self.next - 1]

    def integer(self, expected: str, least: int = 0) -> int:
        token = self.take(expected)
        number = whole_number(token)
        if number is None or number < least:
            self.fail(f"expected {expected}, found {quoted(token)}.")
        return number

    def potentials(self, count: int, table: int) -> np.ndarray:
        expected = f"an entry of table {table + 1}, a potential of at least 0,"
        if count > len(self.tokens) - self.next:
            self.next = len(self.tokens)
            self.fail(f"the file ends where {expected} was expected.")
        values = np.empty(count)
        for i in range(count):
            token = self.take(expected)
            try:
                values[i] = float(token)
            except ValueError:
                self.fail(f"expected {expected} found {quoted(token)}.")
            if not (values[i] >= 0 and math.isfinite(values[i])):
                self.fail(f"expected {expected} found {quoted(token)}.")
        return values


def read_uai(path: Path) -> FactorGraph:
    """Read a MARKOV network."""
    tokens = _Tokens(path)
    header = tokens.take("the header MARKOV")
    if header != "MARKOV":
        tokens.fail(f"expected the header MARKOV, found {quoted(header)}.")
    arities = [tokens.integer("an arity of at least 1", 1) for _ in range(tokens.integer("the number of variables"))]
    if sum(arities) > MOST_STATES:
        tokens.fail(f"the variables have {sum(arities)} states together, more than {MOST_STATES}.")
    scopes = []
    for table in range(tokens.integer("the number of tables")):
        scope = [tokens.integer("a variable") for _ in range(tokens.integer(f"the size of scope {table + 1}", 1))]
        if max(scope) >= len(arities):
            tokens.fail(f"variable {max(scope)} does not exist; variables are numbered 0 to {len(arities) - 1}.")
        if len(set(scope)) < len(scope):
            tokens.fail(f"scope {table + 1} names a variable twice.")
        scopes.append(scope)
    starts = np.concatenate([[0], np.cumsum(arities, dtype=np.int64)]).astype(np.int64)
    scores = np.zeros(int(starts[-1]))
    groups = [np.arange(first, end) for first, end in itertools.pairwise(starts)]
    dense = []
    for table, scope in enumerate(scopes):
        expected = math.prod(arities[v] for v in scope)
        size = tokens.integer(f"the size of table {table + 1}")
        if size != expected:
            tokens.fail(f"table {table + 1} must have {expected} entries, not {size}.")
        potentials = tokens.potentials(size, table)
        logs = np.full(size, -np.inf)
        np.log(potentials, out=logs, where=potentials > 0)
        if len(scope) == 1 and (potentials > 0).all():
            scores[groups[scope[0]]] += logs
        else:
            dense.append((scope, logs))
    if tokens.next < len(tokens.tokens):
        tokens.next += 1
        tokens.fail(f"expected the end of the file, found {quoted(tokens.tokens[tokens.next - 1])}.")
    graph = FactorGraph()
    graph.add_variables(scores)
    for scope, logs in dense:
        graph.add_dense([groups[v] for v in scope], logs)
    covered = {v for scope, _ in dense for v in scope}
    for v, group in enumerate(groups):
        if v not in covered:
            graph.add_logic("xor", group)
    return graph
