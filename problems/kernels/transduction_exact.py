"""The exact dynamic program of tree transduction with bigrams: items with their first and last kept word.

An item has a value for keeping nothing, and a square table over its own words: [first, last] kept word, in layers by the
number of kept words (layer c is for c + 1) where the length is fixed, in one layer where it is free. Two tails are joined by
two max-plus products with the bigrams in between.
"""

from __future__ import annotations

import numpy as np

from .cache import inner, kernel
from .stacks import put3


@kernel
def measure(starts, word, tails, length, low, width, layers, offset):
    """The words below each item (`low` and how many), its layers, and where its table starts; returns the floats in all.

    A tail's words lie inside those of the item, so that widths grow upwards.
    """
    total = 0
    for item in range(len(starts) - 1):
        least = len(word) + 1
        most = 0
        if word[item] >= 0:
            least = most = word[item] + 1
        for edge in range(starts[item], starts[item + 1]):
            for k in range(2):
                tail = tails[edge, k]
                if width[tail] > 0:
                    least = min(least, low[tail])
                    most = max(most, low[tail] + width[tail] - 1)
        if most > 0:
            low[item] = least
            width[item] = most - least + 1
            layers[item] = min(length, width[item]) if length > 0 else 1
        offset[item] = total
        total += width[item] * width[item] * layers[item]
    return total


@inner
def lift(table, source, low1, width1, layers1, target, low2, width2, layers2, worth):
    """Take over the states of one tail where the other keeps nothing."""
    for layer in range(min(layers1, layers2)):
        for f in range(width1):
            base = source + (layer * width1 + f) * width1
            to = target + (layer * width2 + f + low1 - low2) * width2 + low1 - low2
            for g in range(f, width1):
                value = table[base + g] + worth
                if value > table[to + g]:
                    table[to + g] = value


@kernel
def fill(starts, word, tails, scores, bigrams, reward, length, low, width, layers, offset, empty, table, joined):
    """All items in order; `joined` is room for a square of the largest width."""
    fixed = length > 0
    empty[0] = 0.0
    for item in range(1, len(starts) - 1):
        here, least, wide, deep = offset[item], low[item], width[item], layers[item]
        for edge in range(starts[item], starts[item + 1]):
            score = scores[edge]
            if word[item] >= 0:
                table[here] = max(table[here], score + reward)
                continue
            one, two = tails[edge, 0], tails[edge, 1]
            empty[item] = max(empty[item], score + empty[one] + empty[two])
            low1, wide1, low2, wide2 = low[one], width[one], low[two], width[two]
            if empty[two] > -np.inf:
                lift(table, offset[one], low1, wide1, layers[one], here, least, wide, deep, score + empty[two])
            if empty[one] > -np.inf:
                lift(table, offset[two], low2, wide2, layers[two], here, least, wide, deep, score + empty[one])
            if wide1 == 0 or wide2 == 0:
                continue
            for c in range(layers[one]):
                for f in range(wide1):
                    row = f * wide2
                    for g in range(wide2):
                        joined[row + g] = -np.inf
                    base = offset[one] + (c * wide1 + f) * wide1
                    for last in range(f, wide1):
                        value = table[base + last] + score
                        if value > -np.inf:
                            for g in range(wide2):
                                joined[row + g] = max(joined[row + g], value + bigrams[low1 + last, low2 + g])
                for d in range(layers[two]):
                    layer = c + d + 1 if fixed else 0
                    if layer >= deep:
                        break
                    for f in range(wide1):
                        to = here + (layer * wide + f + low1 - least) * wide + low2 - least
                        for g in range(wide2):
                            value = joined[f * wide2 + g]
                            if value > -np.inf:
                                base = offset[two] + (d * wide2 + g) * wide2
                                for last in range(g, wide2):
                                    table[to + last] = max(table[to + last], value + table[base + last])


@kernel
def best_state(items, bigrams, length, low, width, layers, offset, table, state):
    """The best first and last word (and layer) of the goal, with the bigrams of the start and end symbols."""
    goal = items - 1
    end = len(bigrams) - 1
    found = -np.inf
    layer = length - 1 if length > 0 else 0
    if layer >= layers[goal]:
        return found
    wide = width[goal]
    for f in range(wide):
        for g in range(f, wide):
            value = bigrams[0, low[goal] + f] + table[offset[goal] + (layer * wide + f) * wide + g]
            value += bigrams[low[goal] + g, end]
            if value > found:
                found = value
                state[0], state[1], state[2] = low[goal] + f, low[goal] + g, layer
    return found


@inner
def entry(table, low, width, layers, offset, item, first, last, layer):
    """The value of a state, -inf where the item has no such state."""
    f = first - low[item]
    g = last - low[item]
    if f < 0 or g < f or g >= width[item] or layer >= layers[item]:
        return -np.inf
    return table[offset[item] + (layer * width[item] + f) * width[item] + g]


@kernel
def trace(starts, word, tails, scores, bigrams, length, low, width, layers, offset, empty, table, state, edges):
    """Marks the edges behind the goal's state. Choices are searched again: that is cheaper than to store them all."""
    fixed = length > 0
    items = len(starts) - 1
    states = np.zeros((items, 3), dtype=np.int64)  # first, last, layer; first 0: keeps nothing
    used = np.zeros(items, dtype=np.bool_)
    used[items - 1] = True
    put3(states, items - 1, state[0], state[1], state[2])
    left = np.zeros(3, dtype=np.int64)
    right = np.zeros(3, dtype=np.int64)
    for item in range(items - 1, 0, -1):
        if not used[item]:
            continue
        first, last, layer = states[item, 0], states[item, 1], states[item, 2]
        best = -np.inf
        chosen = -1
        for edge in range(starts[item], starts[item + 1]):
            one, two = tails[edge, 0], tails[edge, 1]
            score = scores[edge]
            if first == 0 or word[item] >= 0:
                value = score + empty[one] + empty[two]
                if value > best:
                    best, chosen = value, edge
                    left[0] = right[0] = 0
                continue
            value = score + empty[two] + entry(table, low, width, layers, offset, one, first, last, layer)
            if value > best:
                best, chosen = value, edge
                left[0], left[1], left[2], right[0] = first, last, layer, 0
            value = score + empty[one] + entry(table, low, width, layers, offset, two, first, last, layer)
            if value > best:
                best, chosen = value, edge
                left[0], right[0], right[1], right[2] = 0, first, last, layer
            if first < low[one] or last >= low[two] + width[two] or width[two] == 0:
                continue
            for c in range(min(layers[one], layer) if fixed else 1):
                d = layer - 1 - c if fixed else 0
                for i in range(first, low[one] + width[one]):
                    before = entry(table, low, width, layers, offset, one, first, i, c) + score
                    if before == -np.inf:
                        continue
                    for j in range(low[two], last + 1):
                        value = before + bigrams[i, j] + entry(table, low, width, layers, offset, two, j, last, d)
                        if value > best:
                            best, chosen = value, edge
                            left[0], left[1], left[2] = first, i, c
                            right[0], right[1], right[2] = j, last, d
        edges[chosen] = True
        one, two = tails[chosen, 0], tails[chosen, 1]
        used[one] = used[two] = True
        put3(states, one, left[0], left[1], left[2])
        put3(states, two, right[0], right[1], right[2])
