"""Hashed feature templates as data: a program of whole numbers that is run on the atoms of one part.

`atoms` is a short array of 64-bit hashes that describe one part (words, tags, distances ...; see `parsing/templates.py`). A block of
the program is: the number of templates, then for each its seed, the number of atoms it joins, their places, and two places
of closing atoms (the second is -1 where there is none). Every closing atom makes one feature. Features are never written
down to be scored: their weights are summed as they come up. `emit` writes their slots where an update needs them.
"""

from __future__ import annotations

import numpy as np

from .cache import inner

MULTIPLIER = -7046029254386353131  # an odd number of 64 bits: 0x9E3779B97F4A7C15


@inner
def mix(value, atom):
    """Join one more atom to a hash (modulo 2^64); the upper bits depend on all that came before."""
    return (value ^ atom) * MULTIPLIER


@inner
def split_block(program, at, changing, splits):
    """Per template of a block: where the first of its atoms is that changes within a run, and where its atoms end.

    Parts are scored in runs that differ in the atoms of one word only, the one that an inner loop goes over. What a template joins
    before the first of them is the same for the whole run (`begin_run`), and each part only joins the rest (`score_in_run`).
    """
    templates = program[at]
    at += 1
    for template in range(templates):
        end = at + 2 + program[at + 1]
        split = at + 2
        while split < end and not changing[program[split]]:
            split += 1
        splits[template, 0] = split
        splits[template, 1] = end
        at = end + 2


@inner
def begin_run(program, at, atoms, splits, begun):
    """The hashes of all templates of a block up to their splits."""
    place = at + 1
    for template in range(program[at]):
        value = program[place]
        for k in range(place + 2, splits[template, 0]):
            value = mix(value, atoms[program[k]])
        begun[template] = value
        place = splits[template, 1] + 2


@inner
def score_in_run(program, at, atoms, splits, begun, weights, shift):
    """The sum of the weights of all features of a part; `weights` has 2^(64 - shift) entries."""
    mask = len(weights) - 1
    total = 0.0
    for template in range(program[at]):
        value = begun[template]
        end = splits[template, 1]
        for k in range(splits[template, 0], end):
            value = mix(value, atoms[np.uint64(program[np.uint64(k)])])
        closing = atoms[np.uint64(program[np.uint64(end)])]
        total += weights[np.uint64((mix(value, closing) >> shift) & mask)]
        second = program[np.uint64(end + 1)]
        if second >= 0:
            total += weights[np.uint64((mix(value, atoms[np.uint64(second)]) >> shift) & mask)]
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
