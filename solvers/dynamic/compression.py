"""What the dynamic programs of sentence compression share: their score tables, and structures from head vectors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problems import task_of
from problems.compression.instance import Compression, CompressionInstance
from problems.errors import InputError

from ..base import Solution, Solver
from ..conclude import judge

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
PROJECTIVE_ONLY = "projective trees only: nothing is proved of other trees"


def required(solver: Solver, instance: Any) -> CompressionInstance:
    """The instance, if it is one of the task."""
    if not isinstance(instance, CompressionInstance):
        raise InputError(f"solver {solver.name!r} solves instances of task 'compression' only.")
    return instance


def arc_table(instance: CompressionInstance) -> Floats:
    """[head, modifier], with the token score of the modifier moved to its arc, as in section 3.2."""
    count = instance.number_of_words
    arcs = np.zeros((count + 1, count + 1))
    np.add(instance.arc_scores, instance.token_scores, out=arcs[:, 1:])
    return arcs


def bigram_table(instance: CompressionInstance) -> Floats:
    """With rows and columns of the start and end symbols; a copy, because kernels are compiled for writable arrays."""
    return np.array(instance.bigram_scores)


def adjacent_only(count: int) -> Floats:
    """Bigram scores under which no word can be deleted: 0 for neighbours, minus infinity for all others."""
    bigrams = np.full((count + 2, count + 2), -np.inf)
    np.fill_diagonal(bigrams[:, 1:], 0.0)
    return bigrams


def compression_of(heads: Integers) -> Compression:
    """The structure of a head vector in which deleted words have head -1; the entry of the root symbol is not read."""
    listed = heads.tolist()
    kept = tuple(word for word in range(1, len(listed)) if listed[word] >= 0)
    return kept, tuple(listed[word] for word in kept)


def concluded(instance: CompressionInstance, structure: Compression, bound: float) -> Solution:
    """The status of a structure that a program for projective trees found; its bound speaks of those alone."""
    if instance.projective:
        return judge(task_of(instance), instance, structure, bound)
    solution = judge(task_of(instance), instance, structure, math.inf)
    solution.message = PROJECTIVE_ONLY
    return solution


def best_tree(instance: CompressionInstance, kept: tuple[int, ...]) -> tuple[int, ...]:
    """The heads of the best projective tree over these words: Eisner's algorithm, one word below the root symbol."""
    from .relaxation import Relaxation

    if not kept:
        return ()
    chosen = np.array([0, *kept])
    arcs = np.ascontiguousarray(arc_table(instance)[np.ix_(chosen, chosen)])
    program = Relaxation(arcs, adjacent_only(len(kept)), "fast")
    program.maximize(0.0)
    return tuple(int(chosen[head]) for head in program.heads[1:])
