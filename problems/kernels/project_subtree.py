"""Projection onto subtree deletion: undeletable arcs contracted, tree-ordered isotonic regression, clipping."""

from __future__ import annotations

from .cache import inner


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
