"""Interpolated modified Kneser-Ney smoothing (Chen & Goodman 1999): three discounts per order.

Below the highest order, an n-gram counts the different words seen before it; n-grams that begin with `<s>` have none and
keep their frequency. Unigrams are interpolated with the uniform distribution over the vocabulary with `<unk>` and `</s>`.
Where the counts of counts give no discounts (a small or unnatural text), they are 1/2, 1 and 3/2, as in KenLM.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ..errors import InputError
from ..linear_program import Floats, Integers
from .model import END, LARGEST_ORDER, NEVER, START, SYMBOLS, UNKNOWN, NgramModel, check_text

FALLBACK = (0.5, 1.0, 1.5)


class _Level(NamedTuple):
    """The n-grams of one order as whole numbers in base |vocabulary|, sorted, with their adjusted counts."""

    keys: Integers
    counts: Integers


def estimate(
    sentences: Iterable[Sequence[str]], order: int = LARGEST_ORDER, vocabulary: Collection[str] | None = None
) -> NgramModel:
    """A model of these sentences. With a vocabulary, all other words are counted as the unknown word."""
    if not 1 <= order <= LARGEST_ORDER:
        raise InputError(f"the order of a language model must be from 1 to {LARGEST_ORDER}, not {order}.")
    texts = [tuple(sentence) for sentence in sentences]
    if not texts:
        raise InputError("a language model needs at least one sentence.")
    seen = set().union(*texts) if vocabulary is None else set(vocabulary)
    wrong = check_text(seen)
    if wrong is not None:
        raise InputError(f"{wrong!r} cannot be a word of a language model.")
    names = (*SYMBOLS, *sorted(seen - set(SYMBOLS)))
    numbers = {name: number for number, name in enumerate(names)}
    tokens: list[int] = []
    for text in texts:
        tokens.append(START)
        tokens.extend(numbers.get(word, UNKNOWN) for word in text)
        tokens.append(END)
    return _smoothed(names, _levels(np.array(tokens, dtype=np.int64), order, len(names)))


def _levels(tokens: Integers, order: int, size: int) -> list[_Level]:
    """Counts of the highest order, then of each lower one from the kinds of the one above."""
    if size**order >= 2**63:
        raise InputError(f"a vocabulary of {size} words is too large for a model of order {order}.")
    levels = [_frequencies(tokens, order, size)]
    for length in range(order - 1, 0, -1):
        keys, counts = np.unique(levels[0].keys % size**length, return_counts=True)
        if length > 1:  # n-grams that begin the sentence: nothing comes before them
            frequent = _frequencies(tokens, length, size)
            begin = frequent.keys // size ** (length - 1) == START
            keys, counts = np.append(keys, frequent.keys[begin]), np.append(counts, frequent.counts[begin])
            ranks = np.argsort(keys, kind="stable")
            keys, counts = keys[ranks], counts[ranks]
        levels.insert(0, _Level(keys, counts))
    return levels


def _frequencies(tokens: Integers, length: int, size: int) -> _Level:
    """N-grams inside sentences: no symbol but a first `<s>` and a last `</s>`; single words without `<s>`."""
    keys = np.zeros(max(len(tokens) - length + 1, 0), dtype=np.int64)
    inside = np.ones(len(keys), dtype=bool)
    for place in range(length):
        window = tokens[place : place + len(keys)]
        keys = keys * size + window
        if place > 0 or length == 1:
            inside &= window != START
    return _Level(*np.unique(keys[inside], return_counts=True))


def discounts(counts: Integers) -> Floats:
    """D1, D2 and D3+ of adjusted counts, or the fallback."""
    n1, n2, n3, n4 = (int((counts == number).sum()) for number in range(1, 5))
    if n1 and n2 and n3:
        ratio = n1 / (n1 + 2 * n2)
        found = np.array([1 - 2 * ratio * n2 / n1, 2 - 3 * ratio * n3 / n2, 3 - 4 * ratio * n4 / n3])
        if (found > 0).all() and (found <= [1, 2, 3]).all():
            return found
    return np.array(FALLBACK)


def _smoothed(names: tuple[str, ...], levels: list[_Level]) -> NgramModel:
    """From counts to probabilities, the shortest n-grams first."""
    size = len(names)
    lower = np.full(size, 1.0 / (size - 1))  # of each word: the distribution that unigrams fall back to
    lower[START] = 0.0
    keys = np.arange(size)
    words, worth, back_offs, starts = [keys], [], [], []
    first = levels[0]
    total = np.zeros(size)
    total[first.keys] = first.counts
    discount = np.append(0.0, discounts(first.counts))[np.minimum(total, 3).astype(np.int64)]
    probabilities = (total - discount) / total.sum() + discount.sum() / total.sum() * lower
    worth.append(probabilities)
    for length, level in enumerate(levels[1:], 2):
        above = np.searchsorted(keys, level.keys // size)  # the n-gram that is the context
        suffix_keys = level.keys % size ** (length - 1)
        suffix = suffix_keys if length == 2 else np.searchsorted(keys, suffix_keys)
        discount = discounts(level.counts)[np.minimum(level.counts, 3) - 1]
        totals = np.bincount(above, weights=level.counts, minlength=len(keys))
        freed = np.bincount(above, weights=discount, minlength=len(keys))
        back_off = np.divide(freed, totals, out=np.ones(len(keys)), where=totals > 0)
        probabilities = (level.counts - discount) / totals[above] + back_off[above] * worth[-1][suffix]
        starts.append(np.searchsorted(above, np.arange(len(keys) + 1)))
        back_offs.append(np.log(back_off))
        worth.append(probabilities)
        words.append(level.keys % size)
        keys = level.keys
    with np.errstate(divide="ignore"):
        logs = tuple(np.log(each) for each in worth)
    assert logs[0][START] == NEVER
    return NgramModel(names, tuple(words), logs, tuple(back_offs), tuple(starts))
