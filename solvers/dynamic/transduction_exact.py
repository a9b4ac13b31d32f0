"""`dp-exact` of tree transduction with bigrams: each item has its first and last kept word, and their number if fixed.

Joining parts of a and b words takes O(ab(a + b)), so a forest of E edges over n words takes O(E n^3), and O(E n^5) in
the worst case with a fixed length. Cohn & Lapata (2009) call exact decoding intractable for general rules and target
words. With deletions only, words are positions of the source, and decoding is polynomial.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from problems import task_of
from problems.errors import InputError
from problems.linear_program import Floats

from ..base import Solution, Solver, cpu_clock
from ..conclude import judge
from .transduction import Rules, fixed_length, no_derivation, required, required_bigrams, rules_of, transduction_of


@dataclass(kw_only=True)
class TransductionExact(Solver):
    name = "dp-exact"
    tasks = frozenset({"transduction"})
    exact = True

    memory_gb: float = 4.0  # Instances that need larger tables are refused.

    def check_options(self) -> None:
        self.require("memory_gb", 0 < self.memory_gb < math.inf, "above 0 and finite")

    def solve(self, instance: Any) -> Solution:
        instance = required(self, instance)
        required_bigrams(self, instance, ": use an ILP solver or ad3-exact")
        _load()
        wall, start = time.perf_counter(), cpu_clock()
        bigrams = required_bigrams(self, instance, "")
        edges = np.zeros(len(instance.forest.tails), dtype=bool)
        bound, floats = self._run(
            rules_of(instance), bigrams, instance.reward, fixed_length(instance), edges, instance.name
        )
        structure = transduction_of(instance, edges)
        seconds = cpu_clock() - start
        if bound == -math.inf:
            solution = no_derivation(instance)
        else:
            solution = judge(task_of(instance), instance, structure, bound)
            solution.integral = True
        solution.solve_seconds, solution.wall_seconds = seconds, time.perf_counter() - wall
        solution.info = {"table_mb": 8e-6 * floats}
        return solution

    def _run(
        self, rules: Rules, bigrams: Floats, reward: float, length: int, edges: Any, name: str
    ) -> tuple[float, int]:
        from problems.kernels.transduction_exact import best_state, fill, measure, trace

        items = len(rules.word)
        low, width, layers, offset = (np.zeros(items, dtype=np.int64) for _ in range(4))
        floats = measure(rules.starts, rules.word, rules.tails, length, low, width, layers, offset)
        if 8e-9 * floats > self.memory_gb:
            raise InputError(
                f"solver 'dp-exact' needs {8e-9 * floats:.3g} GB for instance {name!r}, more than "
                f"memory_gb = {self.memory_gb:g}."
            )
        empty, table = np.full(items, -np.inf), np.full(floats, -np.inf)
        where = low, width, layers, offset
        fill(*rules, bigrams, reward, length, *where, empty, table, np.zeros(int(width.max()) ** 2))
        state = np.zeros(3, dtype=np.int64)
        value = best_state(items, bigrams, length, *where, table, state)
        if value > -math.inf:
            trace(*rules, bigrams, length, *where, empty, table, state, edges)
        return float(value), int(floats)


@cache
def _load() -> None:
    """Load (or compile) the kernels, off any clock: two words, one derivation."""
    rules = Rules(
        np.array([0, 0, 1, 2, 3]),
        np.array([-1, 0, 1, -1]),
        np.array([[0, 0], [0, 0], [1, 2]]),
        np.zeros(3),
    )
    for length in (0, 2):
        TransductionExact()._run(rules, np.zeros((4, 4)), 0.0, length, np.zeros(3, dtype=bool), "warm-up")
