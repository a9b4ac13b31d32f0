"""Hashed feature templates as data: a program of whole numbers that is run on the atoms of one part.

`atoms` is a short array of 64-bit hashes that describe one part (words, tags, distances ...; see `parsing/templates.py`). A block of
the program is: the number of templates, then for each its seed, the number of atoms it joins, their places, and two places
of closing atoms (the second is -1 where there is none). Every closing atom makes one feature. Features are never written
down to be scored: their weights are summed as they come up. `emit` writes their slots where an update needs them.
"""

from __future__ import annotations

from .cache import inner

MULTIPLIER = -7046029254386353131  # an odd number of 64 bits: 0x9E3779B97F4A7C15


@inner
def mix(value, atom):
    """Join one more atom to a hash (modulo 2^64); the upper bits depend on all that came before."""
    return (value ^ atom) * MULTIPLIER


@inner
def score_part(program, at, atoms, weights, shift):
    """The sum of the weights of all features of a part; `weights` has 2^(64 - shift) entries."""
    mask = len(weights) - 1
    total = 0.0
    templates = program[at]
    at += 1
    for _ in range(templates):
        value = program[at]
        end = at + 2 + program[at + 1]
        for place in range(at + 2, end):
            value = mix(value, atoms[program[place]])
        total += weights[(mix(value, atoms[program[end]]) >> shift) & mask]
        if program[end + 1] >= 0:
            total += weights[(mix(value, atoms[program[end + 1]]) >> shift) & mask]
        at = end + 2
    return total


@inner
def emit_part(program, at, atoms, shift, mask, slots, count):
    """Write the slots of all features of a part behind the `count` that are there; returns how many there are now.

    What does not fit is only counted.
    """
    templates = program[at]
    at += 1
    for _ in range(templates):
        value = program[at]
        end = at + 2 + program[at + 1]
        for place in range(at + 2, end):
            value = mix(value, atoms[program[place]])
        if count < len(slots):
            slots[count] = (mix(value, atoms[program[end]]) >> shift) & mask
        count += 1
        if program[end + 1] >= 0:
            if count < len(slots):
                slots[count] = (mix(value, atoms[program[end + 1]]) >> shift) & mask
            count += 1
        at = end + 2
    return count
