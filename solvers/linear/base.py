"""From an instance to a linear program and back: what all LP and ILP backends share.

A backend is one short file with a subclass that says how to hand the arrays over and what came back (`optimize`).
Nothing a backend claims is trusted: the structure is decoded from its column values, checked and re-scored.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np

from problems import task_of
from problems.errors import InputError
from problems.linear_program import Floats, LinearProgram
from problems.task import Task

from ..base import GraphSolver, Solution, TracePoint, cpu_clock
from ..conclude import chosen_rounding, from_posteriors, judge
from .reduction import reduce_program

NEARLY = 0.5  # share of a time limit; libraries measure it from different moments and on different clocks


@dataclass
class Outcome:
    """What a backend says of a linear program, in the maximisation sense and including the program's constant.

    status `solved`: proved optimal; `stopped`: a limit came first (values hold the incumbent, if there is one);
    `infeasible`: no solution exists. `bound` is a valid upper bound on the program's optimum (inf if unknown).
    `build_seconds` is the CPU time of handing the arrays over, `solve_seconds` that of solving (solvers.base.cpu_clock).
    """

    status: Literal["solved", "stopped", "infeasible"]
    values: Floats | None = None
    bound: float = math.inf
    iterations: int = 0
    build_seconds: float = 0.0
    solve_seconds: float = 0.0
    trace: list[TracePoint] = field(default_factory=list)
    message: str = ""

    def solution(self, conclude: Callable[[Floats, float], Solution]) -> Solution:
        """The solution that this is, or that `conclude` makes of its values and bound."""
        if self.status == "infeasible":
            solution = Solution("infeasible", bound=-math.inf)
        elif self.values is None:
            solution = Solution("relaxed" if math.isfinite(self.bound) else "timeout", bound=self.bound)
        else:
            solution = conclude(self.values, self.bound)
        solution.build_seconds, solution.solve_seconds = self.build_seconds, self.solve_seconds
        solution.iterations, solution.trace = self.iterations, self.trace
        stopped = "stopped at the time limit" if self.status == "stopped" else ""
        solution.message = "; ".join(filter(None, (solution.message, self.message, stopped)))
        return solution


@dataclass(kw_only=True)
class LinearSolver(GraphSolver):
    """Options of every backend. Time limits are in wall-clock seconds; every backend runs in one thread."""

    relaxation: ClassVar[bool] = False

    time_limit: float | None = None
    seed: int = 0
    trace: bool = False
    reduced: bool = False

    def check_options(self) -> None:
        self.require_time_limit(self.time_limit)

    def ran_out_of_time(self, elapsed: float) -> bool:
        """Was the time limit about used up? Some libraries then say more than they know."""
        return self.time_limit is not None and elapsed >= NEARLY * self.time_limit

    def optimize(self, program: LinearProgram) -> Outcome:
        """Solve the program (its relaxation, if `relaxation`) with the backend's own library."""
        raise NotImplementedError

    def conclude(self, task: Task[Any, Any], instance: Any, values: Floats, bound: float, magnitude: float) -> Solution:
        """The solution that the values of the graph's variables stand for."""
        solution = judge(task, instance, task.structure(instance, np.rint(values)), bound, magnitude)
        solution.integral = True
        return solution

    def solve(self, instance: Any) -> Solution:
        task, instance = task_of(instance), self.formulated(instance)
        missing = self.unavailable()  # imports the library, which is not on the clock
        if missing:
            raise InputError(f"solver {self.name!r} cannot be used here: {missing}.")
        wall, start = time.perf_counter(), cpu_clock()
        graph = task.graph(instance)
        reduction = reduce_program(graph) if self.reduced else None
        program = reduction.program if reduction else graph.linear_program()
        build_seconds = cpu_clock() - start
        outcome = self.optimize(program)
        outcome.build_seconds += build_seconds

        def conclude(values: Floats, bound: float) -> Solution:
            values = reduction.restore(values) if reduction else values[: graph.number_of_variables]
            return self.conclude(task, instance, values, bound, graph.magnitude)

        solution = outcome.solution(conclude)
        solution.wall_seconds = time.perf_counter() - wall
        return solution


@dataclass(kw_only=True)
class Rounded(LinearSolver):
    """A backend that solves the LP relaxation and rounds its solution."""

    relaxation: ClassVar[bool] = True

    rounding: str | None = None  # None: the task's default; "none": posteriors only

    def solve(self, instance: Any) -> Solution:
        chosen_rounding(task_of(instance), self.rounding, optional=True)  # refuse an unknown one before solving
        solution = super().solve(instance)
        if solution.trace:  # the program's own value is the relaxation's, which no structure may have
            last = solution.trace[-1]
            seconds = last.seconds + solution.round_seconds
            solution.trace[-1] = replace(last, seconds=seconds, objective=solution.objective)
        return solution

    def conclude(self, task: Task[Any, Any], instance: Any, values: Floats, bound: float, magnitude: float) -> Solution:
        return from_posteriors(task, instance, values, bound, self.rounding, magnitude)
