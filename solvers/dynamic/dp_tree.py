"""`dp-tree`: the subtree deletion model (Berg-Kirkpatrick et al. 2011) with the length constraint, O(n L).

Kept words form a subtree of the source tree and score their tokens and source arcs; bigrams are ignored. The structure
is then scored on the joint objective with the source heads. If the source tree is not projective but the instance asks
for projective trees, the heads are those of the best projective tree over the kept words. A gold compression need not
be such a subtree.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from problems import task_of
from problems.compression.instance import CompressionInstance
from problems.compression.trees import crossing_word
from problems.errors import InputError

from ..base import Solution, Solver, cpu_clock
from ..conclude import judge
from .compression import Integers, best_tree, required
from .relaxation import load_kernels


@dataclass(kw_only=True)
class DpTree(Solver):
    name = "dp-tree"
    tasks = frozenset({"compression"})

    def solve(self, instance: Any) -> Solution:
        from problems.kernels.compression_models import best_subtree

        instance = required(self, instance)
        heads = instance.source_heads
        if heads is None:
            raise InputError(f"solver {self.name!r} needs field 'source_heads' of the instance {instance.name!r}.")
        _load()
        wall, start = time.perf_counter(), cpu_clock()
        order, skips = preorder(heads)
        arcs = np.array([heads[word - 1] for word in order])
        weights = instance.token_scores[order - 1] + instance.arc_scores[arcs, order - 1]
        marks = np.zeros(len(order), dtype=np.bool_)
        score = best_subtree(weights, skips, instance.length, marks) if instance.length else 0.0
        kept = tuple(sorted(order[marks].tolist()))
        structure = kept, self._heads(instance, kept, heads)
        seconds = cpu_clock() - start
        solution = judge(task_of(instance), instance, structure, math.inf)
        solution.solve_seconds, solution.wall_seconds = seconds, time.perf_counter() - wall
        solution.info = {"model_objective": score}
        return solution

    def _heads(self, instance: CompressionInstance, kept: tuple[int, ...], heads: tuple[int, ...]) -> tuple[int, ...]:
        if instance.projective and crossing_word(heads) is not None:
            return best_tree(instance, kept)
        return tuple(heads[word - 1] for word in kept)


def preorder(heads: tuple[int, ...]) -> tuple[Integers, Integers]:
    """The words, each before its modifiers, and for each place the first one after its subtree."""
    modifiers: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for word in range(len(heads), 0, -1):
        modifiers[heads[word - 1]].append(word)
    order: list[int] = []
    stack = list(modifiers[0])
    while stack:
        word = stack.pop()
        order.append(word)
        stack.extend(modifiers[word])
    size = [1] * (len(heads) + 1)
    for word in reversed(order):
        size[heads[word - 1]] += size[word]
    skips = [place + size[word] for place, word in enumerate(order)]
    return np.array(order, dtype=np.int64), np.array(skips, dtype=np.int64)


@cache
def _load() -> None:
    """Load (or compile) the kernels, off any clock."""
    from problems.kernels.compression_models import best_subtree

    load_kernels("fast")
    best_subtree(np.zeros(1), np.ones(1, dtype=np.int64), 1, np.zeros(1, dtype=np.bool_))
