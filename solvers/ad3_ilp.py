"""`ad3-ilp`: AD3 first, an ILP solver for what AD3 leaves open.

AD3's multipliers and an incumbent fix variables: by max-marginals (`max_marginals`), or at the root of the coverage
search. An ILP backend solves the reduced program with these variables fixed. Fixing cuts off no structure better than
the incumbent, so the better of the two answers is the optimum.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from problems import task_of
from problems.errors import InputError, nearest
from problems.factor_graph import FactorGraph
from problems.linear_program import Floats, Integers

from .base import GraphSolver, Solution, cpu_clock, tolerance, wall_clock
from .conclude import chosen_rounding, judge
from .coverage import recognize
from .linear import BACKENDS
from .linear.base import LinearSolver
from .linear.reduction import reduce_program
from .marks import marks
from .max_marginals import drops
from .presolve import merge_equal

OPEN_BACKENDS = (
    "ilp-glpk",
    "ilp-highs",
    "ilp-cpsat",
    "ilp-scip",
    "ilp-cbc",
)  # the fastest first, see docs/performance.md
ADAPT_AT = frozenset({10, 20, 40, 80, 160, 320})  # as in `ad3`
OVER_RELAXATION = 1.6
FREE = -1


@dataclass
class Presolved:
    """What AD3 has found out: values of merged variables (-1 where open), the best structure, and a bound."""

    fixed: Integers
    structure: Any
    objective: float
    bound: float
    iterations: int
    closed: bool = False  # nothing beats the structure


@dataclass(kw_only=True)
class Ad3Ilp(GraphSolver):
    name = "ad3-ilp"
    drivers = ("solvers.ad3_engine:load_kernels", "solvers.coverage_run:load_search")
    rare = ("solvers.consensus:load_ordering", "solvers.max_marginals:load_kernels")
    exact = True

    backend: str = "ilp-glpk"  # The ILP solver; if its library is missing, the first of OPEN_BACKENDS.
    iterations: int = 200  # Iterations of AD3 before variables are fixed.
    search_nodes: int = 1000  # On coverage problems: nodes of their search for an incumbent.
    eta: float | None = None  # Step size over the mean absolute score. None: 2, for parsing 0.25.
    time_limit: float | None = None
    seed: int = 0
    rounding: str | None = None

    def check_options(self) -> None:
        known = sorted(name for name in BACKENDS if name.startswith("ilp-"))
        if self.backend not in known:
            raise InputError(f"option 'backend' of solver {self.name!r}: {nearest(self.backend, known)}")
        self.require("iterations", self.iterations >= 1, "at least 1")
        self.require("search_nodes", self.search_nodes >= 1, "at least 1")
        self.require("eta", self.eta is None or (self.eta > 0 and math.isfinite(self.eta)), "above 0 and finite")
        self.require_time_limit(self.time_limit)

    @classmethod
    def unavailable(cls) -> str | None:
        from .registry import solver_class

        missing = [solver_class(name).unavailable() for name in OPEN_BACKENDS]
        return None if None in missing else missing[0]

    def solve(self, instance: Any) -> Solution:
        from .ad3_engine import load_kernels
        from .coverage_run import load_search

        load_kernels()
        load_search()
        task, instance = task_of(instance), self.formulated(instance)
        chosen_rounding(task, self.rounding)
        task.prepare()
        chosen, message = self._available()
        wall, start = wall_clock(), cpu_clock()
        graph = task.graph(instance)
        built = cpu_clock()
        known = self._presolve(task, instance, graph, wall)
        presolved = cpu_clock()
        margin = _margin(known.objective, graph.magnitude)
        values, bound, nodes = None, known.objective + margin, 0
        if not known.closed:
            values, above, nodes, said = self._optimize(graph, known, chosen, wall)
            bound, message = max(bound, above), "; ".join(filter(None, (message, said)))
        solution = self._conclude(task, instance, graph, known, values, min(bound, known.bound + margin))
        solution.build_seconds, solution.solve_seconds = built - start, cpu_clock() - built
        solution.wall_seconds, solution.iterations = wall_clock() - wall, known.iterations
        solution.message = "; ".join(filter(None, (solution.message, message)))
        share = float((known.fixed != FREE).mean()) if len(known.fixed) else 0.0
        solution.info = {"fixed": share, "nodes": float(nodes), "presolve_seconds": presolved - built}
        return solution

    def _available(self) -> tuple[str, str]:
        """The backend to use, and why it is not the one that was asked for."""
        from .registry import solver_class

        why = solver_class(self.backend).unavailable()
        if why is None:
            return self.backend, ""
        for name in OPEN_BACKENDS:
            if solver_class(name).unavailable() is None:
                return name, f"{self.backend} cannot be used here ({why}): {name} took its place"
        raise InputError(f"solver {self.name!r} cannot be used here: {why}.")

    def _presolve(self, task: Any, instance: Any, graph: FactorGraph, wall: float) -> Presolved:
        from .ad3_engine import Engine
        from .coverage_search import CoverageSearch, prices_of

        engine = Engine(graph, self.eta, OVER_RELAXATION, eliminating=False)
        coverage = recognize(graph)
        most = min(self.iterations, 100) if coverage is not None else self.iterations
        for mark in marks(most, 10, ADAPT_AT):
            converged = engine.iterate(mark - engine.iterations, 1e-9)
            if converged or (self.time_limit is not None and wall_clock() - wall > 0.3 * self.time_limit):
                break
            if mark in ADAPT_AT:
                engine.balance()
        bound = engine.dual_value()
        if coverage is not None:
            first = search = CoverageSearch(coverage, graph.magnitude)
            search.start_at(*prices_of(coverage, engine))
            closed = first.run(self.search_nodes)
            if not closed:  # the incumbent is a better one now: the root again
                search = CoverageSearch(coverage, graph.magnitude)
                search.start_at(*prices_of(coverage, engine))
                search.take_over(first)
                closed = search.run(1)
            structure = task.structure(instance, coverage.assignment(search.best))
            fixed = np.full(len(coverage.merged.scores), FREE)
            root = search.state.trail[: search.stack.lengths[0]]
            fixed[coverage.units[root]] = search.state.fixed[root]
            bound = min(bound, search.bound())
            return Presolved(fixed, structure, search.objective, bound, engine.iterations, closed)
        structure = task.round(instance, engine.posteriors(), chosen_rounding(task, self.rounding))
        if structure is not None and task.broken(instance, structure) is not None:
            structure = None
        objective = -math.inf if structure is None else task.objective(instance, structure)
        fixed, closed = _fix(graph, engine, bound, objective)
        return Presolved(fixed, structure, objective, bound, engine.iterations, closed)

    def _optimize(
        self, graph: FactorGraph, known: Presolved, backend: str, wall: float
    ) -> tuple[Floats | None, float, int, str]:
        """The graph's values from the ILP backend, a bound on what is not cut off, its nodes and what it says."""
        from .registry import make_solver

        left = None if self.time_limit is None else max(self.time_limit - (wall_clock() - wall), 0.01)
        solver = make_solver(backend, None, {"time_limit": left, "seed": self.seed})
        assert isinstance(solver, LinearSolver)
        reduction = reduce_program(graph)
        lower, upper = reduction.program.lower.copy(), reduction.program.upper.copy()
        column = np.empty(len(known.fixed), dtype=np.int64)
        column[merge_equal(graph).variable_of] = reduction.column_of
        settled = np.flatnonzero(known.fixed != FREE)
        lower[column[settled]] = upper[column[settled]] = known.fixed[settled]
        outcome = solver.optimize(dataclasses.replace(reduction.program, lower=lower, upper=upper))
        if outcome.status == "infeasible":  # within the bounds: nothing beats the incumbent, if there is one
            return None, -math.inf, 0, ""
        values = None if outcome.values is None else reduction.restore(outcome.values)
        stopped = "stopped at the time limit" if outcome.status == "stopped" else ""
        return values, outcome.bound, outcome.iterations, stopped

    def _conclude(
        self, task: Any, instance: Any, graph: FactorGraph, known: Presolved, values: Floats | None, bound: float
    ) -> Solution:
        """The better of the incumbent and the backend's answer."""
        structure = known.structure
        if values is not None:
            found = task.structure(instance, np.rint(values))
            better = task.broken(instance, found) is None and task.objective(instance, found) > known.objective
            structure = found if better or structure is None else structure
        if structure is None and bound == -math.inf:
            return Solution("infeasible", bound=-math.inf)
        solution = judge(task, instance, structure, bound, graph.magnitude)
        solution.integral = structure is not None
        return solution


def _margin(objective: float, magnitude: float) -> float:
    """What a bound may exceed an incumbent by and still not matter; 0 without an incumbent."""
    return 0.5 * tolerance(objective, objective, magnitude) if math.isfinite(objective) else 0.0


def _fix(graph: FactorGraph, engine: Any, bound: float, objective: float) -> tuple[Integers, bool]:
    """Values of merged variables whose other value is hopeless, and whether both values of some variable are."""
    merged = merge_equal(graph)
    fixed = np.full(len(merged.scores), FREE)
    same_order = np.array_equal(
        engine.layout.link_variables, np.concatenate([block.variables for block in merged.blocks] or [fixed[:0]])
    )
    cutoff = objective + _margin(objective, graph.magnitude)
    if bound <= cutoff:
        return fixed, True
    if not same_order or not math.isfinite(cutoff):
        return fixed, False
    to_zero, to_one = drops(merged.blocks, engine.eta * engine.state.mu, len(merged.scores))
    linked, value = engine.consensus.degrees > 0, engine.value_at_multipliers()
    not_zero, not_one = linked & (value - to_zero <= cutoff), linked & (value - to_one <= cutoff)
    fixed[not_zero] = 1
    fixed[not_one] = 0
    return fixed, bool((not_zero & not_one).any())
