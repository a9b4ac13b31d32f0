"""Scores of the n-grams that deletion can make of a sentence, as arrays over positions: 0 is `<s>`, n + 1 is `</s>`.

Entries whose positions do not increase are zero. In the trigram table [0, 0, j] is the first word, whose context is `<s>`
alone.

`normalised` scores are log P(word | context) - log P(word): what the context says of a word, whatever its frequency. A sum of
log-probabilities prefers few and frequent words; a sum of these does not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..linear_program import Floats
from .model import END, START, NgramModel


def bigram_table(model: NgramModel, words: Sequence[str], normalised: bool = False) -> Floats:
    """[i, j]: log P(word j | word i)."""
    numbers = np.concatenate([[START], model.encode(words), [END]])
    table = np.zeros((len(numbers), len(numbers)))
    i, j = np.triu_indices(len(numbers), 1)
    table[i, j] = model.score(np.full(len(i), -1), numbers[i], numbers[j])
    if normalised:
        table[i, j] -= model.log_probabilities[0][numbers[j]]
    return table


def trigram_table(model: NgramModel, words: Sequence[str], normalised: bool = False) -> Floats:
    """[i, j, k]: log P(word k | word i, word j)."""
    numbers = np.concatenate([[START], model.encode(words), [END]])
    place = np.arange(len(numbers))
    increasing = (place[:, None, None] < place[:, None]) & (place[:, None] < place)
    increasing[0, 0, 1:] = True
    table = np.zeros(increasing.shape)
    i, j, k = np.nonzero(increasing)
    first = np.where(j == 0, -1, numbers[i])
    table[i, j, k] = model.score(first, numbers[j], numbers[k])
    if normalised:
        table[i, j, k] -= model.log_probabilities[0][numbers[k]]
    return table
