"""Eisner's algorithm (1996) for the best projective tree, arc-factored and with consecutive siblings, in O(n^3).

The second-order chart is McDonald & Pereira's (2006), with scores at START and END as well: a half of a head is complete
when its END score has been added. Position 0 is the root symbol, which is nobody's modifier. `scores[h, m]` is -inf where
there is no candidate arc. The result is the head of each word, or -1 everywhere if there is no projective tree.
"""

from __future__ import annotations

import numpy as np

from .cache import kernel
from .rows import raise_run


@kernel
def eisner_first(scores, single_root):
    """The best projective tree of an arc-factored model.

    Spans are finished by falling left end and growing right end; a finished one raises a whole run of those that it is a part of.
    The few choices that the tree needs are searched again.
    """
    size = len(scores)
    first = 1 if single_root else 0
    # [i, j] with i < j: the span's head is i in `right`, j in `left`; complete halves and arcs ("incomplete" spans)
    right = np.full(size * size, -np.inf)
    left = np.full(size * size, -np.inf)
    right_arc = np.full(size * size, -np.inf)  # what lies inside, until the arc's turn comes
    left_arc = np.full(size * size, -np.inf)
    for i in range(size - 1, first - 1, -1):
        row = i * size
        right[row + i] = 0.0
        left[row + i] = 0.0
        for j in range(i, size):
            behind = size - 1 - j
            if j > i:
                inside = right_arc[row + j]
                right_arc[row + j] = inside + scores[i, j]
                left_arc[row + j] = inside + scores[j, i]
                left[row + j] = max(left[row + j], left_arc[row + j])
                if left[row + j] > -np.inf:
                    raise_run(left, row + j + 1, left_arc, j * size + j + 1, behind, left[row + j])
                if right_arc[row + j] > -np.inf:
                    raise_run(right, row + j, right, j * size + j, behind + 1, right_arc[row + j])
            if right[row + j] > -np.inf:
                raise_run(right_arc, row + j + 1, left, (j + 1) * size + j + 1, behind, right[row + j])
    heads = np.full(size - 1, -1, dtype=np.int64)
    stack = np.empty((4 * size, 3), dtype=np.int64)  # (kind, i, j): 0 right half, 1 left half, 2 right arc, 3 left arc
    top = 0
    last = size - 1
    if single_root:
        best, at = -np.inf, -1
        for word in range(1, size):
            value = scores[0, word] + left[size + word] + right[word * size + last]
            if value > best:
                best, at = value, word
        if at < 0:
            return heads
        heads[at - 1] = 0
        stack[0, 0], stack[0, 1], stack[0, 2] = 1, 1, at
        stack[1, 0], stack[1, 1], stack[1, 2] = 0, at, last
        top = 2
    else:
        if right[last] == -np.inf:
            return heads
        stack[0, 0], stack[0, 1], stack[0, 2] = 0, 0, last
        top = 1
    while top > 0:
        top -= 1
        kind, i, j = stack[top, 0], stack[top, 1], stack[top, 2]
        if i == j:
            continue
        best, at = -np.inf, i
        if kind == 0:
            for k in range(i + 1, j + 1):
                value = right_arc[i * size + k] + right[k * size + j]
                if value > best:
                    best, at = value, k
            stack[top, 0], stack[top, 1], stack[top, 2] = 2, i, at
            stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2] = 0, at, j
        elif kind == 1:
            for k in range(i, j):
                value = left[i * size + k] + left_arc[k * size + j]
                if value > best:
                    best, at = value, k
            stack[top, 0], stack[top, 1], stack[top, 2] = 1, i, at
            stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2] = 3, at, j
        else:
            if kind == 2:
                heads[j - 1] = i
            else:
                heads[i - 1] = j
            for k in range(i, j):
                value = right[i * size + k] + left[(k + 1) * size + j]
                if value > best:
                    best, at = value, k
            stack[top, 0], stack[top, 1], stack[top, 2] = 0, i, at
            stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2] = 1, at + 1, j
        top += 2
    return heads


@kernel
def eisner_siblings(scores, positions, degrees, starts, siblings, single_root):
    """The best projective tree with consecutive siblings.

    `positions[h, m]` is the place of arc h -> m among the outgoing arcs of its automaton (2h right, 2h - 1 left), `degrees`
    and `starts` are the automata's numbers of outgoing arcs and the offsets of their tables in `siblings`.
    """
    size = len(scores)
    first = 1 if single_root else 0
    right = np.full((size, size), -np.inf)
    left = np.full((size, size), -np.inf)
    right_arc = np.full((size, size), -np.inf)  # head i, its outermost modifier so far is j
    left_arc = np.full((size, size), -np.inf)
    between = np.full((size, size), -np.inf)  # the right half of i and the left half of j: neighbours below one head
    right_at = np.zeros((size, size), dtype=np.int32)
    left_at = np.zeros((size, size), dtype=np.int32)
    right_arc_at = np.zeros((size, size), dtype=np.int32)  # the modifier before; the head itself for START
    left_arc_at = np.zeros((size, size), dtype=np.int32)
    between_at = np.zeros((size, size), dtype=np.int32)
    for i in range(size):
        right[i, i] = siblings[starts[2 * i] + degrees[2 * i]]  # START, END
        if i > 0:
            left[i, i] = siblings[starts[2 * i - 1] + degrees[2 * i - 1]]
    for width in range(1, size - first):
        for i in range(first, size - width):
            j = i + width
            best, at = -np.inf, i
            for k in range(i, j):
                value = right[i, k] + left[k + 1, j]
                if value > best:
                    best, at = value, k
            between[i, j], between_at[i, j] = best, at
            if scores[i, j] > -np.inf:
                columns = degrees[2 * i] + 1
                place = starts[2 * i] + positions[i, j]
                best, at = left[i + 1, j] + siblings[place], i
                for k in range(i + 1, j):
                    value = right_arc[i, k] + between[k, j]
                    if value > -np.inf:
                        value += siblings[place + (positions[i, k] + 1) * columns]
                        if value > best:
                            best, at = value, k
                right_arc[i, j], right_arc_at[i, j] = best + scores[i, j], at
            if scores[j, i] > -np.inf:
                columns = degrees[2 * j - 1] + 1
                place = starts[2 * j - 1] + positions[j, i]
                best, at = right[i, j - 1] + siblings[place], j
                for k in range(i + 1, j):
                    value = left_arc[k, j] + between[i, k]
                    if value > -np.inf:
                        value += siblings[place + (positions[j, k] + 1) * columns]
                        if value > best:
                            best, at = value, k
                left_arc[i, j], left_arc_at[i, j] = best + scores[j, i], at
            best, at = -np.inf, j
            degree, start = degrees[2 * i], starts[2 * i]
            for k in range(i + 1, j + 1):
                value = right_arc[i, k] + right[k, j]
                if value > -np.inf:
                    value += siblings[start + (positions[i, k] + 1) * (degree + 1) + degree]
                    if value > best:
                        best, at = value, k
            right[i, j], right_at[i, j] = best, at
            best, at = -np.inf, i
            degree, start = degrees[2 * j - 1], starts[2 * j - 1]
            for k in range(i, j):
                value = left[i, k] + left_arc[k, j]
                if value > -np.inf:
                    value += siblings[start + (positions[j, k] + 1) * (degree + 1) + degree]
                    if value > best:
                        best, at = value, k
            left[i, j], left_at[i, j] = best, at
    heads = np.full(size - 1, -1, dtype=np.int64)
    stack = np.empty((4 * size, 3), dtype=np.int64)  # as in `eisner_first`; 4 is `between`
    top = 0
    last = size - 1
    if single_root:
        best, at = -np.inf, -1
        degree = degrees[0]
        for word in range(1, size):
            value = scores[0, word] + left[1, word] + right[word, last]
            if value > -np.inf:
                place = starts[0] + positions[0, word]
                end = starts[0] + (positions[0, word] + 1) * (degree + 1) + degree
                value += siblings[place] + siblings[end]
                if value > best:
                    best, at = value, word
        if at < 0:
            return heads
        heads[at - 1] = 0
        stack[0, 0], stack[0, 1], stack[0, 2] = 1, 1, at
        stack[1, 0], stack[1, 1], stack[1, 2] = 0, at, last
        top = 2
    else:
        if right[0, last] == -np.inf:
            return heads
        stack[0, 0], stack[0, 1], stack[0, 2] = 0, 0, last
        top = 1
    while top > 0:
        top -= 1
        kind, i, j = stack[top, 0], stack[top, 1], stack[top, 2]
        if i == j:
            continue
        if kind == 0:
            k = right_at[i, j]
            stack[top, 0], stack[top, 1], stack[top, 2] = 2, i, k
            stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2] = 0, k, j
        elif kind == 1:
            k = left_at[i, j]
            stack[top, 0], stack[top, 1], stack[top, 2] = 1, i, k
            stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2] = 3, k, j
        elif kind == 2:
            heads[j - 1] = i
            k = right_arc_at[i, j]
            if k == i:
                stack[top, 0], stack[top, 1], stack[top, 2] = 1, i + 1, j
                stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2] = 1, j, j
            else:
                stack[top, 0], stack[top, 1], stack[top, 2] = 2, i, k
                stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2] = 4, k, j
        elif kind == 3:
            heads[i - 1] = j
            k = left_arc_at[i, j]
            if k == j:
                stack[top, 0], stack[top, 1], stack[top, 2] = 0, i, j - 1
                stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2] = 0, i, i
            else:
                stack[top, 0], stack[top, 1], stack[top, 2] = 3, k, j
                stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2] = 4, i, k
        else:
            k = between_at[i, j]
            stack[top, 0], stack[top, 1], stack[top, 2] = 0, i, k
            stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2] = 1, k + 1, j
        top += 2
    return heads
