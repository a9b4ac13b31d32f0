"""Dynamic programs of the head automata and of the head bigram sequence (section 3 of Martins, Almeida & Smith 2013).

Each oracle maximizes scores @ configuration + own score, writes the configuration to `point` and returns its own score.
All run from right to left, so that the inner loops go through consecutive entries of their tables.
"""

from __future__ import annotations

import numpy as np

from .cache import inner


@inner
def best_grand_siblings(scores, ints, table, point, next_state, tail):
    """One incoming arc and a sequence of modifiers, in O(incoming * outgoing^2).

    ints: number of incoming and of outgoing arcs, then for each incoming arc the outgoing one that it excludes, or -1.
    table[i][a][b], b >= a, packed: the score of modifier b (END is the last) after state a (0 is START, then a - 1),
    with incoming arc i. Scratch: next_state (incoming * (outgoing + 1)), tail (outgoing + 1).
    """
    incoming = ints[0]
    end = ints[1]
    rows = max(incoming, 1)
    size = (end + 1) * (end + 2) // 2
    best = -np.inf
    chosen = 0
    for i in range(rows):
        excluded = ints[2 + i] if incoming > 0 else -1
        tail[end] = 0.0
        value = 0.0
        for a in range(end, -1, -1):
            row = i * size + a * end - a * (a - 1) // 2  # entry [a, b] is at row + b
            value = -np.inf
            following = end
            for b in range(a, end + 1):
                found = table[row + b] + tail[b]
                if found > value:
                    value = found
                    following = b
            next_state[i * (end + 1) + a] = following
            if a > 0:
                tail[a - 1] = -np.inf if a - 1 == excluded else scores[incoming + a - 1] + value
        if incoming > 0:
            value += scores[i]
        if value > best:
            best = value
            chosen = i
    for k in range(incoming + end):
        point[k] = 0.0
    if incoming > 0:
        point[chosen] = 1.0
    own = 0.0
    a = 0
    while True:
        b = next_state[chosen * (end + 1) + a]
        own += table[chosen * size + a * end - a * (a - 1) // 2 + b]
        if b == end:
            return own
        point[incoming + b] = 1.0
        a = b + 1


@inner
def best_tri_siblings(scores, table, point, following, worth):
    """A sequence of modifiers, each scored with the two before it, in O(outgoing^3).

    table[a][b][c], a < b < c: consecutive modifiers, c = outgoing is END. worth[b][c] is what all modifiers from c on are
    worth after b; following[a][b] is the modifier after a, b, and following[b][b] the best one after a first b.
    """
    count = len(scores)
    width = count + 1
    best = 0.0
    first = count
    for b in range(count - 1, -1, -1):
        row = b * width
        worth[row + count] = 0.0
        value = -np.inf
        for c in range(b + 1, width):
            if worth[row + c] > value:
                value = worth[row + c]
                following[row + b] = c
        if scores[b] + value > best:
            best = scores[b] + value
            first = b
        for a in range(b):
            entry = (a * count + b) * width
            value = -np.inf
            for c in range(b + 1, width):
                found = table[entry + c] + worth[row + c]
                if found > value:
                    value = found
                    following[a * width + b] = c
            worth[a * width + b] = scores[b] + value
    for k in range(count):
        point[k] = 0.0
    if first == count:
        return 0.0
    point[first] = 1.0
    a = first
    b = following[first * width + first]
    own = 0.0
    while b < count:
        point[b] = 1.0
        c = following[a * width + b]
        own += table[(a * count + b) * width + c]
        a = b
        b = c
    return own


@inner
def best_head_bigrams(scores, ints, table, point, following, worth):
    """One arc per word, with scores for the arcs of neighbours: the Viterbi algorithm, in O(words * heads^2).

    ints: number of words, then the sizes of their groups of arcs. table: for each pair of neighbours [left, right].
    Scratch: following and worth, both as long as the scores.
    """
    words = ints[0]
    last = len(scores)  # where the arcs of the word to the right start
    entry = len(table)
    for word in range(words, 0, -1):
        size = ints[word]
        first = last - size
        if word == words:
            for i in range(first, last):
                worth[i] = scores[i]
        else:
            width = ints[word + 1]
            entry -= size * width
            for i in range(size):
                value = -np.inf
                row = entry + i * width
                for j in range(width):
                    found = table[row + j] + worth[last + j]
                    if found > value:
                        value = found
                        following[first + i] = j
                worth[first + i] = scores[first + i] + value
        last = first
    for k in range(len(scores)):
        point[k] = 0.0
    chosen = 0
    for i in range(1, ints[1]):
        if worth[i] > worth[chosen]:
            chosen = i
    point[chosen] = 1.0
    own = 0.0
    first = 0
    entry = 0
    for word in range(1, words):
        size = ints[word]
        width = ints[word + 1]
        j = following[first + chosen]
        own += table[entry + chosen * width + j]
        entry += size * width
        first += size
        chosen = j
        point[first + chosen] = 1.0
    return own
