"""Rounding of transductions in compiled code: the best derivation of given words, and exchanges of words.

A forest is given by where each item's edges start, the word of each item (-1 for none), tails and scores, with all weights in
the scores. `wanted[j - 1]` says that word j is to be kept. Of two derivations the one that agrees better with `wanted` counts
more (kept words that are wanted less others), then the one with the higher score: no large constants are needed.
"""

from __future__ import annotations

import numpy as np

from .cache import inner, kernel

SMALLEST_GAIN = 1e-12  # relative to the value that it would improve


@inner
def _best(starts, word, tails, scores, wanted, agreement, value, choice):
    """Fills the tables; returns the score of the goal, -inf if nothing keeps exactly the wanted words."""
    items = len(word)
    agreement[0] = 0
    value[0] = 0.0
    for item in range(1, items):
        best = -np.inf
        most = -1000000
        chosen = -1
        for edge in range(starts[item], starts[item + 1]):
            one = tails[edge, 0]
            two = tails[edge, 1]
            agree = agreement[one] + agreement[two]
            if agree < most:
                continue
            found = scores[edge] + value[one] + value[two]
            if agree > most or found > best:
                best = found
                most = agree
                chosen = edge
        if word[item] >= 0:
            most += 1 if wanted[word[item]] else -1
        agreement[item] = most
        value[item] = best
        choice[item] = chosen
    count = 0
    for j in range(len(wanted)):
        if wanted[j]:
            count += 1
    return value[items - 1] if agreement[items - 1] == count and count > 0 else -np.inf


@inner
def _path(bigrams, trigrams, wanted):
    """The n-grams of the wanted words; `trigrams` counts where `bigrams` is empty."""
    count = len(wanted)
    first = 0
    second = 0
    total = 0.0
    for j in range(1, count + 2):
        if j <= count and not wanted[j - 1]:
            continue
        total += bigrams[second, j] if len(bigrams) > 0 else trigrams[first, second, j]
        first = second
        second = j
    return total


@kernel
def derive(starts, word, tails, scores, wanted, agreement, value, choice):
    """The score of the best derivation that keeps exactly the wanted words, -inf if there is none; fills `choice`."""
    return _best(starts, word, tails, scores, wanted, agreement, value, choice)


@kernel
def mark_chosen(tails, choice, used, edges):
    """Marks the edges of the derivation of the goal in which each item is derived by its chosen edge; `used` is scratch."""
    used[:] = False
    edges[:] = False
    used[len(choice) - 1] = True
    for item in range(len(choice) - 1, 0, -1):
        if used[item]:
            edge = choice[item]
            edges[edge] = True
            used[tails[edge, 0]] = True
            used[tails[edge, 1]] = True


@kernel
def improve(
    starts, word, tails, scores, bigrams, trigrams, reward, wanted, order, fixed, most_rounds, agreement, value, choice
):
    """Climbs from the wanted words by changing one of those in `order`, or two of them where the length is fixed."""
    kept = 0
    for j in range(len(wanted)):
        if wanted[j]:
            kept += 1
    best = _best(starts, word, tails, scores, wanted, agreement, value, choice)
    best += reward * kept + _path(bigrams, trigrams, wanted)
    for _ in range(most_rounds):
        better = False
        for a in range(len(order)):
            for b in range(a + 1, len(order) if fixed else a + 2):
                one = order[a]
                two = order[b] if fixed else one
                if fixed and wanted[one] == wanted[two]:
                    continue
                if not fixed and kept == 1 and wanted[one]:
                    continue
                wanted[one] = not wanted[one]
                if fixed:
                    wanted[two] = not wanted[two]
                change = 0 if fixed else (1 if wanted[one] else -1)
                found = _best(starts, word, tails, scores, wanted, agreement, value, choice)
                found += reward * (kept + change) + _path(bigrams, trigrams, wanted)
                if found > best + SMALLEST_GAIN * abs(best) or (best == -np.inf and found > best):
                    best = found
                    kept += change
                    better = True
                else:
                    wanted[one] = not wanted[one]
                    if fixed:
                        wanted[two] = not wanted[two]
        if not better:
            break
    _best(starts, word, tails, scores, wanted, agreement, value, choice)
    return best
