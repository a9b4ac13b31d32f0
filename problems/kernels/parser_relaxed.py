"""The features of a fractional solution: those of all its parts, each with its part's posterior.

Posteriors come in the layout of the scores (`parser_parts`), as `part_posteriors` fills them.
"""

from __future__ import annotations

import numpy as np

from .cache import inner, kernel
from .parser_atoms import (
    ANY_SIBLING,
    BIGRAM,
    GRAND_SIBLING,
    GRANDPARENT,
    LOCAL,
    SIBLING,
    TRI_SIBLING,
    count_kinds,
    put_bigram,
    put_grand_siblings,
    put_grandparent,
    put_siblings,
    put_tri_siblings,
)
from .parser_parts import emit_arc, lay_out
from .templates import emit_part

LEAST = 1e-6  # posteriors below it are rounding errors of the solver


@inner
def fill(values, first, last, weight):
    for k in range(first, min(last, len(values))):
        values[k] = weight


@kernel
def relaxed_slots(
    rows,
    kinds,
    heads,
    modifiers,
    order,
    arcs,
    siblings,
    grandparents,
    pairs,
    pair_posteriors,
    bigrams,
    grand_siblings,
    tri_siblings,
    program,
    shift,
    mask,
    slots,
    values,
):
    """Slots and values of all features; order 1, 2, 3 for 2, 2+ and 3. Returns how many, also if there is no room for all."""
    words = len(rows) - 4
    none = len(rows) - 1
    local = np.zeros(LOCAL, dtype=np.int64)
    counts = np.zeros((len(rows) - 2, 3), dtype=np.int64)
    count_kinds(kinds, counts)
    incoming = np.empty(words + 2, dtype=np.int64)
    starts = np.empty(2 * words + 2, dtype=np.int64)
    outgoing = np.empty(len(heads), dtype=np.int64)
    lay_out(words, heads, modifiers, incoming, starts, outgoing)
    count = words - words
    for arc in range(len(heads)):
        if arcs[arc] > LEAST:
            done = count
            count = emit_arc(program, local, rows, counts, heads[arc], modifiers[arc], shift, mask, slots, count)
            fill(values, done, count, arcs[arc])
    s = 0
    p = 0
    g = 0
    t = 0
    for automaton in range(2 * words + 1):
        head = (automaton + 1) >> 1
        right = 1 if automaton == 2 * head else 0
        first, degree = starts[automaton], starts[automaton + 1] - starts[automaton]
        width = degree + 1
        for a in range(width):
            before = modifiers[outgoing[first + a - 1]] if a > 0 else 0
            for b in range(a, width):
                weight = siblings[s + a * width + b]
                if weight > LEAST:
                    after = modifiers[outgoing[first + b]] if b < degree else 0
                    put_siblings(local, rows, head, before, after, right, none)
                    done = count
                    count = emit_part(program, program[SIBLING], local, shift, mask, slots, count)
                    fill(values, done, count, weight)
        s += width * width
        if order == 3:
            for a in range(degree):
                for b in range(a, degree):
                    for c in range(b + 1, width):
                        weight = tri_siblings[t + (a * degree + b) * width + c]
                        if weight > LEAST:
                            before = modifiers[outgoing[first + a]] if a < b else 0
                            second = modifiers[outgoing[first + b]]
                            after = modifiers[outgoing[first + c]] if c < degree else 0
                            put_tri_siblings(local, rows, head, before, second, after, right, none)
                            done = count
                            count = emit_part(program, program[TRI_SIBLING], local, shift, mask, slots, count)
                            fill(values, done, count, weight)
            t += degree * degree * width
        if head == 0:
            continue
        for arc in range(incoming[head], incoming[head + 1]):
            above = heads[arc]
            for b in range(degree):
                weight = grandparents[p + b]
                if weight > LEAST:
                    put_grandparent(local, rows, above, head, modifiers[outgoing[first + b]])
                    done = count
                    count = emit_part(program, program[GRANDPARENT], local, shift, mask, slots, count)
                    fill(values, done, count, weight)
            p += degree
            if order < 3:
                continue
            for a in range(width):
                before = modifiers[outgoing[first + a - 1]] if a > 0 else 0
                for b in range(a, width):
                    weight = grand_siblings[g + a * width + b]
                    if weight > LEAST:
                        after = modifiers[outgoing[first + b]] if b < degree else 0
                        put_grand_siblings(local, rows, above, head, before, after, right, none)
                        done = count
                        count = emit_part(program, program[GRAND_SIBLING], local, shift, mask, slots, count)
                        fill(values, done, count, weight)
            g += width * width
    if order < 2:
        return count
    for k in range(len(pair_posteriors)):
        if pair_posteriors[k] > LEAST:
            one, other = pairs[k, 0], pairs[k, 1]
            right = 1 if modifiers[one] > heads[one] else 0
            put_siblings(local, rows, heads[one], modifiers[one], modifiers[other], right, none)
            done = count
            count = emit_part(program, program[ANY_SIBLING], local, shift, mask, slots, count)
            fill(values, done, count, pair_posteriors[k])
    k = 0
    for word in range(1, words):
        for one in range(incoming[word], incoming[word + 1]):
            for other in range(incoming[word + 1], incoming[word + 2]):
                if bigrams[k] > LEAST:
                    put_bigram(local, rows, word, heads[one], heads[other])
                    done = count
                    count = emit_part(program, program[BIGRAM], local, shift, mask, slots, count)
                    fill(values, done, count, bigrams[k])
                k += 1
    return count
