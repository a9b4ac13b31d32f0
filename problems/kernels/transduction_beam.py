"""Beam search with cube pruning (Chiang 2007; Huang & Chiang 2007) for tree transduction with bigrams or trigrams.

A hypothesis of an item keeps its first two and last two kept words (first and last for bigrams), and their number where the
length is fixed. All edges of an item share one heap: a cursor per row of each edge's square of tail hypotheses. Candidates
are taken from it until `width` different states have been found; equal states are recombined.

    hypothesis   first, second, last but one, last (0 where there is none), words kept, edge, hypotheses of the two tails
"""

from __future__ import annotations

import numpy as np

from .cache import inner, kernel

FIELDS = 8
NO_ESTIMATE, BEST, MEAN = 0, 1, 2


@inner
def join(bigrams, trigrams, states, one, two, made):
    """The state of two hypotheses side by side is written to `made`; returns the n-grams that are now complete."""
    if states[two, 0] == 0 or states[one, 0] == 0:
        kept = two if states[one, 0] == 0 else one
        for k in range(5):
            made[k] = states[kept, k]
        return 0.0
    made[0], made[3] = states[one, 0], states[two, 3]
    made[4] = states[one, 4] + states[two, 4]
    if len(trigrams) == 0:
        made[1] = made[2] = 0
        return bigrams[states[one, 3], states[two, 0]]
    made[1] = states[one, 1] if states[one, 1] > 0 else states[two, 0]
    made[2] = states[two, 2] if states[two, 2] > 0 else states[one, 3]
    worth = 0.0
    if states[one, 2] > 0:
        worth += trigrams[states[one, 2], states[one, 3], states[two, 0]]
    if states[two, 1] > 0:
        worth += trigrams[states[one, 3], states[two, 0], states[two, 1]]
    return worth


@inner
def outlook(bigrams, trigrams, first_hope, second_hope, made, goal, length):
    """What is still to be scored: at the goal the n-grams with start and end symbols, elsewhere an estimate."""
    if goal:
        if made[0] == 0 or (length > 0 and made[4] != length):
            return -np.inf
        if len(trigrams) == 0:
            return bigrams[0, made[0]] + bigrams[made[3], len(bigrams) - 1]
        worth = trigrams[0, 0, made[0]] + trigrams[made[2], made[3], len(trigrams) - 1]
        return worth + trigrams[0, made[0], made[1]] if made[1] > 0 else worth
    if made[0] == 0:
        return 0.0
    return first_hope[made[0]] + (second_hope[made[0], made[1]] if made[1] > 0 else 0.0)


@inner
def push(keys, entries, size, key, edge, one, two):
    """A binary heap with the largest key on top."""
    at = size
    while at > 0:
        above = (at - 1) >> 1
        if keys[above] >= key:
            break
        keys[at] = keys[above]
        for k in range(3):
            entries[at, k] = entries[above, k]
        at = above
    keys[at] = key
    entries[at, 0], entries[at, 1], entries[at, 2] = edge, one, two
    return size + 1


@inner
def pop(keys, entries, size):
    """Removes the top; the caller has read it."""
    size -= 1
    key = keys[size]
    edge, one, two = entries[size, 0], entries[size, 1], entries[size, 2]
    at = 0
    while True:
        below = 2 * at + 1
        if below >= size:
            break
        if below + 1 < size and keys[below + 1] > keys[below]:
            below += 1
        if keys[below] <= key:
            break
        keys[at] = keys[below]
        for k in range(3):
            entries[at, k] = entries[below, k]
        at = below
    keys[at] = key
    entries[at, 0], entries[at, 1], entries[at, 2] = edge, one, two
    return size


@inner
def hopes(bigrams, trigrams, first_hope, second_hope, estimate):
    """What a first (and second) word may still get from the words before it: the best, or the mean of all there can be."""
    if estimate == NO_ESTIMATE:
        return
    best = estimate == BEST
    if len(trigrams) == 0:
        for j in range(1, len(bigrams) - 1):
            first_hope[j] = bigrams[0, j]
            for i in range(1, j):
                first_hope[j] = max(first_hope[j], bigrams[i, j]) if best else first_hope[j] + bigrams[i, j]
            if not best:
                first_hope[j] /= j
        return
    for k in range(1, len(trigrams) - 1):
        first_hope[k] = trigrams[0, 0, k]
        for j in range(1, k):
            second_hope[j, k] = trigrams[0, j, k]
            for i in range(1, j):
                worth = trigrams[i, j, k]
                second_hope[j, k] = max(second_hope[j, k], worth) if best else second_hope[j, k] + worth
            if not best:
                second_hope[j, k] /= j
            first_hope[k] = max(first_hope[k], second_hope[j, k]) if best else first_hope[k] + second_hope[j, k]
        if not best:
            first_hope[k] /= k


@kernel
def search(starts, word, tails, scores, bigrams, trigrams, reward, length, width, estimate, edges, counts):
    """Marks the edges of the best derivation found; counts: hypotheses kept, combinations looked at, items cut off."""
    items = len(starts) - 1
    side = max(len(bigrams), len(trigrams))
    first_hope = np.zeros(side)
    second_hope = np.zeros((side, side) if len(trigrams) else (1, 1))
    hopes(bigrams, trigrams, first_hope, second_hope, estimate)
    begin = np.zeros(items + 1, dtype=np.int64)
    capacity = 1024
    states = np.zeros((capacity, FIELDS), dtype=np.int64)
    values = np.zeros(capacity)
    ranks = np.zeros(capacity)
    begin[1] = 1  # the axiom has one hypothesis, which keeps nothing
    slots = 4
    while slots < 4 * width and slots < 1 << 20:
        slots *= 2
    slot_item = np.zeros(slots, dtype=np.int64)
    slot_hypothesis = np.zeros(slots, dtype=np.int64)
    made = np.zeros(5, dtype=np.int64)
    room = 64
    keys = np.zeros(room)
    entries = np.zeros((room, 3), dtype=np.int64)
    for item in range(1, items):
        goal = item == items - 1
        here = begin[item]
        end = here
        rows = 1
        for edge in range(starts[item], starts[item + 1]):
            rows += begin[tails[edge, 0] + 1] - begin[tails[edge, 0]]
        if rows > room:
            room = 2 * rows
            keys = np.zeros(room)
            entries = np.zeros((room, 3), dtype=np.int64)
        size = 0
        for edge in range(starts[item], starts[item + 1]):
            one, two = begin[tails[edge, 0]], begin[tails[edge, 1]]
            if one == begin[tails[edge, 0] + 1] or two == begin[tails[edge, 1] + 1]:
                continue
            value = scores[edge] + values[one] + values[two]
            if word[item] < 0:
                value += join(bigrams, trigrams, states, one, two, made)
                value += outlook(bigrams, trigrams, first_hope, second_hope, made, goal, length)
            size = push(keys, entries, size, value, edge, one, two)
        while size > 0 and end - here < width:
            edge, one, two = entries[0, 0], entries[0, 1], entries[0, 2]
            size = pop(keys, entries, size)
            counts[1] += 1
            value = scores[edge] + values[one] + values[two]
            if word[item] >= 0:
                made[0] = made[3] = word[item] + 1
                made[1] = made[2] = 0
                made[4] = 1
                value += reward
            else:
                value += join(bigrams, trigrams, states, one, two, made)
            rank = value + outlook(bigrams, trigrams, first_hope, second_hope, made, goal, length)
            too_long = length > 0 and made[4] > length
            if rank > -np.inf and not too_long:
                code = made[4] if length > 0 else 0
                for k in range(4):
                    code = code * side + made[k]
                at = ((code * 2654435761) >> 13) & (slots - 1)
                found = -1
                while slot_item[at] == item:
                    other = slot_hypothesis[at]
                    same = length <= 0 or states[other, 4] == made[4]
                    for k in range(4):
                        same = same and states[other, k] == made[k]
                    if same:
                        found = other
                        break
                    at = (at + 1) & (slots - 1)
                if found < 0:
                    if end == capacity:
                        states = np.concatenate((states, np.zeros((capacity, FIELDS), dtype=np.int64)))
                        values = np.concatenate((values, np.zeros(capacity)))
                        ranks = np.concatenate((ranks, np.zeros(capacity)))
                        capacity *= 2
                    slot_item[at] = item
                    slot_hypothesis[at] = end
                    found = end
                    values[found] = -np.inf
                    end += 1
                if value > values[found]:
                    values[found] = value
                    ranks[found] = rank
                    for k in range(5):
                        states[found, k] = made[k]
                    states[found, 5], states[found, 6], states[found, 7] = edge, one, two
            head, tail = tails[edge, 0], tails[edge, 1]
            if two == begin[tail] and one + 1 < begin[head + 1]:
                value = scores[edge] + values[one + 1] + values[two]
                value += join(bigrams, trigrams, states, one + 1, two, made)
                value += outlook(bigrams, trigrams, first_hope, second_hope, made, goal, length)
                size = push(keys, entries, size, value, edge, one + 1, two)
            if two + 1 < begin[tail + 1]:
                value = scores[edge] + values[one] + values[two + 1]
                value += join(bigrams, trigrams, states, one, two + 1, made)
                value += outlook(bigrams, trigrams, first_hope, second_hope, made, goal, length)
                size = push(keys, entries, size, value, edge, one, two + 1)
        if size > 0:
            counts[2] += 1
        for k in range(here + 1, end):  # the best first; nearly in order already
            m = k
            while m > here and ranks[m] > ranks[m - 1]:
                ranks[m], ranks[m - 1] = ranks[m - 1], ranks[m]
                values[m], values[m - 1] = values[m - 1], values[m]
                for f in range(FIELDS):
                    states[m, f], states[m - 1, f] = states[m - 1, f], states[m, f]
                m -= 1
        begin[item + 1] = end
    counts[0] = begin[items]
    if begin[items] == begin[items - 1]:
        return -np.inf
    used = np.zeros(begin[items], dtype=np.bool_)
    used[begin[items - 1]] = True
    for k in range(begin[items] - 1, 0, -1):
        if used[k]:
            edges[states[k, 5]] = True
            used[states[k, 6]] = used[states[k, 7]] = True
    return ranks[begin[items - 1]]
