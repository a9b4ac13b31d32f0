"""Variables that are equal in every feasible assignment become one, before dual decomposition starts.

Two kinds of factor say so: an undeletable arc ties the ends of a tree's arc, and an or_out with one input is an equality.
Copies that would otherwise have to be driven to agreement are then equal from the start. The relaxation stays the same:
only equations that its polytopes contain are used.

- a subtree factor keeps one link for each group of tied nodes
- a budget over variables that have become one is a knapsack, with their number as the cost
- a repeated variable in any other factor keeps its links: they are separate copies, as before
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from problems.factor_graph import FactorGraph
from problems.factors.block import Block, starts_of
from problems.factors.budget import Budget, Knapsack
from problems.factors.flat import FlatFactors, flatten
from problems.factors.logic import OrOut
from problems.factors.subtree import Subtree
from problems.linear_program import Floats, Integers


@dataclass(frozen=True)
class Merged:
    """Blocks over merged variables; `variable_of[x]` is what the graph's variable x has become."""

    blocks: list[Block]
    scores: Floats
    variable_of: Integers


def merged_factors(graph: FactorGraph) -> tuple[FlatFactors, Floats, Integers]:
    """All factors over merged variables, these variables' scores, and what each variable of the graph has become."""
    if graph.flat is not None and not {Subtree.kind, OrOut.kind} & set(graph.flat.kinds):  # nothing to merge
        return graph.flat, graph.scores, np.arange(graph.number_of_variables)
    merged = merge_equal(graph)
    return flatten(merged.blocks), merged.scores, merged.variable_of


def merge_equal(graph: FactorGraph) -> Merged:
    """Fold linear own scores into the variables, merge equal variables and rewrite the blocks."""
    scores = graph.scores.copy()
    pairs: list[tuple[Integers, Integers]] = []
    blocks: list[Block] = []
    for block in graph.blocks:
        if isinstance(block, Subtree):
            links, worth = block.linear_scores()
            scores += np.bincount(block.variables[links], weights=worth, minlength=len(scores))
            contracted, tops = _contract(block)
            pairs.append((block.variables, block.variables[tops]))
            blocks.append(contracted)
        elif isinstance(block, OrOut):
            equal = _is_equality(block)
            first = block.starts[:-1][equal]
            pairs.append((block.variables[first], block.variables[first + 1]))
            blocks.append(block.take(np.flatnonzero(~equal)))
        else:
            blocks.append(block)
    if not pairs:
        return Merged([block for block in blocks if len(block)], scores, np.arange(len(scores)))
    variable_of = _components(len(scores), pairs)
    count = int(variable_of.max(initial=-1)) + 1
    merged = [replace(block, variables=variable_of[block.variables]) for block in blocks if len(block)]
    if count < len(scores):
        merged = [_add_up(block) if isinstance(block, Budget) else block for block in merged]
    totals = np.bincount(variable_of, weights=scores, minlength=count).astype(np.float64)
    return Merged(merged, totals, variable_of)


def link_counts(blocks: list[Block], count: int) -> Integers:
    """How many links each of the variables has."""
    linked = np.concatenate([np.zeros(0, dtype=np.int64), *(block.variables for block in blocks)])
    return np.bincount(linked, minlength=count)


def _components(count: int, pairs: list[tuple[Integers, Integers]]) -> Integers:
    """A number for each set of variables that are equal, in the order of their first members."""
    rows, columns = (np.concatenate(part) for part in zip(*pairs, strict=True))
    found = np.arange(count)
    if len(rows):
        from problems.kernels.reductions import join_equal

        join_equal(rows, columns, found)
    return found


def _is_equality(block: OrOut) -> np.ndarray:
    """Factors whose only input equals the output (both links negated, or none)."""
    first = block.starts[:-1]
    return (block.degrees == 2) & (block.negated[first] == block.negated[first + 1])


def _contract(block: Subtree) -> tuple[Subtree, Integers]:
    """Trees without undeletable arcs, and the topmost tied node of each node (as links)."""
    parents = block.parents
    tops = np.where(block.undeletable, parents, np.arange(len(parents)))
    while not np.array_equal(tops, tops[tops]):
        tops = tops[tops]
    kept = np.flatnonzero(tops == np.arange(len(tops)))
    owner = np.repeat(np.arange(len(block)), block.degrees)
    sizes = np.bincount(owner[kept], minlength=len(block))
    starts = starts_of(sizes)
    place = np.zeros(len(tops), dtype=np.int64)  # position of a kept link within its tree
    place[kept] = np.arange(len(kept)) - starts[owner[kept]]
    upper = np.where(parents[kept] < 0, -1, place[tops[parents[kept]]])
    ints = np.zeros(2 * len(kept), dtype=np.int64)
    ints[np.arange(len(kept)) + starts[owner[kept]]] = upper
    contracted = replace(
        block,
        starts=starts,
        variables=block.variables[kept],
        negated=block.negated[kept],
        int_starts=2 * starts,
        ints=ints,
        float_starts=starts,
        floats=np.zeros(len(kept)),
    )
    return contracted, tops


def _add_up(block: Budget) -> Block:
    """The budgets as knapsacks whose costs count how often a variable occurs; a block without repetitions stays."""
    owner = np.repeat(np.arange(len(block)), block.degrees)
    literals = 2 * block.variables + block.negated
    keys = owner * (int(literals.max(initial=0)) + 1) + literals
    kept, counts = np.unique(keys, return_index=True, return_counts=True)[1:]
    if len(kept) == len(keys):
        return block
    sizes = np.bincount(owner[kept], minlength=len(block))
    return Knapsack(
        starts=starts_of(sizes),
        variables=block.variables[kept],
        negated=block.negated[kept],
        int_starts=np.zeros(len(block) + 1, dtype=np.int64),
        ints=np.zeros(0, dtype=np.int64),
        float_starts=starts_of(sizes + 1),
        floats=np.insert(counts.astype(np.float64), starts_of(sizes)[:-1], block.ints.astype(np.float64)),
    )
