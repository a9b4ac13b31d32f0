"""Coverage problems without trees (extraction): a hub, coverages of its variables, and nothing else.

Three things make AD3's bound fall sooner here. None changes the relaxation. Joined summaries (`solvers.joining`) have the weights only.

- **Weights.** A coverage's step size is eta times its score over the mean score. The price of a concept lies between 0 and its
  score, so valuable ones have further to go. This is the alternating direction method with a diagonal penalty: its fixed points
  are the same.
- **A better bound of the same iterate.** The best multipliers of a positive coverage are one price q, from 0 to the score, that each of
  its variables gets:  score * min(1, n) <= (score - q) + q n. Every q gives a valid bound. AD3's multipliers differ between the
  links of a coverage until they have converged; their least charge is a price that is never worse. Then each price in turn is set to
  its best value for the hub's present price of cost: where one of the variables pays and a second one does not yet.
- **Between two looks.** Prices swing about their best values. The same steps from the middle of this look's prices and the last
  one's give a second bound, which is often the lower one.
"""

from __future__ import annotations

import numba
import numpy as np

from .ad3 import best_cover
from .cache import inner, kernel
from .codes import BUDGET, COVERAGE, KNAPSACK, PAIR_COVERAGE, TREE_BUDGET
from .maximize import maximize_factor

LEAST, MOST = 0.05, 20.0  # weights
PRICES, NEAR = 40, 1e-13  # tries at the hub's price of cost; how near its lowest bound is to be, relative to it


@kernel
def choose_hub(layout, steps, weights, sums):
    """The hub (-1: none), and whether coverages have weights now. It is the largest joined trees, else the largest budget or knapsack.

    A budget's links must be plain and all different. `layout.on_hub` is false before, `sums` are zeros; `steps` and
    `weights` are filled in where there are weights.
    """
    codes, starts, variables, on_hub = layout.codes, layout.link_starts, layout.link_variables, layout.on_hub
    trees = False
    for factor in range(len(codes)):
        trees = trees or codes[factor] == TREE_BUDGET
    hub = -1
    most = -1
    budgets = 0
    coverages = 0
    weighable = 0
    for factor in range(len(codes)):
        code = codes[factor]
        budget = code in (BUDGET, KNAPSACK)
        budgets += budget
        coverages += code == COVERAGE
        weighable += budget or code in (COVERAGE, PAIR_COVERAGE, TREE_BUDGET)
        size = starts[factor + 1] - starts[factor]
        if (code == TREE_BUDGET if trees else budget) and size > most:
            hub = factor
            most = size
    if hub < 0:
        return hub, False
    first, end = starts[hub], starts[hub + 1]
    plain = True
    for link in range(first, end):
        plain = plain and not on_hub[variables[link]] and not layout.negated[link]
        on_hub[variables[link]] = True
    if not plain and not trees:
        for link in range(first, end):
            on_hub[variables[link]] = False
        return -1, False
    if not (weighable == len(codes) if trees else budgets == 1 and 0 < coverages == len(codes) - 1):
        return hub, False
    return hub, weigh_coverages(layout, hub, steps, weights, sums)


@inner
def weigh_coverages(layout, hub, steps, weights, sums):
    """Weights by factor and link, and their sums by variable (without the hub's); False if a factor has a variable that the hub does not link."""
    codes, starts, variables = layout.codes, layout.link_starts, layout.link_variables
    total = 0.0
    count = 0
    for factor in range(len(codes)):
        if codes[factor] in (COVERAGE, PAIR_COVERAGE):
            total += abs(layout.floats[layout.float_starts[factor]])
            count += 1
    for factor in range(len(codes)):
        weight = 1.0
        if codes[factor] in (COVERAGE, PAIR_COVERAGE):
            score = abs(layout.floats[layout.float_starts[factor]])
            weight = min(max(score * count / total, LEAST), MOST)
        steps[factor] = 1.0 / weight
        for link in range(starts[factor], starts[factor + 1]):
            weights[link] = weight
            if factor != hub:
                if not layout.on_hub[variables[link]]:
                    return False
                sums[variables[link]] += weight
    return True


@inner
def set_prices(layout, state, eta, prices, gains):
    """The least charge of each positive coverage, added to its variables' gains; returns the other coverages' maxima.

    A coverage with a negated literal or a negative score keeps its multipliers, and its price is -1.
    """
    codes, starts, variables, negated = layout.codes, layout.link_starts, layout.link_variables, layout.negated
    mu, point = state.mu, state.point
    value = 0.0
    for factor in range(len(codes)):
        prices[factor] = -1.0
        if codes[factor] != COVERAGE:
            continue
        first = starts[factor]
        end = starts[factor + 1]
        score = layout.floats[layout.float_starts[factor]]
        plain = score > 0.0
        charge = np.inf
        for link in range(first, end):
            plain = plain and not negated[link]
            charge = min(charge, -eta * mu[link])
        if plain:
            prices[factor] = min(max(charge, 0.0), score)
            for link in range(first, end):
                gains[variables[link]] += prices[factor]
            continue
        for link in range(first, end):
            multiplier = eta * mu[link]
            gains[variables[link]] -= multiplier
            point[link - first] = multiplier
            if negated[link]:
                point[link - first] = -multiplier
                value += multiplier
        value += best_cover(point, end - first, score)
    return value


@inner
def improve_prices(layout, prices, gains):
    """Each price in turn becomes the best one: the sum of positive gains less the price is least where one gain is positive."""
    starts, variables = layout.link_starts, layout.link_variables
    value = 0.0
    for factor in range(len(prices)):
        price = prices[factor]
        if price < 0.0:
            continue
        best = -np.inf
        second = -np.inf
        for link in range(starts[factor], starts[factor + 1]):
            gain = gains[variables[link]] - price
            second = max(second, min(best, gain))
            best = max(best, gain)
        score = layout.floats[layout.float_starts[factor]]
        lowest = min(max(-best, 0.0), score)
        highest = min(max(-second, 0.0), score)
        new = min(max(price, lowest), highest)
        value += score - new
        prices[factor] = new
        if new != price:
            for link in range(starts[factor], starts[factor + 1]):
                gains[variables[link]] += new - price
    return value


@numba.njit(error_model="numpy", fastmath={"reassoc"})
def worth_at_price(gains, costs, theta):
    """What variables are worth at a price of cost, and what those above 0 cost."""
    value = 0.0
    used = 0.0
    for i in range(len(gains)):
        gain = gains[i] - theta * costs[i]
        value += max(gain, 0.0)
        used += costs[i] if gain > 0.0 else 0.0
    return value, used


@inner
def best_price(gains, costs, budget, theta):
    """The least of (worth at a price + price * budget), by the meeting point of two lines; infinity where it is not found soon.

    It is the fractional knapsack's optimum without sorting, and every price gives a bound on it.
    """
    best = np.inf
    low = -1.0
    high = -1.0
    low_total = low_slope = high_total = high_slope = 0.0
    for _ in range(PRICES):
        value, used = worth_at_price(gains, costs, theta)
        total = value + theta * budget
        slope = budget - used
        best = min(best, total)
        if slope < 0.0:
            low, low_total, low_slope = theta, total, slope
        else:
            high, high_total, high_slope = theta, total, slope
            if theta == 0.0:
                return best
        if low < 0.0:
            theta = 0.8 * theta if theta > 1e-3 * high_total / max(budget, 1e-300) else 0.0
        elif high < 0.0:
            theta = 1.25 * theta if theta > 0.0 else 0.1 * value / max(used, 1e-300)
        else:
            theta = low + (low_total - high_total + high_slope * (high - low)) / (high_slope - low_slope)
            if not low < theta < high or best - low_total - low_slope * (theta - low) <= NEAR * abs(best):
                return best
    return best if low >= 0.0 and high >= 0.0 else np.inf


@inner
def bound_at_prices(layout, state, prices, gains, tau):
    """The bound of improved prices, as they are then, without what other variables and factors are worth.

    Gains of the hub's variables have prices in them, before and after.
    """
    hub = layout.hub
    first = layout.link_starts[hub]
    count = layout.link_starts[hub + 1] - first
    variables, point = layout.link_variables, state.point
    costs = state.hub_memory[count : 2 * count]
    for i in range(count):
        gains[variables[first + i]] -= tau * costs[i]
    value = improve_prices(layout, prices, gains)
    for i in range(count):
        gains[variables[first + i]] += tau * costs[i]
        point[i] = gains[variables[first + i]]
    if layout.codes[hub] == BUDGET:
        budget = float(layout.ints[layout.int_starts[hub]])
    else:
        budget = layout.floats[layout.float_starts[hub]]
    worth = best_price(point[:count], costs, budget, max(tau, 0.0))
    if worth < np.inf:
        return value + worth
    return value + maximize_factor(
        layout.codes[hub],
        point[:count],
        layout.ints[layout.int_starts[hub] : layout.int_starts[hub + 1]],
        layout.floats[layout.float_starts[hub] : layout.float_starts[hub + 1]],
        state.answer[:count],
    )


@kernel
def covers_bound(layout, state, eta, scores, last):
    """The bound of improved prices; infinity where a variable is fixed, which is not provided for.

    `last` has the improved prices of the look before, and the hub's price behind them (NaN: there was none); it becomes this look's.
    """
    variables, on_hub, starts = layout.link_variables, layout.on_hub, layout.link_starts
    gains = np.empty(len(scores))
    outside = 0.0
    for variable in range(len(scores)):
        if layout.fixed[variable] >= 0:
            return np.inf
        gains[variable] = scores[variable]
        if not on_hub[variable]:  # nor has it any other link
            outside += max(scores[variable], 0.0)
    factors = len(layout.codes)
    prices = np.empty(factors)
    outside += set_prices(layout, state, eta, prices, gains)
    tau = eta * state.residuals[4]
    value = bound_at_prices(layout, state, prices, gains, tau)
    before = last[factors]
    last[factors] = tau
    for factor in range(factors):
        price = prices[factor]
        old = last[factor]
        last[factor] = price
        if price < 0.0 or before != before:
            continue
        prices[factor] = 0.5 * (price + old)
        for link in range(starts[factor], starts[factor + 1]):
            gains[variables[link]] += prices[factor] - price
    if before == before:
        value = min(value, bound_at_prices(layout, state, prices, gains, 0.5 * (tau + before)))
    return outside + value
