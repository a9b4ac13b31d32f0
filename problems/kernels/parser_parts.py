"""Scores of all parts of a sentence under a learned model, and the features of one tree.

`rows` has the atoms of each word (`parsing/atoms.py`): row 0 stands before the root symbol, row 1 is the root symbol, row w + 1 is word
w, then comes one row behind the last word and one for "no word" (START and END). `kinds` says which words are verbs (1),
punctuation (2) or conjunctions (3). The tables have the layout of `parsing/automata.py`; here their offsets just run along, because
automata come in order. Entries that no tree can reach stay 0.
"""

from __future__ import annotations

import numpy as np

from .cache import inner, kernel
from .templates import MULTIPLIER, emit_part, score_part

ATOMS = 4  # of a word: form, fine tag, coarse tag, suffix
AROUND = 24  # behind six words: fine and coarse tags before and behind the first two words
SIDE, SPAN, VERBS, STOPS, LINKS, OTHER, FINE_BETWEEN, COARSE_BETWEEN = 32, 33, 34, 35, 36, 37, 38, 39
LOCAL = 40  # atoms of a part in all
# the blocks of a program, in the order of `parsing/templates.py`
ARC, BETWEEN, SIBLING, GRANDPARENT, ANY_SIBLING, BIGRAM, GRAND_SIBLING, TRI_SIBLING, LABEL = range(9)


@inner
def code(value):
    """A small number as an atom."""
    return (value + 1) * MULTIPLIER


@inner
def put(local, place, rows, row):
    """The atoms of one word as the part's word number `place`."""
    for atom in range(ATOMS):
        local[ATOMS * place + atom] = rows[row, atom]


@inner
def put_around(local, place, rows, row):
    """The tags of the words before and behind a row."""
    at = AROUND + ATOMS * place
    last = len(rows) - 1
    before = row - 1 if row > 0 else 0
    behind = row + 1 if row < last else last
    local[at] = rows[before, 1]
    local[at + 1] = rows[behind, 1]
    local[at + 2] = rows[before, 2]
    local[at + 3] = rows[behind, 2]


@inner
def distance_bin(distance):
    """1 to 5 as they are, then 6-7, 8-10, 11-15, 16-20, 21-30 and more."""
    if distance <= 5:
        return distance
    if distance <= 7:
        return 6
    if distance <= 10:
        return 7
    if distance <= 15:
        return 8
    if distance <= 20:
        return 9
    if distance <= 30:
        return 10
    return 11


@inner
def few(value):
    return value if value < 3 else 3


@inner
def put_arc(local, rows, counts, head, modifier):
    """Everything about an arc but the words between its ends."""
    put(local, 0, rows, head + 1)
    put(local, 1, rows, modifier + 1)
    put_around(local, 0, rows, head + 1)
    put_around(local, 1, rows, modifier + 1)
    right = 1 if modifier > head else 0
    low, high = (head, modifier) if head < modifier else (modifier, head)
    far = 0 if head == 0 else distance_bin(high - low)
    local[SIDE] = code(right)
    local[SPAN] = code(2 + 2 * far + right)
    local[VERBS] = code(100 + few(counts[high, 0] - counts[low + 1, 0]))
    local[STOPS] = code(110 + few(counts[high, 1] - counts[low + 1, 1]))
    local[LINKS] = code(120 + few(counts[high, 2] - counts[low + 1, 2]))


@inner
def count_kinds(kinds, counts):
    """counts[w] = how many verbs, punctuation marks and conjunctions there are before word w."""
    counts[0] = 0
    if len(counts) > 1:
        counts[1] = 0
    for word in range(1, len(counts) - 1):
        for kind in range(3):
            counts[word + 1, kind] = counts[word, kind] + (1 if kinds[word] == kind + 1 else 0)


@inner
def score_arc(program, local, rows, counts, head, modifier, weights, shift):
    put_arc(local, rows, counts, head, modifier)
    total = score_part(program, program[ARC], local, weights, shift)
    between = program[BETWEEN]
    low, high = (head, modifier) if head < modifier else (modifier, head)
    for word in range(low + 1, high):
        local[FINE_BETWEEN] = rows[word + 1, 1]
        local[COARSE_BETWEEN] = rows[word + 1, 2]
        total += score_part(program, between, local, weights, shift)
    return total


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
def put_siblings(local, rows, head, first, second, right, none):
    """Two modifiers of a head, consecutive or not; 0 is START or END."""
    put(local, 0, rows, head + 1)
    put(local, 1, rows, first + 1 if first > 0 else none)
    put(local, 2, rows, second + 1 if second > 0 else none)
    local[SIDE] = code(right)
    start = first if first > 0 else head
    local[SPAN] = code(2 + 2 * (distance_bin(abs(second - start)) if second > 0 else 0) + right)


@inner
def put_grandparent(local, rows, grandparent, head, modifier):
    put(local, 0, rows, grandparent + 1)
    put(local, 1, rows, head + 1)
    put(local, 2, rows, modifier + 1)
    order = (4 if grandparent < head else 0) + (2 if head < modifier else 0) + (1 if grandparent < modifier else 0)
    local[SIDE] = code(order)
    local[SPAN] = code(8 + 8 * (0 if grandparent == 0 else distance_bin(abs(grandparent - modifier))) + order)


@inner
def put_grand_siblings(local, rows, grandparent, head, first, second, right, none):
    put(local, 0, rows, grandparent + 1)
    put(local, 1, rows, head + 1)
    put(local, 2, rows, first + 1 if first > 0 else none)
    put(local, 3, rows, second + 1 if second > 0 else none)
    beyond = 1 if second > 0 and (grandparent < second) != (grandparent < head) else 0
    local[SIDE] = code(4 * beyond + 2 * right + (1 if grandparent < head else 0))


@inner
def put_tri_siblings(local, rows, head, first, second, third, right, none):
    put(local, 0, rows, head + 1)
    put(local, 1, rows, first + 1 if first > 0 else none)
    put(local, 2, rows, second + 1)
    put(local, 3, rows, third + 1 if third > 0 else none)
    local[SIDE] = code(right)


@inner
def put_bigram(local, rows, word, head, next_head):
    """The heads of a word and of the one after it."""
    put(local, 0, rows, head + 1)
    put(local, 1, rows, next_head + 1)
    put(local, 2, rows, word + 1)
    put(local, 3, rows, word + 2)
    how = 0
    if head == next_head:
        how = 1
    elif head == word + 1:
        how = 2
    elif next_head == word:
        how = 3
    elif head < next_head:
        how = 4
    sides = 4 * how + (2 if head > word else 0) + (1 if next_head > word + 1 else 0)
    local[SIDE] = code(sides)
    near = 3 * min(abs(head - word), 3) + min(abs(next_head - word - 1), 3)
    local[SPAN] = code(32 + 32 * near + sides)


@kernel
def score_arcs(rows, kinds, heads, modifiers, program, weights, shift):
    """The scores of these arcs alone: a first-order model."""
    local = np.zeros(LOCAL, dtype=np.int64)
    counts = np.zeros((len(rows) - 2, 3), dtype=np.int64)
    count_kinds(kinds, counts)
    scores = np.empty(len(heads))
    for arc in range(len(heads)):
        scores[arc] = score_arc(program, local, rows, counts, heads[arc], modifiers[arc], weights, shift)
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
    for automaton in range(2 * words + 1):
        head = (automaton + 1) >> 1
        right = 1 if automaton == 2 * head else 0
        first, degree = starts[automaton], starts[automaton + 1] - starts[automaton]
        width = degree + 1
        for a in range(width):
            before = modifiers[outgoing[first + a - 1]] if a > 0 else 0
            for b in range(a, width):
                after = modifiers[outgoing[first + b]] if b < degree else 0
                put_siblings(local, rows, head, before, after, right, none)
                siblings[sizes[0] + a * width + b] = score_part(program, program[SIBLING], local, weights, shift)
        sizes[0] += width * width
        if plus:
            for a in range(degree):
                for b in range(a + 1, degree):
                    one, other = outgoing[first + a], outgoing[first + b]
                    pairs[sizes[2], 0] = one
                    pairs[sizes[2], 1] = other
                    put_siblings(local, rows, head, modifiers[one], modifiers[other], right, none)
                    pair_scores[sizes[2]] = score_part(program, program[ANY_SIBLING], local, weights, shift)
                    sizes[2] += 1
        if third:
            for b in range(degree):
                second = modifiers[outgoing[first + b]]
                for a in range(b + 1):
                    before = modifiers[outgoing[first + a]] if a < b else 0
                    for c in range(b + 1, width):
                        after = modifiers[outgoing[first + c]] if c < degree else 0
                        put_tri_siblings(local, rows, head, before, second, after, right, none)
                        place = sizes[5] + (a * degree + b) * width + c
                        tri_siblings[place] = score_part(program, program[TRI_SIBLING], local, weights, shift)
            sizes[5] += degree * degree * width
        if head == 0:
            continue
        for arc in range(incoming[head], incoming[head + 1]):
            above = heads[arc]
            for b in range(degree):
                modifier = modifiers[outgoing[first + b]]
                if modifier != above:
                    put_grandparent(local, rows, above, head, modifier)
                    grandparents[sizes[1] + b] = score_part(program, program[GRANDPARENT], local, weights, shift)
            sizes[1] += degree
            if not third:
                continue
            for a in range(width):
                before = modifiers[outgoing[first + a - 1]] if a > 0 else 0
                if a > 0 and before == above:
                    continue
                for b in range(a, width):
                    after = modifiers[outgoing[first + b]] if b < degree else 0
                    if b < degree and after == above:
                        continue
                    put_grand_siblings(local, rows, above, head, before, after, right, none)
                    place = sizes[4] + a * width + b
                    grand_siblings[place] = score_part(program, program[GRAND_SIBLING], local, weights, shift)
            sizes[4] += width * width
    if plus:
        for word in range(1, words):
            for one in range(incoming[word], incoming[word + 1]):
                for other in range(incoming[word + 1], incoming[word + 2]):
                    put_bigram(local, rows, word, heads[one], heads[other])
                    bigrams[sizes[3]] = score_part(program, program[BIGRAM], local, weights, shift)
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
