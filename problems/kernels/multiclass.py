"""Linear classifiers with hashed features and many classes: the tagger and the labels of arcs.

A feature's weights for the classes lie one behind the other from a hashed place on (modulo the array's length), so that
scoring all classes reads a few cache lines. Runs of different features may overlap: such collisions are as harmless as
those of any hashing.
"""

from __future__ import annotations

import numpy as np

from .cache import inner, kernel
from .parser_atoms import LABEL, LOCAL, OTHER, code, count_kinds, put, put_arc
from .templates import emit_part

WORD_ATOMS = 9  # of a word for the tagger
WINDOW = 5  # words around the one that is tagged
LAST, LAST_BUT_ONE = 45, 46  # places of the tags before it
TAGGER_LOCAL = 48  # the last is always 0
MOST_FEATURES = 256


@inner
def class_scores(slots, number, weights, scores):
    mask = len(weights) - 1
    scores[:] = 0.0
    for k in range(number):
        first = slots[k]
        if first + len(scores) <= len(weights):
            for label in range(len(scores)):
                scores[label] += weights[np.uint64(first + label)]
        else:
            for label in range(len(scores)):
                scores[label] += weights[(first + label) & mask]


@inner
def best_class(scores):
    best = 0
    for label in range(1, len(scores)):
        if scores[label] > scores[best]:
            best = label
    return best


@inner
def best_of(scores, allowed):
    """The best class of those that are allowed; there must be one."""
    best = -1
    for label in range(len(scores)):
        if allowed[label] and (best < 0 or scores[label] > scores[best]):
            best = label
    return best


@inner
def correct(slots, number, gold, predicted, time, weights, totals):
    """The perceptron's update."""
    mask = len(weights) - 1
    for k in range(number):
        place = (slots[k] + gold) & mask
        weights[place] += 1.0
        totals[place] += time
        place = (slots[k] + predicted) & mask
        weights[place] -= 1.0
        totals[place] -= time


@kernel
def tag_words(rows, program, weights, totals, shift, classes, allowed, gold, time):
    """Tags of a sentence from left to right; where `gold` is given, learn from every mistake (with the tags so far as predicted).

    `rows` has two rows before and two behind the words. `allowed` says which tags each word may have; without rows, any. Returns
    the tags.
    """
    words = len(rows) - 4
    local = np.zeros(TAGGER_LOCAL, dtype=np.int64)
    slots = np.zeros(MOST_FEATURES, dtype=np.int64)
    scores = np.zeros(classes)
    tags = np.empty(words, dtype=np.int64)
    mask = len(weights) - 1
    last, before = -1, -1
    for word in range(words):
        for offset in range(WINDOW):
            for atom in range(WORD_ATOMS):
                local[WORD_ATOMS * offset + atom] = rows[word + offset, atom]
        local[LAST] = code(last + 1)
        local[LAST_BUT_ONE] = code(1000 + before)
        number = emit_part(program, program[0], local, shift, mask, slots, 0)
        class_scores(slots, number, weights, scores)
        found = best_of(scores, allowed[word]) if len(allowed) > 0 else best_class(scores)
        if len(gold) > 0 and gold[word] != found:
            correct(slots, number, gold[word], found, time + word, weights, totals)
        tags[word] = found
        before, last = last, found
    return tags


@inner
def relatives(tree, family, sides):
    """Of each word: its outermost children to the left and to the right, and the modifier before it on the same side (or 0).

    `sides` counts the modifiers on both sides of each head.
    """
    words = len(tree)
    family[:] = 0
    sides[:] = 0
    last = np.zeros((words + 1, 2), dtype=np.int64)
    for word in range(1, words + 1):
        head = tree[word - 1]
        side = 1 if word > head else 0
        if side == 0 and sides[head, 0] == 0:
            family[head, 0] = word
        if side == 1:
            family[head, 1] = word
        family[word, 2] = last[head, side]
        last[head, side] = word
        sides[head, side] += 1


@inner
def put_label(local, rows, counts, tree, word, family, sides, none):
    """An arc with the grandparent, the modifier's outermost children and its neighbour below the same head."""
    head = tree[word - 1]
    put_arc(local, rows, counts, head, word)
    put(local, 2, rows, tree[head - 1] + 1 if head > 0 else none)
    for k in range(3):
        put(local, 3 + k, rows, family[word, k] + 1 if family[word, k] > 0 else none)
    local[OTHER] = code(200 + min(sides[head, 1 if word > head else 0] - 1, 4))


@kernel
def label_arcs(rows, kinds, tree, program, weights, totals, shift, classes, gold, time):
    """The label of each word's arc; where `gold` is given, learn from every mistake (none is one where it is negative)."""
    none = len(rows) - 1
    local = np.zeros(LOCAL, dtype=np.int64)
    counts = np.zeros((len(rows) - 2, 3), dtype=np.int64)
    count_kinds(kinds, counts)
    slots = np.zeros(MOST_FEATURES, dtype=np.int64)
    scores = np.zeros(classes)
    labels = np.empty(len(tree), dtype=np.int64)
    mask = len(weights) - 1
    family = np.empty((len(tree) + 1, 3), dtype=np.int64)
    sides = np.empty((len(tree) + 1, 2), dtype=np.int64)
    relatives(tree, family, sides)
    for word in range(1, len(tree) + 1):
        put_label(local, rows, counts, tree, word, family, sides, none)
        number = emit_part(program, program[LABEL], local, shift, mask, slots, 0)
        class_scores(slots, number, weights, scores)
        found = best_class(scores)
        if len(gold) > 0 and gold[word - 1] >= 0 and gold[word - 1] != found:
            correct(slots, number, gold[word - 1], found, time + word, weights, totals)
        labels[word - 1] = found
    return labels
