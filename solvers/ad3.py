"""AD3: alternating directions dual decomposition (Martins et al. 2011, 2012; Eq. 3-5 of the turbo parser paper).

AD3 solves the linear relaxation by alternating projections onto the factors' polytopes. The dual value of its
multipliers is an upper bound at any time. The study `bench.studies.ad3_step_sizes` chose the default step sizes.

`hub=False`, `reduced=False` and `over_relaxation=1` give the algorithm as published. Where `hub` and `reduced` leave coverages of the
hub's variables only, each coverage has a step size of its own (`problems.kernels.covers`): on extraction, and on compressive summaries,
where the trees belong to the hub (`solvers.joining`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from problems import task_of
from problems.linear_program import Floats

from .base import GraphSolver, Solution, TracePoint, cpu_clock, wall_clock
from .conclude import NO_ROUNDING, chosen_rounding, from_posteriors, is_integral, judge
from .marks import following, spread
from .warm_start import WarmStarts, links_key

DUAL_EVERY = 100  # iterations between evaluations of the bound
LIMIT_EVERY = 20  # iterations between looks at the clock; a divisor of DUAL_EVERY
TARGET_EVERY = 10  # iterations between evaluations of the bound where it has a target, while that is far off
SOONEST = 4  # iterations until the next one where it is near; an evaluation takes as long as one or two
SLOWER = 1.3  # the bound falls ever more slowly: so many times what it would take at the speed of the last iterations
MOST_NOTED = 10**7  # values of a trace that wait for their rounding
ADAPT_AT = frozenset({10, 20, 40, 80, 160, 320})  # iterations after which the step size is balanced


@dataclass(kw_only=True)
class Ad3(GraphSolver):
    name = "ad3"
    drivers = ("solvers.ad3_engine:load_kernels",)
    rare = ("solvers.consensus:load_ordering",)

    max_iterations: int = 1000  # The most iterations before the solver stops.
    eta: float | None = None  # Step size over the mean absolute score. None: 2, for parsing 0.25.
    adapt_eta: bool = True  # Adjust eta by residual balancing during the first iterations.
    over_relaxation: float = 1.6  # Factor of over-relaxation; 1 is none.
    residual_tolerance: float = 1e-6  # Stop when both residuals are below it.
    gap_tolerance: float = 0.0  # Above 0: round during the run and stop at this relative gap.
    bound_target: float | None = None  # Stop when the bound is at most this value.
    time_limit: float | None = None
    trace: bool = False
    rounding: str | None = None  # None: the task's default; "none": posteriors only
    warm_start: bool = False  # Start where this object ended on the last graph with the same links.
    hub: bool = True  # Project the averages onto the largest budget or knapsack.
    reduced: bool = True  # First maximize private outputs out and shorten conjunctions.
    mixtures: bool = False  # Also return each factor's configurations of a fractional solution.

    @cached_property
    def starts(self) -> WarmStarts:
        """What this object remembers between calls of `solve`."""
        return WarmStarts()

    def check_options(self) -> None:
        self.require("max_iterations", self.max_iterations >= 1, "at least 1")
        self.require("eta", self.eta is None or (self.eta > 0 and math.isfinite(self.eta)), "above 0 and finite")
        self.require("over_relaxation", 0 < self.over_relaxation < 2, "between 0 and 2")
        self.require("residual_tolerance", self.residual_tolerance >= 0, "at least 0")
        self.require("gap_tolerance", self.gap_tolerance >= 0, "at least 0")
        self.require("bound_target", self.bound_target is None or math.isfinite(self.bound_target), "finite")
        if self.rounding == NO_ROUNDING:
            self.require("gap_tolerance", self.gap_tolerance == 0, "0 where nothing is rounded")
        self.require_time_limit(self.time_limit)

    def solve(self, instance: Any) -> Solution:
        from .ad3_engine import Engine, load_kernels

        load_kernels()
        task, instance = task_of(instance), self.formulated(instance)
        chosen_rounding(task, self.rounding, optional=True)
        wall, start = wall_clock(), cpu_clock()
        whole = self.mixtures  # every factor of the graph, in its order
        engine = Engine(
            task.graph(instance),
            self.eta,
            self.over_relaxation,
            hub=self.hub,
            reorder=not whole,
            eliminating=self.reduced and not whole,
        )
        key = links_key(engine.layout) if self.warm_start else b""
        kept = self.starts.get(key) if self.warm_start else None
        if kept is not None:
            engine.start_from(kept)
        built = cpu_clock()
        run = _Run(self, task, instance, engine, wall)
        run.iterate()
        if self.warm_start:
            self.starts.put(key, engine.keep())
        solution = from_posteriors(task, instance, engine.posteriors(), run.bound, self.rounding)
        if self.mixtures and not solution.integral:
            solution.mixtures = engine.mixtures()
        solution.build_seconds = built - start
        solution.solve_seconds = run.seconds
        solution.wall_seconds = wall_clock() - wall
        solution.iterations = engine.iterations
        solution.trace = run.trace
        if solution.integral and solution.status == "optimal":
            run.message = "certificate of optimality"
        solution.message = "; ".join(filter(None, (solution.message, run.message)))
        solution.info = {"eta": engine.eta, "factor_solves": float(engine.factor_solves)}
        if self.warm_start:
            solution.info["warm"] = float(kept is not None)
        if self.trace:
            last = TracePoint(run.seconds, solution.objective, solution.bound, engine.iterations, *engine.residuals())
            run.trace.append(last)
        return solution


class _Run:
    """One run: iterations in stretches, between which the step size, the bound and the limits are looked at."""

    def __init__(self, options: Ad3, task: Any, instance: Any, engine: Any, wall: float) -> None:
        self.options, self.task, self.instance, self.engine, self.wall = options, task, instance, engine, wall
        self.bound = math.inf
        self.seconds = 0.0
        self.message = ""
        self.trace: list[TracePoint] = []
        self.noted: list[tuple[float, Floats, float, int, tuple[float, float]]] = []
        self.best_primal = -math.inf
        self.next_look = TARGET_EVERY
        self.last_look = (0, math.inf)

    def iterate(self) -> None:
        options, engine = self.options, self.engine
        most = options.max_iterations
        trace_at = spread(most) if options.trace else set()
        every = DUAL_EVERY if options.time_limit is None else LIMIT_EVERY
        fixed = sorted(ADAPT_AT | trace_at)
        targeted = options.bound_target is not None
        start, mark = cpu_clock(), 0
        while mark < most:
            mark = following(mark, most, every, fixed)
            if targeted:
                mark = min(mark, self.next_look)
            converged = engine.iterate(mark - engine.iterations, options.residual_tolerance)
            last = converged or mark == most
            if options.adapt_eta and not last and mark in ADAPT_AT:
                engine.balance()
            looked = last or self._looks(mark)
            if looked:
                self.bound = min(self.bound, engine.bound())
                if self._on_target(mark) or (not last and self._closed(mark)):
                    break
            if self._out_of_time():
                self.message = "stopped at the time limit"
                if not looked:
                    self.bound = min(self.bound, engine.bound())
                break
            if mark in trace_at:
                self.seconds += cpu_clock() - start
                self._note()
                start = cpu_clock()
            if converged:
                self.message = "residuals within tolerance"
                break
        self.seconds += cpu_clock() - start
        self._round_notes()

    def _looks(self, mark: int) -> bool:
        """Is the bound evaluated after this iteration? More often at first, where it may end the run."""
        if self.options.bound_target is not None and mark == self.next_look:
            return True
        return mark % DUAL_EVERY == 0 or (self.options.gap_tolerance > 0 and mark in ADAPT_AT)

    def _on_target(self, mark: int) -> bool:
        target = self.options.bound_target
        if target is None:
            return False
        if self.bound <= target:
            self.message = "the bound has met its target"
            return True
        (before, higher), self.last_look = self.last_look, (mark, self.bound)
        expected = float(TARGET_EVERY)
        if self.bound < higher < math.inf:
            expected = SLOWER * (mark - before) * (self.bound - target) / (higher - self.bound)
        self.next_look = mark + max(SOONEST, round(min(expected, TARGET_EVERY)))
        return False

    def _closed(self, mark: int) -> bool:
        """Is there a certificate, or is the gap within the tolerance?"""
        if mark % DUAL_EVERY and not self.options.gap_tolerance:
            return False
        posteriors = self.engine.posteriors()
        if is_integral(posteriors):
            exact = self.task.structure(self.instance, np.rint(posteriors))
            if judge(self.task, self.instance, exact, self.bound).status == "optimal":
                return True
        if self.options.gap_tolerance > 0:
            structure = self.task.round(self.instance, posteriors, chosen_rounding(self.task, self.options.rounding))
            if structure is not None:
                self.best_primal = max(self.best_primal, self.task.objective(self.instance, structure))
            if self.bound - self.best_primal <= self.options.gap_tolerance * abs(self.bound):
                self.message = "gap within tolerance"
                return True
        return False

    def _out_of_time(self) -> bool:
        limit = self.options.time_limit
        return limit is not None and wall_clock() - self.wall >= limit

    def _note(self) -> None:
        """What a trace point needs, off the clock. Rounding waits: it would leave the next iterations a cold cache."""
        engine = self.engine
        facts = self.seconds, engine.posteriors(), engine.bound(), engine.iterations, engine.residuals()
        self.noted.append(facts)
        if len(self.noted) * len(facts[1]) > MOST_NOTED:
            self._round_notes()

    def _round_notes(self) -> None:
        """Make the trace points, each with a rounded, re-scored structure."""
        for seconds, posteriors, bound, iterations, residuals in self.noted:
            found = from_posteriors(self.task, self.instance, posteriors, bound, self.options.rounding)
            self.trace.append(TracePoint(seconds, found.objective, bound, iterations, *residuals))
        self.noted.clear()
