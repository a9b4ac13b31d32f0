"""`dp-bigram` of tree transduction: McDonald's (2006) structured discriminative model alone (section 3.3).

The solver finds the best path by bigram scores and the reward per kept word. The length is free, or the instance's.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from ..base import Solution, Solver, cpu_clock
from .ngram_paths import best_path, concluded, derive, load_path_kernels
from .transduction import fixed_length, required, required_bigrams


@dataclass(kw_only=True)
class TransductionBigram(Solver):
    name = "dp-bigram"
    tasks = frozenset({"transduction"})

    def solve(self, instance: Any) -> Solution:
        instance = required(self, instance)
        required_bigrams(self, instance, ": see dp-ngram")
        load_path_kernels()
        wall, start = time.perf_counter(), cpu_clock()
        kept, value = best_path(instance, fixed_length(instance))
        derivation = derive(instance, kept)
        seconds = cpu_clock() - start
        solution = concluded(instance, kept, derivation)
        solution.solve_seconds, solution.wall_seconds = seconds, time.perf_counter() - wall
        solution.info = {"model_objective": value}
        return solution
