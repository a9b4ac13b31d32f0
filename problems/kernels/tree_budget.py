"""Trees and a budget together: no node without its parent, and all nodes within the budget. AD3's hub where a graph has both.

Projection: for a price of cost the trees are independent, and each is a weighted isotonic regression (as `project_subtree`), clipped.
What that costs falls with the price, piecewise linearly; Newton's method starts from the price of the last call. Nodes that are 0
take no part in the regression: x is above 0 on the smallest set of nodes, closed under parents, with the largest sum of
weight * point, and one pass over the trees finds it. Summaries leave most sentences out.

Maximization: the linear program's value is the least over all prices of  price * budget + the best subtrees' gains less their
costs. The price is where the lines of two sets of nodes meet, one above the budget and one within it.
"""

from __future__ import annotations

import numpy as np

from .cache import inner
from .project_logic import clip

STEPS = 100
MERGED = -2  # the heap of a node that is not the first of its block
EXACT = 1e-12  # the least tolerance
PRICE, TOLERANCE, WEIGHTS = 0, 1, 2  # of the floats of a factor's memory: where these begin; then 5 runs of scratch


@inner
def tree_budget_memory(degree):
    """Ints: what the hub keeps of each variable, 3 runs of heaps, and the nodes above 0. Floats: see above."""
    return 5 * degree, 2 + 6 * degree


@inner
def meld_blocks(one, two, means, down, across):
    """Two pairing heaps in one; -1 is the empty heap."""
    if one < 0:
        return two
    if two < 0:
        return one
    ordered = means[one] >= means[two]
    top = one if ordered else two
    other = two if ordered else one
    across[other] = down[top]
    down[top] = other
    return top


@inner
def find_positive(gains, parents, totals, nodes):
    """Fill in the nodes that are above 0, parents first, and return how many; `totals` of all others are at most 0.

    The total of a node is its own gain and the positive totals of its children.
    """
    for i in range(len(gains)):
        totals[i] = gains[i]
    for i in range(len(gains) - 1, -1, -1):
        if parents[i] >= 0:
            totals[parents[i]] += max(totals[i], 0.0)
    count = 0
    for i in range(len(gains)):
        if parents[i] >= 0 and totals[parents[i]] <= 0.0:
            totals[i] = 0.0
        if totals[i] > 0.0:
            nodes[count] = i
            count += 1
    return count


@inner
def regress(nodes, parents, weights, costs, sums, sizes, means, dear, heap, down, across):
    """Weighted isotonic regression of these nodes (see `project_subtree`). `sums` are the weights times the points.

    Every node starts a block; `sizes` are the blocks' weights, `dear` their costs.
    """
    for i in nodes:
        sizes[i] = weights[i]
        dear[i] = costs[i]
        heap[i] = -1
    for k in range(len(nodes) - 1, -1, -1):
        i = nodes[k]
        total = sums[i]
        size = sizes[i]
        cost = dear[i]
        mean = total / size
        top = heap[i]
        while top >= 0 and means[top] > mean:
            total += sums[top]
            size += sizes[top]
            cost += dear[top]
            mean = total / size
            rest = heap[top]
            child = down[top]
            while child >= 0:
                other = across[child]
                following = -1
                if other >= 0:
                    following = across[other]
                    child = meld_blocks(child, other, means, down, across)
                rest = meld_blocks(rest, child, means, down, across)
                child = following
            heap[top] = MERGED
            top = rest
        sums[i] = total
        sizes[i] = size
        means[i] = mean
        dear[i] = cost
        heap[i] = top
        down[i] = -1
        across[i] = -1
        if parents[i] >= 0:
            heap[parents[i]] = meld_blocks(heap[parents[i]], i, means, down, across)


@inner
def spend_on_trees(point, parents, costs, price, ints, floats):
    """The projection onto the trees at this price, left in `means`; what it costs, the slope of this, and how many are above 0."""
    count = len(point)
    heap, down, across, nodes = ints[count:], ints[2 * count :], ints[3 * count :], ints[4 * count :]
    weights, sums, sizes = floats[WEIGHTS:], floats[WEIGHTS + count :], floats[WEIGHTS + 2 * count :]
    means, dear, gains = floats[WEIGHTS + 3 * count :], floats[WEIGHTS + 4 * count :], floats[WEIGHTS + 5 * count :]
    for i in range(count):
        gains[i] = weights[i] * point[i] - price * costs[i]
    left = find_positive(gains[:count], parents, means, nodes)
    for k in range(left):
        sums[nodes[k]] = gains[nodes[k]]
    regress(nodes[:left], parents, weights, costs, sums, sizes, means, dear, heap, down, across)
    used = 0.0
    slope = 0.0
    for k in range(left):
        i = nodes[k]
        if heap[i] == MERGED:
            means[i] = means[parents[i]]
        else:
            used += dear[i] * clip(means[i])
            slope += dear[i] * dear[i] / sizes[i] if means[i] < 1.0 else 0.0
    return used, slope, left


@inner
def project_tree_budget(point, parents, costs, budget, ints, floats, z):
    """The nearest point in the metric of the weights. The price is kept for the next call; the tolerance is relative to the budget."""
    count = len(point)
    price = floats[PRICE]
    allowed = max(floats[TOLERANCE], EXACT) * budget
    low = 0.0
    high = np.inf
    left = 0
    rest = 0.0  # a last step of Newton's method, within the linear piece
    for _ in range(STEPS):
        used, slope, left = spend_on_trees(point, parents, costs, price, ints, floats)
        if price == 0.0 and used < budget:
            break
        if abs(used - budget) <= allowed:
            rest = max((used - budget) / slope, -price) if slope > 0.0 else 0.0
            break
        if used > budget:
            low = price
        else:
            high = price
        step = price + (used - budget) / slope if slope > 0.0 else -1.0
        if step == price:
            break
        if step <= low or step >= high:
            if low == 0.0 and used < budget and slope > 0.0:
                step = 0.0
            else:
                step = 0.5 * (low + high) if high < np.inf else 2.0 * low + 1.0
                if step <= low or step >= high:
                    break
        price = step
    floats[PRICE] = price + rest
    heap, nodes, sizes = ints[count:], ints[4 * count :], floats[WEIGHTS + 2 * count :]
    means, dear = floats[WEIGHTS + 3 * count :], floats[WEIGHTS + 4 * count :]
    for i in range(count):
        z[i] = 0.0
    for k in range(left):
        i = nodes[k]
        parent = parents[i]
        if heap[i] == MERGED:
            z[i] = z[parent]
        else:
            value = clip(means[i] - rest * dear[i] / sizes[i])
            z[i] = min(value, z[parent]) if parent >= 0 else value


@inner
def best_trees(scores, parents, costs, price, gains, totals, nodes, chosen):
    """Mark the best set of nodes at this price; returns its score, its cost, and what it is worth less the price."""
    for i in range(len(scores)):
        gains[i] = scores[i] - price * costs[i]
        chosen[i] = 0.0
    score = 0.0
    cost = 0.0
    for k in range(find_positive(gains, parents, totals, nodes)):
        chosen[nodes[k]] = 1.0
        score += scores[nodes[k]]
        cost += costs[nodes[k]]
    worth = 0.0
    for i in range(len(scores)):
        worth += max(totals[i], 0.0) if parents[i] < 0 else 0.0
    return score, cost, worth


@inner
def maximize_tree_budget(scores, parents, costs, budget, point):
    """The linear program's value and a best point: a mixture of two sets of nodes, one above the budget and one within it."""
    count = len(scores)
    gains, totals, above, within, found = (
        np.empty(count),
        np.empty(count),
        np.empty(count),
        np.empty(count),
        np.empty(count),
    )
    nodes = np.empty(count, dtype=np.int64)
    most, dear, value = best_trees(scores, parents, costs, 0.0, gains, totals, nodes, above)
    for i in range(count):
        point[i] = above[i]
        within[i] = 0.0
    if dear <= budget:
        return value
    least = 0.0  # no node at all
    cheap = 0.0
    for _ in range(STEPS):
        price = (most - least) / (dear - cheap)
        score, cost, worth = best_trees(scores, parents, costs, price, gains, totals, nodes, found)
        value = min(value, worth + price * budget)
        if score - price * cost <= (most - price * dear) + 1e-14 * (abs(most) + price * dear):
            break
        if cost > budget:
            most = score
            dear = cost
            above, found = found, above
        else:
            least = score
            cheap = cost
            within, found = found, within
    share = (budget - cheap) / (dear - cheap)
    for i in range(count):
        point[i] = share * above[i] + (1.0 - share) * within[i]
    return value
