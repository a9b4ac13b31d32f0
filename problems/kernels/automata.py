"""Dynamic programs of the head automata and of the head bigram sequence (section 3 of Martins, Almeida & Smith 2013).

Oracles as in `oracles`. All run from right to left, so that the inner loops go through consecutive entries of a table; their
positions are unsigned, because numba tests signed ones for counting from the end (see `rows`).
"""

from __future__ import annotations

import numpy as np

from .cache import inner


@inner
def best_grand_siblings(parameters, p, table, t, ints, i, floats, scores, point, f):
    """One incoming arc and a sequence of modifiers, in O(incoming * outgoing^2).

    Parameters: number of incoming and of outgoing arcs, then for each incoming arc the outgoing one that it excludes, or
    -1. table[h][a][b], b >= a, packed: the score of modifier b (END is the last) after state a (0 is START, then a - 1),
    with incoming arc h. Scratch: ints for the next modifier by (h, a), floats for what follows each modifier.
    """
    incoming = parameters[p]
    end = parameters[p + 1]
    rows = max(incoming, 1)
    size = (end + 1) * (end + 2) // 2
    best = -np.inf
    chosen = 0
    for h in range(rows):
        excluded = parameters[p + 2 + h] if incoming > 0 else -1
        value = 0.0
        if end == 1:  # by far the most frequent case: one modifier or none
            row = t + 3 * h
            value = table[row + 1]
            ints[i + 2 * h] = 1
            ints[i + 2 * h + 1] = 1
            with_modifier = table[row] + (floats[scores + incoming] + table[row + 2])
            if with_modifier > value and excluded < 0:
                value = with_modifier
                ints[i + 2 * h] = 0
        else:
            floats[f + end] = 0.0
            for a in range(end, -1, -1):
                row = t + h * size + a * end - a * (a - 1) // 2  # entry [a, b] is at row + b
                value = -np.inf
                following = end
                for b in range(a, end + 1):
                    found = table[np.uint64(row + b)] + floats[np.uint64(f + b)]
                    if found > value:
                        value = found
                        following = b
                ints[i + h * (end + 1) + a] = following
                if a > 0:
                    floats[f + a - 1] = -np.inf if a - 1 == excluded else floats[scores + incoming + a - 1] + value
        if incoming > 0:
            value += floats[scores + h]
        if value > best:
            best = value
            chosen = h
    for k in range(incoming + end):
        floats[point + k] = 0.0
    if incoming > 0:
        floats[point + chosen] = 1.0
    own = 0.0
    a = 0
    while True:
        b = ints[i + chosen * (end + 1) + a]
        own += table[t + chosen * size + a * end - a * (a - 1) // 2 + b]
        if b == end:
            return own
        floats[point + incoming + b] = 1.0
        a = b + 1


@inner
def best_tri_siblings(count, table, t, ints, following, floats, scores, point, worth):
    """A sequence of modifiers, each scored with the two before it, in O(outgoing^3).

    table[a][b][c], a < b < c: consecutive modifiers, c = outgoing is END; table[b][b][c] stands for START, b, c. Scratch:
    worth[b][c] is what all modifiers from c on are worth after b; following[a][b] is the modifier after a, b, and
    following[b][b] the one after a first b.
    """
    width = count + 1
    best = 0.0
    first = count
    for b in range(count - 1, -1, -1):
        row = worth + b * width
        floats[row + count] = 0.0
        entry = t + (b * count + b) * width
        value = -np.inf
        after = count
        for c in range(b + 1, width):
            found = table[np.uint64(entry + c)] + floats[np.uint64(row + c)]
            if found > value:
                value = found
                after = c
        ints[following + b * width + b] = after
        if floats[scores + b] + value > best:
            best = floats[scores + b] + value
            first = b
        for a in range(b):
            entry = t + (a * count + b) * width
            value = -np.inf
            after = count
            for c in range(b + 1, width):
                found = table[np.uint64(entry + c)] + floats[np.uint64(row + c)]
                if found > value:
                    value = found
                    after = c
            ints[following + a * width + b] = after
            floats[worth + a * width + b] = floats[scores + b] + value
    for k in range(count):
        floats[point + k] = 0.0
    if first == count:
        return 0.0
    floats[point + first] = 1.0
    a = first
    b = ints[following + first * width + first]
    own = table[t + (first * count + first) * width + b]
    while b < count:
        floats[point + b] = 1.0
        c = ints[following + a * width + b]
        own += table[t + (a * count + b) * width + c]
        a = b
        b = c
    return own


@inner
def best_head_bigrams(degree, parameters, p, table, t, ints, following, floats, scores, point, worth):
    """One arc per word, with scores for the arcs of neighbours: the Viterbi algorithm, in O(words * heads^2).

    Parameters: number of words, then the sizes of their groups of arcs. table: for each pair of neighbours [left, right].
    Scratch: following and worth by arc.
    """
    words = parameters[p]
    entry = t
    for word in range(1, words):
        entry += parameters[p + word] * parameters[p + word + 1]
    last = degree  # where the arcs of the word to the right start
    for word in range(words, 0, -1):
        size = parameters[p + word]
        first = last - size
        if word == words:
            for k in range(first, last):
                floats[worth + k] = floats[scores + k]
        else:
            width = parameters[p + word + 1]
            entry -= size * width
            for k in range(size):
                value = -np.inf
                row = entry + k * width
                after = 0
                for j in range(width):
                    found = table[np.uint64(row + j)] + floats[np.uint64(worth + last + j)]
                    if found > value:
                        value = found
                        after = j
                ints[following + first + k] = after
                floats[worth + first + k] = floats[scores + first + k] + value
        last = first
    for k in range(degree):
        floats[point + k] = 0.0
    chosen = 0
    for k in range(1, parameters[p + 1]):
        if floats[worth + k] > floats[worth + chosen]:
            chosen = k
    floats[point + chosen] = 1.0
    own = 0.0
    first = 0
    for word in range(1, words):
        size = parameters[p + word]
        width = parameters[p + word + 1]
        j = ints[following + first + chosen]
        own += table[entry + chosen * width + j]
        entry += size * width
        first += size
        chosen = j
        floats[point + first + chosen] = 1.0
    return own
