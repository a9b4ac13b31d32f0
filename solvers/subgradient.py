"""Projected subgradient dual decomposition (Komodakis et al. 2007; Rush & Collins 2012), with the papers' step rules.

- `diminishing`: step / t
- `dual-increase`: step / (1 + number of dual increases so far), as in Rush & Collins and in Yao et al. An equal value
  counts as an increase (`kernels.subgradient.note_value`).
- `best`: per instance the best of the steps 0.001, 0.01, 0.1 and 1 with the diminishing rule, as in Figure 2 of the
  turbo parser paper. The time is that of the best run alone; `info` has the time of all four.

By default the primal solution is rounded from the mean of all iterations, at a few of them. With
`primal="first-factor"` it is the best of what the graph's first factor answers in each iteration; that and
the options `ALGORITHM_1` are the algorithm of Yao et al. (2014).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from problems import task_of

from .base import GraphSolver, Solution, TracePoint, cpu_clock, meets, wall_clock
from .conclude import chosen_rounding, from_posteriors, judge
from .marks import marks, spread

FIGURE_2_STEPS = (0.001, 0.01, 0.1, 1.0)
STRETCH = 50  # iterations between looks at the limits
TARGET_EVERY = 10  # and at the bound, where it has a target; a divisor of STRETCH
# Of Yao et al.: where y and z differ, both u_k1 and u_k0 move by 1 / (t + 1), so that keeping word k becomes worth 2 / (t + 1)
# more to the one and less to the other. Our two copies each move by half of step / (t + 1).
ALGORITHM_1: dict[str, Any] = {
    "step": 4.0,
    "step_unit": "absolute",
    "step_rule": "dual-increase",
    "max_iterations": 50,
    "primal": "first-factor",
}


@dataclass(kw_only=True)
class Subgradient(GraphSolver):
    name = "subgradient"
    drivers = ("solvers.subgradient_engine:load_kernels",)

    max_iterations: int = 1000
    step: float | None = None  # The first step. None: 1, with a budget or knapsack 10.
    step_unit: Literal["relative", "absolute"] = "relative"  # To the mean absolute score, or in its units.
    step_rule: Literal["dual-increase", "diminishing", "best"] = "dual-increase"  # See above.
    primal: Literal["mean", "first-factor"] = "mean"  # Round the mean, or ask the first factor.
    roundings: int = 5  # How often the mean is rounded during a run.
    bound_target: float | None = None  # Stop when the bound is at most this value.
    time_limit: float | None = None
    trace: bool = False
    rounding: str | None = None

    def check_options(self) -> None:
        self.require("max_iterations", self.max_iterations >= 1, "at least 1")
        self.require("step", self.step is None or (self.step > 0 and math.isfinite(self.step)), "above 0 and finite")
        self.require("step", self.step is not None or self.step_unit == "relative", "given where step_unit is absolute")
        self.require("roundings", self.roundings >= 1, "at least 1")
        self.require("bound_target", self.bound_target is None or math.isfinite(self.bound_target), "finite")
        self.require_time_limit(self.time_limit)

    def solve(self, instance: Any) -> Solution:
        task, instance = task_of(instance), self.formulated(instance)
        chosen_rounding(task, self.rounding)
        if self.step_rule != "best":
            return self._run(task, instance, self.step, self.step_rule)
        solutions = [self._run(task, instance, step, "diminishing") for step in FIGURE_2_STEPS]
        best = min(solutions, key=lambda solution: (solution.bound, solution.iterations))
        best.info["all_runs_cpu_seconds"] = sum(solution.cpu_seconds for solution in solutions)
        return best

    def _run(self, task: Any, instance: Any, step: float | None, rule: str) -> Solution:
        from .subgradient_engine import SubgradientEngine, load_kernels

        load_kernels()
        wall, start = wall_clock(), cpu_clock()
        engine = SubgradientEngine(task.graph(instance), step, rule, self.step_unit == "relative")
        build_seconds = cpu_clock() - start
        trace: list[TracePoint] = []
        round_at = {math.ceil(self.max_iterations * k / self.roundings) for k in range(1, self.roundings + 1)}
        trace_at = spread(self.max_iterations) if self.trace else set()
        solve_seconds = round_seconds = 0.0
        best: Solution | None = None
        message = ""
        every_one = self.primal == "first-factor"
        seen: set[bytes] = set()
        stretch = STRETCH if self.bound_target is None else TARGET_EVERY
        for mark in marks(self.max_iterations, 1 if every_one else stretch, round_at | trace_at):
            start = cpu_clock()
            agreed = engine.descend(mark - engine.iterations)
            solve_seconds += cpu_clock() - start
            late = self.time_limit is not None and wall_clock() - wall >= self.time_limit
            met = self.bound_target is not None and engine.bound <= self.bound_target
            if every_one:
                start = cpu_clock()
                values = engine.first_factor()
                new = values.tobytes() not in seen
                seen.add(values.tobytes())
                round_seconds += cpu_clock() - start
                if new:
                    found = _taken(task, instance, values, engine.bound)
                    round_seconds += found.round_seconds
                    if best is None or best.structure is None or found.objective > best.objective:
                        best = found
            elif agreed or late or met or mark in round_at:
                found = from_posteriors(task, instance, engine.posteriors(agreed), engine.bound, self.rounding)
                round_seconds += found.round_seconds
                if best is None or not found.objective <= best.objective:
                    best = found
            if mark in trace_at:  # off the clock
                primal = from_posteriors(task, instance, engine.posteriors(agreed), engine.bound, self.rounding)
                trace.append(TracePoint(solve_seconds, primal.objective, engine.bound, engine.iterations))
            if agreed or met or late:
                why = "the bound has met its target" if met else "stopped at the time limit"
                message = "all factors agree" if agreed else why
                break
        assert best is not None
        solution = best
        solution.bound = engine.bound
        solution.status = _status(solution)
        solution.build_seconds, solution.solve_seconds = build_seconds, solve_seconds
        solution.round_seconds, solution.wall_seconds = round_seconds, wall_clock() - wall
        solution.iterations, solution.trace, solution.message = engine.iterations, trace, message
        solution.info = {"step": engine.step}
        return solution


def _taken(task: Any, instance: Any, values: Any, bound: float) -> Solution:
    """The structure of 0/1 values as it is; nothing is repaired."""
    task.prepare()
    start = cpu_clock()
    structure = task.structure(instance, values)
    seconds = cpu_clock() - start
    solution = judge(task, instance, structure, bound)
    solution.posteriors, solution.integral, solution.round_seconds = values, True, seconds
    return solution


def _status(solution: Solution) -> Any:
    """The status under the final bound, which may be better than the one at the time of rounding."""
    if solution.structure is None:
        return solution.status
    return "optimal" if meets(solution.objective, solution.bound, solution.magnitude) else "feasible"
