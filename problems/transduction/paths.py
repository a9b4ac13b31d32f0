"""The path through the kept words as a packed forest: bigrams or trigrams, of any length but zero, or of a given one.

Literal j - 1 says that word j is kept. An item is the last kept word, or the last two, with the number of words kept so far
where the length is fixed; n-gram scores are scores of edges, the start symbol is the axiom.
"""

from __future__ import annotations

import numpy as np

from ..factors.derivation import NONE, Forest, forest_of
from ..linear_program import Floats, Integers

Edges = tuple[Integers, Integers, Integers, Floats]


def ngram_path(scores: Floats, length: int | None) -> Forest:
    """All paths of `length` words, or of at least one, by bigram (a matrix) or trigram scores."""
    return _bigram_path(scores, length) if scores.ndim == 2 else _trigram_path(scores, length)


def _bigram_path(scores: Floats, length: int | None) -> Forest:
    if length is not None:
        from ..compression.forests import kept_path

        return kept_path(scores, length)
    words = len(scores) - 2
    goal = words + 1
    links = np.full((goal + 1, 2), NONE, dtype=np.int64)
    word = np.arange(1, goal)
    links[word, 0] = word - 1
    before, after = np.triu_indices(words, 1)
    before, after = before + 1, after + 1
    edges = [
        _edges(word, word * 0, scores[0, word]),
        _edges(after, before, scores[before, after]),
        _edges(word * 0 + goal, word, scores[word, goal]),
    ]
    return forest_of(goal + 1, links, edges)


def _trigram_path(scores: Floats, length: int | None) -> Forest:
    """Item (c, i, j): the last two words are i (0 for the start symbol) and j, and c words are kept, if it matters."""
    words = len(scores) - 2
    i, j = np.triu_indices(words + 1, 1)
    counts = [0] if length is None else list(range(1, length + 1))
    item = np.zeros((len(counts), words + 1, words + 1), dtype=np.int64)
    last, found = [], 1
    for layer, count in enumerate(counts):
        fits = np.ones(len(i), dtype=bool)
        if length is not None:  # i is the word before the last of `count`, and length - count words are still to come
            fits = (i == 0) if count == 1 else (i >= count - 1)
            fits &= j <= words - (length - count)
        order = np.lexsort((i[fits], j[fits]))  # an edge leads to a larger j
        one, two = i[fits][order], j[fits][order]
        item[layer, one, two] = found + np.arange(len(one))
        found += len(one)
        last.append((one, two))
    goal = found
    links = np.full((goal + 1, 2), NONE, dtype=np.int64)
    edges: list[Edges] = []
    for layer, (one, two) in enumerate(last):
        links[item[layer, one, two], 0] = two - 1
        if layer == 0:
            first = two[one == 0]
            edges.append(_edges(item[layer, 0, first], first * 0, scores[0, 0, first]))
        source = layer if length is None else layer - 1
        if source >= 0:
            pair, before = np.nonzero(item[source][:, one].T)  # items (before, one) that can be followed by two
            k, h, m = one[pair], before, two[pair]
            edges.append(_edges(item[layer, k, m], item[source, h, k], scores[h, k, m]))
        if length is None or layer == len(counts) - 1:
            edges.append(_edges(one * 0 + goal, item[layer, one, two], scores[one, two, words + 1]))
    return forest_of(goal + 1, links, edges)


def _edges(derived: Integers, tail: Integers, scores: Floats) -> Edges:
    return derived.astype(np.int64), tail.astype(np.int64), np.zeros(len(derived), dtype=np.int64), scores
