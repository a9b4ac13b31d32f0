"""From an instance to a linear program and back: what all LP and ILP backends share.

A backend is one short file with a subclass that says how to hand the arrays over and what came back (`optimize`).
Nothing a backend claims is trusted: the structure is decoded from its column values, checked and re-scored.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from problems import task_of
from problems.errors import InputError
from problems.linear_program import LinearProgram

from ..base import Solution, Solver, TracePoint, cpu_clock
from ..conclude import chosen_rounding, from_posteriors, judge


@dataclass
class Outcome:
    """What a backend says of a linear program, in the maximisation sense and including the program's constant.

    status `solved`: proved optimal; `stopped`: a limit came first (values hold the incumbent, if there is one);
    `infeasible`: no solution exists. `bound` is a valid upper bound on the program's optimum (inf if unknown).
    `build_seconds` is the CPU time of handing the arrays over, `solve_seconds` that of solving (solvers.base.cpu_clock).
    """

    status: Literal["solved", "stopped", "infeasible"]
    values: NDArray[np.float64] | None = None
    bound: float = math.inf
    iterations: int = 0
    build_seconds: float = 0.0
    solve_seconds: float = 0.0
    trace: list[TracePoint] = field(default_factory=list)
    message: str = ""


@dataclass(kw_only=True)
class LinearSolver(Solver):
    """Options shared by every backend. Limits are wall-clock seconds; every backend runs in one thread."""

    relaxation: ClassVar[bool]  # solves the LP relaxation: integrality is dropped and the result rounded

    time_limit: float | None = None
    seed: int = 0
    trace: bool = False
    rounding: str | None = None

    def check_options(self) -> None:
        if self.time_limit is not None and not self.time_limit > 0:
            raise InputError(f"option 'time_limit' of solver {self.name!r} must be above 0, not {self.time_limit}.")

    def optimize(self, program: LinearProgram) -> Outcome:
        """Solve the program (its relaxation, if `relaxation`) with the backend's own library."""
        raise NotImplementedError

    def solve(self, instance: Any) -> Solution:
        task = task_of(instance)
        chosen_rounding(task, self.rounding)
        self.version()  # the library's import is not on the clock
        wall, start = time.perf_counter(), cpu_clock()
        graph = task.graph(instance)
        program = graph.linear_program()
        build_seconds = cpu_clock() - start
        outcome = self.optimize(program)
        if outcome.status == "infeasible":
            solution = Solution("infeasible", bound=-math.inf)
        elif outcome.values is None:
            solution = Solution("relaxed" if math.isfinite(outcome.bound) else "timeout", bound=outcome.bound)
        else:
            posteriors = outcome.values[: graph.number_of_variables]
            if self.relaxation:
                solution = from_posteriors(task, instance, posteriors, outcome.bound, self.rounding)
            else:
                solution = judge(task, instance, task.structure(instance, np.rint(posteriors)), outcome.bound)
                solution.integral = True
        solution.build_seconds = build_seconds + outcome.build_seconds
        solution.solve_seconds = outcome.solve_seconds
        solution.wall_seconds = time.perf_counter() - wall
        solution.iterations = outcome.iterations
        solution.trace = outcome.trace
        solution.message = " ".join(filter(None, (solution.message, outcome.message)))
        return solution
