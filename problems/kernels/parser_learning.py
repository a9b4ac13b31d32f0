"""Updates of a parser's weights in place.

`change` is an array of zeros, as long as the weights, in which the difference of two feature vectors is gathered; it is zero
again afterwards. `totals` sums what every change came too late for.
"""

from __future__ import annotations

import numpy as np

from .cache import inner, kernel
from .parser_atoms import ARC, BETWEEN, LOCAL, count_kinds
from .parser_parts import emit_arc


@inner
def gather(gold, predicted, posteriors, change, slots, values):
    """The difference of two feature vectors: slots and values where it is not zero; returns their number.

    A feature of the prediction counts as much as its part's posterior.
    """
    for k in range(len(gold)):
        change[gold[k]] += 1.0
    for k in range(len(predicted)):
        change[predicted[k]] -= posteriors[k]
    number = 0
    for k in range(len(gold)):
        if change[gold[k]] != 0.0:
            slots[number] = gold[k]
            values[number] = change[gold[k]]
            change[gold[k]] = 0.0  # met again, it is not counted again
            number += 1
    for k in range(len(predicted)):
        if change[predicted[k]] != 0.0:
            slots[number] = predicted[k]
            values[number] = change[predicted[k]]
            change[predicted[k]] = 0.0
            number += 1
    return number


@kernel
def hinge_update(gold, predicted, posteriors, cost, most, given, scale, scales, change, weights, totals, squares):
    """A step along the gold's features less the prediction's, where the prediction with its cost beats the gold.

    `gold` and `predicted` are slots of features. With a step `given` it is that of a subgradient method; with 0 it is MIRA's:
    the least after which the gold leads by the cost, at most `most`. The model's weights are scale * weights, and `scales` is the sum
    of the scales of all steps before, of which a change must not count (see `learning/weights.py`). Returns the hinge loss.

    `squares`, if not empty, has the sum of the squared differences of each feature so far. Then distances are AdaGrad's (Duchi et al.
    2011): a feature that has changed often changes less, by the root of that sum.
    """
    slots = np.empty(len(gold) + len(predicted), dtype=np.int64)
    values = np.empty(len(slots))
    number = gather(gold, predicted, posteriors, change, slots, values)
    lead = 0.0
    for k in range(number):
        lead += values[k] * weights[slots[k]]
    loss = cost - scale * lead
    if loss <= 0.0 or number == 0:
        return max(loss, 0.0)
    norm = 0.0
    for k in range(number):
        far = values[k]
        if len(squares) > 0:
            squares[slots[k]] += far * far
            values[k] /= np.sqrt(squares[slots[k]])
        norm += far * values[k]
    step = (given if given > 0.0 else min(most, loss / norm)) / scale
    for k in range(number):
        weights[slots[k]] += step * values[k]
        totals[slots[k]] += step * values[k] * scales
    return loss


@kernel
def likelihood_step(rows, kinds, heads, modifiers, residuals, program, shift, rate, change, weights, squares):
    """A step of AdaGrad up the likelihood of a first-order model: residuals are gold minus posterior of each arc."""
    local = np.zeros(LOCAL, dtype=np.int64)
    counts = np.zeros((len(rows) - 2, 3), dtype=np.int64)
    count_kinds(kinds, counts)
    most = 2 * (program[program[ARC]] + program[program[BETWEEN]] * len(rows))
    slots = np.empty(most, dtype=np.int64)
    mask = len(weights) - 1
    for arc in range(len(heads)):
        if abs(residuals[arc]) > 1e-6:
            number = emit_arc(program, local, rows, counts, heads[arc], modifiers[arc], shift, mask, slots, 0)
            for k in range(number):
                change[slots[k]] += residuals[arc]
    for arc in range(len(heads)):
        if abs(residuals[arc]) > 1e-6:
            number = emit_arc(program, local, rows, counts, heads[arc], modifiers[arc], shift, mask, slots, 0)
            for k in range(number):
                slope = change[slots[k]]
                if slope != 0.0:
                    change[slots[k]] = 0.0
                    squares[slots[k]] += slope * slope
                    weights[slots[k]] += rate * slope / np.sqrt(squares[slots[k]])
