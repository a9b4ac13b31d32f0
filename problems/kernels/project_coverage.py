"""Projection onto coverage: 1/2 ||z - point||^2 - score * or(z) over the cube, where or(z) is the concave closure of "any literal".

A positive score is worth score * min(1, sum of z), a negative one costs -score * max(z): what is left of `or_out` when nothing else
links its output, which is then maximized out instead of being drawn to where it was.
"""

from __future__ import annotations

import numpy as np

from .cache import inner
from .project_logic import clip, onto_simplex


@inner
def coverage_of_two(one, two, score):
    """`project_coverage` for two literals, without arrays."""
    if score < 0.0:
        most = max(max(one, two) + score, 0.5 * (one + two + score))
        return clip(min(one, most)), clip(min(two, most))
    z_one = clip(one)
    z_two = clip(two)
    if z_one + z_two >= 1.0:
        return z_one, z_two
    raised_one = max(one + score, 0.0)
    raised_two = max(two + score, 0.0)
    if raised_one + raised_two <= 1.0:
        return raised_one, raised_two
    z_one = clip(0.5 * (1.0 + one - two))
    return z_one, 1.0 - z_one


@inner
def project_coverage(point, first, end, score, z):
    """Three cases of a positive score: covered already, not covered for the whole score, or just covered (a simplex)."""
    if end - first == 2:
        z[first], z[first + 1] = coverage_of_two(point[first], point[first + 1], score)
        return
    if score < 0.0:
        most = highest(point, first, end, -score)
        for i in range(first, end):
            z[i] = clip(min(point[i], most))
        return
    total = 0.0
    raised = 0.0
    for i in range(first, end):
        z[i] = clip(point[i])
        total += z[i]
        raised += max(point[i] + score, 0.0)
    if total >= 1.0:
        return
    if raised <= 1.0:
        for i in range(first, end):
            z[i] = max(point[i] + score, 0.0)
        return
    for i in range(first, end):
        z[i] = point[i]
    onto_simplex(z, first, end)


@inner
def highest(point, first, end, price):
    """The value at which literals are cut off: what they exceed it by sums to the price (Michelot's removal, as on the simplex)."""
    most = -np.inf
    count = end - first + 1
    while True:
        total = 0.0
        above = 0
        for i in range(first, end):
            total += point[i] if point[i] > most else 0.0
            above += 1 if point[i] > most else 0
        if above >= count or above == 0:
            return most
        count = above
        most = (total - price) / above
