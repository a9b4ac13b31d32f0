"""The best path of n-grams through a sentence, and what such a path is worth as a transduction."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from problems import task_of
from problems.transduction.best import best_derivation, load_kernels
from problems.transduction.instance import TransductionInstance

from ..base import Solution
from ..conclude import judge
from .transduction import ngrams_of

Path = tuple[int, ...]


def best_path(instance: TransductionInstance, length: int) -> tuple[Path, float]:
    """The kept words of the best path, of `length` words or (0) of any number but none, and its value with rewards."""
    from problems.kernels.transduction_models import best_bigram_path, best_trigram_path

    bigrams, trigrams = ngrams_of(instance)
    kept = np.zeros(instance.number_of_words, dtype=bool)
    if len(bigrams):
        value = best_bigram_path(bigrams, instance.reward, length, kept)
    else:
        value = best_trigram_path(trigrams, instance.reward, length, kept)
    return tuple((np.flatnonzero(kept) + 1).tolist()), float(value)


def derive(instance: TransductionInstance, kept: Path) -> tuple[int, ...] | None:
    """The best derivation that keeps exactly these words, if there is one."""
    return best_derivation(instance, np.array(kept, dtype=np.int64))


def concluded(instance: TransductionInstance, kept: Path, derivation: tuple[int, ...] | None) -> Solution:
    """The grammar may not derive what n-grams prefer: the words and their metrics stand, and the status says infeasible."""
    if derivation is not None:
        return judge(task_of(instance), instance, (kept, derivation), math.inf)
    return Solution("infeasible", (kept, ()), message="the grammar has no derivation of these words")


@cache
def load_path_kernels() -> None:
    """Load (or compile) the kernels, off any clock."""
    from problems.kernels.transduction_models import best_bigram_path, best_trigram_path

    load_kernels()
    best_bigram_path(np.zeros((3, 3)), 0.0, 1, np.zeros(1, dtype=bool))
    best_trigram_path(np.zeros((3, 3, 3)), 0.0, 1, np.zeros(1, dtype=bool))
