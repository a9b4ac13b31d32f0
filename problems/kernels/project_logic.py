"""Projections onto logic factors (Martins et al. 2011b) and pairs: closed forms on a run first:end of flat arrays."""

from __future__ import annotations

from .cache import inner


@inner
def clip(value):
    return min(max(value, 0.0), 1.0)


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
def or_out_of_two(one, two, base):
    """`project_or_out` for two inputs and the output, the most frequent factor of all, without arrays and almost without branches.

    With so few values, both thresholds are maxima over the sizes of the sets that they are means of.
    """
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
    return (
        max(one - threshold, 0.0) if tight else z_one,
        max(two - threshold, 0.0) if tight else z_two,
        1.0 - max(turned - threshold, 0.0) if tight else z_output,
    )


@inner
def project_or_out(point, first, end, z):
    """Rows: input <= output, output <= sum of the inputs. Three exclusive cases.

    If clipping breaks neither row, it is the projection. If some input exceeds the output, project onto the cone of the
    first rows and clip (which is exact: clipping commutes with isotonic regression); an input that was lowered to the
    output then satisfies the second row. Otherwise the second row is tight, and it is a simplex in which the output is
    turned (the first rows follow).
    """
    if end - first == 3:
        z[first], z[first + 1], z[first + 2] = or_out_of_two(point[first], point[first + 1], point[first + 2])
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


@inner
def pair(one, two, score):
    """Both literals are pulled up together by an attractive score; a repulsive one is attractive if one is turned.

    score * max(0, z1 + z2 - 1) = score * z1 - score * min(z1, 1 - z2).
    """
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
    return clip(one), 1.0 - clip(two) if repulsive else clip(two)


@inner
def project_pair(point, first, score, z):
    z[first], z[first + 1] = pair(point[first], point[first + 1], score)
