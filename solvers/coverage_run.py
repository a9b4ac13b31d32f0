"""`ad3-exact` on coverage problems: a few AD3 iterations for the prices, then the compiled search (`coverage_search`).

Flat problems, whose units are all roots, need no AD3 to begin with: with prices at the concepts' worths the bound is the usual
one of submodular functions, and a few hundred nodes mostly do. Where they do not, AD3 follows and the search begins anew. With trees,
the first nodes have prices of few iterations; where the search is not over soon, AD3 goes on and the search begins anew.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

from problems.factor_graph import FactorGraph

from .base import Solution, TracePoint, cpu_clock, wall_clock
from .conclude import judge
from .coverage import Coverage, recognize
from .coverage_search import CoverageSearch, prices_of

if TYPE_CHECKING:
    from problems.linear_program import Floats

    from .ad3_engine import Engine
    from .branch_and_bound import Ad3Exact

OVER_RELAXATION = 1.6  # as in `ad3`
SOON_ITERATIONS, SOON_NODES = 30, 300  # on trees: after so few iterations, so few nodes
ITERATIONS = 100
ADAPT_AT = (10, 20, 40, 80)  # iterations after which the step size is balanced
FLAT_NODES = 3000  # of a flat problem before AD3 is asked
PORTION = 0.02  # seconds of search between looks at the clock
MOST_NODES = 1000  # of a portion


@cache
def load_search() -> None:
    """Load (or compile) the search, off any clock."""
    graph = FactorGraph()
    x = graph.add_variables([1.0, 1.0, 1.0, 1.0])
    graph.add_logic("and_out", [x[0], x[1], x[2]])
    graph.add_logic("or_out", [x[0], x[2], x[3]])
    coverage = recognize(graph)
    assert coverage is not None
    CoverageSearch(coverage, 4.0).run(10)


class CoverageRun:
    """The same face as the generic search of `branch_and_bound` has."""

    def __init__(
        self, options: Ad3Exact, task: Any, instance: Any, graph: FactorGraph, coverage: Coverage, wall: float
    ) -> None:
        self.options, self.task, self.instance, self.graph, self.wall = options, task, instance, graph, wall
        self.coverage = coverage
        self.magnitude = graph.magnitude
        self.iterations = 0
        self.nodes = 0  # of earlier searches
        self.round_seconds = 0.0
        self.stopped = ""
        self.trace: list[TracePoint] = []
        self.search = CoverageSearch(coverage, self.magnitude)
        self.engine: Engine | None = None
        self.start = cpu_clock()

    def run(self) -> None:
        if not self.coverage.is_flat:
            self.search.start_at(*self._prices(SOON_ITERATIONS))
        soon = FLAT_NODES if self.coverage.is_flat else SOON_NODES
        if self._search(min(soon, self.options.max_nodes)) or self.stopped:
            return
        self._begin_anew()
        self.search.start_at(*self._prices(ITERATIONS))
        self._search(self.options.max_nodes - self.nodes)

    def _begin_anew(self) -> None:
        old = self.search
        self.nodes += old.nodes
        self.search = CoverageSearch(self.coverage, self.magnitude)
        self.search.take_over(old)

    def _prices(self, most: int) -> tuple[Floats, Floats]:
        """Prices and shares after so many iterations of AD3 in all, or fewer where it converges or time is short."""
        from .ad3_engine import Engine

        if self.engine is None:
            self.engine = Engine(self.graph, self.options.eta, OVER_RELAXATION, eliminating=False)
        engine, begun = self.engine, wall_clock()
        most = min(most, self.options.root_iterations)
        for mark in sorted({*ADAPT_AT, most}):
            while engine.iterations < min(mark, most):
                converged = engine.iterate(min(10, mark - engine.iterations, most - engine.iterations), 1e-9)
                if converged or self._half_over(begun):
                    self.iterations = engine.iterations
                    return prices_of(self.coverage, engine)
                if engine.iterations in ADAPT_AT:
                    engine.balance()
        self.iterations = engine.iterations
        return prices_of(self.coverage, engine)

    def _half_over(self, begun: float) -> bool:
        """Has AD3 used half of the time that was left?"""
        limit = self.options.time_limit
        now = wall_clock()
        return limit is not None and now - begun >= 0.5 * (limit - (begun - self.wall))

    def _search(self, most: int) -> bool:
        """Go on until the search has so many nodes; returns whether it has ended."""
        portion = 1
        while True:
            before = wall_clock()
            if self.search.run(min(portion, most - self.search.nodes)):
                return True
            if self.options.trace:
                seconds = cpu_clock() - self.start
                self.trace.append(
                    TracePoint(seconds, self.search.objective, self._bound(), self.nodes + self.search.nodes)
                )
            if self._limit_reached():
                return False
            if self.search.nodes >= most:
                return False
            seconds = wall_clock() - before
            portion = min(
                2 * portion if 2 * seconds < PORTION else max(1, int(portion * PORTION / seconds)), MOST_NODES
            )

    def _limit_reached(self) -> bool:
        limit = self.options.time_limit
        if limit is not None and wall_clock() - self.wall >= limit - PORTION:
            self.stopped = "stopped at the time limit"
        elif self.nodes + self.search.nodes >= self.options.max_nodes:
            self.stopped = "stopped at the node limit"
        return bool(self.stopped)

    def _bound(self) -> float:
        bound = self.search.bound()
        return min([bound, *(point.bound for point in self.trace[-1:])])

    def solution(self) -> Solution:
        structure = None
        if math.isfinite(self.search.objective):
            structure = self.task.structure(self.instance, self.coverage.assignment(self.search.best))
        solution = judge(self.task, self.instance, structure, self._bound(), self.magnitude)
        solution.integral = structure is not None
        solution.iterations, solution.trace, solution.message = self.iterations, self.trace, self.stopped
        solution.info = {
            "nodes": float(self.nodes + self.search.nodes),
            "price_steps": float(self.search.steps),
            "units": float(len(self.coverage.parents)),
        }
        return solution
