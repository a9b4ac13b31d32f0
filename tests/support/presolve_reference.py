"""AD3's presolve in numpy, block by block: what the compiled one (`solvers.compiled_presolve`) must equal to the last bit."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from problems.factor_graph import FactorGraph
from problems.factors.block import Block, Booleans
from problems.factors.coverage import Coverage
from problems.factors.flat import FlatFactors, flatten
from problems.factors.logic import OrOut
from problems.linear_program import Floats, Integers
from solvers.compiled_presolve import Reduced
from solvers.conjunctions import shorten
from solvers.elimination import Eliminated
from solvers.presolve import link_counts, merge_equal


class Reference(NamedTuple):
    flat: FlatFactors
    scores: Floats
    merged_scores: Floats
    variable_of: Integers
    constant: float
    outputs: Integers
    inverted: Booleans
    inputs: Coverage  # of each output


def reference(graph: FactorGraph) -> Reference:
    """The graph without equal variables, long conjunctions and outputs that nothing else links."""
    whole = merge_equal(graph)
    merged = shorten(whole)
    degrees = link_counts(merged.blocks, len(merged.scores))
    scores, kept = merged.scores.copy(), []
    none, no_ints = np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64)
    found = Coverage(none, no_ints, np.zeros(0, dtype=bool), none, no_ints, none, np.zeros(0))
    outputs, inverted, constant = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool), 0.0
    for block in merged.blocks:
        lone = degrees[block.variables[block.starts[1:] - 1]] == 1 if isinstance(block, OrOut) else np.zeros(1, bool)
        if not lone.any():
            kept.append(block)
            continue
        taken = block.take(np.flatnonzero(lone))
        last = taken.starts[1:] - 1
        outputs, inverted = taken.variables[last], taken.negated[last]
        worth = scores[outputs]
        constant = float(worth[inverted].sum())
        scores[outputs] = 0.0
        found = _coverage(taken, np.where(inverted, -worth, worth))
        if not lone.all():
            kept.append(block.take(np.flatnonzero(~lone)))
    summed = _add_up(found)
    flat = flatten([*kept, summed] if len(summed) else kept)
    return Reference(flat, scores, whole.scores, merged.variable_of, constant, outputs, inverted, found)


def numpy_reduction(graph: FactorGraph) -> Reduced:
    """The reference in the form of the compiled presolve, to take its place."""
    found = reference(graph)
    literals = 2 * found.inputs.variables + found.inputs.negated
    eliminated = Eliminated(found.outputs, found.inverted, found.inputs.starts, literals, found.inputs.floats)
    return Reduced(found.flat, found.scores, found.merged_scores, found.variable_of, eliminated)


def _coverage(block: Block, scores: Floats) -> Coverage:
    """The inputs of factors with an output, and the score of that."""
    inputs = np.ones(len(block.variables), dtype=bool)
    inputs[block.starts[1:] - 1] = False
    return Coverage(
        starts=block.starts - np.arange(len(block.starts)),
        variables=block.variables[inputs],
        negated=block.negated[inputs],
        int_starts=np.zeros(len(block) + 1, dtype=np.int64),
        ints=np.zeros(0, dtype=np.int64),
        float_starts=np.arange(len(block) + 1),
        floats=scores,
    )


def _add_up(block: Coverage) -> Block:
    """One factor for all of the same literals and sign of the score, in the order of their degrees and then of the first of them; none where the
    score is 0.
    """
    scored = block.take(np.flatnonzero(block.floats))
    known: dict[tuple[object, ...], int] = {}
    first = np.empty(len(scored), dtype=np.int64)
    for factor in range(len(scored)):
        links = slice(scored.starts[factor], scored.starts[factor + 1])
        literals = (2 * scored.variables[links] + scored.negated[links]).tolist()
        first[factor] = known.setdefault((scored.floats[factor] < 0, *literals), factor)
    left = np.flatnonzero(first == np.arange(len(scored)))
    totals = np.bincount(first, weights=scored.floats, minlength=1).astype(np.float64)
    left = left[np.argsort(scored.degrees[left], kind="stable")]
    return replace(scored.take(left), floats=totals[left])
