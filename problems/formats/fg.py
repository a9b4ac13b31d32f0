"""AD3's text format: number of variables, number of factors, one score per line, then one factor per line.

    OROUT 3 10 20 -30        kind, degree, one-based variables; `-` negates
    BUDGET 3 1 2 3 2         the budget follows the variables
    PAIR 2 i j 0.5           the score of both being true
    DENSE 4 1 2 3 4 2 2 2 ...   number of groups, their sizes, then the table (last group fastest)
    KNAPSACK 2 1 -2 3 4 6    costs, then the budget (KNAPSACK_HULL: the 0/1 hull)

`fg_structures` has the kinds for trees, head automata and sequences. KNAPSACK and KNAPSACK_HULL are ours: AD3 has the factor,
but its reader does not know a line of it. `#` starts a comment; a line of nothing else is skipped. A file may hold several
graphs, separated by blank lines.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from ..errors import InputError, quoted
from ..factor_graph import FactorGraph
from ..linear_program import Integers
from . import LONGEST_NUMBER
from .fg_lines import Fields, Lines
from .fg_structures import STRUCTURES, add_structure

LOGIC = {
    "XOR": "xor",
    "XOROUT": "xor_out",
    "ATMOSTONE": "at_most_one",
    "OR": "or",
    "OROUT": "or_out",
    "ANDOUT": "and_out",
}
KNAPSACKS = ("KNAPSACK", "KNAPSACK_HULL")
SUPPORTED = (*LOGIC, "BUDGET", *KNAPSACKS, "PAIR", "DENSE", *STRUCTURES)
LEAST_DEGREES = dict.fromkeys(("XOROUT", "OROUT", "ANDOUT", "PAIR", "SEQUENCE_COMPRESSOR"), 2)
LEAST_DEGREES |= {"HEAD_AUTOMATON": 0, "GENERAL_TREE_COUNTS": 3}


def read_fg(path: Path) -> list[FactorGraph]:
    """All graphs of a file."""
    lines = Lines(path)
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


def _read_one(lines: Lines) -> FactorGraph:
    graph, logic = FactorGraph(), _Logic()
    variables = lines.count("the number of variables")
    factors = lines.count("the number of factors")
    graph.add_variables([lines.score(lines.take(f"the score of variable {i + 1}")) for i in range(variables)])
    for i in range(factors):
        fields = lines.take(f"factor {i + 1} of {factors}").split()
        _read_factor(graph, logic, fields, lines)
    logic.add_to(graph)
    return graph


def _read_factor(graph: FactorGraph, logic: _Logic, words: list[str], lines: Lines) -> None:
    kind = words[0]
    if kind not in SUPPORTED:
        lines.fail(f"factor kind {quoted(kind)} is not supported; supported kinds are {', '.join(SUPPORTED)}.")
    signed = _read_links(kind, words, graph.number_of_variables, lines)
    fields = Fields(kind, words[2 + len(signed) :], lines)
    if kind in LOGIC:
        fields.expect(0)
        logic.gather(LOGIC[kind], signed)
        return
    links = np.array(signed, dtype=np.int64)
    variables, negated = np.abs(links) - 1, links < 0
    if kind == "BUDGET":
        fields.expect(1)
        graph.add_budget(variables, _budget(fields.fields[0], len(signed), lines), negated)
    elif kind in KNAPSACKS:
        _add_knapsack(graph, variables, negated, fields)
    elif negated.any():
        lines.fail(f"the {kind} factor cannot negate its variables.")
    elif kind == "PAIR":
        fields.expect(1)
        if len(signed) != 2:
            lines.fail(f"a PAIR factor has 2 variables, not {len(signed)}.")
        graph.add_pair(int(variables[0]), int(variables[1]), lines.score(fields.fields[0]))
    elif kind == "DENSE":
        _add_dense(graph, variables, fields)
    else:
        add_structure(graph, kind, variables, fields)


def _read_links(kind: str, words: list[str], number_of_variables: int, lines: Lines) -> list[int]:
    """The variables of a factor, one-based, negative where they are negated."""
    if len(words) < 2:
        lines.fail(f"expected the degree of the {kind} factor.")
    degree = lines.integer(words[1], "the degree of the factor")
    least = LEAST_DEGREES.get(kind, 1)
    if degree < least:
        lines.fail(f"the {kind} factor needs a degree of at least {least}, not {degree}.")
    if len(words) < 2 + degree:
        lines.fail(f"the {kind} factor of degree {degree} lists {len(words) - 2} variables only.")
    signed = [lines.integer(word, "a variable") for word in words[2 : 2 + degree]]
    for variable in signed:
        if not 1 <= abs(variable) <= number_of_variables:
            lines.fail(f"variable {variable} does not exist; variables are numbered 1 to {number_of_variables}.")
    if len({abs(variable) for variable in signed}) < degree:
        lines.fail(f"the {kind} factor names a variable twice.")
    return signed


def _budget(text: str, degree: int, lines: Lines) -> int:
    endless = text.isdecimal() and len(text) > LONGEST_NUMBER
    budget = degree if endless else lines.integer(text, "the budget")
    if budget < 0:
        lines.fail(f"a budget must be at least 0, found {budget}.")
    return budget


def _add_knapsack(graph: FactorGraph, variables: Integers, negated: np.ndarray, fields: Fields) -> None:
    fields.expect(len(variables) + 1)
    costs, budget = fields.scores(len(variables), "a cost"), float(fields.scores(1, "the budget")[0])
    if min(costs.min(), budget) < 0:
        fields.lines.fail(f"the costs and the budget of a {fields.kind} factor must be at least 0.")
    try:
        graph.add_knapsack(variables, costs, budget, negated, hull=fields.kind == "KNAPSACK_HULL")
    except InputError as error:
        fields.lines.fail(str(error))


def _add_dense(graph: FactorGraph, variables: Integers, fields: Fields) -> None:
    rest, lines = fields.fields, fields.lines
    groups = lines.integer(rest[0], "the number of groups") if rest else 0
    if groups < 1 or len(rest) < 1 + groups:
        lines.fail("expected the number of groups of the DENSE factor and their sizes.")
    sizes = [lines.integer(field, "the size of a group") for field in rest[1 : 1 + groups]]
    if min(sizes) < 1 or sum(sizes) != len(variables):
        lines.fail(f"the groups' sizes {sizes} do not sum to the factor's degree {len(variables)}.")
    if len(rest) != 1 + groups + math.prod(sizes):
        Fields("DENSE", rest[1 + groups :], lines).expect(math.prod(sizes))
    table = [lines.score(field) for field in rest[1 + groups :]]
    graph.add_dense(np.split(variables, np.cumsum(sizes)[:-1]), table)
