"""A coverage problem in flat arrays, and the partial assignments of its search.

Units hang in trees: a kept unit's parent is kept. A token is present if all its units are kept; a concept is covered, and
scores its worth, if one of its tokens is present. Costs of kept units are within one budget, and at most so many roots are kept.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .cache import inner, kernel

FREE, OUT, IN = -1, 0, 1
# places in `State.counts`
TRAIL, ROOTS, LEVEL, NODES, STEPS, FOUND = 0, 1, 2, 3, 4, 5
COUNTS = 6
# places in `State.totals`
VALUE, ROOM, THETA, BEST, MARGIN = 0, 1, 2, 3, 4
TOTALS = 5


class Problem(NamedTuple):
    """Parents come before their children (-1: a root); tokens are ordered by concept."""

    parents: Any
    costs: Any
    scores: Any
    concept_starts: Any  # a concept's tokens
    worths: Any
    token_starts: Any  # a token's units, of which none is an ancestor of another
    token_units: Any
    token_concepts: Any
    unit_starts: Any  # a unit's tokens
    unit_tokens: Any


class State(NamedTuple):
    """What is decided so far, the prices of the bound, and work space."""

    fixed: Any
    missing: Any  # units of each token that are not kept yet
    lost: Any  # units of each token that are left out
    present: Any  # tokens of each concept that are present
    live: Any  # tokens of each concept that may still be present
    trail: Any  # units in the order in which they were fixed
    counts: Any
    totals: Any
    prices: Any  # what a concept of positive worth pays for each of its tokens, between 0 and that
    shares: Any  # how a token's price is shared by its units
    effective: Any  # prices at this node; 0 for settled concepts
    gains: Any  # scores and shares of prices
    closures: Any  # values of the best closed sets below each unit
    chosen: Any
    low: Any  # the closed set just above the budget,
    high: Any  # and the one just within it
    blend: Any  # of the two, with the budget used up
    penalties: Any  # how far the bound falls if a unit is forced in,
    losses: Any  # and out
    paths: Any  # costs up to the next kept unit
    slopes: Any  # of the prices
    limits: Any  # values of the worst chosen root and of the best other one
    roots: Any  # scratch: the values of roots
    best: Any  # the incumbent


@inner
def fix(problem, state, unit, value):
    """Decide a free unit; its parent (if kept) or its children (if left out) are the caller's."""
    state.fixed[unit] = value
    state.trail[state.counts[TRAIL]] = unit
    state.counts[TRAIL] += 1
    if value == IN:
        gained = problem.scores[unit]
        state.totals[ROOM] -= problem.costs[unit]
        if problem.parents[unit] < 0:
            state.counts[ROOTS] -= 1
        for entry in range(problem.unit_starts[unit], problem.unit_starts[unit + 1]):
            token = problem.unit_tokens[entry]
            state.missing[token] -= 1
            if state.missing[token] == 0:
                concept = problem.token_concepts[token]
                if state.present[concept] == 0:
                    gained += problem.worths[concept]
                state.present[concept] += 1
        state.totals[VALUE] += gained
    else:
        for entry in range(problem.unit_starts[unit], problem.unit_starts[unit + 1]):
            token = problem.unit_tokens[entry]
            if state.lost[token] == 0:
                state.live[problem.token_concepts[token]] -= 1
            state.lost[token] += 1


@inner
def fix_in(problem, state, unit):
    """Keep a free unit and its ancestors."""
    while unit >= 0 and state.fixed[unit] == FREE:
        fix(problem, state, unit, IN)
        unit = problem.parents[unit]


@inner
def fix_out(problem, state, unit):
    """Leave a free unit out, and all below it."""
    fix(problem, state, unit, OUT)
    below = unit + 1
    while below < len(problem.parents) and problem.parents[below] >= 0:  # to the end of its tree
        if state.fixed[below] == FREE and state.fixed[problem.parents[below]] == OUT:
            fix(problem, state, below, OUT)
        below += 1


@inner
def undo(problem, state, length, value, room):
    """Free the units that were fixed since the trail had this length; value and room come back without rounding."""
    while state.counts[TRAIL] > length:
        state.counts[TRAIL] -= 1
        unit = state.trail[state.counts[TRAIL]]
        if state.fixed[unit] == IN:
            if problem.parents[unit] < 0:
                state.counts[ROOTS] += 1
            for entry in range(problem.unit_starts[unit], problem.unit_starts[unit + 1]):
                token = problem.unit_tokens[entry]
                if state.missing[token] == 0:
                    state.present[problem.token_concepts[token]] -= 1
                state.missing[token] += 1
        else:
            for entry in range(problem.unit_starts[unit], problem.unit_starts[unit + 1]):
                token = problem.unit_tokens[entry]
                state.lost[token] -= 1
                if state.lost[token] == 0:
                    state.live[problem.token_concepts[token]] += 1
        state.fixed[unit] = FREE
    state.totals[VALUE] = value
    state.totals[ROOM] = room


@kernel
def mark_minimal(parents, token_starts, token_units, needed):
    """Mark the units of each token that no other unit of it implies: neither ancestors of others nor repetitions."""
    for token in range(len(token_starts) - 1):
        for entry in range(token_starts[token], token_starts[token + 1]):
            unit = token_units[entry]
            needed[entry] = True
            for other in range(token_starts[token], token_starts[token + 1]):
                below = token_units[other]
                if other == entry or (below == unit and other > entry):
                    continue
                while below > unit:
                    below = parents[below]
                if below == unit:
                    needed[entry] = False
                    break
