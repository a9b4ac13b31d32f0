"""`dp-eisner`: the best projective tree in O(n^3), arc-factored (order 1) or with consecutive siblings (order 2).

A rival for projective sentences. It ignores parts that its order does not cover; the tree is then scored on the full
model. It is optimal on a projective instance whose other scores are zero (order 1, or order 2 without grandparent
scores) and feasible elsewhere. On an instance that is not projective it has no bound.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

from problems import task_of
from problems.errors import InputError
from problems.parsing.decode import score_matrix
from problems.parsing.instance import ParsingInstance, Tree

from ..base import Solution, Solver, cpu_clock
from ..conclude import judge
from .parsing_bounds import most_of_others, require_parsing


@dataclass(kw_only=True)
class Eisner(Solver):
    name = "dp-eisner"
    tasks = frozenset({"parsing"})

    order: Literal[1, 2] = 2  # 2 uses the instance's sibling scores, where it has any.

    def solve(self, instance: Any) -> Solution:
        sentence = require_parsing(self.name, instance)
        load_kernels()
        siblings = self.order == 2 and sentence.order != "1"
        wall, start = time.perf_counter(), cpu_clock()
        tree = best_projective_tree(sentence, siblings)
        seconds = cpu_clock() - start
        if tree is None:
            raise InputError(f"sentence {sentence.name!r} has no projective tree over its candidate arcs.")
        solution = self._judge(sentence, tree, siblings)
        solution.solve_seconds, solution.wall_seconds = seconds, time.perf_counter() - wall
        return solution

    def _judge(self, sentence: ParsingInstance, tree: Tree, siblings: bool) -> Solution:
        """Off the clock: the bound is the optimum over the covered parts and the most that all others could add."""
        bound = math.inf
        covered = ("sibling_scores",) if siblings else ()
        if sentence.projective:
            bound = covered_score(sentence, tree, siblings) + most_of_others(sentence, covered)
        return judge(task_of(sentence), sentence, tree, bound)


def covered_score(sentence: ParsingInstance, tree: Tree, siblings: bool) -> float:
    """The score of a tree from arcs and, if asked for, consecutive siblings alone."""
    from dataclasses import replace

    from problems.parsing.instance import objective, with_order

    if not siblings:
        return objective(with_order(sentence, "1"), tree)
    second = with_order(sentence, "2")
    return objective(replace(second, grandparent_scores=np.zeros_like(second.grandparent_scores)), tree)


def best_projective_tree(sentence: ParsingInstance, siblings: bool) -> Tree | None:
    from problems.kernels.eisner import eisner_first, eisner_siblings

    scores = score_matrix(sentence.number_of_words, sentence.heads, sentence.modifiers, sentence.arc_scores)
    if siblings:
        automata = sentence.automata
        positions = np.zeros(scores.shape, dtype=np.int64)
        positions[sentence.heads, sentence.modifiers] = automata.position_of_arc
        heads = eisner_siblings(
            scores,
            positions,
            automata.outgoing_counts,
            automata.sibling_starts,
            sentence.sibling_scores,
            sentence.single_root,
        )
    else:
        heads = eisner_first(scores, sentence.single_root)
    return None if heads[0] < 0 else tuple(heads.tolist())


@cache
def load_kernels() -> None:
    """Parse the smallest sentence there is with both kernels."""
    one = np.zeros(1)
    word = ParsingInstance("one", ("word",), np.array([0]), np.array([1]), one)
    best_projective_tree(word, False)
    second = ParsingInstance(
        "one", ("word",), np.array([0]), np.array([1]), one, "2", sibling_scores=np.zeros(6), grandparent_scores=one[:0]
    )
    best_projective_tree(second, True)
