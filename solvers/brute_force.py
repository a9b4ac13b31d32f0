"""Enumerates every structure: the oracle of the tests, for small instances.

It uses the task's own structures and objective instead of the factor graph, so it also tests the graph.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

from problems import task_of
from problems.errors import InputError

from .base import Solution, Solver, cpu_clock


@dataclass(kw_only=True)
class BruteForce(Solver):
    name = "brute-force"
    exact = True

    max_structures: int = 2_000_000  # Larger instances are refused.

    def check_options(self) -> None:
        if self.max_structures < 1:
            raise InputError(
                f"option 'max_structures' of solver {self.name!r} must be at least 1, not {self.max_structures}."
            )

    def solve(self, instance: Any) -> Solution:
        task = task_of(instance)
        count = task.count_structures(instance)
        if count > self.max_structures:
            said = f"up to {count:.3g}" if math.isfinite(count) else "more than 1e308"
            raise InputError(
                f"the instance has {said} structures, more than brute force's limit of {self.max_structures}."
            )
        wall, start = time.perf_counter(), cpu_clock()
        best, best_objective, tried = None, -math.inf, 0
        for structure in task.structures(instance):
            tried += 1
            objective = task.objective(instance, structure)
            if objective > best_objective:
                best, best_objective = structure, objective
        solution = Solution("infeasible", bound=-math.inf, iterations=tried)
        if best is not None:
            solution = Solution("optimal", best, best_objective, bound=best_objective, integral=True, iterations=tried)
        solution.solve_seconds, solution.wall_seconds = cpu_clock() - start, time.perf_counter() - wall
        return solution
