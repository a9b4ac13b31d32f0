"""The two halves of a transduction alone: the best derivation by its rules, and the best path by its n-grams.

Where the length is free there is one layer; where it is fixed, layer c is for c + 1 kept words. No model keeps nothing.
"""

from __future__ import annotations

import numpy as np

from .cache import kernel
from .rows import raise_run


@kernel
def best_transduction(starts, word, tails, scores, reward, length, edges):
    """Marks the edges of the best derivation that keeps a word, or exactly `length` (if above 0); returns its value."""
    items = len(starts) - 1
    layers = max(length, 1)
    empty = np.full(items, -np.inf)
    value = np.full((items, layers), -np.inf)
    empty[0] = 0.0
    for item in range(1, items):
        for edge in range(starts[item], starts[item + 1]):
            one = tails[edge, 0]
            two = tails[edge, 1]
            score = scores[edge]
            if word[item] >= 0:
                value[item, 0] = max(value[item, 0], score + reward)
                continue
            empty[item] = max(empty[item], score + empty[one] + empty[two])
            for k in range(layers):
                kept = max(value[one, k] + empty[two], empty[one] + value[two, k])
                if length <= 0:
                    kept = max(kept, value[one, 0] + value[two, 0])
                else:
                    for m in range(k):
                        kept = max(kept, value[one, m] + value[two, k - 1 - m])
                value[item, k] = max(value[item, k], score + kept)
    found = value[items - 1, layers - 1]
    if found == -np.inf:
        return found
    layer = np.full(items, -2, dtype=np.int64)  # -2: not used, -1: keeps nothing
    layer[items - 1] = layers - 1
    for item in range(items - 1, 0, -1):
        want = layer[item]
        if want == -2:
            continue
        best = -np.inf
        chosen = -1
        first = -1
        second = -1
        for edge in range(starts[item], starts[item + 1]):
            one = tails[edge, 0]
            two = tails[edge, 1]
            score = scores[edge]
            if word[item] >= 0 or want < 0:
                now = score + empty[one] + empty[two]
                if now > best:
                    best, chosen, first, second = now, edge, -1, -1
                continue
            now = score + (value[one, want] + empty[two])
            if now > best:
                best, chosen, first, second = now, edge, want, -1
            now = score + (empty[one] + value[two, want])
            if now > best:
                best, chosen, first, second = now, edge, -1, want
            if length <= 0:
                now = score + (value[one, 0] + value[two, 0])
                if now > best:
                    best, chosen, first, second = now, edge, 0, 0
            else:
                for m in range(want):
                    now = score + (value[one, m] + value[two, want - 1 - m])
                    if now > best:
                        best, chosen, first, second = now, edge, m, want - 1 - m
        edges[chosen] = True
        layer[tails[chosen, 0]] = first
        layer[tails[chosen, 1]] = second
    return found


@kernel
def best_bigram_path(bigrams, reward, length, kept):
    """Marks the words of the best path from the start to the end symbol; returns its value. O(n^2), or O(n^2 L)."""
    n = len(kept)
    layers = max(length, 1)
    step = 1 if length > 0 else 0
    best = np.full((layers, n + 1), -np.inf)
    back = np.zeros((layers, n + 1), dtype=np.int64)
    for layer in range(layers):
        for j in range(1, n + 1):
            if layer == 0:
                best[layer, j] = bigrams[0, j]
            if layer >= step:
                for i in range(1, j):
                    value = best[layer - step, i] + bigrams[i, j]
                    if value > best[layer, j]:
                        best[layer, j] = value
                        back[layer, j] = i
            best[layer, j] += reward
    found = -np.inf
    last = 0
    layer = layers - 1
    for j in range(1, n + 1):
        value = best[layer, j] + bigrams[j, n + 1]
        if value > found:
            found = value
            last = j
    while last > 0:
        kept[last - 1] = True
        last = back[layer, last]
        layer -= step
    return found


@kernel
def best_trigram_path(trigrams, reward, length, kept):
    """The same for trigrams, O(n^3) or O(n^3 L); the state is the last two words.

    A pair of words that is reached raises all words behind it at once; what stood before a pair is searched again.
    """
    n = len(kept)
    width = n + 1
    side = n + 2
    layers = max(length, 1)
    step = 1 if length > 0 else 0
    steps = trigrams.ravel()
    best = np.full(layers * width * width, -np.inf)  # by layer, word before the last, last word
    for k in range(1, n + 1):
        best[k] = trigrams[0, 0, k] + reward
    for layer in range(step, layers):
        here = layer * width * width
        source = here - step * width * width
        for j in range(1, n):
            row = here + j * width
            for i in range(j):
                gain = best[source + i * width + j]
                if gain > -np.inf:
                    raise_run(best, row + j + 1, steps, (i * side + j) * side + j + 1, n - j, gain)
            for k in range(j + 1, n + 1):
                best[row + k] += reward
    found = -np.inf
    before = 0
    last = 0
    layer = layers - 1
    for k in range(1, n + 1):
        for j in range(k):
            value = best[(layer * width + j) * width + k] + trigrams[j, k, n + 1]
            if value > found:
                found = value
                before = j
                last = k
    while last > 0:
        kept[last - 1] = True
        layer -= step
        highest = -np.inf
        earlier = 0
        for i in range(before):  # none before the first word
            value = best[(layer * width + i) * width + before] + trigrams[i, before, last]
            if value > highest:
                highest = value
                earlier = i
        before, last = earlier, before
    return found
