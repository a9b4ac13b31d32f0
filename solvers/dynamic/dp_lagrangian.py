"""`dp-lagrangian`: the length constraint relaxed by a multiplier (section 3.3 of Qian & Liu 2014).

A compression of exactly L words that maximizes the relaxed problem is optimal. If the search meets none, one may still
be among tied maximizers; the cutting-plane search looks for it on their spans (`info`: tied). If there is none (a
duality gap), `repair` finds the optimum with the fast exact program on the spans that the bound leaves (`repair.py`).
`info` then says repaired, and its time counts.

`repair=False` is the paper's program: it returns the compression with the length nearest to L, with the status
`infeasible`. `info` says whether the search hit L, and otherwise whether the gap is certified, which means that no
multiplier hits L (`multiplier.py`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from problems.compression.instance import Compression, CompressionInstance

from ..base import Solution, Solver, TracePoint, cpu_clock
from . import relaxation, tables
from .compression import PROJECTIVE_ONLY, Floats, Integers, arc_table, bigram_table, compression_of, concluded, required
from .multiplier import Search, cutting_planes, subgradient_steps
from .repair import best_of_length, best_on_face, rounding_error

REPAIR_MEMORY_GB = 4.0


@dataclass(kw_only=True)
class DpLagrangian(Solver):
    name = "dp-lagrangian"
    tasks = frozenset({"compression"})
    exact = True

    algorithm: Literal["fast", "paper"] = "fast"  # Per iteration, fast takes O(n^3) and paper O(n^4).
    search: Literal["cutting-plane", "subgradient"] = "cutting-plane"  # How the multiplier is found.
    repair: bool = True  # Close a duality gap exactly.
    max_iterations: int = 200  # The most relaxed problems to solve.
    step: float = 0.5  # First subgradient step, relative to the mean absolute token score.
    trace: bool = False

    def check_options(self) -> None:
        self.require("max_iterations", self.max_iterations >= 1, "at least 1")
        self.require("step", 0 < self.step < math.inf, "above 0 and finite")

    def solve(self, instance: Any) -> Solution:
        instance = required(self, instance)
        relaxation.load_kernels(self.algorithm)
        if self.repair or self.search == "cutting-plane":
            relaxation.load_kernels("fast")
            tables.load_kernels("fast")
        if instance.length == 0:
            return self._empty(instance)
        wall, start = time.perf_counter(), cpu_clock()
        arcs, bigrams = arc_table(instance), bigram_table(instance)
        search = Search(relaxation.Relaxation(arcs, bigrams, self.algorithm), instance.length, instance.magnitude)
        points: list[TracePoint] = []
        for dual in self._iterations(search, instance):
            if self.trace:
                points.append(TracePoint(cpu_clock() - start, math.nan, dual, search.iterations))
        structure, bound = compression_of(search.heads), search.bound
        searched = cpu_clock() - start
        found = None if search.hit else self._exactly(instance, search, arcs, bigrams)
        tied = repaired = False
        runs = 0
        if found:
            score, heads, runs = found
            structure = compression_of(heads)
            bound = min(bound, score) if self.repair else bound
            tied = search.bound - score <= rounding_error(instance.magnitude, search.multiplier, len(arcs))
            repaired = not tied
        seconds = cpu_clock() - start
        solution = self._conclude(instance, structure, bound)
        solution.solve_seconds, solution.wall_seconds = seconds, time.perf_counter() - wall
        solution.iterations, solution.trace = search.iterations, points
        if self.trace and solution.status == "optimal":
            points.append(TracePoint(seconds, solution.objective, bound, search.iterations))
        solution.info = {
            "multiplier": search.multiplier,
            "dual": search.bound,
            "hit": float(search.hit),
            "certified": float(search.certified),
            "repaired": float(repaired),
            "tied": float(tied),
            "repair_runs": float(runs),
            "repair_seconds": 0.0 if search.hit else seconds - searched,
        }
        return solution

    def _iterations(self, search: Search, instance: CompressionInstance) -> Iterator[float]:
        if self.search == "cutting-plane":
            return cutting_planes(search, self.max_iterations)
        return subgradient_steps(search, self.max_iterations, self.step * _unit(instance))

    def _exactly(
        self, instance: CompressionInstance, search: Search, arcs: Floats, bigrams: Floats
    ) -> tuple[float, Integers, int] | None:
        """What the exact program finds where the search did not hit L (score, heads, runs): the optimum, or a tie."""
        words, length = instance.number_of_words, instance.length
        if self.repair:
            tables.refuse_too_large(self.name, "fast", words, words - length, REPAIR_MEMORY_GB)
            return best_of_length(arcs, bigrams, length, search.multiplier, _unit(instance), instance.magnitude)
        too_large = tables.bytes_needed("fast", words, words - length) > REPAIR_MEMORY_GB * tables.GIGABYTE
        if self.search == "subgradient" or too_large:
            return None
        return best_on_face(arcs, bigrams, length, search.multiplier, instance.magnitude)

    def _conclude(self, instance: CompressionInstance, structure: Compression, bound: float) -> Solution:
        kept = len(structure[0])
        if kept == instance.length:
            return concluded(instance, structure, bound)
        message = f"no multiplier was found at which {instance.length} words are kept, the nearest is {kept}"
        solution = Solution("infeasible", structure, bound=bound if instance.projective else math.inf, message=message)
        if not instance.projective:
            solution.message += f"; {PROJECTIVE_ONLY}"
        return solution

    def _empty(self, instance: CompressionInstance) -> Solution:
        """Nothing is kept: there is no choice."""
        solution = concluded(instance, ((), ()), instance.bigram_scores.item(0, instance.number_of_words + 1))
        solution.info = {
            "multiplier": 0.0,
            "dual": solution.objective,
            "hit": 1.0,
            "certified": 0.0,
            "repaired": 0.0,
            "tied": 0.0,
            "repair_runs": 0.0,
            "repair_seconds": 0.0,
        }
        return solution


def _unit(instance: CompressionInstance) -> float:
    """The mean absolute token score; where that is 0, of all scores."""
    return float(abs(instance.token_scores).mean()) or instance.magnitude / instance.arc_scores.size or 1.0
