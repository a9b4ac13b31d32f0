"""Queries of an n-gram model in sorted arrays (`language.model`): two binary searches at most."""

from __future__ import annotations

from .cache import inner, kernel


@inner
def find(words, low, high, word):
    """Where `word` is among the sorted `words[low:high]`, or -1."""
    end = high
    while low < high:
        middle = (low + high) >> 1
        if words[middle] < word:
            low = middle + 1
        else:
            high = middle
    if low < end and words[low] == word:
        return low
    return -1


@inner
def score_one(worth1, back1, starts1, words2, worth2, back2, starts2, words3, worth3, first, second, third):
    """log P(third | first second); a context word below 0 is none."""
    total = 0.0
    if second >= 0:
        if first >= 0 and len(words3) > 0:
            context = find(words2, starts1[first], starts1[first + 1], second)
            if context >= 0:
                found = find(words3, starts2[context], starts2[context + 1], third)
                if found >= 0:
                    return worth3[found]
                total = back2[context]
        if len(words2) > 0:
            found = find(words2, starts1[second], starts1[second + 1], third)
            if found >= 0:
                return total + worth2[found]
            total += back1[second]
    return total + worth1[third]


@kernel
def score_many(worth1, back1, starts1, words2, worth2, back2, starts2, words3, worth3, first, second, third, found):
    """`score_one` for arrays of queries."""
    for k in range(len(third)):
        found[k] = score_one(
            worth1, back1, starts1, words2, worth2, back2, starts2, words3, worth3, first[k], second[k], third[k]
        )
