"""Projections of kinds without a closed form of ours: the active set method on their oracles."""

from __future__ import annotations

from .active_set import BEGIN, COUNT, LIMIT, PHASE, ROOM, SLOTS, STEPS, generic_sizes, step
from .cache import inner
from .oracles import best_configuration, scratch_sizes


@inner
def active_set_sizes(code, degree, ints):
    int_count, float_count = generic_sizes(degree)
    more_ints, more_floats = scratch_sizes(code, degree, ints)
    return int_count + more_ints, float_count + more_floats


@inner
def project_by_active_set(code, degree, point, scale, parameters, table, ints, floats, z):
    """The minimizer over the factor's polytope, as far as STEPS_PER_CALL steps lead; whether that is all the way."""
    zero = degree - degree
    end = len(parameters)
    table_end = len(table)
    room = ints[ROOM]
    start = 5 * room
    scores = start + degree
    candidate = scores + degree
    i = SLOTS + room
    f = candidate + degree + room * degree + room * (room + 1) // 2
    ints[PHASE] = BEGIN
    own = 0.0
    finished = True
    known = False  # is the candidate for the first z known already?
    if ints[COUNT] == 1:  # mostly the only configuration stays the best one, which takes no more than asking for it
        atom = candidate + degree + ints[SLOTS] * degree
        for k in range(degree):
            floats[scores + k] = (point[k] - floats[atom + k]) / scale
        own = best_configuration(
            code, degree, parameters, zero, end, table, zero, table_end, ints, i, floats, scores, f
        )
        known = True
        same = True
        for k in range(degree):
            z[k] = floats[atom + k]
            if floats[candidate + k] != z[k]:
                same = False
        if same:
            ints[STEPS] = 1
            return True
    while step(degree, own, ints, floats, point, scale):
        if ints[STEPS] >= ints[LIMIT]:
            finished = False
            break
        if not known:
            own = best_configuration(
                code, degree, parameters, zero, end, table, zero, table_end, ints, i, floats, scores, f
            )
        known = False
    for k in range(degree):
        z[k] = floats[start + k]
    return finished
