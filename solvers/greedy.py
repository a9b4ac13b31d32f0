"""Budgeted submodular greedy for extraction (Lin & Bilmes 2010).

The algorithm adds sentences by gain per length^scaling while they fit, and compares the result with the best single
sentence. With scaling 1 and monotone coverage (no negative scores) it reaches at least 1 - 1/sqrt(e), 39 %, of the
optimum (their Theorem 1; Tang et al. 2021 closed a gap in its proof and raised the factor to 0.405).
"""

from __future__ import annotations

import heapq
import math
import time
from dataclasses import dataclass
from typing import Any

from problems import task_of
from problems.errors import InputError
from problems.extraction.instance import Extract, ExtractionInstance

from .base import Solution, Solver, cpu_clock
from .conclude import judge

LARGEST_SCALING = 10.0


@dataclass(kw_only=True)
class Greedy(Solver):
    name = "greedy"
    tasks = frozenset({"extraction"})

    scaling: float = 1.0  # Exponent of a sentence's length.

    def check_options(self) -> None:
        if not 0 <= self.scaling <= LARGEST_SCALING:
            raise InputError(
                f"option 'scaling' of solver {self.name!r} must be at least 0 and at most {LARGEST_SCALING:g}, "
                f"not {self.scaling}."
            )

    def solve(self, instance: Any) -> Solution:
        if not isinstance(instance, ExtractionInstance):
            raise InputError(f"solver {self.name!r} solves instances of task 'extraction' only.")
        wall, start = time.perf_counter(), cpu_clock()
        extract = self._select(instance)
        seconds = cpu_clock() - start
        positive = sum(max(concept.score, 0.0) for concept in instance.concepts)
        solution = judge(task_of(instance), instance, extract, positive)
        solution.solve_seconds, solution.wall_seconds = seconds, time.perf_counter() - wall
        return solution

    def _select(self, instance: ExtractionInstance) -> Extract:
        """Lazy greedy: gains only shrink (for positive scores), so an old gain is an upper bound."""
        concepts_of: list[list[int]] = [[] for _ in instance.lengths]
        for number, concept in enumerate(instance.concepts):
            for sentence in concept.sentences:
                concepts_of[sentence].append(number)
        scores = [concept.score for concept in instance.concepts]
        covered: set[int] = set()

        def gain(sentence: int) -> float:
            return sum(scores[number] for number in concepts_of[sentence] if number not in covered)

        def ratio(sentence: int) -> float:
            """Sentences without words cost nothing, so they come first if they are worth anything."""
            worth, length = gain(sentence), instance.lengths[sentence]
            return worth / length**self.scaling if length else math.inf * worth if worth else 0.0

        fits = [s for s in range(len(instance.lengths)) if instance.lengths[s] <= instance.budget]
        single = max(fits, key=gain, default=None)
        single_gain = gain(single) if single is not None else 0.0
        queue = [(-ratio(s), s) for s in fits]
        heapq.heapify(queue)
        chosen: list[int] = []
        left = instance.budget
        while queue:
            _, sentence = heapq.heappop(queue)
            if instance.lengths[sentence] > left:
                continue
            current = ratio(sentence)
            if queue and current < -queue[0][0]:
                heapq.heappush(queue, (-current, sentence))
            elif current > 0:
                chosen.append(sentence)
                covered.update(concepts_of[sentence])
                left -= instance.lengths[sentence]
        total = sum(scores[number] for number in covered)
        return (single,) if single is not None and single_gain > total else tuple(sorted(chosen))
