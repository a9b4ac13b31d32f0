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
from .decode import best_tree, score_matrix
from .instance import unreachable_over

MOST_HEADS = 10
THRESHOLD = 1e-4
LARGEST_INVERSE = 1e6  # entries of the Laplacian's inverse beyond which its digits are not trusted
NEVER = 50.0  # exp(-NEVER) is as good as impossible


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
    by improbable arcs only), `careful_posteriors` takes over, which has neither cancellation nor underflow in it.
    """
    matrix = score_matrix(number_of_words, heads, modifiers, scores)
    best = matrix[1:] if single_root else matrix
    best = best.max(axis=0)[1:]  # of each word: every tree has one arc into it, so its scale is free
    best = np.where(np.isfinite(best), best, matrix[0, 1:])  # a word that has the root symbol as its only head
    if not np.isfinite(best).all():
        raise InputError(f"word {int(np.flatnonzero(~np.isfinite(best))[0]) + 1} has no allowed head.")
    weights = np.exp(matrix[1:, 1:] - best)  # [h - 1, m - 1]
    log_roots = matrix[0, 1:] - best
    if single_root:
        log_roots = log_roots - log_roots.max()  # every tree has one of these arcs, so their scale is free, too
    roots = np.exp(log_roots)
    laplacian = np.diag(weights.sum(axis=0) + (0.0 if single_root else roots)) - weights
    if single_root:
        laplacian[0] = roots
    try:
        inverse = np.linalg.inv(laplacian)
    except np.linalg.LinAlgError:
        inverse = np.full((number_of_words, number_of_words), np.inf)
    if not np.abs(inverse).max() <= LARGEST_INVERSE:
        return careful_posteriors(matrix, single_root)[heads, modifiers]
    diagonal = np.diag(inverse)
    result = np.zeros_like(matrix)
    if single_root:
        into, out_of = diagonal.copy(), inverse.T.copy()  # of modifier m; [h, m] = inverse[m, h]
        into[0] = 0.0
        out_of[0] = 0.0
        result[1:, 1:] = weights * (into[None, :] - out_of)
        result[0, 1:] = roots * inverse[:, 0]
    else:
        result[1:, 1:] = weights * (diagonal[None, :] - inverse.T)
        result[0, 1:] = roots * diagonal
    return np.clip(result[heads, modifiers], 0.0, 1.0)


def careful_posteriors(matrix: Floats, single_root: bool) -> Floats:
    """The same from a matrix [head, modifier] of scores, by sums and products of positive numbers only, in O(n^3).

    A random walk goes from a word to one of its heads, with probabilities proportional to exp(score). The posterior of h as
    head of m is proportional to exp(score(h, m)) times the probability that the walk from h reaches the root symbol before
    m (Wilson 1996). The walk is solved by state reduction (Grassmann, Taksar & Heyman 1985): all words but m are left out.
    Halves of the words are left out together for all m of the other half. Numbers are logarithms: scores may be far apart.

    With a single root, an arc of no such tree gets up to exp(-NEVER) instead of 0. All others are exact: even the least
    probable tree outweighs those of several roots by that factor.
    """
    from ..kernels.tree_walk import leave_out, reach_root

    size = len(matrix)
    scores = matrix.copy()
    if single_root:  # a second arc from the root symbol costs more than all trees with a single one are worth
        finite = np.isfinite(matrix)
        lowest = np.where(finite, matrix, np.inf).min(axis=0, initial=np.inf)[1:]
        spread = float((matrix.max(axis=0)[1:] - lowest).sum())
        scores[0] -= spread + size * np.log(size) + NEVER
    result = np.zeros_like(matrix)
    rows = np.empty((size, size))
    order = np.empty(size, dtype=np.int64)

    def descend(walk: Floats, states: Integers, gone: int) -> None:
        words = len(states) - 1  # states: the root symbol, then words
        if words == 1:
            modifier = int(states[1])
            reach = np.full(size, -np.inf)
            reach[0] = 0.0
            reach_root(rows, order, gone, reach)
            shares = scores[:, modifier] + reach
            shares = np.exp(shares - shares.max())
            result[:, modifier] = shares / shares.sum()
            return
        middle = 1 + words // 2
        for first, last in ((1, middle), (middle, words + 1)):
            smaller = walk.copy()
            leave_out(smaller, states, first, last, rows)
            order[gone : gone + last - first] = states[first:last]
            kept = np.r_[0:first, last : words + 1]
            descend(np.ascontiguousarray(smaller[np.ix_(kept, kept)]), states[kept], gone + last - first)

    descend(np.ascontiguousarray(scores.T), np.arange(size), 0)
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
