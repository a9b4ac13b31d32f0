"""Coverage of conjunctions: a score for any of several groups of one or two literals being true together.

The literals of a group follow each other, and `second` is 1 for the second one of a pair. With min and max over the groups g,

    a positive score is worth  score * min(1, sum over g of min(g)),
    a negative one costs      -score * max over g of max(0, sum(g) - (size of g) + 1).

It is what is left of a concept, the or_out of its tokens, and of the tokens, each the and_out of two words, when nothing else links
any of these outputs: the optimum over the outputs for given words.
"""

from __future__ import annotations

import numpy as np

from .cache import inner
from .project_logic import clip

STEPS = 100


@inner
def worth_at(point, second, price):
    """The sum of the groups' minima where each minimum is paid this price, and its slope.

    A single literal rises by the price. So does the lower one of a pair until both are level; from there on they share it.
    """
    total = 0.0
    slope = 0.0
    i = 0
    while i < len(point):
        value = point[i] + price
        rate = 1.0
        i += 1
        if i < len(point) and second[i]:
            level = 0.5 * (point[i - 1] + point[i] + price)
            value = min(value, point[i] + price)
            rate = 1.0 if value < level else 0.5
            value = min(value, level)
            i += 1
        total += clip(value)
        slope += rate if 0.0 < value < 1.0 else 0.0
    return total, slope


@inner
def charge_at(one, two, most):
    """What both literals of a pair must pay so that their sum is at most 1 + most."""
    return max(min(min(one, two) - most, 0.5 * (one + two - 1.0 - most)), 0.0)


@inner
def charges_at(point, second, most):
    """What all groups pay so that none is worth more than `most`, and the slope of this."""
    total = 0.0
    slope = 0.0
    i = 0
    while i < len(point):
        charge = max(point[i] - most, 0.0)
        rate = 1.0
        i += 1
        if i < len(point) and second[i]:
            charge = charge_at(point[i - 1], point[i], most)
            rate = 0.5 if charge < min(point[i - 1], point[i]) - most else 1.0
            i += 1
        total += charge
        slope += rate if charge > 0.0 else 0.0
    return total, slope


@inner
def best_price(point, second, score):
    """The price between 0 and the score at which the groups' minima sum to 1, or the end that comes nearest: Newton in a bracket."""
    low = 0.0
    high = score
    if worth_at(point, second, high)[0] <= 1.0:
        return high
    price = 0.0
    for _ in range(STEPS):
        total, slope = worth_at(point, second, price)
        if total == 1.0 or (price == 0.0 and total > 1.0):
            break
        if total < 1.0:
            low = price
        else:
            high = price
        step = price + (1.0 - total) / slope if slope > 0.0 else -1.0
        if step == price:
            break
        if step <= low or step >= high:
            step = 0.5 * (low + high)
            if step <= low or step >= high:
                break
        price = step
    return price


@inner
def best_limit(point, second, score):
    """The worth of a group at which all groups together pay the (negative) score, or 0 if they pay less even there."""
    low = 0.0
    high = 0.0
    for i in range(len(point)):
        high = max(high, point[i])
    limit = 0.0
    for _ in range(STEPS):
        total, slope = charges_at(point, second, limit)
        if total == -score or (limit == 0.0 and total < -score):
            break
        if total > -score:
            low = limit
        else:
            high = limit
        step = limit + (total + score) / slope if slope > 0.0 else -1.0
        if step == limit:
            break
        if step <= low or step >= high:
            step = 0.5 * (low + high)
            if step <= low or step >= high:
                break
        limit = step
    return limit


@inner
def project_pair_coverage(point, second, score, z):
    """The minimizer of 1/2 ||z - point||^2 - worth(z) over the cube. A positive score's price, or a negative one's limit, decides it."""
    price = best_price(point, second, score) if score >= 0.0 else 0.0
    limit = best_limit(point, second, score) if score < 0.0 else np.inf
    i = 0
    while i < len(point):
        one = point[i]
        i += 1
        if i == len(point) or not second[i]:
            z[i - 1] = clip(min(one + price, limit))
            continue
        two = point[i]
        charge = charge_at(one, two, limit)
        if one > two + price:
            two += price
        elif two > one + price:
            one += price
        else:
            one = 0.5 * (one + two + price)
            two = one
        z[i - 1] = clip(one - charge)
        z[i] = clip(two - charge)
        i += 1


@inner
def maximize_pair_coverage(scores, second, score, point):
    """The best 0/1 point. A positive score may pay for making one group true, a negative one for breaking all."""
    value = 0.0
    needed = np.inf  # what making a group true costs, at least
    where = 0
    broken = 0.0  # what breaking all true groups costs
    i = 0
    while i < len(scores):
        first = i
        i += 2 if i + 1 < len(scores) and second[i + 1] else 1
        missing = 0.0
        least = np.inf
        for k in range(first, i):
            point[k] = 1.0 if scores[k] > 0.0 else 0.0
            value += max(scores[k], 0.0)
            missing += max(-scores[k], 0.0)
            least = min(least, scores[k])
        if missing < needed:
            needed = missing
            where = first
        broken += max(least, 0.0)
    if score > needed:
        point[where] = 1.0
        if where + 1 < len(scores) and second[where + 1]:
            point[where + 1] = 1.0
        return value + score - needed
    if score >= 0.0:
        return value
    if broken >= -score:
        return value + score
    i = 0
    while i < len(scores):
        first = i
        i += 2 if i + 1 < len(scores) and second[i + 1] else 1
        lowest = first if i == first + 1 or scores[first] <= scores[first + 1] else first + 1
        if scores[lowest] > 0.0:
            point[lowest] = 0.0
    return value - broken
