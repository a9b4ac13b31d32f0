"""`dp-transduction`: the pure tree transduction model (section 3.1), rules and the reward per kept word without n-grams.

Max-sum over the forest finds the best derivation, which is then scored on the joint objective. With a fixed length,
items carry the number of kept words.
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
from .transduction import fixed_length, no_derivation, required, rules_of, transduction_of


@dataclass(kw_only=True)
class DpTransduction(Solver):
    name = "dp-transduction"
    tasks = frozenset({"transduction"})

    def solve(self, instance: Any) -> Solution:
        from problems.kernels.transduction_models import best_transduction

        instance = required(self, instance)
        _load()
        wall, start = time.perf_counter(), cpu_clock()
        edges = np.zeros(len(instance.forest.tails), dtype=bool)
        score = best_transduction(*rules_of(instance), instance.reward, fixed_length(instance), edges)
        structure = transduction_of(instance, edges)
        seconds = cpu_clock() - start
        if score == -math.inf:
            solution = no_derivation(instance)
        else:
            solution = judge(task_of(instance), instance, structure, math.inf)
            solution.info = {"model_objective": score}
        solution.solve_seconds, solution.wall_seconds = seconds, time.perf_counter() - wall
        return solution


@cache
def _load() -> None:
    """Load (or compile) the kernel, off any clock."""
    from problems.kernels.transduction_models import best_transduction

    starts, tails = np.array([0, 0, 1, 2]), np.array([[0, 0], [1, 0]])
    best_transduction(starts, np.array([-1, 0, -1]), tails, np.zeros(2), 0.0, 1, np.zeros(2, dtype=bool))
