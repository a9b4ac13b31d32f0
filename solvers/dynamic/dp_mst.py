"""`dp-mst`: the best tree by its arc scores alone (Chu-Liu/Edmonds in Tarjan's O(n^2) form; McDonald et al. 2005).

It is exact for order 1. Under a model of higher order it ignores the other parts: the tree is scored on the full model,
and the bound adds all positive scores of the other parts, so the status is `feasible` unless that bound happens to be
tight. On a projective instance the best tree may not be projective; the solver then returns a bound without a tree.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from problems import task_of
from problems.parsing.decode import best_tree

from ..base import Solution, Solver, cpu_clock
from ..conclude import judge
from .parsing_bounds import most_of_others, require_parsing


@dataclass(kw_only=True)
class MaximumSpanningTree(Solver):
    name = "dp-mst"
    tasks = frozenset({"parsing"})

    def solve(self, instance: Any) -> Solution:
        sentence = require_parsing(self.name, instance)
        task = task_of(sentence)
        task.prepare()
        wall, start = time.perf_counter(), cpu_clock()
        arcs = best_tree(
            sentence.number_of_words, sentence.heads, sentence.modifiers, sentence.arc_scores, sentence.single_root
        )
        seconds = cpu_clock() - start
        assert arcs is not None, "an instance has a tree: it was checked when it was made"
        bound = float(sentence.arc_scores[arcs].sum()) + most_of_others(sentence, ())
        solution = judge(task, sentence, tuple(sentence.heads[arcs].tolist()), bound)
        solution.solve_seconds, solution.wall_seconds = seconds, time.perf_counter() - wall
        return solution
