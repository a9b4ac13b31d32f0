"""Compression models that score a part of Eq. 1: source subtrees (Berg-Kirkpatrick et al. 2011) and paths of bigrams
(McDonald 2006), both with exactly `length` words.
"""

from __future__ import annotations

import numpy as np

from .cache import kernel
from .rows import raise_run


@kernel
def best_subtree(weights, skips, length, kept):
    """Nodes are in preorder, `skips` leads past their subtrees. Marks the heaviest subtree of the first node; O(n L).

    Taking a node leads to the next one in preorder, leaving it to the first one after its subtree.
    """
    n = len(weights)
    best = np.full((n + 1, length + 1), -np.inf)
    take = np.zeros((n, length + 1), dtype=np.bool_)
    best[n, 0] = 0.0
    for i in range(n - 1, -1, -1):
        for room in range(length + 1):
            taken = weights[i] + best[i + 1, room - 1] if room > 0 else -np.inf
            left = best[skips[i], room]
            take[i, room] = taken > left
            best[i, room] = taken if taken > left else left
    i, room = 0, length
    while i < n:
        kept[i] = take[i, room]
        if take[i, room]:
            room -= 1
            i += 1
        else:
            i = skips[i]
    return best[0, length]


@kernel
def best_path(tokens, bigrams, length, kept):
    """Writes the `length` words of the best path of bigrams from the start to the end symbol; O(n^2 L).

    A word that is reached raises all words behind it at once; where a word was reached from is searched again.
    """
    n = len(tokens)
    width = n + 1
    steps = bigrams.ravel()
    best = np.full((length + 1) * width, -np.inf)
    best[0] = 0.0
    for k in range(1, length + 1):
        row = k * width
        for before in range(k - 1, n):
            gain = best[row - width + before]
            if gain > -np.inf:
                raise_run(best, row + before + 1, steps, before * (n + 2) + before + 1, n - before, gain)
        for word in range(k, n + 1):
            best[row + word] += tokens[word - 1]
    score = -np.inf
    last = n
    for word in range(length, n + 1):
        value = best[length * width + word] + bigrams[word, n + 1]
        if value > score:
            score = value
            last = word
    for k in range(length, 0, -1):
        kept[k - 1] = last
        highest = -np.inf
        word = last
        for before in range(k - 1, word):
            value = best[(k - 1) * width + before] + bigrams[before, word]
            if value > highest:
                highest = value
                last = before
    return score
