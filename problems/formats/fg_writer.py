"""Factor graphs written in AD3's text format (see `fg` for the format), every number at full precision.

The format knows the logic factors, budgets, pairs and tables of finite scores. Everything else is refused by name:
a graph that was quietly changed would be another problem.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

from ..errors import InputError
from ..factor_graph import FactorGraph
from ..factors import Block
from ..factors.tables import Dense

LOGIC = {"xor": "XOR", "at_most_one": "ATMOSTONE", "or": "OR", "or_out": "OROUT"}  # derived kinds are these, negated
KNOWN = (*LOGIC, "budget", "pair", "dense")


def write_fg(graph: FactorGraph, path: Path | str) -> None:
    """Write one graph; a kind of factor that the format cannot say is an InputError."""
    Path(path).write_text("\n".join(_lines(graph)) + "\n", encoding="ascii")


def _lines(graph: FactorGraph) -> Iterator[str]:
    strange = [kind for kind in graph.kinds if kind not in KNOWN]
    if strange:
        named = " and ".join(repr(kind) for kind in strange)
        raise InputError(f"the .fg format cannot say factors of kind {named}, only {', '.join(KNOWN)}.")
    if graph.constant:
        raise InputError(f"the .fg format has no place for the graph's constant of {graph.constant!r}.")
    yield str(graph.number_of_variables)
    yield str(graph.number_of_factors)
    yield from (repr(score) for score in graph.scores.tolist())
    for block in graph.blocks:
        yield from _factors(block)


def _factors(block: Block) -> Iterator[str]:
    signed = np.where(block.negated, -1 - block.variables, block.variables + 1).tolist()
    starts = block.starts.tolist()
    if block.kind in ("pair", "dense") and block.negated.any():
        raise InputError(f"the .fg format cannot say factors of kind {block.kind!r} with negated variables.")
    for factor, (first, end) in enumerate(pairwise(starts)):
        links = f"{end - first} " + " ".join(map(str, signed[first:end]))
        if block.kind in LOGIC:
            yield f"{LOGIC[block.kind]} {links}"
        elif block.kind == "budget":
            yield f"BUDGET {links} {block.ints[factor]}"
        elif block.kind == "pair":
            yield f"PAIR {links} {float(block.floats[factor])!r}"
        else:
            assert isinstance(block, Dense)
            yield f"DENSE {links} {_table(block, factor)}"


def _table(block: Dense, factor: int) -> str:
    sizes, table = block.sizes(factor).tolist(), block.table(factor)
    if not np.isfinite(table).all():
        raise InputError("the .fg format cannot say forbidden states (-inf) of a factor of kind 'dense'.")
    return " ".join([str(len(sizes)), *map(str, sizes), *map(repr, table.tolist())])
