"""`auto`: follows the advice that recorded runs give for an instance (`solvers.advice`).

The advice is a ranked list of solvers. `auto` skips a solver that cannot run here (no library, no licence, or a program
larger than the licence allows) and says so in its message. If an answer misses the target, the next solver of the list
gets its turn. No solver gets all the time while there is another: it is given up when it is far beyond its forecast
(`Step.patience`), and may go on for `LONGER` times as long when all others have been tried. A solver without
an option `time_limit` cannot be stopped. The message names the solver that answered and those that were given up.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from problems import task_of
from problems.bare_graph import BareGraphTask
from problems.errors import InputError

from .advice import Advisor, Candidate, built_in, of_file
from .advice.forecasts import CLOSE, TARGETS, Target
from .advice.plans import Step
from .advice.table import FILE
from .base import Solution, Solver, cpu_clock, create, meets, wall_clock

NEARLY = 0.9  # share of a time limit after which nothing else is tried
STOPPED = 0.75  # share of its limit from which on a solver counts as stopped by it: some leave a fifth to rounding
SURE, UNSURE = (
    0.8,
    0.5,
)  # shares of the time left that a solver may take; the latter of another kind or size than recorded
LONGER = 4.0  # times the limit that has stopped a solver: what it gets in the next round


@dataclass(kw_only=True)
class Auto(Solver):
    name = "auto"
    exact = True  # as its default target is

    target: str = "exact"  # exact (a proved optimum), within-1% (of it), or fastest (any answer)
    time_limit: float | None = None
    table: str | None = None  # A file that `dualbench advise --record` wrote; None: the built-in table

    @classmethod
    def version(cls) -> str:
        """The built-in table is part of what this solver is."""
        return f"built in, table {hashlib.sha256(FILE.read_bytes()).hexdigest()[:8]}"

    def check_options(self) -> None:
        self.require("target", self.target in TARGETS, f"one of {', '.join(TARGETS)}")
        self.require_time_limit(self.time_limit)

    @property
    def advisor(self) -> Advisor:
        return built_in() if self.table is None else of_file(self.table)

    def warm_up(self, instance: Any) -> None:
        """With every solver that may be taken on some instance of this task."""
        task, target = task_of(instance), self.target
        name = None if task.name == BareGraphTask.name else task.name
        for candidate in self.advisor.likely(task.name, target):  # type: ignore[arg-type]
            with contextlib.suppress(InputError, RuntimeError):  # `solve` passes over it, with a word
                usable(candidate, name, self.time_limit).warm_up(instance)
        self.solve(instance)

    def solve(self, instance: Any) -> Solution:
        wall, start = time.perf_counter(), cpu_clock()
        task = task_of(instance)
        target: Target = self.target  # type: ignore[assignment]
        steps = self.advisor.plan(task, instance, target)
        search = _Search(self, None if task.name == BareGraphTask.name else task.name, wall)
        search.seconds = cpu_clock() - start
        search.follow(steps, instance)
        return search.solution()


class _Search:
    """What was tried and what came of it; `seconds` is what the advice and failed calls cost."""

    def __init__(self, options: Auto, task: str | None, wall: float) -> None:
        self.options, self.task, self.wall = options, task, wall
        self.seconds = 0.0
        self.found: list[Solution] = []
        self.words: list[str] = []
        self.enough = False

    @property
    def out_of_time(self) -> bool:
        limit = self.options.time_limit
        return limit is not None and bool(self.found) and time.perf_counter() - self.wall >= NEARLY * limit

    def follow(self, steps: Sequence[Step], instance: Any) -> None:
        """One step after the other until the target is met. Whom its limit stopped gets more time when all have had their turn."""
        waiting, factor = list(steps), 1.0
        while waiting:
            stopped: list[Step] = []
            for index, step in enumerate(waiting):
                others = bool(stopped) or index + 1 < len(waiting)
                if self.take(step, instance, self.limit(step, factor, others)):
                    stopped.append(step)
                if self.enough or self.out_of_time:
                    return
            waiting, factor = stopped, factor * LONGER

    def limit(self, step: Step, factor: float, others: bool) -> float | None:
        """The seconds that a step may take: its patience, and never all of what is left while there are other candidates."""
        left = self.left()
        if not others:
            return left
        patience = float(f"{factor * step.patience:.2g}")  # few values, so that solvers are made once
        return patience if left is None else min(patience, (SURE if step.forecast.sure else UNSURE) * left)

    def left(self) -> float | None:
        limit = self.options.time_limit
        if limit is None or not self.found:
            return limit
        return max(limit - (time.perf_counter() - self.wall), 1e-3)

    def take(self, step: Step, instance: Any, limit: float | None) -> bool:
        """Run one solver of the advice, if it can be run; whether its limit has stopped it before the target was met."""
        candidate, expected = step.forecast.candidate, f"{step.forecast.seconds:.2g} s expected"
        wall, start = wall_clock(), cpu_clock()
        try:
            solution = usable(candidate, self.task, limit).solve(instance)
        except (InputError, RuntimeError) as error:
            said = " ".join(str(error).split()).rstrip(".")
            self.words.append(f"passed over {candidate} ({said})")
            self.seconds += cpu_clock() - start
            return False
        taken = wall_clock() - wall
        stopped = limit is not None and taken >= STOPPED * limit
        self.found.append(solution)
        self.enough = self.meets_target(solution, stopped)
        if stopped and not self.enough:
            self.words.append(f"gave up {candidate} after {taken:.2g} s, {expected}")
            return True
        said = f": {solution.message}" if solution.message else ""
        self.words.append(f"took {candidate}, {expected}{said}")
        return False

    def meets_target(self, solution: Solution, stopped: bool) -> bool:
        """Experience says how good an answer is within 1 %, but not where a limit cut it short."""
        if solution.status in ("optimal", "infeasible"):
            return True
        if self.options.target == "exact" or solution.structure is None:
            return False
        return self.options.target == "fastest" or not stopped or solution.gap <= CLOSE

    def solution(self) -> Solution:
        """The best of what was found, with the time of all of it."""
        if not self.found:
            tried = "; ".join(self.words) or "the recorded runs name no solver for it"
            raise InputError(f"solver 'auto' finds no solver for this instance: {tried}.")
        chosen = self.found[-1]
        if len(self.found) > 1 and chosen.status not in ("optimal", "infeasible"):
            chosen = max(self.found, key=lambda each: (each.structure is not None, _number(each.objective)))
            bound = min(each.bound for each in self.found)
            if chosen.structure is not None and meets(chosen.objective, bound, chosen.magnitude):
                chosen.status = "optimal"
            chosen.bound = bound
        if len(self.found) > 1:
            for name in ("build_seconds", "solve_seconds", "round_seconds"):
                setattr(chosen, name, sum(getattr(each, name) for each in self.found))
        chosen.build_seconds += self.seconds
        chosen.message, chosen.wall_seconds = "; ".join(self.words), time.perf_counter() - self.wall
        return chosen


def _number(value: float) -> float:
    return value if value == value else float("-inf")


def usable(candidate: Candidate, task: str | None, limit: float | None = None) -> Solver:
    """The solver of a candidate; an InputError where it cannot be used here. It is made once, unless a plug-in has changed."""
    from .registry import registry  # which names this module

    return _usable(candidate, task, limit, registry.added.get(candidate.solver))


@lru_cache(maxsize=256)
def _usable(candidate: Candidate, task: str | None, limit: float | None, added: Any) -> Solver:
    from .registry import solver_class

    kind = solver_class(candidate.solver, task)
    missing = kind.unavailable()
    if missing:
        raise InputError(missing)
    options = candidate.settings
    if limit is not None and any(option.name == "time_limit" for option in dataclasses.fields(kind)):
        options["time_limit"] = limit
    return create(kind, options)


def why_unusable(candidate: Candidate, task: str | None) -> str | None:
    """Why the solver of a candidate cannot be used here (not installed, no licence, a plug-in that is not loaded), or None."""
    try:
        usable(candidate, task)
    except InputError as error:
        return str(error).rstrip(".")
    return None
