"""`dp-ngram`: the pure n-gram model (section 3.2), the likeliest words of a given number by dynamic programming.

Log-probabilities alone prefer short sentences, so the length is fixed: the instance's, or a share of the words.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from ..base import Solution, Solver, cpu_clock
from .ngram_paths import best_path, concluded, derive, load_path_kernels
from .transduction import required


@dataclass(kw_only=True)
class DpNgram(Solver):
    name = "dp-ngram"
    tasks = frozenset({"transduction"})

    rate: float = 0.7  # Share of words to keep where the instance fixes no length.

    def check_options(self) -> None:
        self.require("rate", 0 < self.rate <= 1, "above 0 and at most 1")

    def solve(self, instance: Any) -> Solution:
        instance = required(self, instance)
        load_path_kernels()
        wall, start = time.perf_counter(), cpu_clock()
        length = instance.length or max(1, round(self.rate * instance.number_of_words))
        kept, value = best_path(instance, length)
        derivation = derive(instance, kept)
        seconds = cpu_clock() - start
        solution = concluded(instance, kept, derivation)
        solution.solve_seconds, solution.wall_seconds = seconds, time.perf_counter() - wall
        solution.info = {"model_objective": value}
        return solution
