"""What the programs for tree transduction share: instances as arrays for kernels, and structures from what these mark."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from problems.errors import InputError
from problems.factors.block import starts_of
from problems.linear_program import Floats, Integers
from problems.transduction.instance import Transduction, TransductionInstance

from ..base import Solution, Solver

NO_BIGRAMS, NO_TRIGRAMS = np.zeros((0, 0)), np.zeros((0, 0, 0))
Marks = NDArray[np.bool_]


class Rules(NamedTuple):
    """A forest for kernels, which are compiled for writable arrays; scores are weighted."""

    starts: Integers
    word: Integers
    tails: Integers
    scores: Floats


def required(solver: Solver, instance: Any) -> TransductionInstance:
    if not isinstance(instance, TransductionInstance):
        raise InputError(f"solver {solver.name!r} solves instances of task 'transduction' only.")
    return instance


def required_bigrams(solver: Solver, instance: TransductionInstance, instead: str) -> Floats:
    """The weighted bigram scores of an instance; those of trigrams are refused."""
    if instance.bigram_scores is None:
        raise InputError(
            f"solver {solver.name!r} needs bigram scores, and instance {instance.name!r} has trigrams{instead}."
        )
    return instance.ngram_weight * instance.bigram_scores


def rules_of(instance: TransductionInstance) -> Rules:
    forest = instance.forest
    return Rules(
        starts_of(forest.edge_counts),
        forest.links[:, 0].copy(),
        forest.tails.copy(),
        instance.rule_weight * forest.scores,
    )


def ngrams_of(instance: TransductionInstance) -> tuple[Floats, Floats]:
    """Weighted bigram and trigram scores, one of them empty."""
    scores = instance.ngram_weight * instance.ngram_scores
    return (scores, NO_TRIGRAMS) if scores.ndim == 2 else (NO_BIGRAMS, scores)


def fixed_length(instance: TransductionInstance) -> int:
    """The length for kernels: 0 where it is free."""
    return instance.length or 0


def transduction_of(instance: TransductionInstance, edges: Marks) -> Transduction:
    """The structure of a derivation's marked edges."""
    chosen = np.flatnonzero(edges)
    forest = instance.forest
    derived = np.searchsorted(np.cumsum(forest.edge_counts), chosen, side="right")
    words = forest.links[derived, 0]
    return tuple(np.sort(words[words >= 0] + 1).tolist()), tuple(chosen.tolist())


def no_derivation(instance: TransductionInstance) -> Solution:
    """What a complete search found: nothing."""
    asked = "a word" if instance.length is None else f"exactly {instance.length} words"
    return Solution("infeasible", message=f"no derivation keeps {asked}")
