"""`dp-exact`: the best compression by dynamic programming, for every length at once or for the given one.

- `fast`: deleted runs carry their bigrams, O(n^5) time and O(n^3) space
- `paper`: section 3.2 of Qian & Liu (2014) with its errors corrected, O(n^6) time and O(n^4) space
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any, Literal

from problems.compression.instance import Compression, CompressionInstance

from ..base import Solution, Solver, cpu_clock
from .compression import arc_table, bigram_table, compression_of, concluded, required
from .tables import TABLES, FastTables, PaperTables, load_kernels, refuse_too_large


@dataclass(kw_only=True)
class DpExact(Solver):
    name = "dp-exact"
    tasks = frozenset({"compression"})
    exact = True

    algorithm: Literal["fast", "paper"] = "fast"  # See above.
    lengths: Literal["all", "given"] = "all"  # "all": `info` has the optimum of every length
    memory_gb: float = 4.0  # Instances that need larger tables are refused.

    def check_options(self) -> None:
        self.require("memory_gb", 0 < self.memory_gb < math.inf, "above 0 and finite")

    def solve(self, instance: Any) -> Solution:
        instance = required(self, instance)
        needed = self._refuse(instance, self.lengths)
        load_kernels(self.algorithm)
        wall, start = time.perf_counter(), cpu_clock()
        structure: Compression = ((), ())
        bound = instance.bigram_scores.item(0, instance.number_of_words + 1)
        info: dict[str, float] = {}
        if instance.length or self.lengths == "all":
            tables = self._tables(instance, self.lengths)
            if self.lengths == "all":
                info["objective at length 0"] = bound
                for kept in range(1, instance.number_of_words + 1):
                    info[f"objective at length {kept}"] = tables.score(kept)
            if instance.length:
                bound = tables.decode(instance.length)
                structure = compression_of(tables.heads)
        seconds = cpu_clock() - start
        solution = concluded(instance, structure, bound)
        solution.solve_seconds, solution.wall_seconds = seconds, time.perf_counter() - wall
        solution.integral = True
        solution.info = {"table_mb": needed / 1e6, **info}
        return solution

    def compressions(self, instance: CompressionInstance) -> list[Compression]:
        """The best compression of each length from 0 to n, from one run; the instance's own length does not matter."""
        instance = required(self, instance)
        self._refuse(instance, "all")
        tables = self._tables(instance, "all")
        found: list[Compression] = [((), ())]
        for kept in range(1, instance.number_of_words + 1):
            tables.decode(kept)
            found.append(compression_of(tables.heads))
        return found

    def _deletions(self, instance: CompressionInstance, lengths: str) -> int:
        return instance.number_of_words - (1 if lengths == "all" else max(instance.length, 1))

    def _refuse(self, instance: CompressionInstance, lengths: str) -> float:
        count, deletions = instance.number_of_words, self._deletions(instance, lengths)
        return refuse_too_large(self.name, self.algorithm, count, deletions, self.memory_gb)

    def _tables(self, instance: CompressionInstance, lengths: str) -> FastTables | PaperTables:
        most = instance.number_of_words if lengths == "all" else max(instance.length, 1)
        deletions = self._deletions(instance, lengths)
        return TABLES[self.algorithm](arc_table(instance), bigram_table(instance), deletions, most)
