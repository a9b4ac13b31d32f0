"""Updates of a parser's weights in place.

`change` is an array of zeros, as long as the weights, in which the difference of two feature vectors is gathered; it is zero
again afterwards. `totals` sums every change times the number of updates before it, so that the average of the weights
after each of `time` updates is weights - totals / time.
"""

from __future__ import annotations

import numpy as np

from .cache import inner, kernel
from .parser_atoms import ARC, BETWEEN, LOCAL, count_kinds
from .parser_parts import emit_arc


@inner
def gather(gold, predicted, change, slots, values):
    """The difference of two feature vectors: slots and values where it is not zero; returns their number."""
    for k in range(len(gold)):
        change[gold[k]] += 1.0
    for k in range(len(predicted)):
        change[predicted[k]] -= 1.0
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
def mira_update(gold, predicted, cost, most, time, change, weights, totals):
    """Cost-augmented MIRA: the least change after which the gold tree leads by the cost, with a step of at most `most`.

    `gold` and `predicted` are the slots of the trees' features. Returns the hinge loss before the update.
    """
    slots = np.empty(len(gold) + len(predicted), dtype=np.int64)
    values = np.empty(len(slots))
    number = gather(gold, predicted, change, slots, values)
    norm, lead = 0.0, 0.0
    for k in range(number):
        norm += values[k] * values[k]
        lead += values[k] * weights[slots[k]]
    loss = cost - lead
    if loss <= 0.0 or norm == 0.0:
        return max(loss, 0.0)
    step = min(most, loss / norm)
    for k in range(number):
        weights[slots[k]] += step * values[k]
        totals[slots[k]] += step * values[k] * time
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
