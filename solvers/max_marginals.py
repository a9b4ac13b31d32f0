"""Reduced-cost fixing from dual decomposition: variables whose other value cannot beat an incumbent.

For any multipliers the dual value is a sum of the factors' maxima, and forcing a variable to a value lowers each of its factors' maxima
to the best among points with that value. So the dual value minus these drops bounds every assignment with that
value. A forced maximum comes from the factor's own `maximize`, with a score on the link that outweighs all others:
max (s z + M z_i) - M is at least the maximum among points with z_i = 1, whatever M is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from problems.factor_graph import FactorGraph
from problems.factors.block import Block, runs, starts_of
from problems.factors.foreign import Foreign
from problems.linear_program import Floats, Integers

WIDEST = 1000  # links of a factor; wider ones say nothing about their variables, because it takes a maximization for each link
BATCH = 2_000_000  # links of the copies that are maximized at once


@cache
def load_kernels() -> None:
    """Load (or compile) what the drops need, whatever kinds of factor there are."""
    graph = FactorGraph()
    graph.add_logic("or_out", graph.add_variables([1.0, 0.0, 0.0]))
    drops(graph.blocks, np.zeros(3), 3)


def drops(blocks: Sequence[Block], multipliers: Floats, variables: int) -> tuple[Floats, Floats]:
    """How far the dual value falls at least if a variable is forced to 0, and to 1; multipliers are in the blocks' order."""
    to_zero, to_one = np.zeros(variables), np.zeros(variables)
    first = 0
    for block in blocks:
        scores = multipliers[first : first + len(block.variables)]
        first += len(block.variables)
        if isinstance(block, Foreign):
            continue
        whole, _ = block.maximize(scores)
        for factors in _batches(block):
            links = runs(block.starts[factors], block.degrees[factors])
            owner = np.repeat(factors, block.degrees[factors])
            weight = 2.0 * (1.0 + block.sums(np.abs(scores))[owner] + np.abs(whole[owner]))
            of_link = block.variables[links]
            off = _forced(block, scores, owner, links, -weight)
            on = _forced(block, scores, owner, links, weight) - weight
            _, first_link, pair = np.unique(owner * variables + of_link, return_index=True, return_inverse=True)
            for total, forced in ((to_zero, off), (to_one, on)):
                most = np.zeros(len(first_link))  # a factor may link a variable twice: both links are forced at once
                np.maximum.at(most, pair, whole[owner] - forced)
                np.add.at(total, of_link[first_link], most)
    return to_zero, to_one


def _batches(block: Block) -> list[Integers]:
    """Factors that are narrow enough, in groups whose copies fit into memory."""
    factors = np.flatnonzero(block.degrees <= WIDEST)
    if not len(factors):
        return []
    group = np.cumsum(block.degrees[factors] ** 2) // BATCH
    return np.split(factors, np.flatnonzero(np.diff(group)) + 1)


def _forced(block: Block, scores: Floats, owner: Integers, links: Integers, weight: Floats) -> Floats:
    """The maximum of a copy of its factor for each link, with this weight added to the link's score."""
    degrees = block.degrees[owner]
    copies = block.take(owner)
    spread = scores[runs(block.starts[owner], degrees)]
    spread[starts_of(degrees)[:-1] + links - block.starts[owner]] += weight
    return copies.maximize(spread)[0]
