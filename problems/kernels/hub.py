"""The hub: a budget or knapsack whose copy of the variables is the average itself.

AD3 gives every factor copies z of its variables and drives them to their averages u. A budget over all sentences is then one link
among many of each sentence, and its price, the multiplier tau, takes hundreds of iterations to build up. The hub's copy is u: the
u-update becomes a projection of the averages onto the budget, which sets the price at once. It is the same alternating
direction method with the terms in other groups: all other factors in one half, the hub in the other.

    u = argmin over the hub's polytope of  sum_i  d_i / 2 (u_i - mean_i)^2 - h_i u_i,   d_i: weights of i's other links

where h_i, kept as mu of the hub's link, is what the other links leave of the score. The multipliers of a variable sum to its score
as ever, so that `dual_value` needs to know nothing of this. Averages keep the budget at every iteration.
"""

from __future__ import annotations

import numba
import numpy as np

from .cache import inner
from .codes import BUDGET, TREE_BUDGET
from .families import PROJECT, call_family
from .project_logic import clip
from .tree_budget import PRICE, TOLERANCE, WEIGHTS

PASSES = 100
LOOSE = 1e-2  # how nearly trees keep the budget at first, relative to it (see `project_trees`)
HIGHEST_PRICE = 1e12  # where fixed variables alone exceed the budget, the price rises without end


@numba.njit(error_model="numpy", fastmath={"reassoc"})
def spend_at_rates(points, costs, rates, tau):
    """What clip(points - tau * rates) costs, its slope, and the numbers of literals above 0 and at 1 (as `spend`)."""
    used = 0.0
    slack = 0.0
    positive = 0
    full = 0
    for i in range(len(points)):
        value = points[i] - tau * rates[i]
        used += costs[i] * clip(value)
        positive += 1 if value > 0.0 else 0
        full += 1 if value >= 1.0 else 0
        slack += costs[i] * rates[i] if 0.0 < value < 1.0 else 0.0
    return used, slack, positive, full


@inner
def hub_price(points, costs, rates, budget, tau):
    """tau with sum of costs * clip(points - tau * rates) = budget, or 0 if that is cheap enough: Newton's method from the last tau.

    Equal numbers of positive and of full literals at two taus mean the same linear piece (see `multiplier`).
    """
    low = 0.0
    high = np.inf
    last_positive = -1
    last_full = -1
    for _ in range(PASSES):
        used, slack, positive, full = spend_at_rates(points, costs, rates, tau)
        if used == budget or (tau == 0.0 and used < budget) or (positive == last_positive and full == last_full):
            break
        last_positive = positive
        last_full = full
        if used > budget:
            low = tau
        else:
            high = tau
        step = tau + (used - budget) / slack if slack > 0.0 else -1.0
        if step <= low or step >= high:
            last_positive = -1
            if low == 0.0 and used < budget and slack > 0.0:
                step = 0.0
            else:
                step = 0.5 * (low + high) if high < np.inf else 2.0 * low + 1.0
        tau = step
    return tau


@inner
def is_on_hub(link, first, end):
    return first <= link < end


@inner
def update_hub(layout, state, relaxation):
    """The u- and lambda-updates of the hub's variables; the number of factors whose inputs change, and squared residuals.

    All of them are looked at, active or not, since the price moves them all; but links are read only where one has changed.
    """
    hub = layout.hub
    if hub < 0:
        return 0, 0.0, 0.0
    variables, starts, links, fixed = (
        layout.link_variables,
        layout.variable_starts,
        layout.variable_links,
        layout.fixed,
    )
    u, mu, z, marks = state.u, state.mu, state.z, state.variable_stamps
    weights, sums = layout.link_weights, layout.variable_weights
    weighted = len(weights) > 0
    first = layout.link_starts[hub]
    end = layout.link_starts[hub + 1]
    count = end - first
    iteration = state.counts[2]
    agreements = state.int_memory[state.int_memory_starts[hub] : state.int_memory_starts[hub + 1]]
    memory = state.hub_memory
    points, costs, rates = memory[:count], memory[count : 2 * count], memory[2 * count :]
    trees = layout.codes[hub] == TREE_BUDGET
    own = state.float_memory_starts[hub]
    pinned = 0.0
    for i in range(count):
        variable = variables[first + i]
        old = u[variable]
        agreements[i] = 1
        if fixed[variable] >= 0:
            points[i] = fixed[variable]
            rates[i] = 0.0
            pinned += costs[i] * fixed[variable]
            continue
        mean = old
        weight = sums[variable] if weighted else starts[variable + 1] - starts[variable] - 1.0
        if weight > 0.0 and marks[variable] == iteration:
            least = np.inf
            most = -np.inf
            total = 0.0
            for entry in range(starts[variable], starts[variable + 1]):
                link = links[entry]
                if not is_on_hub(link, first, end):
                    total += weights[link] * z[link] if weighted else z[link]
                    least = min(least, z[link])
                    most = max(most, z[link])
            agreements[i] = least == most
            mean = least if least == most else relaxation * (total / weight) + (1.0 - relaxation) * old
        if weight == 0.0:  # a variable of the hub alone is drawn to where it was
            weight = 1.0
        points[i] = mean + mu[first + i] / weight
        rates[i] = costs[i] / weight
        if trees:
            state.float_memory[own + WEIGHTS + i] = weight
    if trees:
        project_trees(layout, state, points)
    else:
        if layout.codes[hub] == BUDGET:
            budget = float(layout.ints[layout.int_starts[hub]])
        else:
            budget = layout.floats[layout.float_starts[hub]]
        tau = state.residuals[4]
        tau = min(2.0 * tau + 1.0, HIGHEST_PRICE) if pinned > budget else hub_price(points, costs, rates, budget, tau)
        state.residuals[4] = tau
        for i in range(count):
            points[i] = clip(points[i] - tau * rates[i])
    return move_hub(layout, state, relaxation, agreements, points, costs)


@inner
def project_trees(layout, state, points):
    """Replace the points by their projection onto a hub of trees and budget, whose weights are in its memory.

    Averages need not keep the budget more exactly than they move; the tolerance falls with the residual. No variable is fixed here.
    """
    hub = layout.hub
    own = state.float_memory_starts[hub]
    count = len(points)
    zero = count - count
    state.float_memory[own + PRICE] = state.residuals[4]
    state.float_memory[own + TOLERANCE] = LOOSE * min(1.0, np.sqrt(state.residuals[1]))
    call_family(
        PROJECT,
        TREE_BUDGET,
        count,
        points,
        zero,
        1.0,
        layout.ints,
        layout.int_starts[hub],
        layout.int_starts[hub + 1],
        layout.floats,
        layout.float_starts[hub],
        layout.float_starts[hub + 1],
        state.int_memory,
        state.int_memory_starts[hub],
        state.float_memory,
        own,
        state.float_memory_starts[hub + 1] - own,
        points,
        zero,
    )
    state.residuals[4] = state.float_memory[own + PRICE]


@inner
def move_hub(layout, state, relaxation, agreements, averages, costs):
    """Write the hub's new averages, and what follows for multipliers and active factors (as in `update_variables`)."""
    variables, starts, links, link_factors = (
        layout.link_variables,
        layout.variable_starts,
        layout.variable_links,
        layout.link_factors,
    )
    u, mu, z, marks = state.u, state.mu, state.z, state.variable_stamps
    stamps, active_factors = state.factor_stamps, state.active_factors
    weights, sums = layout.link_weights, layout.variable_weights
    weighted = len(weights) > 0
    first = layout.link_starts[layout.hub]
    end = layout.link_starts[layout.hub + 1]
    iteration = state.counts[2]
    factors = 0
    primal = 0.0
    dual = 0.0
    for i in range(end - first):
        variable = variables[first + i]
        old = u[variable]
        new = averages[i]
        u[variable] = new
        z[first + i] = new
        moved = new != old
        if moved or marks[variable] == iteration:
            unsettled = False
            left = 0.0
            for entry in range(starts[variable], starts[variable + 1]):
                link = links[entry]
                if is_on_hub(link, first, end):
                    continue
                value = z[link] if agreements[i] else relaxation * z[link] + (1.0 - relaxation) * old
                difference = value - new
                if difference != 0.0:
                    change = weights[link] * difference if weighted else difference
                    mu[link] -= change
                    left += change
                    unsettled = True
                    primal += change * difference
                if moved or difference != 0.0:
                    factor = link_factors[link]
                    if stamps[factor] != iteration:
                        stamps[factor] = iteration
                        active_factors[factors] = factor
                        factors += 1
            mu[first + i] += left
            links_of = sums[variable] + 1.0 if weighted else starts[variable + 1] - starts[variable]
            dual += (new - old) * (new - old) * links_of
            if unsettled:
                marks[variable] = iteration + 1  # active in the next iteration, too
        if layout.fixed[variable] >= 0:  # its multiplier is the price that it pays, whatever the others sum to
            mu[first + i] = state.residuals[4] * costs[i]
    return factors, primal, dual
