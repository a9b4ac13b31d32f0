"""AD3's text format: number of variables, number of factors, one score per line, then one factor per line.

    OROUT 3 10 20 -30        kind, degree, one-based variables; `-` negates
    BUDGET 3 1 2 3 2         the budget follows the variables
    PAIR 2 i j 0.5           the score of both being true
    DENSE 4 1 2 3 4 2 2 2 ...   number of groups, their sizes, then the table (last group fastest)

`#` starts a comment; a line of nothing else is skipped. A file may hold several graphs, separated by blank lines.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import NoReturn

import numpy as np

from ..errors import InputError, quoted
from ..factor_graph import FactorGraph
from . import LONGEST_NUMBER, read_text, whole_number

LOGIC = {
    "XOR": "xor",
    "XOROUT": "xor_out",
    "ATMOSTONE": "at_most_one",
    "OR": "or",
    "OROUT": "or_out",
    "ANDOUT": "and_out",
}
SUPPORTED = (*LOGIC, "BUDGET", "PAIR", "DENSE")


class _Lines:
    """The lines of a file, without comments, with one-based numbers for messages."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: list[str] = []
        self.numbers: list[int] = []
        for number, line in enumerate(read_text(path).splitlines(), 1):
            content, comment, _ = line.partition("#")
            if content.strip() or not comment:  # a line that is all comment is no blank line
                self.lines.append(content.strip())
                self.numbers.append(number)
        self.next = 0

    def fail(self, message: str) -> NoReturn:
        number = self.numbers[self.next - 1] if self.next else 1
        raise InputError(f"{self.path}, line {number}: {message}")

    def more(self) -> bool:
        while self.next < len(self.lines) and not self.lines[self.next]:
            self.next += 1
        return self.next < len(self.lines)

    def take(self, expected: str) -> str:
        if self.next >= len(self.lines):
            self.next = len(self.lines)
            self.fail(f"the file ends where {expected} was expected.")
        self.next += 1
        line = self.lines[self.next - 1]
        if not line:
            self.fail(f"a blank line where {expected} was expected.")
        return line

    def count(self, expected: str) -> int:
        line = self.take(expected)
        number = whole_number(line)
        if number is None or number < 0:
            self.fail(f"expected {expected}, found {quoted(line)}.")
        return number

    def score(self, text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            self.fail(f"expected a score, found {quoted(text)}.")
        if not math.isfinite(value):
            self.fail(f"a score must be finite, found {quoted(text)}.")
        return value

    def integer(self, text: str, expected: str) -> int:
        number = whole_number(text)
        if number is None:
            self.fail(f"expected {expected}, found {quoted(text)}.")
        return number


def read_fg(path: Path) -> list[FactorGraph]:
    """All graphs of a file."""
    lines = _Lines(path)
    graphs = []
    while lines.more():
        graphs.append(_read_one(lines))
    if not graphs:
        raise InputError(f"{path}: the file is empty; expected the number of variables on line 1.")
    return graphs


class _Logic:
    """Logic factors gathered by kind and added in blocks: large files have tens of thousands."""

    def __init__(self) -> None:
        self.degrees: dict[str, list[int]] = {}
        self.signed: dict[str, list[int]] = {}

    def gather(self, kind: str, signed: list[int]) -> None:
        self.degrees.setdefault(kind, []).append(len(signed))
        self.signed.setdefault(kind, []).extend(signed)

    def add_to(self, graph: FactorGraph) -> None:
        for kind, degrees in self.degrees.items():
            links = np.array(self.signed[kind])
            graph.add_logic_block(kind, np.array(degrees), np.abs(links) - 1, links < 0)


def _read_one(lines: _Lines) -> FactorGraph:
    graph, logic = FactorGraph(), _Logic()
    variables = lines.count("the number of variables")
    factors = lines.count("the number of factors")
    graph.add_variables([lines.score(lines.take(f"the score of variable {i + 1}")) for i in range(variables)])
    for i in range(factors):
        fields = lines.take(f"factor {i + 1} of {factors}").split()
        _read_factor(graph, logic, fields, lines)
    logic.add_to(graph)
    return graph


def _read_factor(graph: FactorGraph, logic: _Logic, fields: list[str], lines: _Lines) -> None:
    kind = fields[0]
    if kind not in SUPPORTED:
        lines.fail(f"factor kind {quoted(kind)} is not supported; supported kinds are {', '.join(SUPPORTED)}.")
    if len(fields) < 2:
        lines.fail(f"expected the degree of the {kind} factor.")
    degree = lines.integer(fields[1], "the degree of the factor")
    least = 2 if kind.endswith("OUT") or kind == "PAIR" else 1
    if degree < least:
        lines.fail(f"the {kind} factor needs a degree of at least {least}, not {degree}.")
    if len(fields) < 2 + degree:
        lines.fail(f"the {kind} factor of degree {degree} lists {len(fields) - 2} variables only.")
    signed = [lines.integer(field, "a variable") for field in fields[2 : 2 + degree]]
    for variable in signed:
        if not 1 <= abs(variable) <= graph.number_of_variables:
            lines.fail(f"variable {variable} does not exist; variables are numbered 1 to {graph.number_of_variables}.")
    if len({abs(variable) for variable in signed}) < degree:
        lines.fail(f"the {kind} factor names a variable twice.")
    rest = fields[2 + degree :]
    if kind in LOGIC:
        _expect(rest, 0, kind, lines)
        logic.gather(LOGIC[kind], signed)
        return
    variables, negated = np.abs(signed) - 1, np.array(signed) < 0
    if kind == "BUDGET":
        _expect(rest, 1, kind, lines)
        endless = rest[0].isdecimal() and len(rest[0]) > LONGEST_NUMBER
        budget = degree if endless else lines.integer(rest[0], "the budget")
        if budget < 0:
            lines.fail(f"a budget must be at least 0, found {budget}.")
        graph.add_budget(variables, budget, negated)
    elif negated.any():
        lines.fail(f"a {kind} factor cannot negate its variables.")
    elif kind == "PAIR":
        _expect(rest, 1, kind, lines)
        if degree != 2:
            lines.fail(f"a PAIR factor has 2 variables, not {degree}.")
        graph.add_pair(variables[0], variables[1], lines.score(rest[0]))
    else:
        _add_dense(graph, variables, rest, lines)


def _add_dense(graph: FactorGraph, variables: np.ndarray, rest: list[str], lines: _Lines) -> None:
    groups = lines.integer(rest[0], "the number of groups") if rest else 0
    if groups < 1 or len(rest) < 1 + groups:
        lines.fail("expected the number of groups of the DENSE factor and their sizes.")
    sizes = [lines.integer(field, "the size of a group") for field in rest[1 : 1 + groups]]
    if min(sizes) < 1 or sum(sizes) != len(variables):
        lines.fail(f"the groups' sizes {sizes} do not sum to the factor's degree {len(variables)}.")
    _expect(rest[1 + groups :], math.prod(sizes), "DENSE", lines)
    table = [lines.score(field) for field in rest[1 + groups :]]
    graph.add_dense(np.split(variables, np.cumsum(sizes)[:-1]), table)


def _expect(fields: list[str], count: int, kind: str, lines: _Lines) -> None:
    if len(fields) != count:
        lines.fail(f"expected {count} fields after the variables of the {kind} factor, found {len(fields)}.")
