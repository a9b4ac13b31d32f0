"""The `project` face in compiled code: the quadratic problem of one factor in AD3 (Eq. 3 of the turbo parser paper).

With the square completed, a factor minimizes 1/2 ||z - point||^2 - scale * own(z) over its polytope, where `own` are the
factor's own scores (none for hard constraints) and `scale` is 1/eta. Every kernel works on literals: a negated link has
been turned to 1 - a already. Kernels of closed forms take a run first:end of flat arrays, which spares the slices.

A factor has memory of its own across calls: scratch, what `prepare_factor` found out once, and a warm start.

    knapsack, budget   ints: working set (n)                  floats: last tau, split points (2n)
    subtree            ints: units, unit of each node (n),    floats: size of each unit, sums, sizes and means of
                       parents (n), heaps (3n)                        blocks, the point with own scores (n each)
    dense, hull        see `active_set`
    all others         nothing
"""

from __future__ import annotations

import numba
import numpy as np

from .active_set import active_set_sizes, clear_active_set, part, project_by_active_set, room_for
from .cache import inner, kernel
from .codes import AT_MOST_ONE, BUDGET, DENSE, KNAPSACK, KNAPSACK_HULL, OR, OR_OUT, PAIR, SUBTREE, XOR

NEWTON_PASSES = 10


@inner
def clip(value):
    return min(max(value, 0.0), 1.0)


# -- logic factors (Martins et al. 2011b) ------------------------------------------------------------------------------


@inner
def onto_simplex(z, first, end):
    """Project z[first:end] in place: Michelot's removal of what lies below the threshold, O(n) expected.

    Values count from the largest one: whoever is 1 or more below it is zero anyway, so that the sums stay small whatever
    the magnitude of the point.
    """
    top = z[first]
    for i in range(first + 1, end):
        top = max(top, z[i])
    total = 0.0
    count = 0
    for i in range(first, end):
        below = z[i] - top
        z[i] = below
        total += below if below > -1.0 else 0.0  # no branches: they would be mispredicted
        count += 1 if below > -1.0 else 0
    threshold = (total - 1.0) / max(count, 1)
    while True:
        total = 0.0
        kept = 0
        for i in range(first, end):
            total += z[i] if z[i] > threshold else 0.0
            kept += 1 if z[i] > threshold else 0
        if kept >= count or kept == 0:
            break
        count = kept
        threshold = (total - 1.0) / count
    for i in range(first, end):
        z[i] = max(z[i] - threshold, 0.0)


@inner
def project_xor(point, first, end, z):
    for i in range(first, end):
        z[i] = point[i]
    onto_simplex(z, first, end)


@inner
def project_at_most_one(point, first, end, z):
    """The positive part, unless it sums to more than 1: then the row is tight."""
    total = 0.0
    for i in range(first, end):
        z[i] = max(point[i], 0.0)
        total += z[i]
    if total > 1.0:
        project_xor(point, first, end, z)


@inner
def project_or(point, first, end, z):
    """The clipped point, unless it sums to less than 1: then the row is tight."""
    total = 0.0
    for i in range(first, end):
        z[i] = clip(point[i])
        total += z[i]
    if total < 1.0:
        project_xor(point, first, end, z)


@inner
def project_or_out_of_two(point, first, z):
    """`project_or_out` for two inputs, the most frequent factor of all, almost without branches.

    With so few values, both thresholds are maxima over the sizes of the sets that they are means of.
    """
    one = point[first]
    two = point[first + 1]
    base = point[first + 2]
    output = max(base, 0.5 * (base + max(one, two)), (base + one + two) / 3.0)
    z_one = clip(min(one, output))
    z_two = clip(min(two, output))
    z_output = clip(output)
    # the simplex of one, two and the turned output
    turned = 1.0 - base
    top = max(one, two, turned)
    one -= top
    two -= top
    turned -= top
    total = one + two + turned
    threshold = max(-1.0, 0.5 * (total - min(one, two, turned) - 1.0), (total - 1.0) / 3.0)
    tight = z_one + z_two < z_output
    z[first] = max(one - threshold, 0.0) if tight else z_one
    z[first + 1] = max(two - threshold, 0.0) if tight else z_two
    z[first + 2] = 1.0 - max(turned - threshold, 0.0) if tight else z_output


@inner
def project_or_out(point, first, end, z):
    """Rows: input <= output, output <= sum of the inputs. Three exclusive cases.

    If clipping breaks neither row, it is the projection. If some input exceeds the output, project onto the cone of the
    first rows and clip (which is exact: clipping commutes with isotonic regression); an input that was lowered to the
    output then satisfies the second row. Otherwise the second row is tight, and it is a simplex in which the output is
    turned (the first rows follow).
    """
    if end - first == 3:
        project_or_out_of_two(point, first, z)
        return
    last = end - 1
    output = clip(point[last])
    total = 0.0
    top = 0.0
    for i in range(first, last):
        value = clip(point[i])
        z[i] = value
        total += value
        top = max(top, value)
    z[last] = output
    if top > output:
        # the output is the mean of itself and of the inputs above it; the mean rises as inputs drop out of the set
        base = point[last]
        rise = 0.0
        count = end - first
        while True:
            total = 0.0
            above = 0
            for i in range(first, last):
                excess = point[i] - base
                total += excess if excess > rise else 0.0
                above += 1 if excess > rise else 0
            if above >= count:
                break
            count = above
            rise = total / (1 + above)
        output = base + rise
        for i in range(first, last):
            z[i] = clip(min(point[i], output))
        z[last] = clip(output)
    elif total < output:
        for i in range(first, last):
            z[i] = point[i]
        z[last] = 1.0 - point[last]
        onto_simplex(z, first, end)
        z[last] = 1.0 - z[last]


# -- budget and knapsack (appendix A of Almeida & Martins) -------------------------------------------------------------


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
def spend(point, first, end, costs, offset, tau, z):
    """z = clip(point - tau * costs): what it costs, its derivative, and the numbers of literals above 0 and at 1.

    The sums may be taken in any order (`reassoc`), which allows vector instructions.
    """
    values = point[first:end]  # slices from 0, or numba's check for negative indices prevents the vectors
    result = z[first:end]
    used = 0.0
    slack = 0.0
    positive = 0
    full = 0
    if offset < 0:
        for i in range(end - first):
            value = values[i] - tau
            result[i] = clip(value)
            used += clip(value)
            positive += 1 if value > 0.0 else 0
            full += 1 if value >= 1.0 else 0
        return used, float(positive - full), positive, full
    prices = costs[offset : offset + end - first]
    for i in range(end - first):
        cost = prices[i]
        value = values[i] - tau * cost
        result[i] = clip(value)
        used += cost * clip(value)
        positive += 1 if value > 0.0 else 0
        full += 1 if value >= 1.0 else 0
        slack += cost * cost if 0.0 < value < 1.0 else 0.0
    return used, slack, positive, full


@inner
def project_knapsack(point, first, end, costs, offset, budget, int_memory, float_memory, z):
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
        used, slack, positive, full = spend(point, first, end, costs, offset, tau, z)
        if tau == 0.0 and used <= budget:
            float_memory[0] = 0.0
            return
        if used == budget or (positive == last_positive and full == last_full):
            float_memory[0] = tau
            return
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
    used, slack, positive, full = spend(point, first, end, costs, offset, 0.0, z)
    tau = 0.0
    if used > budget:
        tau = pardalos_kovoor(point, first, end, costs, offset, budget, int_memory, float_memory[1:])
        spend(point, first, end, costs, offset, tau, z)
    float_memory[0] = tau


# -- pair --------------------------------------------------------------------------------------------------------------


@inner
def project_pair(point, first, score, z):
    """Both literals are pulled up together by an attractive score; a repulsive one is attractive if one is turned.

    score * max(0, z1 + z2 - 1) = score * z1 - score * min(z1, 1 - z2).
    """
    one = point[first]
    two = point[first + 1]
    repulsive = score < 0.0
    if repulsive:
        one += score
        two = 1.0 - two
        score = -score
    if one > two + score:
        two += score
    elif two > one + score:
        one += score
    else:
        one = 0.5 * (one + two + score)
        two = one
    z[first] = clip(one)
    z[first + 1] = 1.0 - clip(two) if repulsive else clip(two)


# -- subtree deletion --------------------------------------------------------------------------------------------------


@inner
def contract_tree(degree, ints, int_memory, float_memory):
    """Units: nodes tied by undeletable arcs. Their numbers are in preorder as well."""
    units = 0
    for i in range(degree):
        parent = ints[i]
        if parent >= 0 and ints[degree + i] > 0:
            unit = int_memory[1 + parent]
            float_memory[unit] += 1.0
        else:
            unit = units
            units += 1
            float_memory[unit] = 1.0
            int_memory[1 + degree + unit] = int_memory[1 + parent] if parent >= 0 else -1
        int_memory[1 + i] = unit
    int_memory[0] = units


@inner
def project_subtree(point, int_memory, float_memory, z):
    """Isotonic regression on the contracted tree (no child above its parent), then clipping. No deletion scores.

    Bottom-up, each unit starts a block; while the highest block below exceeds it, that block is merged and the blocks
    below that come into view (Pardalos & Xue 1999). The blocks below are kept in a pairing heap. A merged block's mean
    exceeds the final mean of where it went, so the values follow top-down as the least mean on the way to the root.
    """
    count = len(point)
    units = int_memory[0]
    parents = 1 + count
    heap = 1 + 2 * count  # the root of each unit's heap of blocks below; then the heaps' links down and across
    down = 1 + 3 * count
    across = 1 + 4 * count
    sums = count
    sizes = 2 * count
    means = 3 * count
    for u in range(units):
        float_memory[sums + u] = 0.0
        float_memory[sizes + u] = float_memory[u]
        int_memory[heap + u] = -1
    for i in range(count):
        float_memory[sums + int_memory[1 + i]] += point[i]
    for u in range(units - 1, -1, -1):
        total = float_memory[sums + u]
        size = float_memory[sizes + u]
        mean = total / size
        top = int_memory[heap + u]
        while top >= 0 and float_memory[means + top] > mean:
            total += float_memory[sums + top]
            size += float_memory[sizes + top]
            mean = total / size
            # what is left of this heap, melded pairwise, and then the heap of the merged block
            rest = int_memory[heap + top]
            child = int_memory[down + top]
            while child >= 0:
                other = int_memory[across + child]
                following = -1
                if other >= 0:
                    following = int_memory[across + other]
                    child = meld(child, other, means, down, across, int_memory, float_memory)
                rest = meld(rest, child, means, down, across, int_memory, float_memory)
                child = following
            top = rest
        float_memory[sums + u] = total
        float_memory[sizes + u] = size
        float_memory[means + u] = mean
        int_memory[heap + u] = top
        int_memory[down + u] = -1
        int_memory[across + u] = -1
        parent = int_memory[parents + u]
        if parent >= 0:
            int_memory[heap + parent] = meld(
                int_memory[heap + parent], u, means, down, across, int_memory, float_memory
            )
    for u in range(units):
        parent = int_memory[parents + u]
        limit = float_memory[means + parent] if parent >= 0 else 1.0
        float_memory[means + u] = max(min(float_memory[means + u], limit), 0.0)
    for i in range(count):
        z[i] = float_memory[means + int_memory[1 + i]]


@inner
def meld(one, two, means, down, across, int_memory, float_memory):
    """Two pairing heaps in one; -1 is the empty heap."""
    if one < 0:
        return two
    if two < 0:
        return one
    ordered = float_memory[means + one] >= float_memory[means + two]
    top = one if ordered else two
    other = two if ordered else one
    int_memory[across + other] = int_memory[down + top]
    int_memory[down + top] = other
    return top


# -- all kinds ---------------------------------------------------------------------------------------------------------


@kernel
def memory_sizes(code, degree, ints):
    """How many ints and floats of memory a factor needs."""
    if code in (BUDGET, KNAPSACK):
        return degree, 1 + 2 * degree
    if code == SUBTREE:
        return 1 + 5 * degree, 5 * degree
    if code in (DENSE, KNAPSACK_HULL):
        return active_set_sizes(code, degree, ints)
    return 0, 0


@kernel
def prepare_factor(code, degree, ints, floats, int_memory, float_memory):
    """Fill a factor's memory before its first projection."""
    if code in (BUDGET, KNAPSACK):
        float_memory[0] = 0.0
    elif code == SUBTREE:
        contract_tree(degree, ints, int_memory, float_memory)
    elif code in (DENSE, KNAPSACK_HULL):
        clear_active_set(room_for(degree), int_memory)


@kernel
def project_factor_folded(code, point, scale, ints, floats, int_memory, float_memory, z):
    """`project_factor` for a point that holds linear own scores (those of a subtree) already."""
    count = len(point)
    first = count - count  # not a literal 0, for which numba would compile everything once more
    if code == OR_OUT:
        project_or_out(point, first, count, z)
    elif code == XOR:
        project_xor(point, first, count, z)
    elif code == AT_MOST_ONE:
        project_at_most_one(point, first, count, z)
    elif code == OR:
        project_or(point, first, count, z)
    elif code == SUBTREE:
        project_subtree(point, int_memory, float_memory, z)
    elif code == PAIR:
        project_pair(point, first, scale * floats[0], z)
    elif code == BUDGET:
        project_knapsack(point, first, count, floats, first - 1, float(ints[0]), int_memory, float_memory, z)
    elif code == KNAPSACK:
        project_knapsack(point, first, count, floats, first + 1, floats[0], int_memory, float_memory, z)
    elif code in (DENSE, KNAPSACK_HULL):
        project_by_active_set(code, point, scale, ints, floats, int_memory, float_memory, z)
    else:
        raise ValueError("unknown factor code")


@part
def project_factor(code, point, scale, ints, floats, int_memory, float_memory, z):
    """The minimizer z of 1/2 ||z - point||^2 - scale * own(z) over the factor's polytope."""
    count = len(point)
    shifted = point
    if code == SUBTREE:
        shifted = float_memory[4 * count : 5 * count]
        for i in range(count):
            shifted[i] = point[i]
        for i in range(1, count):
            shifted[ints[i]] += scale * floats[i]
            shifted[i] -= scale * floats[i]
    project_factor_folded(code, shifted, scale, ints, floats, int_memory, float_memory, z)


@kernel
def project_block(code, starts, negated, int_starts, ints, float_starts, floats, points, scale, z):
    """`project_factor` for all factors of a block, each from a fresh memory, in terms of variables: fills z."""
    most_ints = 0
    most_floats = 0
    longest = 0
    for f in range(len(starts) - 1):
        degree = starts[f + 1] - starts[f]
        int_count, float_count = memory_sizes(code, degree, ints[int_starts[f] : int_starts[f + 1]])
        most_ints = max(most_ints, int_count)
        most_floats = max(most_floats, float_count)
        longest = max(longest, degree)
    int_memory = np.empty(most_ints, dtype=np.int64)
    float_memory = np.empty(most_floats)
    literals = np.empty(longest)
    for f in range(len(starts) - 1):
        first = starts[f]
        degree = starts[f + 1] - first
        own_ints = ints[int_starts[f] : int_starts[f + 1]]
        own_floats = floats[float_starts[f] : float_starts[f + 1]]
        for i in range(degree):
            literals[i] = 1.0 - points[first + i] if negated[first + i] else points[first + i]
        prepare_factor(code, degree, own_ints, own_floats, int_memory, float_memory)
        project_factor(
            code,
            literals[:degree],
            scale,
            own_ints,
            own_floats,
            int_memory,
            float_memory,
            z[first : first + degree],
        )
        for link in range(first, first + degree):
            if negated[link]:
                z[link] = 1.0 - z[link]
