"""Scores of all parts of a sentence under a learned model, and the features of one tree.

Atoms of words come as `parser_atoms` says. The tables have the layout of `parsing/automata.py`; here their offsets just run along,
because automata come in order. Entries that no tree can reach stay 0.
"""

from __future__ import annotations

import numpy as np

from .cache import inner, kernel
from .parser_atoms import (
    ANY_SIBLING,
    ARC,
    AROUND,
    ATOMS,
    BETWEEN,
    BIGRAM,
    COARSE_BETWEEN,
    FINE_BETWEEN,
    GRAND_SIBLING,
    GRANDPARENT,
    LOCAL,
    SIBLING,
    TAGS_AROUND,
    TRI_SIBLING,
    count_kinds,
    put_arc,
    put_bigram,
    put_grand_siblings,
    put_grandchild,
    put_grandparent,
    put_head,
    put_modifier,
    put_next_grandchild,
    put_next_head,
    put_next_sibling,
    put_siblings,
    put_third,
    put_tri_siblings,
)
from .templates import begin_run, emit_part, score_in_run, split_block


@inner
def emit_arc(program, local, rows, counts, head, modifier, shift, mask, slots, count):
    put_arc(local, rows, counts, head, modifier)
    count = emit_part(program, program[ARC], local, shift, mask, slots, count)
    low, high = (head, modifier) if head < modifier else (modifier, head)
    for word in range(low + 1, high):
        local[FINE_BETWEEN] = rows[word + 1, 1]
        local[COARSE_BETWEEN] = rows[word + 1, 2]
        count = emit_part(program, program[BETWEEN], local, shift, mask, slots, count)
    return count


@inner
def prepared_runs(program, at, changing):
    """The splits of a block, and room for what its templates have joined at the beginning of a run."""
    splits = np.empty((program[at], 2), dtype=np.int64)
    split_block(program, at, changing, splits)
    return splits, np.empty(program[at], dtype=np.int64)


@inner
def runs_over(program, at, word):
    """The same for runs in which one word of the part changes."""
    changing = np.zeros(LOCAL, dtype=np.bool_)
    changing[ATOMS * word : ATOMS * (word + 1)] = True
    return prepared_runs(program, at, changing)


@kernel
def score_arcs(rows, kinds, heads, modifiers, program, weights, shift):
    """The scores of these arcs alone, a first-order model: head by head, in runs of its modifiers."""
    local = np.zeros(LOCAL, dtype=np.int64)
    counts = np.zeros((len(rows) - 2, 3), dtype=np.int64)
    count_kinds(kinds, counts)
    starts = np.zeros(len(rows) - 1, dtype=np.int64)  # of each head's arcs in `order`
    for arc in range(len(heads)):
        starts[heads[arc] + 2] += 1
    for head in range(1, len(starts)):
        starts[head] += starts[head - 1]
    order = np.empty(len(heads), dtype=np.int64)
    for arc in range(len(heads)):
        order[starts[heads[arc] + 1]] = arc
        starts[heads[arc] + 1] += 1
    arc_block, between_block = program[ARC], program[BETWEEN]
    changing = np.ones(LOCAL, dtype=np.bool_)  # all but the head's
    changing[:ATOMS] = False
    changing[AROUND : AROUND + TAGS_AROUND] = False
    own, own_begun = prepared_runs(program, arc_block, changing)
    between, between_begun = prepared_runs(program, between_block, changing)
    scores = np.empty(len(heads))
    for head in range(len(rows) - 3):
        if starts[head] == starts[head + 1]:
            continue
        put_head(local, rows, head)
        begin_run(program, arc_block, local, own, own_begun)
        begin_run(program, between_block, local, between, between_begun)
        for place in range(starts[head], starts[head + 1]):
            modifier = modifiers[order[place]]
            put_modifier(local, rows, counts, head, modifier)
            total = score_in_run(program, arc_block, local, own, own_begun, weights, shift)
            low, high = (head, modifier) if head < modifier else (modifier, head)
            for word in range(low + 1, high):
                local[FINE_BETWEEN] = rows[word + 1, 1]
                local[COARSE_BETWEEN] = rows[word + 1, 2]
                total += score_in_run(program, between_block, local, between, between_begun, weights, shift)
            scores[order[place]] = total
    return scores


@inner
def lay_out(words, heads, modifiers, incoming, starts, outgoing):
    """Where the arcs into each word begin, and the arcs of each automaton, ordered outward."""
    incoming[:] = 0
    starts[:] = 0
    for arc in range(len(heads)):
        incoming[modifiers[arc] + 1] += 1
        starts[2 * heads[arc] - (1 if modifiers[arc] < heads[arc] else 0) + 1] += 1
    for word in range(words + 1):
        incoming[word + 1] += incoming[word]
    for automaton in range(2 * words + 1):
        starts[automaton + 1] += starts[automaton]
    place = starts.copy()
    for arc in range(len(heads)):
        if modifiers[arc] > heads[arc]:
            outgoing[place[2 * heads[arc]]] = arc
            place[2 * heads[arc]] += 1
    for arc in range(len(heads) - 1, -1, -1):
        if modifiers[arc] < heads[arc]:
            outgoing[place[2 * heads[arc] - 1]] = arc
            place[2 * heads[arc] - 1] += 1


@kernel
def score_parts(rows, heads, modifiers, plus, third, program, weights, shift):
    """Sibling, grandparent, arbitrary sibling and bigram scores (the latter two if `plus`), grand- and tri-siblings (`third`)."""
    words = len(rows) - 4
    none = len(rows) - 1
    local = np.zeros(LOCAL, dtype=np.int64)
    incoming = np.empty(words + 2, dtype=np.int64)  # of word w at w
    starts = np.empty(2 * words + 2, dtype=np.int64)
    outgoing = np.empty(len(heads), dtype=np.int64)
    lay_out(words, heads, modifiers, incoming, starts, outgoing)
    sizes = np.zeros(6, dtype=np.int64)
    for automaton in range(2 * words + 1):
        head = (automaton + 1) >> 1
        degree = starts[automaton + 1] - starts[automaton]
        above = incoming[head + 1] - incoming[head] if head > 0 else 0
        sizes[0] += (degree + 1) * (degree + 1)
        sizes[1] += above * degree
        if plus:
            sizes[2] += degree * (degree - 1) // 2
        if third:
            sizes[4] += above * (degree + 1) * (degree + 1)
            sizes[5] += degree * degree * (degree + 1)
    if plus:
        for word in range(1, words):
            sizes[3] += (incoming[word + 1] - incoming[word]) * (incoming[word + 2] - incoming[word + 1])
    siblings = np.zeros(sizes[0])
    grandparents = np.zeros(sizes[1])
    pairs = np.zeros((sizes[2], 2), dtype=np.int64)
    pair_scores = np.zeros(sizes[2])
    bigrams = np.zeros(sizes[3])
    grand_siblings = np.zeros(sizes[4])
    tri_siblings = np.zeros(sizes[5])
    sizes[:] = 0  # from here on: how far each table has been filled
    sibling_block, grandparent_block, any_block = program[SIBLING], program[GRANDPARENT], program[ANY_SIBLING]
    bigram_block, grand_block, tri_block = program[BIGRAM], program[GRAND_SIBLING], program[TRI_SIBLING]
    sibling_splits, sibling_begun = runs_over(program, sibling_block, 2)
    grandparent_splits, grandparent_begun = runs_over(program, grandparent_block, 2)
    any_splits, any_begun = runs_over(program, any_block, 2)
    bigram_splits, bigram_begun = runs_over(program, bigram_block, 1)
    grand_splits, grand_begun = runs_over(program, grand_block, 3)
    tri_splits, tri_begun = runs_over(program, tri_block, 3)
    for automaton in range(2 * words + 1):
        head = (automaton + 1) >> 1
        right = 1 if automaton == 2 * head else 0
        first, degree = starts[automaton], starts[automaton + 1] - starts[automaton]
        width = degree + 1
        for a in range(width):
            before = modifiers[outgoing[first + a - 1]] if a > 0 else 0
            for b in range(a, width):
                after = modifiers[outgoing[first + b]] if b < degree else 0
                if b > a:
                    put_next_sibling(local, rows, head, before, after, right, none)
                else:
                    put_siblings(local, rows, head, before, after, right, none)
                    begin_run(program, sibling_block, local, sibling_splits, sibling_begun)
                siblings[sizes[0] + a * width + b] = score_in_run(
                    program, sibling_block, local, sibling_splits, sibling_begun, weights, shift
                )
        sizes[0] += width * width
        if plus:
            for a in range(degree):
                for b in range(a + 1, degree):
                    one, other = outgoing[first + a], outgoing[first + b]
                    pairs[sizes[2], 0] = one
                    pairs[sizes[2], 1] = other
                    if b > a + 1:
                        put_next_sibling(local, rows, head, modifiers[one], modifiers[other], right, none)
                    else:
                        put_siblings(local, rows, head, modifiers[one], modifiers[other], right, none)
                        begin_run(program, any_block, local, any_splits, any_begun)
                    pair_scores[sizes[2]] = score_in_run(
                        program, any_block, local, any_splits, any_begun, weights, shift
                    )
                    sizes[2] += 1
        if third:
            for b in range(degree):
                second = modifiers[outgoing[first + b]]
                for a in range(b + 1):
                    before = modifiers[outgoing[first + a]] if a < b else 0
                    for c in range(b + 1, width):
                        after = modifiers[outgoing[first + c]] if c < degree else 0
                        if c > b + 1:
                            put_third(local, rows, after, none)
                        else:
                            put_tri_siblings(local, rows, head, before, second, after, right, none)
                            begin_run(program, tri_block, local, tri_splits, tri_begun)
                        place = sizes[5] + (a * degree + b) * width + c
                        tri_siblings[place] = score_in_run(
                            program, tri_block, local, tri_splits, tri_begun, weights, shift
                        )
            sizes[5] += degree * degree * width
        if head == 0:
            continue
        for arc in range(incoming[head], incoming[head + 1]):
            above = heads[arc]
            begun = False
            for b in range(degree):
                modifier = modifiers[outgoing[first + b]]
                if modifier != above:
                    if begun:
                        put_grandchild(local, rows, above, head, modifier)
                    else:
                        put_grandparent(local, rows, above, head, modifier)
                        begin_run(program, grandparent_block, local, grandparent_splits, grandparent_begun)
                        begun = True
                    grandparents[sizes[1] + b] = score_in_run(
                        program, grandparent_block, local, grandparent_splits, grandparent_begun, weights, shift
                    )
            sizes[1] += degree
            if not third:
                continue
            for a in range(width):
                before = modifiers[outgoing[first + a - 1]] if a > 0 else 0
                if a > 0 and before == above:
                    continue
                begun = False
                for b in range(a, width):
                    after = modifiers[outgoing[first + b]] if b < degree else 0
                    if b < degree and after == above:
                        continue
                    if begun:
                        put_next_grandchild(local, rows, above, head, after, right, none)
                    else:
                        put_grand_siblings(local, rows, above, head, before, after, right, none)
                        begin_run(program, grand_block, local, grand_splits, grand_begun)
                        begun = True
                    place = sizes[4] + a * width + b
                    grand_siblings[place] = score_in_run(
                        program, grand_block, local, grand_splits, grand_begun, weights, shift
                    )
            sizes[4] += width * width
    if plus:
        for word in range(1, words):
            for one in range(incoming[word], incoming[word + 1]):
                for other in range(incoming[word + 1], incoming[word + 2]):
                    if other > incoming[word + 1]:
                        put_next_head(local, rows, word, heads[one], heads[other])
                    else:
                        put_bigram(local, rows, word, heads[one], heads[other])
                        begin_run(program, bigram_block, local, bigram_splits, bigram_begun)
                    bigrams[sizes[3]] = score_in_run(
                        program, bigram_block, local, bigram_splits, bigram_begun, weights, shift
                    )
                    sizes[3] += 1
    return siblings, grandparents, pairs, pair_scores, bigrams, grand_siblings, tri_siblings


@kernel
def tree_slots(rows, kinds, tree, order, program, shift, mask, slots):
    """The slots of all features of a tree, each as often as it occurs; order 0, 1, 2, 3 for 1, 2, 2+ and 3.

    Returns how many there are; if more than `slots` has room for, it has to be called again with more room.
    """
    words = len(tree)
    none = len(rows) - 1
    local = np.zeros(LOCAL, dtype=np.int64)
    counts = np.zeros((len(rows) - 2, 3), dtype=np.int64)
    count_kinds(kinds, counts)
    count = 0
    for word in range(1, words + 1):
        count = emit_arc(program, local, rows, counts, tree[word - 1], word, shift, mask, slots, count)
    if order == 0:
        return count
    chain = np.zeros(words + 1, dtype=np.int64)
    for automaton in range(2 * words + 1):
        head = (automaton + 1) >> 1
        right = 1 if automaton == 2 * head else 0
        length = 0
        if right == 1:
            for word in range(head + 1, words + 1):
                if tree[word - 1] == head:
                    chain[length] = word
                    length += 1
        else:
            for word in range(head - 1, 0, -1):
                if tree[word - 1] == head:
                    chain[length] = word
                    length += 1
        for b in range(length + 1):
            before = chain[b - 1] if b > 0 else 0
            after = chain[b] if b < length else 0
            put_siblings(local, rows, head, before, after, right, none)
            count = emit_part(program, program[SIBLING], local, shift, mask, slots, count)
            if head > 0 and b < length:
                put_grandparent(local, rows, tree[head - 1], head, after)
                count = emit_part(program, program[GRANDPARENT], local, shift, mask, slots, count)
            if order >= 2:
                for a in range(b):
                    if b < length:
                        put_siblings(local, rows, head, chain[a], after, right, none)
                        count = emit_part(program, program[ANY_SIBLING], local, shift, mask, slots, count)
            if order == 3:
                if head > 0:
                    put_grand_siblings(local, rows, tree[head - 1], head, before, after, right, none)
                    count = emit_part(program, program[GRAND_SIBLING], local, shift, mask, slots, count)
                if b > 0:
                    earlier = chain[b - 2] if b > 1 else 0
                    put_tri_siblings(local, rows, head, earlier, before, after, right, none)
                    count = emit_part(program, program[TRI_SIBLING], local, shift, mask, slots, count)
    if order >= 2:
        for word in range(1, words):
            put_bigram(local, rows, word, tree[word - 1], tree[word])
            count = emit_part(program, program[BIGRAM], local, shift, mask, slots, count)
    return count
