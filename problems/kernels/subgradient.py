"""Projected subgradient dual decomposition in compiled code, on the layout of `kernels.ad3`.

Each factor is maximized for its multipliers; the multipliers then move against the disagreement, lambda -= step * (z - mean
of z). The sum of the maxima is the dual value of the multipliers it was computed with, a valid bound.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .cache import inner, kernel
from .codes import FOREIGN
from .maximize import maximize_factor

DIMINISHING = 0  # step / t
DUAL_INCREASE = 1  # step / (1 + number of times the dual has not decreased)


class Descent(NamedTuple):
    """The multipliers and what is known of them. counts: iterations, dual increases, disagreeing links."""

    multipliers: Any
    z: Any
    means: Any  # of z over iterations and links, per variable: the primal estimate
    counts: Any
    values: Any  # dual value of the last iteration, best dual value
    point: Any
    answer: Any


@kernel
def maximize_all(layout, descent):
    """Maximize every factor; returns the dual value of the current multipliers."""
    value = 0.0
    for factor in range(len(layout.codes)):
        if layout.codes[factor] == FOREIGN:
            continue
        first = layout.link_starts[factor]
        degree = layout.link_starts[factor + 1] - first
        for i in range(degree):
            multiplier = descent.multipliers[first + i]
            descent.point[i] = multiplier
            if layout.negated[first + i]:
                descent.point[i] = -multiplier
                value += multiplier
        value += maximize_factor(
            layout.codes[factor],
            descent.point[:degree],
            layout.ints[layout.int_starts[factor] : layout.int_starts[factor + 1]],
            layout.floats[layout.float_starts[factor] : layout.float_starts[factor + 1]],
            descent.answer[:degree],
        )
        for i in range(degree):
            descent.z[first + i] = 1.0 - descent.answer[i] if layout.negated[first + i] else descent.answer[i]
    return value


@inner
def note_value(descent, value):
    """Count the iteration, and the dual value if it did not go down.

    Counting only strict increases, as the papers write, leaves a run that steps to and fro between two points of equal
    dual value at the same step for ever.
    """
    descent.counts[0] += 1
    if descent.counts[0] > 1 and value >= descent.values[0]:
        descent.counts[1] += 1
    descent.values[0] = value
    descent.values[1] = min(descent.values[1], value)


@inner
def move_multipliers(layout, descent, rule, step):
    """The subgradient step, and the running mean of the primal estimates; returns how many links disagree."""
    rate = step / descent.counts[0]
    if rule == DUAL_INCREASE:
        rate = step / (1.0 + descent.counts[1])
    disagreeing = 0
    for variable in range(len(layout.fixed)):
        first = layout.variable_starts[variable]
        end = layout.variable_starts[variable + 1]
        if first == end:
            continue
        total = 0.0
        for entry in range(first, end):
            total += descent.z[layout.variable_links[entry]]
        mean = total / (end - first)
        for entry in range(first, end):
            link = layout.variable_links[entry]
            difference = descent.z[link] - mean
            if abs(difference) > 1e-12:
                disagreeing += 1
                descent.multipliers[link] -= rate * difference
        descent.means[variable] += (mean - descent.means[variable]) / descent.counts[0]
    descent.counts[2] = disagreeing


@kernel
def finish_step(layout, descent, value, rule, step):
    """For the Python driver: a step after the foreign factors have been maximized."""
    note_value(descent, value)
    move_multipliers(layout, descent, rule, step)
    return descent.counts[2] == 0


@kernel
def descend(layout, descent, lone_value, rule, step, iterations):
    """Up to `iterations` steps; returns True where all factors agree, which proves the optimum of the relaxation."""
    for _ in range(iterations):
        note_value(descent, lone_value + maximize_all(layout, descent))
        move_multipliers(layout, descent, rule, step)
        if descent.counts[2] == 0:
            return True
    return False
