"""The best tree of an arc-factored model, projective or not: what pruning and rounding ask for."""

from __future__ import annotations

import numpy as np

from ..linear_program import Floats, Integers


def score_matrix(number_of_words: int, heads: Integers, modifiers: Integers, scores: Floats) -> Floats:
    """Scores as a matrix [head, modifier]; -inf where there is no candidate arc."""
    matrix = np.full((number_of_words + 1, number_of_words + 1), -np.inf)
    matrix[heads, modifiers] = scores
    return matrix


def best_tree(
    number_of_words: int,
    heads: Integers,
    modifiers: Integers,
    scores: Floats,
    single_root: bool = False,
    projective: bool = False,
) -> Integers | None:
    """The arc into each word of the best tree; None if there is no tree."""
    if projective:
        from ..kernels.eisner import eisner_first

        found = eisner_first(score_matrix(number_of_words, heads, modifiers, scores), single_root)
    else:
        found = _arborescence(number_of_words, heads, modifiers, scores, single_root)
    if found is None or found[0] < 0:
        return None
    keys = modifiers * (number_of_words + 1) + heads
    return np.searchsorted(keys, np.arange(1, number_of_words + 1) * (number_of_words + 1) + found)


def _arborescence(
    number_of_words: int, heads: Integers, modifiers: Integers, scores: Floats, single_root: bool
) -> Integers | None:
    """Heads of the best tree by Chu-Liu/Edmonds."""
    from ..kernels.arborescence import HEADER, maximum_arborescence

    ints = np.empty(HEADER + number_of_words + 1 + len(heads), dtype=np.int64)
    ints[:HEADER] = number_of_words, single_root, 0
    ints[HEADER : HEADER + number_of_words + 1] = np.searchsorted(modifiers, np.arange(1, number_of_words + 2))
    ints[HEADER + number_of_words + 1 :] = heads
    point = np.empty(len(heads))
    if not maximum_arborescence(np.ascontiguousarray(scores, dtype=np.float64), ints, point):
        return None
    return heads[point > 0.5]
