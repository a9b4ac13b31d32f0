"""UAI networks: variables of any arity, tables of non-negative potentials.

A MARKOV network has any tables. A BAYES network has one table for each variable, its conditional probabilities given the
variables before it in the scope; the most probable explanation is the best state of the tables' product, as in a MARKOV
network. Its tables are checked: each variable once, no cycles, probabilities that sum to 1.

Each variable becomes a one-of-k group of 0/1 variables and each table a dense factor with log scores; a zero entry is a
forbidden state (-inf). A table over one variable without zeros is added to that variable's scores. Groups are numbered in
the file's order: the group of variable v starts at the sum of the arities before it.

An evidence file has the number of observed variables, then each with its state; the older form has a 1 before (one sample).
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from pathlib import Path

import numpy as np

from ..errors import quoted
from ..factor_graph import FactorGraph
from ..linear_program import Floats
from .tokens import Tokens

MOST_STATES = 10_000_000  # of all variables together: each becomes a 0/1 variable
HEADERS = ("MARKOV", "BAYES")
ROUNDING = 0.02  # by which probabilities may miss the sum of 1: files have few digits


def read_uai(path: Path, evidence: Path | None = None) -> FactorGraph:
    """Read a MARKOV or BAYES network, with the observed states of an evidence file if there is one."""
    tokens = Tokens(path)
    header = tokens.take("the header MARKOV or BAYES")
    if header not in HEADERS:
        tokens.fail(f"expected the header MARKOV or BAYES, found {quoted(header)}.")
    arities = [tokens.integer("an arity of at least 1", 1) for _ in range(tokens.integer("the number of variables"))]
    if sum(arities) > MOST_STATES:
        tokens.fail(f"the variables have {sum(arities)} states together, more than {MOST_STATES}.")
    scopes = _read_scopes(tokens, len(arities))
    if header == "BAYES":
        _require_network(tokens, scopes, len(arities))
    starts = np.concatenate([[0], np.cumsum(arities, dtype=np.int64)]).astype(np.int64)
    scores = np.zeros(int(starts[-1]))
    groups = [np.arange(first, end) for first, end in itertools.pairwise(starts)]
    dense = []
    for table, scope in enumerate(scopes):
        expected = math.prod(arities[v] for v in scope)
        size = tokens.integer(f"the size of table {table + 1}")
        if size != expected:
            tokens.fail(f"table {table + 1} must have {expected} entries, not {size}.")
        potentials = _read_potentials(tokens, size, table)
        if header == "BAYES":
            _require_probabilities(tokens, potentials.reshape(-1, arities[scope[-1]]), table, scope[-1])
        logs = np.full(size, -np.inf)
        np.log(potentials, out=logs, where=potentials > 0)
        if len(scope) == 1 and (potentials > 0).all():
            scores[groups[scope[0]]] += logs
        else:
            dense.append((scope, logs))
    tokens.end()
    graph = FactorGraph()
    graph.add_variables(scores)
    for scope, logs in dense:
        graph.add_dense([groups[v] for v in scope], logs)
    covered = {v for scope, _ in dense for v in scope}
    for v, group in enumerate(groups):
        if v not in covered:
            graph.add_logic("xor", group)
    for v, state in _read_evidence(evidence, arities).items() if evidence is not None else ():
        graph.add_logic("or", groups[v][state : state + 1])
    return graph


def _read_scopes(tokens: Tokens, variables: int) -> list[list[int]]:
    scopes = []
    for table in range(tokens.integer("the number of tables")):
        scope = [tokens.integer("a variable") for _ in range(tokens.integer(f"the size of scope {table + 1}", 1))]
        if max(scope) >= variables:
            tokens.fail(f"variable {max(scope)} does not exist; variables are numbered 0 to {variables - 1}.")
        if len(set(scope)) < len(scope):
            tokens.fail(f"scope {table + 1} names a variable twice.")
        scopes.append(scope)
    return scopes


def _read_potentials(tokens: Tokens, count: int, table: int) -> Floats:
    expected = f"an entry of table {table + 1}, a potential of at least 0,"
    tokens.require(count, expected)
    values = np.empty(count)
    for i in range(count):
        token = tokens.take(expected)
        try:
            values[i] = float(token)
        except ValueError:
            tokens.fail(f"expected {expected} found {quoted(token)}.")
        if not (values[i] >= 0 and math.isfinite(values[i])):
            tokens.fail(f"expected {expected} found {quoted(token)}.")
    return values


def _require_network(tokens: Tokens, scopes: list[list[int]], variables: int) -> None:
    """Each variable is the last of one scope, and no variable depends on itself."""
    tables = Counter(scope[-1] for scope in scopes)
    for v in range(variables):
        if tables[v] != 1:
            tokens.fail(f"a BAYES network needs one table with variable {v} last in its scope, not {tables[v]}.")
    waiting = {scope[-1]: set(scope[:-1]) for scope in scopes}
    below: dict[int, list[int]] = {v: [] for v in waiting}
    for child, parents in waiting.items():
        for parent in parents:
            below[parent].append(child)
    ready = [v for v, parents in waiting.items() if not parents]
    for v in ready:
        for child in below[v]:
            waiting[child].discard(v)
            if not waiting[child]:
                ready.append(child)
    if len(ready) < variables:
        stuck = min(v for v, parents in waiting.items() if parents)
        tokens.fail(f"a BAYES network must have no cycles, but variable {stuck} depends on one.")


def _require_probabilities(tokens: Tokens, rows: Floats, table: int, child: int) -> None:
    sums = rows.sum(axis=1)
    off = np.abs(sums - 1.0) > ROUNDING
    if off.any():
        tokens.fail(f"table {table + 1} has probabilities of variable {child} that sum to {sums[off][0]:g}, not to 1.")


def _read_evidence(path: Path, arities: list[int]) -> dict[int, int]:
    """The state of each observed variable."""
    tokens = Tokens(path)
    count = tokens.integer("the number of observed variables")
    if count == 1 and len(tokens.tokens) % 2 == 0:  # a number of samples, which an even number of tokens tells
        count = tokens.integer("the number of observed variables")
    tokens.require(2 * count, "a variable and its state")
    states: dict[int, int] = {}
    for _ in range(count):
        variable = tokens.integer("an observed variable")
        if variable >= len(arities) or variable in states:
            again = "is observed twice" if variable in states else "does not exist"
            tokens.fail(f"variable {variable} {again}; variables are numbered 0 to {len(arities) - 1}.")
        states[variable] = tokens.integer(
            f"the state of variable {variable}, from 0 to {arities[variable] - 1}", most=arities[variable] - 1
        )
    tokens.end()
    return states
