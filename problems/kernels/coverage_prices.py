"""Better prices for the bound of a coverage problem: projected subgradient steps.

The bound is convex in the prices and in what each unit of a token gets of them. Where the best sets of units, blended so that they
use the budget up, have n tokens of a concept, its price goes up by 1 - n steps: a concept that is claimed twice gets
cheaper. A token's shares go from units that are chosen to units that are not. The step is Polyak's, with the incumbent as the
target: nothing below it is of use.
"""

from __future__ import annotations

from .cache import inner
from .coverage import BEST, FREE, STEPS

SMALLEST = 1e-12  # of a squared direction; below it there is none


@inner
def improve_prices(problem, state, total):
    """One step from a bound of `total`; returns whether there is a direction."""
    norm = find_slopes(problem, state)
    if norm <= SMALLEST:
        return False
    state.counts[STEPS] += 1
    step = (total - state.totals[BEST]) / norm
    worths, prices, starts = problem.worths, state.prices, problem.token_starts
    for concept in range(len(worths)):
        if worths[concept] < 0.0 or state.present[concept] > 0 or state.live[concept] == 0:
            continue
        old = state.effective[concept]
        price = old
        if state.live[concept] > 1:
            price = min(max(prices[concept] - step * state.slopes[concept], 0.0), worths[concept])
            prices[concept] = price
        if price == 0.0:
            continue
        for token in range(problem.concept_starts[concept], problem.concept_starts[concept + 1]):
            if state.lost[token] == 0 and state.missing[token] > 1:
                share_price(problem, state, starts[token], starts[token + 1], state.missing[token], old, price, step)
    return True


@inner
def find_slopes(problem, state):
    """`slopes` of the prices; returns the squared length of the whole direction, shares included."""
    fixed, units, starts = state.fixed, problem.token_units, problem.token_starts
    blend, worths, prices = state.blend, problem.worths, state.prices
    norm = 0.0
    for concept in range(len(worths)):
        if worths[concept] < 0.0 or state.present[concept] > 0 or state.live[concept] == 0:
            continue
        slope = -1.0
        for token in range(problem.concept_starts[concept], problem.concept_starts[concept + 1]):
            if state.lost[token] > 0:
                continue
            mean = 0.0
            square = 0.0
            for entry in range(starts[token], starts[token + 1]):
                unit = units[entry]
                if fixed[unit] == FREE:
                    mean += blend[unit]
                    square += blend[unit] * blend[unit]
            mean /= state.missing[token]
            slope += mean
            norm += max(0.0, square - mean * mean * state.missing[token])
        cheapest = slope > 0.0 and prices[concept] <= 0.0
        dearest = slope < 0.0 and prices[concept] >= worths[concept]
        if state.live[concept] < 2 or cheapest or dearest:
            slope = 0.0
        state.slopes[concept] = slope
        norm += slope * slope
    return norm


@inner
def share_price(problem, state, first, end, missing, old, price, step):
    """The shares of one token's free units: from chosen ones to others, never below 0, with 1 as their sum."""
    fixed, shares, units, blend = state.fixed, state.shares, problem.token_units, state.blend
    whole = 0.0
    mean = 0.0
    for entry in range(first, end):
        if fixed[units[entry]] == FREE:
            whole += shares[entry]
            mean += blend[units[entry]] / missing
    total = 0.0
    for entry in range(first, end):
        if fixed[units[entry]] == FREE:
            own = old * shares[entry] / whole if whole > 0.0 else old / missing
            shares[entry] = max(0.0, own + (price - old) / missing - step * (blend[units[entry]] - mean))
            total += shares[entry]
    for entry in range(first, end):
        if fixed[units[entry]] == FREE:
            shares[entry] = shares[entry] / total if total > 0.0 else 1.0 / missing
