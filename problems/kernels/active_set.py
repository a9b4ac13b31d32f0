"""The generic active set method (Martins et al. 2012; Nocedal & Wright, section 16.4): projections from `maximize` alone.

z is a convex combination of a few configurations, the active set Y with weights alpha. On the active set,

    min over alpha of 1/2 ||Y alpha - point||^2 - scale * own' alpha    subject to sum(alpha) = 1

is a linear system in Y'Y + 11' (positive definite if the configurations are affinely independent), whose Cholesky factor
is kept: a row is appended for a new configuration, Givens rotations close the gap of a removed one. A weight that would
become negative stops the step and removes its configuration. At the minimum the configuration that `maximize` returns for
the scores (point - z) / scale either proves optimality or enters. The set is the warm start of the next call.

- A new configuration that depends on the others (with a better own score than theirs) moves weight along the null
  direction until one of the others leaves.
- The set has room for degree + 2 configurations, at most MOST_CONFIGURATIONS: the degree + 1 that can be independent, and
  one more that takes the place of another. Without it the set of a small factor was full when the last one came, two were
  combined, and the method crept. If a set is full, the two of least weight are replaced by their combination: the point stays, and the method converges still (restricted simplicial decomposition,
  Hearn et al. 1987).
- A dependent one that brings no gain is rounding: the factor is built anew once, then the method ends.

`step` does all of this between two calls of `maximize`; the compiled loop (`project_oracle`) and the class `ActiveSet`, for a `maximize` in
Python, share it. Everything lives in two arrays, and few kernels call each other, because every level of calls is
optimized again by the compiler.

Memory, with room K and degree n. ints: number of configurations, phase, steps, K, most steps, slots (K), then the oracle's
scratch. floats: weights, own scores, gains, two right-hand sides (K each), z, scores, the candidate (n each),
configurations by slot (K n), the Cholesky factor by rows (K (K + 1) / 2), then the oracle's scratch.
"""

from __future__ import annotations

from collections.abc import Callable

import numba
import numpy as np
from numpy.typing import NDArray

from .cache import inner, kernel

MOST_CONFIGURATIONS = 128
TOLERANCE = 1e-12  # of the optimality gap, relative to the scores
STEPS_PER_CALL = 3  # of built-in kinds; AD3 needs no exact projections while its multipliers are far off
DEPENDENT = 1e-9  # relative size of a pivot below which a configuration depends on the others
MOST_STEPS = 4  # per literal, and 100 more; the next call goes on where the last one ended
COUNT, PHASE, STEPS, ROOM, LIMIT, SLOTS = 0, 1, 2, 3, 4, 5  # positions in the ints
BEGIN, GO_ON, REBUILT = 0, 1, 2  # phases; REBUILT is GO_ON after the Cholesky factor was built anew

part = numba.njit(inline="always", error_model="numpy")  # pasted into its only caller: one level of calls less


@inner
def room_for(degree):
    return min(degree + 2, MOST_CONFIGURATIONS)


@inner
def generic_sizes(degree):
    """The ints and floats of an active set without an oracle's scratch."""
    room = room_for(degree)
    return SLOTS + room, 5 * room + 3 * degree + room * degree + room * (room + 1) // 2


@inner
def clear_active_set(room, ints):
    ints[COUNT] = 0
    ints[ROOM] = room
    ints[LIMIT] = STEPS_PER_CALL
    for k in range(room):
        ints[SLOTS + k] = k


@inner
def dot(left, i, right, j, count):
    """The inner product of two runs, with four sums at a time: a single one waits for every addition."""
    one = 0.0
    two = 0.0
    three = 0.0
    four = 0.0
    last = count - count % 4
    for k in range(0, last, 4):
        one += left[i + k] * right[j + k]
        two += left[i + k + 1] * right[j + k + 1]
        three += left[i + k + 2] * right[j + k + 2]
        four += left[i + k + 3] * right[j + k + 3]
    for k in range(last, count):
        one += left[i + k] * right[j + k]
    return (one + two) + (three + four)


# -- steps -------------------------------------------------------------------------------------------------------------


@inner
def append(degree, position, own, weight, ints, floats, point, scale):
    """Append the configuration in the slot of a position, the first free one: its pivot, relative to its norm."""
    room = ints[ROOM]
    atoms = 5 * room + 3 * degree
    factor = atoms + room * degree
    new = atoms + ints[SLOTS + position] * degree
    row = factor + position * (position + 1) // 2
    norm = 1.0 + dot(floats, new, floats, new, degree)
    gain = scale * own + dot(floats, new, point, degree - degree, degree)
    pivot = norm
    for k in range(position):
        old = atoms + ints[SLOTS + k] * degree
        value = 1.0 + dot(floats, old, floats, new, degree)
        other = factor + k * (k + 1) // 2
        for j in range(k):
            value -= floats[other + j] * floats[row + j]
        value /= floats[other + k]
        floats[row + k] = value
        pivot -= value * value
    floats[row + position] = np.sqrt(max(pivot, DEPENDENT * DEPENDENT))
    floats[position] = weight
    floats[room + position] = own
    floats[2 * room + position] = gain
    ints[COUNT] = position + 1
    return pivot / norm


@inner
def remove(degree, position, ints, floats):
    """Take a configuration out of the set: Givens rotations restore the triangle. Its slot becomes the first free one."""
    room = ints[ROOM]
    count = ints[COUNT]
    factor = 5 * room + 3 * degree + room * degree
    for c in range(position, count - 1):
        row = factor + (c + 1) * (c + 2) // 2 + c
        diagonal = floats[row]
        beyond = floats[row + 1]
        length = np.sqrt(diagonal * diagonal + beyond * beyond)
        cosine = diagonal / length
        sine = beyond / length
        for i in range(c + 1, count):
            row = factor + i * (i + 1) // 2 + c
            diagonal = floats[row]
            beyond = floats[row + 1]
            floats[row] = cosine * diagonal + sine * beyond
            floats[row + 1] = cosine * beyond - sine * diagonal
    for i in range(position, count - 1):
        row = factor + i * (i + 1) // 2
        for j in range(i + 1):
            floats[row + j] = floats[row + i + 1 + j]
    slot = ints[SLOTS + position]
    for k in range(position, count - 1):
        ints[SLOTS + k] = ints[SLOTS + k + 1]
        floats[k] = floats[k + 1]
        floats[room + k] = floats[room + k + 1]
        floats[2 * room + k] = floats[2 * room + k + 1]
    ints[SLOTS + count - 1] = slot
    ints[COUNT] = count - 1


@inner
def solve(degree, count, ints, floats):
    """The weights that minimize over the affine hull of the set, in the first right-hand side.

    For a count of one less than the set's: the last configuration in terms of the others instead.
    """
    room = ints[ROOM]
    factor = 5 * room + 3 * degree + room * degree
    left = 3 * room
    ones = 4 * room
    if count < ints[COUNT]:
        row = factor + count * (count + 1) // 2
        for k in range(count):
            floats[left + k] = floats[row + k]
    else:
        inner = 0.0
        norm = 0.0
        for k in range(count):
            row = factor + k * (k + 1) // 2
            value = floats[2 * room + k]
            one = 1.0
            for j in range(k):
                value -= floats[row + j] * floats[left + j]
                one -= floats[row + j] * floats[ones + j]
            value /= floats[row + k]
            one /= floats[row + k]
            floats[left + k] = value
            floats[ones + k] = one
            inner += value * one
            norm += one * one
        multiplier = (1.0 - inner) / norm
        for k in range(count):
            floats[left + k] += multiplier * floats[ones + k]
    for k in range(count - 1, -1, -1):
        row = factor + k * (k + 1) // 2
        value = floats[left + k] / floats[row + k]
        floats[left + k] = value
        for j in range(k):
            floats[left + j] -= floats[row + j] * value


@part
def make_room(degree, ints, floats, point, scale):
    """The two configurations of least weight become one, their combination."""
    room = ints[ROOM]
    count = ints[COUNT]
    first = 0 if floats[0] <= floats[1] else 1
    second = 1 - first
    for k in range(2, count):
        if floats[k] < floats[first]:
            second = first
            first = k
        elif floats[k] < floats[second]:
            second = k
    first, second = min(first, second), max(first, second)
    weight = floats[first] + floats[second]
    share = floats[first] / weight if weight > 0.0 else 0.5
    own = share * floats[room + first] + (1.0 - share) * floats[room + second]
    atoms = 5 * room + 3 * degree
    one = atoms + ints[SLOTS + first] * degree
    two = atoms + ints[SLOTS + second] * degree
    for i in range(degree):
        floats[one + i] = share * floats[one + i] + (1.0 - share) * floats[two + i]
    remove(degree, second, ints, floats)
    remove(degree, first, ints, floats)
    append(degree, count - 2, own, weight, ints, floats, point, scale)


@part
def take_in(degree, own, ints, floats, point, scale):
    """Let the candidate enter, unless it maximizes the scores no better than z: whether it did."""
    room = ints[ROOM]
    count = ints[COUNT]
    z = 5 * room
    scores = z + degree
    candidate = z + 2 * degree
    atoms = z + 3 * degree
    gain = own
    magnitude = abs(own)
    for k in range(count):
        gain -= floats[k] * floats[room + k]
        magnitude = max(magnitude, abs(floats[room + k]))
    for i in range(degree):
        gain += floats[scores + i] * (floats[candidate + i] - floats[z + i])
        magnitude = max(magnitude, abs(floats[scores + i]))
    tolerance = TOLERANCE * (magnitude + 1.0 / scale)
    ints[STEPS] += 1
    if count > 0 and (gain <= tolerance or ints[STEPS] > MOST_STEPS * degree + 100):
        return False
    if count == room:
        make_room(degree, ints, floats, point, scale)
        count = ints[COUNT]
    slot = ints[SLOTS + count]
    for i in range(degree):
        floats[atoms + slot * degree + i] = floats[candidate + i]
    weight = 1.0 if count == 0 else 0.0
    if append(degree, count, own, weight, ints, floats, point, scale) > DEPENDENT:
        return True
    # a combination of the others: move weight to it until one of them is left with none
    solve(degree, count, ints, floats)
    shares = 3 * room
    gain = own
    leaving = count
    step = 1.0
    for k in range(count):
        share = floats[shares + k]
        gain -= share * floats[room + k]
        if share > 1e-7 and (leaving == count or floats[k] < step * share):
            leaving = k
            step = floats[k] / share
    if gain > tolerance and leaving < count:
        for k in range(count):
            floats[k] = max(floats[k] - step * floats[shares + k], 0.0)
        ints[COUNT] = count  # remove the one, append the other anew
        remove(degree, leaving, ints, floats)
        last = SLOTS + count
        ints[last - 1], ints[last] = ints[last], ints[last - 1]
        append(degree, count - 1, own, step, ints, floats, point, scale)
        return True
    ints[COUNT] = count
    if ints[PHASE] == REBUILT:
        return False
    ints[PHASE] = REBUILT
    for k in range(count):
        append(degree, k, floats[room + k], floats[k], ints, floats, point, scale)
    return True


@inner
def step(degree, own, ints, floats, point, scale):
    """From the candidate that maximizes the scores, and its own score, to the next z and scores; False if z is final.

    In phase BEGIN there is no candidate yet: the set is that of the last call.
    """
    room = ints[ROOM]
    z = 5 * room
    scores = z + degree
    atoms = z + 3 * degree
    if ints[PHASE] == BEGIN:
        ints[PHASE] = GO_ON
        ints[STEPS] = 0
        for k in range(ints[COUNT]):
            atom = atoms + ints[SLOTS + k] * degree
            floats[2 * room + k] = scale * floats[room + k] + dot(floats, atom, point, degree - degree, degree)
    elif not take_in(degree, own, ints, floats, point, scale):
        return False
    target = 3 * room
    count = ints[COUNT]
    blocking = count - 1
    while blocking >= 0:
        solve(degree, count, ints, floats)
        length = 1.0
        blocking = count - count - 1  # not a literal, for which numba would compile `remove` once more
        for k in range(count):
            weight = floats[k]
            goal = floats[target + k]
            if goal < 0.0 and weight < length * (weight - goal):
                length = weight / (weight - goal)
                blocking = k
        for k in range(count):
            floats[k] = max(floats[k] + length * (floats[target + k] - floats[k]), 0.0)
        if blocking >= 0:
            remove(degree, blocking, ints, floats)
            count -= 1
    for i in range(degree):
        floats[z + i] = 0.0
    total = 0.0
    for k in range(count):
        total += floats[k]
    for k in range(count):
        floats[k] /= total
        atom = atoms + ints[SLOTS + k] * degree
        for i in range(degree):
            floats[z + i] += floats[k] * floats[atom + i]
    for i in range(degree):
        floats[scores + i] = (point[i] - floats[z + i]) / scale
    return True


# -- foreign factors ---------------------------------------------------------------------------------------------------

Floats = NDArray[np.float64]


@kernel
def sizes_from_python(degree):
    return generic_sizes(degree)


@kernel
def room_from_python(degree):
    return room_for(degree)


@kernel
def clear_from_python(room, ints):
    clear_active_set(room, ints)


@kernel
def step_from_python(degree, own, ints, floats, point, scale):
    return step(degree, own, ints, floats, point, scale)


class ActiveSet:
    """The active set of one factor whose `maximize(scores) -> (configuration, own score)` is a Python callable."""

    def __init__(self, degree: int) -> None:
        self.degree = degree
        int_count, float_count = sizes_from_python(degree)
        self._ints = np.zeros(int_count, dtype=np.int64)
        self._floats = np.zeros(float_count)
        clear_from_python(room_from_python(degree), self._ints)

    def __len__(self) -> int:
        return int(self._ints[COUNT])

    def project(self, point: Floats, scale: float, maximize: Callable[[Floats], tuple[Floats, float]]) -> Floats:
        """The minimizer of 1/2 ||z - point||^2 - scale * own(z), starting from the last call's configurations."""
        target = np.ascontiguousarray(point, dtype=np.float64)
        start = 5 * int(self._ints[ROOM])
        z, scores, candidate = self._floats[start : start + 3 * self.degree].reshape(3, -1)
        self._ints[PHASE] = BEGIN
        own = 0.0
        while step_from_python(self.degree, own, self._ints, self._floats, target, float(scale)):
            configuration, value = maximize(scores.copy())
            candidate[:] = configuration
            own = float(value)
        return z.copy()
