"""Projections onto budgets and knapsacks (appendix A of Almeida & Martins): Algorithm 1, and a warm Newton iteration."""

from __future__ import annotations

import numba
import numpy as np

from .cache import inner
from .project_logic import clip

NEWTON_PASSES = 10


@inner
def select(values, first, end, rank):
    """The value of a rank in values[first:end], by quickselect in place."""
    low = first
    high = end - 1
    target = first + rank
    while low < high:
        pivot = values[(low + high) // 2]
        i = low
        j = high
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if target <= j:
            high = j
        elif target >= i:
            low = i
        else:
            break
    return values[target]


@inner
def pardalos_kovoor(point, first, end, costs, offset, budget, working, split):
    """tau with sum of costs * clip(point - tau * costs) = budget, given that tau = 0 is too expensive: Algorithm 1.

    Literal i costs costs[offset + i - first], or 1 if offset < 0. The printed algorithm, corrected: the working set
    starts as {1..N}, without the literals that cost nothing; tau >= 0 here, so z = clip(a - tau L) and the split points
    are (a - 1)/L and a/L; a literal fixed at 1 adds L to the tight sum and one fixed at 0 adds nothing; a free one adds
    L a - tau L^2, so the slack sum (times tau) enters s with L a beside it, and the last tau is
    (tight + sum of L a over free literals - B) / slack, not over all literals. Split points equal to the ends of the
    interval are dropped, or the loop would not end.
    """
    count = first - first  # not a literal 0, for which numba would compile `select` once more
    points = count
    for i in range(first, end):
        cost = costs[offset + i - first] if offset >= 0 else 1.0
        if cost > 0.0 and point[i] > 0.0:
            working[count] = i
            count += 1
            split[points] = max((point[i] - 1.0) / cost, 0.0)
            split[points + 1] = point[i] / cost
            points += 2
    low = 0.0
    high = np.inf
    tight = 0.0
    linear = 0.0
    slack = 0.0
    while count > 0:
        if points > 0:
            tau = select(split, first - first, points, points // 2)
            used = tight + linear - tau * slack
            for k in range(count):
                i = working[k]
                cost = costs[offset + i - first] if offset >= 0 else 1.0
                used += cost * clip(point[i] - tau * cost)
            if used > budget:
                low = tau
            else:
                high = tau
            left = 0
            for k in range(points):
                if low < split[k] < high:
                    split[left] = split[k]
                    left += 1
            points = left
        left = 0
        for k in range(count):
            i = working[k]
            cost = costs[offset + i - first] if offset >= 0 else 1.0
            leaves = max((point[i] - 1.0) / cost, 0.0)
            vanishes = point[i] / cost
            if leaves >= high:
                tight += cost
            elif leaves <= low and vanishes >= high:
                linear += cost * point[i]
                slack += cost * cost
            elif vanishes > low:
                working[left] = i
                left += 1
        if points == 0 and left == count:
            break
        count = left
    if slack > 0.0:
        return max((tight + linear - budget) / slack, 0.0)
    return low if high == np.inf else high


@numba.njit(error_model="numpy", fastmath={"reassoc"})
def spend(point, first, end, costs, offset, tau):
    """What z = clip(point - tau * costs) costs, its derivative, and the numbers of literals above 0 and at 1.

    The sums may be taken in any order (`reassoc`), which allows vector instructions. Nothing is stored in these loops:
    with a store, compiled code compares addresses and takes the vectors or not, and the last digit depends on that.
    """
    values = point[first:end]  # slices from 0, or numba's check for negative indices prevents the vectors
    used = 0.0
    slack = 0.0
    positive = 0
    full = 0
    if offset < 0:
        for i in range(end - first):
            value = values[i] - tau
            used += clip(value)
            positive += 1 if value > 0.0 else 0
            full += 1 if value >= 1.0 else 0
        return used, float(positive - full), positive, full
    prices = costs[offset : offset + end - first]
    for i in range(end - first):
        cost = prices[i]
        value = values[i] - tau * cost
        used += cost * clip(value)
        positive += 1 if value > 0.0 else 0
        full += 1 if value >= 1.0 else 0
        slack += cost * cost if 0.0 < value < 1.0 else 0.0
    return used, slack, positive, full


@inner
def buy(point, first, end, costs, offset, tau, z):
    """z = clip(point - tau * costs)."""
    values = point[first:end]
    result = z[first:end]
    if offset < 0:
        for i in range(end - first):
            result[i] = clip(values[i] - tau)
        return
    prices = costs[offset : offset + end - first]
    for i in range(end - first):
        result[i] = clip(values[i] - tau * prices[i])


@inner
def project_knapsack(point, first, end, costs, offset, budget, int_memory, float_memory, z):
    """The projection: z is known once the multiplier tau of the budget is."""
    tau = multiplier(point, first, end, costs, offset, budget, int_memory, float_memory)
    buy(point, first, end, costs, offset, tau, z)
    float_memory[0] = tau


@inner
def multiplier(point, first, end, costs, offset, budget, int_memory, float_memory):
    """Newton's method from the last tau on a piecewise linear decreasing function, else Algorithm 1.

    The sets of full and of positive literals shrink as tau grows, so equal numbers at two taus mean the same piece: the
    step from one to the other was exact.
    """
    tau = float_memory[0]
    low = 0.0
    high = np.inf
    last_positive = -1
    last_full = -1
    for _ in range(NEWTON_PASSES):
        used, slack, positive, full = spend(point, first, end, costs, offset, tau)
        if tau == 0.0 and used <= budget:
            return 0.0
        if used == budget or (positive == last_positive and full == last_full):
            return tau
        last_positive = positive
        last_full = full
        if used > budget:
            low = tau
        else:
            high = tau
        if slack > 0.0:
            tau += (used - budget) / slack
        elif used > budget:
            break
        else:
            tau = low
        if (tau <= low and low > 0.0) or tau >= high:
            tau = 0.5 * (low + high)
            last_positive = -1
        tau = max(tau, 0.0)
    used, slack, positive, full = spend(point, first, end, costs, offset, 0.0)
    if used <= budget:
        return 0.0
    return pardalos_kovoor(point, first, end, costs, offset, budget, int_memory, float_memory[1:])
