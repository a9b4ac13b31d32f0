"""The two halves of a compression as packed forests: the path through the kept words, and the tree over them.

Literals are the words: literal j - 1 says that word j is kept. Bigram and arc scores are scores of edges, because nothing
else has to know of them: given the kept words, the best path and the best tree follow.

A tree's forest is the same for all sentences of one length but for its scores: those of usual lengths are kept.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from ..factors.derivation import NONE, Forest, forest_of
from ..linear_program import Floats, Integers

Edges = tuple[Integers, Integers, Integers, Floats]
MOST_WORDS_KEPT = 50  # of a sentence whose forest is kept for the next one: 1.5 MB


def kept_path(bigrams: Floats, length: int) -> Forest:
    """All choices of `length` words, scored by their bigrams (rows and columns for the start and end symbols).

    Item (c, d): c words are kept and d deleted, and the last of them, word c + d, is kept.
    """
    words = len(bigrams) - 2
    deletions = words - length
    if length == 0:
        empty = np.zeros(1, dtype=np.int64)
        links = np.full((2, 2), NONE, dtype=np.int64)
        return forest_of(2, links, [(empty + 1, empty, empty, bigrams[:1, words + 1])])
    items = np.arange(1, 1 + length * (deletions + 1)).reshape(length, deletions + 1)
    goal = items[-1, -1] + 1
    links = np.full((goal + 1, 2), NONE, dtype=np.int64)
    counts, missing = np.meshgrid(np.arange(length), np.arange(deletions + 1), indexing="ij")
    links[items, 0] = counts + missing
    before, after = np.triu_indices(deletions + 1)
    kept = np.arange(1, length)[:, None]  # words kept before the step
    edges = [
        _edges(items[0], 0, 0, bigrams[0, 1 : deletions + 2]),
        _edges(items[1:, after], items[:-1, before], 0, bigrams[kept + before, kept + 1 + after]),
        _edges(goal, items[-1], 0, bigrams[length + np.arange(deletions + 1), words + 1]),
    ]
    return forest_of(int(goal) + 1, links, edges)


def kept_tree(
    arcs: Floats, bigrams: Floats | None = None, longest_run: int | None = None, empty: bool = False
) -> Forest:
    """All projective trees over some of the words: Eisner's algorithm with deletions, O(n^3) edges.

    `arcs` is [head, modifier - 1]. Each kept word carries the run of deleted words behind it (at most `longest_run`, and
    as many before the first one), and the run is charged the bigram that spans it, if there are any. Items over words
    i..j: `right` (word i with its right modifiers and runs up to j), `left` (word j with its left modifiers down to the
    kept word i), `inside` (what lies inside an arc between i and j), and that with an arc to j or to i. `empty` allows the
    tree of no words.
    """
    words = arcs.shape[1]
    longest = words if longest_run is None else longest_run
    shape = _kept_shape if words <= MOST_WORDS_KEPT else _tree_shape
    forest = shape(words, longest, empty)
    scores = np.zeros((words + 2) ** 2) if bigrams is None else bigrams.ravel()
    given = np.concatenate([np.zeros(1), arcs.ravel(), scores])
    return forest._replace(scores=given[forest.scores.astype(np.int64)])


def _tree_shape(words: int, longest: int, empty: bool) -> Forest:
    """The forest of a kept tree with the place of each score instead of it: 0, then arc scores, then bigram scores."""
    arcs = np.arange((words + 1) * words).reshape(words + 1, words) + 1.0
    scores = np.arange((words + 2) ** 2).reshape(words + 2, words + 2) + 1.0 + arcs.size
    inside, to_right, to_left, left, right = item = np.zeros((5, words + 2, words + 2), dtype=np.int64)
    count = 1
    for width in range(words):
        first = np.arange(1, words + 1 - width)
        for table in item if width else item[3:]:
            table[first, first + width] = count + np.arange(len(first))
            count += len(first)
    starting, rooted = count + np.arange(words), count + words + np.arange(words)
    goal = count + 2 * words
    links = np.full((goal + 1, 2), NONE, dtype=np.int64)
    i, j = np.triu_indices(words, 1)
    i, j = i + 1, j + 1
    links[to_right[i, j], 0], links[to_left[i, j], 0], links[rooted, 0] = j - 1, i - 1, np.arange(words)
    word = np.arange(1, words + 1)
    a, b, c = _triples(words)  # a <= b < c
    start, end = np.triu_indices(words)
    start, end = start + 1, end + 1
    short, early = end - start <= longest, start <= longest + 1
    run, run_end, first, root = start[short], end[short], start[early], end[early]
    edges = [
        _edges(inside[a, c], right[a, b], left[b + 1, c], 0.0),
        _edges(to_right[i, j], inside[i, j], 0, arcs[i, j - 1]),
        _edges(to_left[i, j], inside[i, j], 0, arcs[j, i - 1]),
        _edges(left[word, word], 0, 0, 0.0),
        _edges(left[a, c], left[a, b], to_left[b, c], 0.0),
        _edges(right[run, run_end], 0, 0, scores[run, run_end + 1]),
        _edges(right[a, c], to_right[a, b + 1], right[b + 1, c], 0.0),
        _edges(starting[root - 1], left[first, root], 0, scores[0, first]),
        _edges(rooted, starting, right[word, words], arcs[0]),
        _edges(goal, rooted, 0, 0.0),
    ]
    if empty:
        edges.append(_edges(goal, np.zeros(1, dtype=np.int64), 0, scores[0, words + 1]))
    return forest_of(goal + 1, links, edges)


@lru_cache(maxsize=32)
def _kept_shape(words: int, longest: int, empty: bool) -> Forest:
    forest = _tree_shape(words, longest, empty)
    for array in forest:
        array.flags.writeable = False
    return forest


def _triples(words: int) -> tuple[Integers, Integers, Integers]:
    """All a <= b < c from 1 to `words`."""
    number = np.arange(1, words + 1)
    ordered = (number[:, None, None] <= number[:, None]) & (number[:, None] < number)
    a, b, c = np.nonzero(ordered)
    return a + 1, b + 1, c + 1


def _edges(derived: ArrayLike, first: ArrayLike, second: ArrayLike, scores: ArrayLike) -> Edges:
    """A group of edges, from arrays of one shape or single values."""
    parts = np.broadcast_arrays(derived, first, second, scores)
    one, two, three, worth = (part.ravel() for part in parts)
    return one.astype(np.int64), two.astype(np.int64), three.astype(np.int64), worth.astype(np.float64)
