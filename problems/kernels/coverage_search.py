"""Depth-first branch and bound of coverage problems, in portions: a caller may look at the clock between them.

A node is bounded, units are fixed whose other value is hopeless, and prices are improved a few times. Each bound brings a closed
set within the budget, which is a candidate for the incumbent. The search branches on the free unit whose loss would lower the bound most, and
keeps it first; the other child starts from the node's own prices.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .cache import inner, kernel
from .coverage import (
    BEST,
    FOUND,
    FREE,
    IN,
    LEVEL,
    MARGIN,
    NODES,
    ROOM,
    ROOTS,
    THETA,
    TRAIL,
    VALUE,
    fix_in,
    fix_out,
    undo,
)
from .coverage_bound import bound, fix_hopeless
from .coverage_prices import improve_prices

FRESH, FIRST, SECOND, ENDED = (
    0,
    1,
    2,
    3,
)  # a node before its bound, with its first child open, with its second, and after all
SETTLED = -np.inf


class Stack(NamedTuple):
    """A node for each level; prices only as deep as there is room, further down they are shared."""

    phases: Any
    units: Any  # branched on
    lengths: Any  # of the trail, the value, the room and theta when it branched
    values: Any
    rooms: Any
    thetas: Any
    bounds: Any
    prices: Any
    shares: Any


@inner
def try_completion(problem, state):
    """Score the closed set `high` on top of what is kept; a better one becomes the incumbent."""
    fixed, high = state.fixed, state.high
    value = state.totals[VALUE]
    for unit in range(len(fixed)):
        if high[unit] == 1 and fixed[unit] == FREE:
            value += problem.scores[unit]
    for concept in range(len(problem.worths)):
        if state.present[concept] > 0 or state.live[concept] == 0:
            continue
        for token in range(problem.concept_starts[concept], problem.concept_starts[concept + 1]):
            if state.lost[token] > 0:
                continue
            whole = True
            for entry in range(problem.token_starts[token], problem.token_starts[token + 1]):
                unit = problem.token_units[entry]
                if fixed[unit] == FREE and high[unit] == 0:
                    whole = False
                    break
            if whole:
                value += problem.worths[concept]
                break
    if value > state.totals[BEST]:
        state.totals[BEST] = value
        state.counts[FOUND] += 1
        for unit in range(len(fixed)):
            state.best[unit] = fixed[unit] == IN or (fixed[unit] == FREE and high[unit] == 1)


@inner
def is_hopeless(state, total):
    return total <= state.totals[BEST] + state.totals[MARGIN]


@inner
def settle(problem, state, steps):
    """A node's bound after so many improvements of the prices; SETTLED where nothing better is below it."""
    best = np.inf
    while True:
        if state.totals[ROOM] < 0.0 or state.counts[ROOTS] < 0:
            return SETTLED
        total = bound(problem, state)
        best = min(best, total)
        if is_hopeless(state, best):
            return SETTLED
        try_completion(problem, state)
        if is_hopeless(state, best):
            return SETTLED
        fixings = fix_hopeless(problem, state, total)
        if fixings < 0:
            return SETTLED
        if state.counts[TRAIL] == len(state.fixed):
            if state.totals[ROOM] >= 0.0 and state.counts[ROOTS] >= 0:
                try_completion(problem, state)  # nothing is free: what is kept is all
            return SETTLED
        improved = steps > 0 and improve_prices(problem, state, total)
        steps -= 1
        if fixings == 0 and not improved:
            return best


@inner
def branching_unit(state):
    """The free unit whose loss lowers the bound most."""
    found = -1
    for unit in range(len(state.fixed)):
        if state.fixed[unit] == FREE and (found < 0 or state.losses[unit] > state.losses[found]):
            found = unit
    return found


@inner
def branch(problem, state, stack, level, total):
    """Remember a bounded node and enter its first child."""
    unit = branching_unit(state)
    stack.phases[level] = FIRST
    stack.units[level] = unit
    stack.bounds[level] = total
    stack.lengths[level] = state.counts[TRAIL]
    stack.values[level] = state.totals[VALUE]
    stack.rooms[level] = state.totals[ROOM]
    stack.thetas[level] = state.totals[THETA]
    if level < len(stack.prices):
        for k in range(len(state.prices)):
            stack.prices[level, k] = state.prices[k]
        for k in range(len(state.shares)):
            stack.shares[level, k] = state.shares[k]
    fix_in(problem, state, unit)


@inner
def turn(problem, state, stack, level):
    """Back from a node's first child to its second."""
    undo(problem, state, stack.lengths[level], stack.values[level], stack.rooms[level])
    state.totals[THETA] = stack.thetas[level]
    if level < len(stack.prices):
        for k in range(len(state.prices)):
            state.prices[k] = stack.prices[level, k]
        for k in range(len(state.shares)):
            state.shares[k] = stack.shares[level, k]
    stack.phases[level] = SECOND
    fix_out(problem, state, stack.units[level])


@kernel
def search(problem, state, stack, root_steps, node_steps, nodes):
    """Go on for so many nodes; returns whether the search has ended, which level -1 remembers."""
    level = state.counts[LEVEL]
    last = state.counts[NODES] + nodes
    while level >= 0 and state.counts[NODES] < last:
        if stack.phases[level] == FRESH:
            state.counts[NODES] += 1
            total = settle(problem, state, root_steps if level == 0 else node_steps)
            if total == SETTLED:
                stack.phases[level] = ENDED
            else:
                branch(problem, state, stack, level, total)
                level += 1
                stack.phases[level] = FRESH
        elif stack.phases[level] == FIRST and not is_hopeless(state, stack.bounds[level]):
            turn(problem, state, stack, level)
            level += 1
            stack.phases[level] = FRESH
        else:
            level -= 1
    state.counts[LEVEL] = level
    return level < 0
