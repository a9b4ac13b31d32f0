"""`tree-ilp`: the subtree deletion model of `dp-tree` as an integer program (Berg-Kirkpatrick et al. 2011), by any backend.

Each kept word keeps its source head, and exactly L words are kept: a subtree factor and two budgets. The optimum of the
model equals that of `dp-tree`. The structure is then scored on the joint objective, for which nothing is proved.

With `bigrams` the program is the whole model of Berg-Kirkpatrick et al. (2011, section 3): a bigram of the source
counts if both of its words are kept. Words that become neighbours score nothing.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from problems import task_of
from problems.compression.instance import CompressionInstance
from problems.compression.trees import crossing_word
from problems.errors import InputError
from problems.factor_graph import FactorGraph

from .base import Solution, Solver, cpu_clock
from .conclude import judge
from .dynamic.compression import best_tree, required
from .dynamic.dp_tree import preorder
from .linear import BACKENDS


@dataclass(kw_only=True)
class TreeIlp(Solver):
    name = "tree-ilp"
    tasks = frozenset({"compression"})

    backend: str = "ilp-highs"  # The ILP solver.
    bigrams: bool = False  # Score bigrams of the source sentence.
    time_limit: float | None = None

    @classmethod
    def version(cls) -> str:
        """That of the backend that it takes unless told otherwise."""
        from .registry import solver_class

        return f"by default {solver_class(cls.backend).version()}"

    def check_options(self) -> None:
        exact = sorted(name for name in BACKENDS if name.startswith("ilp-"))
        self.require("backend", self.backend in exact, f"one of {', '.join(exact)}")
        self.require_time_limit(self.time_limit)

    def solve(self, instance: Any) -> Solution:
        from .registry import get_solver

        instance = required(self, instance)
        backend = get_solver(self.backend, time_limit=self.time_limit)
        wall, start = time.perf_counter(), cpu_clock()
        graph, order = subtree_graph(instance, self.name, self.bigrams)
        built = cpu_clock() - start
        found = backend.solve(graph)
        if found.structure is None:
            return Solution(found.status, message=found.message)
        kept = tuple(sorted(order[np.array(found.structure) > 0.5].tolist()))
        solution = judge(task_of(instance), instance, (kept, _heads(instance, kept)), math.inf)
        solution.build_seconds, solution.solve_seconds = built + found.build_seconds, found.solve_seconds
        solution.wall_seconds = time.perf_counter() - wall
        solution.iterations, solution.message = found.iterations, found.message
        solution.info = {"model_objective": found.objective, "model_bound": found.bound}
        return solution


def subtree_graph(instance: CompressionInstance, name: str, bigrams: bool) -> tuple[FactorGraph, np.ndarray]:
    """The model over the words in preorder of the source tree, and that order. The start and the end are words of bigrams, too."""
    heads = instance.source_heads
    if heads is None:
        raise InputError(f"solver {name!r} needs field 'source_heads' of the instance {instance.name!r}.")
    order, _ = preorder(heads)
    words, length = instance.number_of_words, instance.length
    place = {0: -1, **{int(word): index for index, word in enumerate(order)}}
    above = np.array(heads)[order - 1]
    graph = FactorGraph()
    scores = instance.token_scores[order - 1] + instance.arc_scores[above, order - 1]
    pairs = instance.bigram_scores.diagonal(1) if bigrams else np.zeros(words + 1)
    if words:
        scores[place[1]] += pairs[0]
        scores[place[words]] += pairs[words]
    nodes = graph.add_variables(scores)
    for word in np.flatnonzero(pairs[1:words]) + 1:
        graph.add_pair(nodes[place[int(word)]], nodes[place[int(word) + 1]], float(pairs[word]))
    graph.add_subtree_deletion(nodes, [place[int(head)] for head in above], np.zeros(words))
    graph.add_budget(nodes, length)
    graph.add_budget(nodes, words - length, np.ones(words, dtype=bool))
    return graph, order


def _heads(instance: CompressionInstance, kept: tuple[int, ...]) -> tuple[int, ...]:
    """The source heads of the kept words, as far as the instance allows such trees."""
    heads = instance.source_heads
    assert heads is not None
    if instance.projective and crossing_word(heads) is not None:
        return best_tree(instance, kept)
    return tuple(heads[word - 1] for word in kept)
