"""The bound of a coverage problem's search: Lagrangian, with a price per concept and one for the budget.

A concept c of worth w is covered at most once, but each of its tokens may claim it. Let it pay a price q between 0 and w to
every token that is present, and keep w - q for nothing:  w min(1, n) <= (w - q) + q n  for any number n of tokens. A token's
price is shared by its units, as the least of some numbers is at most any average of them. What is left is linear in
the units: with a price theta per unit of cost it falls apart into the trees, whose best closed sets a pass from the
leaves to the roots finds. Any prices give a valid bound; their best ones give the linear relaxation's. q = w is the bound
that is usual for submodular functions.

A concept of negative worth costs at least what any one of its tokens does, w or(t) <= w t, and a token of m units is there if they are:
t >= (sum of units) - (m - 1). The token that the last sets had most of is charged (`charge_concept`); any choice gives a valid bound.

With theta at its best, the passes also tell how far the bound falls if a unit is forced in or out (`fix_hopeless`).
"""

from __future__ import annotations

import numpy as np

from .cache import inner
from .coverage import BEST, FREE, IN, MARGIN, OUT, ROOM, ROOTS, THETA, VALUE, fix

THETA_STEPS = 20
PRECISION = 1e-9  # of theta's search, relative to the bound


@inner
def rising(values, count):
    """The first `count` values in rising order (heapsort: numpy's sort takes over a second to compile)."""
    heap = np.empty(count)
    for k in range(count):
        heap[k] = values[k]
    first = count // 2
    end = count
    while end > 1:
        if first > 0:
            first -= 1
        else:
            end -= 1
            largest = heap[0]
            heap[0] = heap[end]
            heap[end] = largest
        place = first
        moved = heap[place]
        while 2 * place + 1 < end:
            below = 2 * place + 1
            if below + 1 < end and heap[below + 1] > heap[below]:
                below += 1
            if heap[below] <= moved:
                break
            heap[place] = heap[below]
            place = below
        heap[place] = moved
    return heap


@inner
def collect_gains(problem, state):
    """Each free unit's score and its shares of prices; returns what the concepts keep for nothing."""
    fixed, shares, units, starts = state.fixed, state.shares, problem.token_units, problem.token_starts
    gains, scores = state.gains, problem.scores
    for unit in range(len(scores)):
        gains[unit] = scores[unit]
    kept = 0.0
    for concept in range(len(problem.worths)):
        if problem.worths[concept] < 0.0:
            kept += charge_concept(problem, state, concept)
            continue
        price = 0.0
        if state.present[concept] == 0 and state.live[concept] > 0:
            worth = problem.worths[concept]
            price = state.prices[concept] if state.live[concept] > 1 else worth  # a single token claims it once
            kept += worth - price
        state.effective[concept] = price
        if price == 0.0:
            continue
        for token in range(problem.concept_starts[concept], problem.concept_starts[concept + 1]):
            if state.lost[token] > 0:
                continue
            first = starts[token]
            end = starts[token + 1]
            if end == first + 1:
                gains[units[first]] += price
                continue
            whole = 0.0
            for entry in range(first, end):
                if fixed[units[entry]] == FREE:
                    whole += shares[entry]
            for entry in range(first, end):
                if fixed[units[entry]] == FREE:
                    gains[units[entry]] += (
                        price * shares[entry] / whole if whole > 0.0 else price / state.missing[token]
                    )
    return kept


@inner
def charge_concept(problem, state, concept):
    """What a concept of negative worth takes from its units' gains; returns what is to be added for nothing."""
    fixed, units, starts, gains = state.fixed, problem.token_units, problem.token_starts, state.gains
    state.effective[concept] = 0.0
    if state.present[concept] > 0 or state.live[concept] == 0:
        return 0.0
    worth = problem.worths[concept]
    found = -1
    most = 0.0
    single = 0
    for token in range(problem.concept_starts[concept], problem.concept_starts[concept + 1]):
        if state.lost[token] > 0:
            continue
        share = 1.0 - state.missing[token]
        for entry in range(starts[token], starts[token + 1]):
            if fixed[units[entry]] == FREE:
                share += state.blend[units[entry]]
        if share > most:
            most = share
            found = token
        if state.missing[token] == 1:
            single += 1
    for token in range(problem.concept_starts[concept], problem.concept_starts[concept + 1]):
        if state.lost[token] > 0 or (token != found and (found >= 0 or state.missing[token] > 1)):
            continue
        charge = worth if found >= 0 else worth / single  # of no token in sight: all that are one unit share it
        for entry in range(starts[token], starts[token + 1]):
            if fixed[units[entry]] == FREE:
                gains[units[entry]] += charge
    return -worth * (state.missing[found] - 1.0) if found >= 0 else 0.0


@inner
def close(problem, state, theta):
    """The best closed set for a price of cost: `closures` of units and `chosen`; returns its value and cost.

    `state.limits` becomes what the worst chosen root and the best other one are worth, where roots are limited.
    """
    parents, costs, fixed, gains = problem.parents, problem.costs, state.fixed, state.gains
    closures, chosen = state.closures, state.chosen
    count = len(parents)
    for unit in range(count):
        closures[unit] = gains[unit] - theta * costs[unit]
    positive = 0
    value = 0.0
    for unit in range(count - 1, -1, -1):
        if fixed[unit] != FREE or closures[unit] <= 0.0:
            continue
        parent = parents[unit]
        if parent < 0:
            state.roots[positive] = closures[unit]
            positive += 1
            value += closures[unit]
        elif fixed[parent] == FREE:
            closures[parent] += closures[unit]
        else:
            value += closures[unit]
    left = state.counts[ROOTS]
    worst = 0.0
    other = 0.0
    ties = positive
    if positive == left:
        for k in range(positive):
            worst = state.roots[k] if k == 0 else min(worst, state.roots[k])
    elif positive > left:
        ordered = rising(state.roots, positive)
        for k in range(positive - left):
            value -= ordered[k]
        worst = ordered[positive - left] if left > 0 else np.inf
        other = ordered[positive - left - 1]
        ties = 0
        for k in range(positive - left, positive):
            if ordered[k] == worst:
                ties += 1
    state.limits[0] = worst
    state.limits[1] = other
    used = 0.0
    for unit in range(count):
        chosen[unit] = 0
        if fixed[unit] != FREE or closures[unit] <= 0.0:
            continue
        parent = parents[unit]
        if parent < 0:
            if closures[unit] < worst:
                continue
            if closures[unit] == worst:
                if ties == 0:
                    continue
                ties -= 1
        elif fixed[parent] == FREE and chosen[parent] == 0:
            continue
        chosen[unit] = 1
        used += costs[unit]
    return value, used


@inner
def blend_sets(state, weight):
    for unit in range(len(state.blend)):
        state.blend[unit] = weight * state.low[unit] + (1.0 - weight) * state.high[unit]


@inner
def bound(problem, state):
    """A bound on all completions; `closures`, `high` and `blend` belong to the best theta that was found.

    Stops as soon as the bound is hopeless.
    """
    kept = collect_gains(problem, state)
    base = state.totals[VALUE] + kept
    room = state.totals[ROOM]
    cutoff = state.totals[BEST] + state.totals[MARGIN]
    theta = state.totals[THETA]
    above = False
    within = False
    low_theta = low_value = low_used = 0.0
    high_theta = high_value = high_used = 0.0
    best = np.inf
    best_theta = theta
    last = theta
    for _ in range(THETA_STEPS):
        value, used = close(problem, state, theta)
        last = theta
        total = base + value + theta * room
        if total < best:
            best = total
            best_theta = theta
            if best <= cutoff:
                return best
        if used > room:
            above = True
            low_theta, low_value, low_used = theta, value, used
            for unit in range(len(state.low)):
                state.low[unit] = state.chosen[unit]
        else:
            within = True
            high_theta, high_value, high_used = theta, value, used
            for unit in range(len(state.high)):
                state.high[unit] = state.chosen[unit]
            if theta == 0.0:
                break
        if above and within:  # where the two lines meet
            theta = (low_value + low_used * low_theta - high_value - high_used * high_theta) / (low_used - high_used)
            meeting = base + high_value - high_used * (theta - high_theta) + theta * room
            if not (low_theta < theta < high_theta) or best - meeting <= PRECISION * abs(best):
                break
        elif above:
            theta = 2.0 * theta if theta > 0.0 else 1e-3 * (1.0 + value) / max(used, 1e-300)
        else:
            theta = 0.5 * theta if theta > 1e-3 * high_value / max(high_used, 1e-300) else 0.0
    if last != best_theta:
        close(problem, state, best_theta)
    state.totals[THETA] = best_theta
    if above and within:
        blend_sets(state, (room - high_used) / (low_used - high_used))
    elif within:
        blend_sets(state, 0.0)
    else:  # not found in so many steps: the empty completion is within any budget
        for unit in range(len(state.high)):
            state.high[unit] = 0
        blend_sets(state, min(1.0, room / max(low_used, 1e-300)))
    return best


@inner
def fix_hopeless(problem, state, total):
    """Fix units whose other value is hopeless, given the bound and its closures; returns how many, or -1 if both are.

    A unit that is forced in takes its ancestors along and, where roots are limited, the place of the worst chosen root.
    """
    parents, fixed, closures, chosen = problem.parents, state.fixed, state.closures, state.chosen
    penalties, losses, paths = state.penalties, state.losses, state.paths
    cutoff = state.totals[BEST] + state.totals[MARGIN]
    left = state.counts[ROOTS]
    worst = state.limits[0]
    other = state.limits[1]
    done = 0
    for unit in range(len(parents)):
        if fixed[unit] != FREE:
            continue
        value = closures[unit]
        parent = parents[unit]
        paths[unit] = problem.costs[unit]
        if parent < 0:
            if left <= 0:
                penalties[unit] = np.inf
                losses[unit] = 0.0
            elif chosen[unit] == 1:
                penalties[unit] = 0.0
                losses[unit] = value - other
            else:
                penalties[unit] = worst - value
                losses[unit] = 0.0
        elif fixed[parent] == OUT:
            penalties[unit] = np.inf
            losses[unit] = 0.0
        elif fixed[parent] == IN:
            penalties[unit] = max(0.0, -value)
            losses[unit] = max(0.0, value)
        else:
            penalties[unit] = penalties[parent] + max(0.0, -value)
            losses[unit] = min(losses[parent], max(0.0, value))
            paths[unit] += paths[parent]
        if paths[unit] > state.totals[ROOM]:
            penalties[unit] = np.inf
        out = total - penalties[unit] <= cutoff
        keep = total - losses[unit] <= cutoff
        if out and keep:
            return -1
        if out:
            fix(problem, state, unit, OUT)
            done += 1
        elif keep:
            fix(problem, state, unit, IN)
            done += 1
    return done
