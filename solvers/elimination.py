"""Outputs that nothing else links are maximized out before AD3 starts, and factors that then say the same become one.

An `or_out` (or, negated, an `and_out`) whose output has no other link leaves its score with the factor: `coverage`, a concave function
of the inputs. AD3 would draw the output to where it was in every iteration; without it there are fewer links and larger
steps. Coverages of the same literals, concepts that occur in the same sentences, add up if their scores have one sign. Both are
exact: the relaxation over the other variables stays the same, and so does its optimum.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from problems.factors.block import Block, Booleans
from problems.factors.coverage import Coverage
from problems.factors.logic import OrOut
from problems.linear_program import Floats, Integers

from .presolve import link_counts


@dataclass(frozen=True)
class Eliminated:
    """Factors and scores without the eliminated outputs, which keep their numbers and have neither links nor scores."""

    blocks: list[Block]
    scores: Floats
    constant: float  # what negated outputs add to every assignment
    outputs: Integers
    inverted: Booleans  # is the output the negation of the coverage?
    inputs: Coverage  # of each output

    def renumbered(self, number: Integers) -> Eliminated:
        """The same with other numbers of the variables; `blocks` and `scores` are not read any more."""
        inputs = replace(self.inputs, variables=number[self.inputs.variables])
        return replace(self, outputs=number[self.outputs], inputs=inputs)

    def restore(self, values: Floats) -> Floats:
        """Values of all variables, where the eliminated ones are the best that the others allow."""
        if not len(self.outputs):
            return values
        inputs, first = self.inputs, self.inputs.starts[:-1]
        literals = values[inputs.variables]
        literals = np.where(inputs.negated, 1.0 - literals, literals)
        sums, most = np.add.reduceat(literals, first), np.maximum.reduceat(literals, first)
        found = np.where(inputs.floats >= 0.0, np.minimum(sums, 1.0), most)
        values = values.copy()
        values[self.outputs] = np.where(self.inverted, 1.0 - found, found)
        return values


def eliminate(blocks: list[Block], scores: Floats) -> Eliminated:
    """Turn every `or_out` whose output has no other link into a coverage."""
    degrees = link_counts(blocks, len(scores))
    scores, kept = scores.copy(), []
    found = _nothing()
    outputs, inverted, constant = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool), 0.0
    for block in blocks:
        lone = degrees[block.variables[block.starts[1:] - 1]] == 1 if isinstance(block, OrOut) else np.zeros(1, bool)
        if not lone.any():
            kept.append(block)
            continue
        taken = block if lone.all() else block.take(np.flatnonzero(lone))
        last = taken.starts[1:] - 1
        outputs, inverted = taken.variables[last], taken.negated[last]
        worth = scores[outputs]
        constant = float(worth[inverted].sum())
        scores[outputs] = 0.0
        found = _coverage(taken, np.where(inverted, -worth, worth))
        if not lone.all():
            kept.append(block.take(np.flatnonzero(~lone)))
    merged = add_up(found)
    return Eliminated([*kept, merged] if len(merged) else kept, scores, constant, outputs, inverted, found)


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


def _nothing() -> Coverage:
    none, no_ints = np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64)
    return Coverage(none, no_ints, np.zeros(0, dtype=bool), none, no_ints, none, np.zeros(0))


def add_up(block: Coverage) -> Coverage:
    """One factor for all of the same literals and sign of the score, where the first of them was; none where the score is 0."""
    from problems.kernels.reductions import find_alike

    if not block.floats.all():
        block = block.take(np.flatnonzero(block.floats))  # type: ignore[assignment]
    first = np.empty(len(block), dtype=np.int64)
    find_alike(block.starts, 2 * block.variables + block.negated, block.floats, first)
    left = np.flatnonzero(first == np.arange(len(block)))
    if len(left) == len(block):
        return block
    totals = np.bincount(first, weights=block.floats).astype(np.float64)
    return replace(block.take(left), floats=totals[left])  # type: ignore[return-value]
