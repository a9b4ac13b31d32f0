"""Conjunctions of words that imply each other are shortened before AD3 starts; most tokens of a summary become words.

A token is kept if all of its words are (`and_out`). In a tree that keeps no word without its head, the modifier alone decides: an input
that lies above another one on a way to the root, or is repeated, is dropped, and with one input left the token is that word. This
is exact where growing never costs the token (`find_rising`): the relaxation's optimum then has it at the minimum of its
inputs, of which the dropped ones are not the least. Elsewhere it could make the relaxation tighter, and is left alone.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from problems.factors.block import starts_of
from problems.factors.logic import OrOut
from problems.factors.subtree import Subtree
from problems.linear_program import Integers

from .presolve import Merged, link_counts


def shorten(merged: Merged) -> Merged:
    """Shortened conjunctions; a token that has become a word keeps its number, without links and score."""
    trees = [block for block in merged.blocks if isinstance(block, Subtree)]
    disjunctions = [block for block in merged.blocks if isinstance(block, OrOut)]
    if not trees or len(disjunctions) != 1:
        return merged
    from problems.kernels.reductions import find_rising, shorten_conjunctions

    (block,), count = disjunctions, len(merged.scores)
    degrees = link_counts(merged.blocks, count)
    rising = np.empty(count, dtype=np.bool_)
    none, zeros = np.zeros((2, count), dtype=np.int64)
    find_rising(block.starts, block.variables, block.negated, degrees, merged.scores, none, zeros, rising)
    kept, equal = np.empty(len(block.variables), dtype=np.bool_), np.empty(len(block), dtype=np.int64)
    parents = parents_of(trees, count)
    shorten_conjunctions(block.starts, block.variables, block.negated, parents, rising, kept, equal)
    if kept.all():
        return merged
    words = np.flatnonzero(equal >= 0)
    tokens = block.variables[block.starts[words + 1] - 1]
    becomes = np.arange(count)
    becomes[tokens] = equal[words]
    kept[np.repeat(equal >= 0, block.degrees)] = False
    lengths = np.add.reduceat(kept.astype(np.int64), block.starts[:-1])
    left = np.flatnonzero(equal < 0)
    short = replace(
        block,
        starts=starts_of(lengths[left]),
        variables=becomes[block.variables[kept]],
        negated=block.negated[kept],
        int_starts=np.zeros(len(left) + 1, dtype=np.int64),
        float_starts=np.zeros(len(left) + 1, dtype=np.int64),
    )
    blocks = [short if other is block else other for other in merged.blocks]
    scores = np.bincount(becomes, weights=merged.scores, minlength=count).astype(np.float64)
    return Merged([other for other in blocks if len(other)], scores, becomes[merged.variable_of])


def parents_of(trees: list[Subtree], count: int) -> Integers:
    """The variable above each variable in a tree, -1 for roots and variables in no tree."""
    parents = np.full(count, -1)
    for block in trees:
        inner = block.parents >= 0
        parents[block.variables[inner]] = block.variables[block.parents[inner]]
    return parents
