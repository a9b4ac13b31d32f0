"""`ad3-exact`: branch and bound on AD3's dual bound.

Each node fixes some variables. AD3 fixes a variable exactly: it holds the average at its value and lets the multipliers
sum to anything (`kernels.ad3.dual_value`). A child therefore starts from its parent's multipliers, and its bound has
little left to fall. The search takes the node with the best bound first. It proves optimality, unlike the depth-limited
search of the original AD3. At its time limit it returns the best structure with a valid bound.

Coverage problems (`solvers.coverage`) get a search of their own.
"""

from __future__ import annotations

import heapq
import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from problems import task_of
from problems.linear_program import Floats

from .base import GraphSolver, Solution, TracePoint, cpu_clock, tolerance, wall_clock
from .conclude import chosen_rounding, is_integral, judge
from .coverage import recognize

OVER_RELAXATION = 1.6  # as in `ad3`
STRETCH = 25  # iterations between evaluations of a node's bound
ROOT_SHARE = 0.8  # of the time limit: a root that is not done by then leaves the rest to rounding


@dataclass(frozen=True)
class _Node:
    bound: float
    fixed: dict[int, int]
    start: tuple[Floats, Floats, float]  # multipliers and averages of the parent, and its eta


@dataclass(kw_only=True)
class Ad3Exact(GraphSolver):
    name = "ad3-exact"
    drivers = ("solvers.ad3_engine:load_kernels", "solvers.coverage_run:load_search")
    rare = ("solvers.consensus:load_ordering",)
    exact = True

    root_iterations: int = 1000  # Iterations of AD3 at the root.
    node_iterations: int = 100  # Iterations of AD3 at every other node.
    eta: float | None = None  # Step size over the mean absolute score. None: 2, for parsing 0.25.
    time_limit: float | None = None
    max_nodes: int = 1_000_000  # The most nodes before the search stops.
    coverage: bool = True  # Use the search for coverage problems where the graph is one.
    trace: bool = False
    rounding: str | None = None

    def check_options(self) -> None:
        self.require("root_iterations", self.root_iterations >= 1, "at least 1")
        self.require("node_iterations", self.node_iterations >= 1, "at least 1")
        self.require("max_nodes", self.max_nodes >= 1, "at least 1")
        self.require("eta", self.eta is None or (self.eta > 0 and math.isfinite(self.eta)), "above 0 and finite")
        self.require_time_limit(self.time_limit)

    def solve(self, instance: Any) -> Solution:
        from .ad3_engine import Engine, load_kernels
        from .coverage_run import CoverageRun, load_search

        load_kernels()
        load_search()
        task, instance = task_of(instance), self.formulated(instance)
        chosen_rounding(task, self.rounding)
        task.prepare()
        wall, start = wall_clock(), cpu_clock()
        graph = task.graph(instance)
        coverage = recognize(graph) if self.coverage else None
        search: CoverageRun | _Search
        if coverage is not None:
            search = CoverageRun(self, task, instance, graph, coverage, wall)
        else:
            search = _Search(self, task, instance, Engine(graph, self.eta, OVER_RELAXATION, joining=False), wall)
        built = cpu_clock()
        search.run()
        solution = search.solution()
        solution.build_seconds, solution.solve_seconds = built - start, cpu_clock() - built - search.round_seconds
        solution.round_seconds, solution.wall_seconds = search.round_seconds, wall_clock() - wall
        return solution


class _Search:
    def __init__(self, options: Ad3Exact, task: Any, instance: Any, engine: Any, wall: float) -> None:
        self.options, self.task, self.instance, self.engine, self.wall = options, task, instance, engine, wall
        self.rounding = chosen_rounding(task, options.rounding)
        self.best: Any = None
        self.best_objective = -math.inf
        self.pruned = -math.inf  # the highest bound of a node that was given up
        self.nodes = 0
        self.iterations = 0
        self.round_seconds = 0.0
        self.stopped = ""
        self.trace: list[TracePoint] = []
        self.open: list[tuple[float, int, _Node]] = []
        self.counter = itertools.count()
        self.magnitude = float(np.abs(engine.consensus.merged_scores).sum())
        self.lowest = self._lowest_objective()
        self.start = cpu_clock()

    def run(self) -> None:
        root = _Node(math.inf, {}, self.engine.snapshot())
        heapq.heappush(self.open, (-math.inf, next(self.counter), root))
        while self.open:
            if self._limit_reached():
                return
            _, _, node = self.open[0]
            if self._hopeless(node.bound):
                self.pruned = max(self.pruned, node.bound)
                self.open.clear()  # the best bound is hopeless, so all are
                return
            heapq.heappop(self.open)
            self._expand(node)

    def _expand(self, node: _Node) -> None:
        """Bound a node; unless that settles it, branch on its most influential undecided variable."""
        engine = self.engine
        self.nodes += 1
        engine.restore(node.start, node.fixed)
        budget = self.options.node_iterations if node.fixed else self.options.root_iterations
        bound, done = node.bound, 0
        while done < budget:
            before = engine.iterations
            converged = engine.iterate(min(STRETCH, budget - done), 1e-9)
            done += engine.iterations - before
            bound = min(bound, engine.dual_value())
            if self._hopeless(bound) or converged:
                break
            if not node.fixed and done in (STRETCH, 4 * STRETCH):
                engine.balance()
            if self._limit_reached(1.0 if node.fixed else ROOT_SHARE):
                break
        self.iterations += done
        if not self._hopeless(bound):
            self._improve(engine.posteriors(), len(node.fixed))
        if self._hopeless(bound):
            self.pruned = max(self.pruned, bound)
            return
        variable = engine.undecided(node.fixed)
        if variable is None:
            return  # everything is fixed: `_improve` has scored the only assignment left
        start = engine.snapshot()
        for value in (0, 1):
            child = _Node(bound, {**node.fixed, variable: value}, start)
            heapq.heappush(self.open, (-bound, next(self.counter), child))
        if self.options.trace:
            self.trace.append(TracePoint(cpu_clock() - self.start, self.best_objective, self._bound(), self.nodes))

    def _improve(self, posteriors: Floats, depth: int) -> None:
        """Look for a better structure near a node's posteriors."""
        start = cpu_clock()
        candidates = []
        if is_integral(posteriors):
            candidates.append(self.task.structure(self.instance, np.rint(posteriors)))
        elif depth <= 2 or self.nodes % 10 == 0:
            candidates.append(self.task.round(self.instance, posteriors, self.rounding))
        for structure in candidates:
            if structure is not None and self.task.broken(self.instance, structure) is None:
                objective = self.task.objective(self.instance, structure)
                if objective > self.best_objective:
                    self.best, self.best_objective = structure, objective
        self.round_seconds += cpu_clock() - start

    def _hopeless(self, bound: float) -> bool:
        """Can nothing below this bound beat what we have (or exist at all)?"""
        if bound < self.lowest:
            return True
        margin = 0.5 * tolerance(self.best_objective, bound, self.magnitude) if self.best is not None else 0.0
        return bound <= self.best_objective + margin

    def _lowest_objective(self) -> float:
        """Below this no assignment can score: a bound that falls below it proves that there is none."""
        graph = self.engine.consensus.graph
        if graph.has_own_factors:
            return -math.inf
        own = sum(
            float(np.minimum(block.floats[np.isfinite(block.floats)], 0.0).sum())
            for block in graph.blocks
            if block.kind in ("pair", "dense", "grand_siblings", "tri_siblings", "head_bigrams", "derivation")
        )
        lowest = graph.constant + float(np.minimum(self.engine.consensus.merged_scores, 0.0).sum()) + own
        return lowest - 1e-6 * self.magnitude

    def _bound(self) -> float:
        """A valid bound on everything: the best open node, the best given-up node or the best structure."""
        highest = -self.open[0][0] if self.open else -math.inf
        return max(highest, self.best_objective, self.pruned)

    def _limit_reached(self, share: float = 1.0) -> bool:
        limit = self.options.time_limit
        if limit is not None and wall_clock() - self.wall >= share * limit:
            self.stopped = "stopped at the time limit"
        elif self.nodes >= self.options.max_nodes:
            self.stopped = "stopped at the node limit"
        return bool(self.stopped)

    def solution(self) -> Solution:
        if self.best is None and not self.open:
            solution = Solution("infeasible", bound=-math.inf)
        else:
            solution = judge(self.task, self.instance, self.best, self._bound(), self.magnitude)
            solution.integral = self.best is not None
        solution.iterations, solution.trace, solution.message = self.iterations, self.trace, self.stopped
        solution.info = {"nodes": float(self.nodes), "eta": self.engine.eta}
        return solution
