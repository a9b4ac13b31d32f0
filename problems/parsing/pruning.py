"""Pruning by the posteriors of a first-order probabilistic model (section 3, footnote 10).

The probability of a tree is proportional to exp(sum of its arcs' scores). Arc posteriors come from the matrix-tree theorem
(Koo et al. 2007; Smith & Smith 2007; McDonald & Satta 2007), with the single-root variant of Koo et al. Every word keeps at
most K heads, and none that is less than `threshold` times as probable as its best one. Where that leaves no tree, the arcs
of the best first-order tree are put back.
"""

from __future__ import annotations

import numpy as np

from ..errors import InputError
from ..linear_program import Floats, Integers
from .decode import best_tree
from .instance import unreachable_over

MOST_HEADS = 10
THRESHOLD = 1e-4
LARGEST_INVERSE = 1e6  # entries of the Laplacian's inverse beyond which its digits are not trusted
LOWEST = -100.0  # scores below the best head's, which count as this
RARE_ROOT = 1e-60  # weight of root arcs that makes a second one as good as impossible


def candidates(number_of_words: int) -> tuple[Integers, Integers]:
    """All arcs of a sentence: heads and modifiers, by modifier, then by head."""
    modifiers, heads = np.divmod(np.arange(number_of_words * (number_of_words + 1)), number_of_words + 1)
    modifiers = modifiers + 1
    keep = heads != modifiers
    return heads[keep], modifiers[keep]


def arc_posteriors(
    number_of_words: int, heads: Integers, modifiers: Integers, scores: Floats, single_root: bool = False
) -> Floats:
    """The probability of each candidate arc; there must be a tree.

    One inversion of the Laplacian serves all arcs. Where that is ill-conditioned (the best heads form a cycle that is left
    by improbable arcs only), `_careful_posteriors` takes over, which has no cancellation in it.
    """
    weights = _weights(number_of_words, heads, modifiers, scores)
    laplacian = np.diag(weights.sum(axis=0)[1:]) - weights[1:, 1:]  # [h - 1, m - 1]
    roots = weights[0, 1:]
    if single_root:
        laplacian = laplacian - np.diag(roots)
        roots = roots / max(roots.max(), np.exp(LOWEST))  # every tree has one of these arcs, so their scale is free
        laplacian[0] = roots
    try:
        inverse = np.linalg.inv(laplacian)
    except np.linalg.LinAlgError:
        inverse = np.full((number_of_words, number_of_words), np.inf)
    if not np.abs(inverse).max() <= LARGEST_INVERSE:
        return _careful_posteriors(weights, single_root)[heads, modifiers]
    diagonal = np.diag(inverse)
    result = np.zeros_like(weights)
    if single_root:
        into, out_of = diagonal.copy(), inverse.T.copy()  # of modifier m; [h, m] = inverse[m, h]
        into[0] = 0.0
        out_of[0] = 0.0
        result[1:, 1:] = weights[1:, 1:] * (into[None, :] - out_of)
        result[0, 1:] = roots * inverse[:, 0]
    else:
        result[1:, 1:] = weights[1:, 1:] * (diagonal[None, :] - inverse.T)
        result[0, 1:] = roots * diagonal
    return np.clip(result[heads, modifiers], 0.0, 1.0)


def _weights(number_of_words: int, heads: Integers, modifiers: Integers, scores: Floats) -> Floats:
    """exp(score) as a matrix [head, modifier], each word's best head scaled to 1 (every tree has one arc into each word)."""
    matrix = np.full((number_of_words + 1, number_of_words + 1), -np.inf)
    matrix[heads, modifiers] = scores
    best = matrix.max(axis=0, initial=-np.inf)
    best[0] = 0.0
    if not np.isfinite(best).all():
        word = int(np.flatnonzero(~np.isfinite(best))[0])
        raise InputError(f"word {word} has no allowed head.")
    weights = np.zeros_like(matrix)
    weights[heads, modifiers] = np.exp(np.maximum(scores - best[modifiers], LOWEST))
    return weights


def _careful_posteriors(weights: Floats, single_root: bool) -> Floats:
    """The same for all arcs by sums and products of positive numbers only, in O(n^4).

    A random walk goes from a word to one of its heads, with probabilities proportional to the weights. The posterior of h
    as head of m is proportional to weight(h, m) times the probability that the walk from h reaches the root symbol before
    m (Wilson 1996). The walk is solved by state reduction (Grassmann, Taksar & Heyman 1985).
    """
    count = len(weights) - 1
    if single_root:
        weights = weights.copy()
        weights[0] *= RARE_ROOT
    result = np.zeros_like(weights)
    for modifier in range(1, count + 1):
        order = np.array([0, modifier, *(word for word in range(1, count + 1) if word != modifier)])
        walk = weights[np.ix_(order, order)].T.copy()  # [from, to]
        for last in range(count, 1, -1):  # leave out one word after the other, the walk goes past it
            total = walk[last, :last].sum()
            walk[last, :last] /= total if total > 0 else 1.0
            walk[:last, :last] += walk[:last, last, None] * walk[None, last, :last]
        reach = np.zeros(count + 1)  # the probability to reach the root symbol first
        reach[0] = 1.0
        for word in range(2, count + 1):
            reach[word] = walk[word, :word] @ reach[:word]
        shares = weights[order, modifier] * reach
        result[order, modifier] = shares / shares.sum()
    return result


def prune(
    number_of_words: int,
    heads: Integers,
    modifiers: Integers,
    scores: Floats,
    single_root: bool = False,
    projective: bool = False,
    most_heads: int = MOST_HEADS,
    threshold: float = THRESHOLD,
    words: tuple[str, ...] = (),
) -> Integers:
    """The candidate arcs to keep, given the first-order model's scores of all of them."""
    if most_heads < 1:
        raise InputError(f"the most heads per word must be at least 1, not {most_heads}.")
    if not 0.0 <= threshold <= 1.0:
        raise InputError(f"the pruning threshold must be between 0 and 1, not {threshold}.")
    without = np.flatnonzero(np.bincount(modifiers, minlength=number_of_words + 1)[1:] == 0)
    if len(without):
        said = f" ({words[without[0]]!r})" if words else ""
        raise InputError(f"word {without[0] + 1}{said} has no allowed head.")
    if unreachable_over(number_of_words, heads, modifiers, single_root):
        raise InputError("there is no tree over the allowed heads.")
    posteriors = arc_posteriors(number_of_words, heads, modifiers, scores, single_root)
    best = np.zeros(number_of_words + 1)
    np.maximum.at(best, modifiers, posteriors)
    order = np.lexsort((-scores, -posteriors, modifiers))  # each word's heads, best first
    starts = np.searchsorted(modifiers, np.arange(number_of_words + 2))
    rank = np.empty(len(heads), dtype=np.int64)
    rank[order] = np.arange(len(heads)) - starts[modifiers[order]]
    keep = (rank < most_heads) & ((posteriors >= threshold * best[modifiers]) | (rank == 0))
    if _no_tree(number_of_words, heads[keep], modifiers[keep], scores[keep], single_root, projective):
        restored = best_tree(number_of_words, heads, modifiers, scores, single_root, projective)
        if restored is None:
            raise InputError("there is no projective tree over the allowed heads.")
        keep[restored] = True
    return np.flatnonzero(keep)


def _no_tree(
    number_of_words: int, heads: Integers, modifiers: Integers, scores: Floats, single_root: bool, projective: bool
) -> bool:
    if unreachable_over(number_of_words, heads, modifiers, single_root):
        return True
    return projective and best_tree(number_of_words, heads, modifiers, scores, single_root, projective) is None


def limit_modifiers(
    number_of_words: int, heads: Integers, modifiers: Integers, scores: Floats, single_root: bool, most: int
) -> Integers:
    """The arcs to keep when every head may have at most `most` candidate modifiers (J in Table 1), best scores first.

    The arcs of the best tree always stay, so a head can have more where that tree gives it more.
    """
    if most < 1:
        raise InputError(f"the most modifiers per head must be at least 1, not {most}.")
    order = np.lexsort((-scores, heads))
    starts = np.searchsorted(heads[order], np.arange(number_of_words + 2))
    rank = np.empty(len(heads), dtype=np.int64)
    rank[order] = np.arange(len(heads)) - starts[heads[order]]
    keep = rank < most
    tree = best_tree(number_of_words, heads, modifiers, scores, single_root)
    if tree is None:
        raise InputError("there is no tree over the allowed heads.")
    keep[tree] = True
    return np.flatnonzero(keep)
