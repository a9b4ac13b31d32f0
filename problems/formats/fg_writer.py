"""Factor graphs written in AD3's text format (see `fg` and `fg_structures`), every number at full precision.

A kind that the format has no word for is said by others where that says the same (`fg_structure_writer`); the constant is the
score of an automaton without arcs. Everything else is refused by name: a graph that was quietly changed would be another
problem. AD3's reader refuses OROUT and ANDOUT of one input, and OR and ATMOSTONE of one variable; these are written as XOR and
BUDGET, which it takes. Knapsacks are lines of our own (`fg`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

from ..errors import InputError
from ..factor_graph import FactorGraph
from ..factors import Block
from ..factors.budget import KnapsackHull
from ..factors.tables import Dense
from ..linear_program import Floats
from .fg_structure_writer import STRUCTURE_WRITERS

NOTE = "  # KNAPSACK lines are dualbench's own: AD3's reader does not know them"


def write_fg(graph: FactorGraph, path: Path | str) -> None:
    """Write one graph; a kind of factor that the format cannot say is an InputError."""
    Path(path).write_text("\n".join(_lines(graph)) + "\n", encoding="ascii")


def _lines(graph: FactorGraph) -> Iterator[str]:
    strange = [kind for kind in graph.kinds if kind not in WRITERS]
    if strange:
        named = " and ".join(repr(kind) for kind in strange)
        raise InputError(f"the .fg format cannot say factors of kind {named}, only {', '.join(WRITERS)}.")
    scores = graph.scores.copy()
    factors = [line for block in graph.blocks for line in _factors(block, scores)]
    if graph.constant:
        factors.append(f"HEAD_AUTOMATON 0 {float(graph.constant)!r}")
    yield str(graph.number_of_variables)
    yield str(len(factors)) + (NOTE if {"knapsack", "knapsack_hull"} & set(graph.kinds) else "")
    yield from (repr(score) for score in scores.tolist())
    yield from factors


def _factors(block: Block, scores: Floats) -> Iterator[str]:
    """The lines of a block; what it says with the variables' own scores is added to `scores`."""
    if block.kind not in MAY_NEGATE and block.negated.any():
        raise InputError(f"the .fg format cannot say factors of kind {block.kind!r} with negated variables.")
    yield from WRITERS[block.kind](block, scores)


def _signed(block: Block) -> Iterator[list[int]]:
    """The variables of each factor, one-based, negative where they are negated."""
    signed = np.where(block.negated, -1 - block.variables, block.variables + 1).tolist()
    for first, end in pairwise(block.starts.tolist()):
        yield signed[first:end]


def _line(kind: str, signed: list[int], *fields: object) -> str:
    return " ".join([kind, str(len(signed)), *map(str, signed), *map(str, fields)])


def _logic(block: Block, scores: Floats) -> Iterator[str]:
    """Each factor by the word that takes fewer negations, and that AD3 takes for its degree."""
    for signed in _signed(block):
        *inputs, output = signed
        if block.kind == "xor":
            yield _line("XOROUT", [*inputs, -output]) if inputs and output < 0 else _line("XOR", signed)
        elif block.kind == "or_out" and len(inputs) == 1:
            yield _line("XOR", [*inputs, -output])
        elif block.kind == "or_out":
            opposite = [-link for link in signed]
            mostly = sum(link < 0 for link in signed) * 2 > len(signed)
            yield _line("ANDOUT", opposite) if mostly else _line("OROUT", signed)
        elif inputs:
            yield _line("OR" if block.kind == "or" else "ATMOSTONE", signed)
        else:
            yield _line("XOR", signed) if block.kind == "or" else _line("BUDGET", signed, 1)


def _budget(block: Block, scores: Floats) -> Iterator[str]:
    for signed, budget in zip(_signed(block), block.ints.tolist(), strict=True):
        yield _line("BUDGET", signed, budget)


def _knapsack(block: Block, scores: Floats) -> Iterator[str]:
    for factor, signed in enumerate(_signed(block)):
        if isinstance(block, KnapsackHull):
            budget, costs = block.parameters(factor)
            yield _line("KNAPSACK_HULL", signed, *costs.tolist(), budget)
        else:
            budget_first = block.floats[block.float_starts[factor] : block.float_starts[factor + 1]].tolist()
            yield _line("KNAPSACK", signed, *map(repr, budget_first[1:]), repr(budget_first[0]))


def _pair(block: Block, scores: Floats) -> Iterator[str]:
    for signed, score in zip(_signed(block), block.floats.tolist(), strict=True):
        yield _line("PAIR", signed, repr(score))


def _dense(block: Block, scores: Floats) -> Iterator[str]:
    assert isinstance(block, Dense)
    for factor, signed in enumerate(_signed(block)):
        sizes, table = block.sizes(factor).tolist(), block.table(factor)
        if not np.isfinite(table).all():
            raise InputError("the .fg format cannot say forbidden states (-inf) of a factor of kind 'dense'.")
        yield _line("DENSE", signed, len(sizes), *sizes, *map(repr, table.tolist()))


MAY_NEGATE = ("xor", "at_most_one", "or", "or_out", "budget", "knapsack", "knapsack_hull")
WRITERS: dict[str, Callable[[Block, Floats], Iterator[str]]] = {
    **dict.fromkeys(("xor", "at_most_one", "or", "or_out"), _logic),
    "budget": _budget,
    "knapsack": _knapsack,
    "knapsack_hull": _knapsack,
    "pair": _pair,
    "dense": _dense,
    **STRUCTURE_WRITERS,
}
