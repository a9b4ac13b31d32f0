"""The best derivation of given words, and roundings of fractional solutions.

- `kept`: the words with a posterior above a half (where the length is fixed, the likeliest ones; at least one), with their
  best derivation
- `search`: from there upwards on the objective, by changing one word at a time, or by exchanging a kept word for a deleted
  one where the length is fixed. The words that the posteriors are least sure of take part, `MOST_CANDIDATES` of them.
  A fractional solution mixes a few compressions, so words that only some of them keep have equal posteriors: where
  length is free, the search starts from every choice of such groups, or from several thresholds if there are many.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..factors.block import starts_of
from ..factors.derivation import forest_of
from ..linear_program import Floats, Integers
from .instance import Transduction, TransductionInstance

MOST_CANDIDATES = 16
MOST_CANDIDATES_FIXED = 10
MOST_ROUNDS = 10
LEVELS = 50  # posteriors that round to the same multiple of 1/50 are taken to be equal
MOST_GROUPS = 3
THRESHOLDS = (0.2, 0.35, 0.65, 0.8)
NO_BIGRAMS, NO_TRIGRAMS = np.zeros((0, 0)), np.zeros((0, 0, 0))


class Tables(NamedTuple):
    """What the kernels need of a forest, and their scratch."""

    starts: Integers
    word: Integers
    tails: Integers
    scores: Floats
    agreement: Integers
    value: Floats
    choice: Integers


def tables_of(instance: TransductionInstance) -> Tables:
    """Arrays that are writable, as the kernels are compiled for them; rules are weighted."""
    forest = instance.forest
    items = len(forest.edge_counts)
    return Tables(
        starts_of(forest.edge_counts),
        forest.links[:, 0].copy(),
        forest.tails.copy(),
        instance.rule_weight * forest.scores,
        np.zeros(items, dtype=np.int64),
        np.zeros(items),
        np.zeros(items, dtype=np.int64),
    )


def best_derivation(instance: TransductionInstance, kept: Integers) -> tuple[int, ...] | None:
    """The edges of the best derivation that keeps exactly these words, in order; None if there is none."""
    return best_derivations(instance, [kept])[0]


def best_derivations(instance: TransductionInstance, choices: Iterable[ArrayLike]) -> list[tuple[int, ...] | None]:
    """The same for several choices of kept words: the forest is prepared for the kernel once."""
    from ..kernels.transduction_rounding import derive

    tables = tables_of(instance)
    found: list[tuple[int, ...] | None] = []
    for kept in choices:
        wanted = np.zeros(instance.number_of_words, dtype=bool)
        wanted[np.asarray(kept, dtype=np.int64) - 1] = True
        score = derive(*tables[:4], wanted, *tables[4:])
        found.append(chosen_edges(tables) if np.isfinite(score) else None)
    return found


def chosen_edges(tables: Tables) -> tuple[int, ...]:
    """The edges of the derivation of the goal in which each item is derived by its chosen edge."""
    from ..kernels.transduction_rounding import mark_chosen

    used, edges = np.empty(len(tables.choice), dtype=bool), np.empty(len(tables.tails), dtype=bool)
    mark_chosen(tables.tails, tables.choice, used, edges)
    return tuple(np.flatnonzero(edges).tolist())


def round_kept(instance: TransductionInstance, posteriors: Floats) -> Transduction | None:
    kept = np.flatnonzero(_start(instance, posteriors)) + 1
    derivation = best_derivation(instance, kept)
    return None if derivation is None else (tuple(kept.tolist()), derivation)


def round_search(instance: TransductionInstance, posteriors: Floats) -> Transduction | None:
    tables = tables_of(instance)
    weighted = instance.ngram_weight * instance.ngram_scores
    ngrams = (weighted, NO_TRIGRAMS) if weighted.ndim == 2 else (NO_BIGRAMS, weighted)
    found = [_climbed(instance, tables, ngrams, posteriors, wanted) for wanted in _starts(instance, posteriors)]
    value, structure = max(found, key=lambda each: each[0])
    return structure if np.isfinite(value) else None


def _climbed(
    instance: TransductionInstance,
    tables: Tables,
    ngrams: tuple[Floats, Floats],
    posteriors: Floats,
    wanted: NDArray[np.bool_],
) -> tuple[float, Transduction]:
    """The best words that the search finds from these, and their value."""
    from ..kernels.transduction_rounding import improve

    fixed = instance.length is not None
    if fixed:  # the least likely of the kept words, and the likeliest of the others
        order = np.argsort(np.where(wanted, posteriors, 1.0 - posteriors), kind="stable")
        inside = wanted[order]
        order = np.concatenate([order[inside][:MOST_CANDIDATES_FIXED], order[~inside][:MOST_CANDIDATES_FIXED]])
    else:
        order = np.argsort(np.abs(posteriors - 0.5), kind="stable")[:MOST_CANDIDATES]
    value = improve(
        *tables[:4],
        ngrams[0],
        ngrams[1],
        instance.reward,
        wanted,
        order.astype(np.int64),
        fixed,
        MOST_ROUNDS,
        *tables[4:],
    )
    if not np.isfinite(value):
        return -np.inf, ((), ())
    return value, (tuple((np.flatnonzero(wanted) + 1).tolist()), chosen_edges(tables))


def _starts(instance: TransductionInstance, posteriors: Floats) -> list[NDArray[np.bool_]]:
    """Where the search starts: at the rounded posteriors first of all."""
    starts = [_start(instance, posteriors)]
    if instance.length is not None:
        return starts
    levels = np.rint(posteriors * LEVELS) / LEVELS
    groups = np.unique(levels[(levels > 0.0) & (levels < 1.0)])
    if len(groups) <= MOST_GROUPS:
        for chosen in product((False, True), repeat=len(groups)):
            starts.append((levels == 1.0) | np.isin(levels, groups[np.array(chosen, dtype=bool)]))
    else:
        starts += [posteriors > threshold for threshold in THRESHOLDS]
    different = {start.tobytes(): start for start in starts if start.any()}
    return list(different.values())


def _start(instance: TransductionInstance, posteriors: Floats) -> NDArray[np.bool_]:
    if instance.length is None:
        wanted = posteriors > 0.5
        if not wanted.any():
            wanted[np.argmax(posteriors)] = True
        return wanted
    wanted = np.zeros(len(posteriors), dtype=bool)
    wanted[np.argsort(-posteriors, kind="stable")[: instance.length]] = True
    return wanted


@cache
def load_kernels() -> None:
    """Round a fractional solution of the smallest instance there is."""
    item = np.array([1, 2])
    links = np.array([[-1, -1], [0, -1], [-1, -1]])
    forest = forest_of(3, links, [(item, np.array([0, 1]), np.zeros(2, dtype=np.int64), np.zeros(2))])
    smallest = TransductionInstance("smallest", ("a",), forest, bigram_scores=np.zeros((3, 3)))
    round_search(smallest, np.full(1, 0.5))
    best_derivation(smallest, np.ones(1, dtype=np.int64))
