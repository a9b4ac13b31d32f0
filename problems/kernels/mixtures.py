"""The configurations that AD3's local solutions are mixtures of, copied out of the factors' memories."""

from __future__ import annotations

from .active_set import COUNT, ROOM, SLOTS
from .cache import kernel
from .oracles import has_oracle


@kernel
def measure_mixtures(layout, state, starts):
    """Where each factor's configurations begin (a factor with a closed form has none), and how many values they have."""
    values = 0
    starts[0] = 0
    for factor in range(len(layout.codes)):
        count = 0
        if has_oracle(layout.codes[factor]):
            count = state.int_memory[state.int_memory_starts[factor] + COUNT]
        starts[factor + 1] = starts[factor] + count
        values += count * (layout.link_starts[factor + 1] - layout.link_starts[factor])
    return values


@kernel
def copy_mixtures(layout, state, starts, weights, point_starts, points):
    """The weights and the configurations, as values of the factors' literals."""
    place = 0
    for factor in range(len(layout.codes)):
        degree = layout.link_starts[factor + 1] - layout.link_starts[factor]
        ints = state.int_memory_starts[factor]
        floats = state.float_memory_starts[factor]
        for k in range(starts[factor + 1] - starts[factor]):
            room = state.int_memory[ints + ROOM]
            slot = state.int_memory[ints + SLOTS + k]
            atom = floats + 5 * room + 3 * degree + slot * degree
            weights[starts[factor] + k] = state.float_memory[floats + k]
            point_starts[starts[factor] + k] = place
            for i in range(degree):
                points[place + i] = state.float_memory[atom + i]
            place += degree
