"""`dp-bigram`: McDonald's (2006) model of adjacent kept words with exactly L of them, O(n^2 L).

The solver finds the best path of kept words by token and bigram scores and ignores arcs. The structure is then scored
on the joint objective with the best projective tree over the kept words (Eisner's algorithm).
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from problems import task_of

from ..base import Solution, Solver, cpu_clock
from ..conclude import judge
from .compression import best_tree, bigram_table, required
from .relaxation import load_kernels


@dataclass(kw_only=True)
class DpBigram(Solver):
    name = "dp-bigram"
    tasks = frozenset({"compression"})

    def solve(self, instance: Any) -> Solution:
        from problems.kernels.compression_models import best_path

        instance = required(self, instance)
        load_kernels("fast")
        _load()
        wall, start = time.perf_counter(), cpu_clock()
        path = np.zeros(max(instance.length, 1), dtype=np.int64)
        score = best_path(np.array(instance.token_scores), bigram_table(instance), instance.length, path)
        kept = tuple(path[: instance.length].tolist())
        structure = kept, best_tree(instance, kept)
        seconds = cpu_clock() - start
        solution = judge(task_of(instance), instance, structure, math.inf)
        solution.solve_seconds, solution.wall_seconds = seconds, time.perf_counter() - wall
        solution.info = {"model_objective": score}
        return solution


@cache
def _load() -> None:
    """Load (or compile) the kernel, off any clock."""
    from problems.kernels.compression_models import best_path

    best_path(np.zeros(1), np.zeros((3, 3)), 1, np.zeros(1, dtype=np.int64))
