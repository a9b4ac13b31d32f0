"""The solver under test: which problems it claims to solve, and what it answered on them."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from problems import get_task, task_names, task_of
from problems.errors import InputError, nearest
from problems.factor_graph import FactorGraph
from solvers.base import Solution, Solver, create, tolerance

from ..experiments.sources import graph_digest
from ..runner.messages import error_text
from .canonical import GRAPH, GRAPHS, Problem, hard_graph
from .stopwatch import Stopwatch
from .task_problems import hard_instance, task_problems

SEED = 7
TRIALS = ("fractional triangle", "knapsack", "ties", "dense")  # graphs for what need not be looked at on every problem


class Failed(Exception):
    """A check that the solver does not pass; the message is one sentence."""


class NotApplicable(Exception):
    """A check that says nothing about this solver; the message tells why."""


@dataclass
class Answer:
    """What a solver did on a problem: a solution, or else `error` or `returned` tell what there was instead of one."""

    problem: Problem
    instance: Any
    solution: Any = None
    error: str = ""  # such as "it raised ValueError: no"
    returned: str = ""  # the type of what is no Solution
    unwritable: str = ""  # why the structure is no plain data
    seconds: float = 0.0  # that solving took, without compilations of our kernels

    @property
    def optimum(self) -> float:
        """The optimum of a feasible problem."""
        assert self.problem.optimum is not None
        return self.problem.optimum

    @property
    def sound(self) -> bool:
        """Is there a solution whose structure, if any, is feasible? (The checks of status and structures see to the rest.)"""
        if not isinstance(self.solution, Solution):
            return False
        return self.solution.structure is None or self.broken() is None

    def broken(self) -> str | None:
        """Why the structure is not feasible; a structure that the task cannot even read is not."""
        try:
            return task_of(self.instance).broken(self.instance, self.solution.structure)
        except Exception as error:
            return f"the task cannot read it ({type(error).__name__}: {' '.join(str(error).split())})."

    def worth(self) -> float:
        """The objective of the structure, from the structure alone."""
        return float(task_of(self.instance).objective(self.instance, self.solution.structure))

    def slack(self, first: float, second: float) -> float:
        """How far two values of this problem may lie apart and still be the same."""
        return tolerance(first, second, task_of(self.instance).graph(self.instance).magnitude)


@dataclass
class Subject:
    """A solver class and the tasks that it is tested on (`graph` stands for bare factor graphs).

    `elsewhere`, if given, has a problem solved with options in another process; `sent` are the trials that came from one.
    """

    solver: type[Solver]
    tasks: tuple[str, ...]
    overrun: float = 3.0  # seconds beyond a time limit that are forgiven: libraries look at the clock between steps
    stopwatch: Stopwatch = field(default_factory=Stopwatch)
    elsewhere: Callable[[Problem, dict[str, Any]], Answer] | None = None
    sent: list[Problem] = field(default_factory=list)
    _answers: dict[str, Answer] = field(default_factory=dict)

    def has(self, option: str) -> bool:
        return any(known.name == option for known in dataclasses.fields(self.solver))

    def make(self, **options: Any) -> Solver:
        """The solver with these options, and with a seed where it takes one."""
        return create(self.solver, {**({"seed": SEED} if self.has("seed") else {}), **options})

    def call(self, solver: Solver, instance: Any) -> Solution:
        """The solver's own doing, and nothing else."""
        with self.stopwatch.solving():
            return solver.solve(instance)

    def problems(self) -> list[Problem]:
        return [problem for task in self.tasks for problem in (GRAPHS if task == GRAPH else task_problems(task))]

    def trials(self) -> list[Problem]:
        """A few feasible problems, for checks that solve them again."""
        if self.sent:
            return self.sent
        chosen = [problem for problem in self.problems() if problem.task != GRAPH or problem.name in TRIALS]
        return [problem for problem in chosen if problem.optimum is not None]

    def answers(self, feasible: bool = True) -> list[Answer]:
        """The answers on all feasible (or all infeasible) problems; each is solved once."""
        wanted = [problem for problem in self.problems() if (problem.optimum is not None) == feasible]
        if not wanted:
            raise NotApplicable("there are no such problems for its tasks.")
        return [self.answer(problem) for problem in wanted]

    def answer(self, problem: Problem) -> Answer:
        if problem.name not in self._answers:
            self._answers[problem.name] = self.solve(problem)
        return self._answers[problem.name]

    def solve(self, problem: Problem, **options: Any) -> Answer:
        """Solve a problem made anew; what the solver did to its own copy does not matter to the judge."""
        if self.elsewhere is not None:
            return self.elsewhere(problem, options)
        answer = Answer(problem, problem.make())
        try:
            solver = self.make(**options)
            start, compiled = time.perf_counter(), self.stopwatch.compiled
            returned: Any = self.call(solver, problem.make())
        except Exception as error:
            answer.error = f"it raised {error_text(error)}"
            return answer
        answer.seconds = time.perf_counter() - start - (self.stopwatch.compiled - compiled)
        if isinstance(returned, Solution):
            answer.solution, answer.unwritable = returned, _unwritable(returned.structure)
        else:
            answer.returned = type(returned).__name__
        return answer

    def hard(self) -> Problem:
        """A problem that takes a while; nobody knows its optimum."""
        if GRAPH in self.tasks:
            return Problem("a hard graph", GRAPH, hard_graph, None)
        task = self.tasks[0]
        if hard_instance(task) is None:
            raise NotApplicable(f"task {task!r} generates no instances.")
        return Problem(f"a hard instance of {task}", task, lambda: hard_instance(task), None)


def subject_of(solver: type[Solver], task: str | None = None) -> Subject:
    """A solver with all tasks that it claims to solve, or with the one asked for."""
    claimed = (GRAPH, *_usable_tasks()) if solver.tasks is None else tuple(sorted(solver.tasks))
    if task is not None and task not in claimed:
        if task != GRAPH:
            get_task(task)  # an unknown task is said to be unknown
        raise InputError(f"solver {solver.name!r} does not solve task {task!r}: {nearest(task, claimed)}")
    return Subject(solver, claimed if task is None else (task,))


def _usable_tasks() -> list[str]:
    """Every task that can be loaded: a broken package of someone else is not the solver's fault."""
    usable = []
    for name in task_names():
        with contextlib.suppress(InputError):
            get_task(name)
            usable.append(name)
    return usable


def _unwritable(structure: Any) -> str:
    """Why a structure cannot be written to a record; empty if it can."""
    try:
        json.dumps(structure, allow_nan=False)
    except Exception as error:
        return error_text(error)
    return ""


def fingerprint(instance: Any) -> tuple[str, float, str]:
    """Everything that an instance says: its document, and its factor graph as a digest."""
    task = task_of(instance)
    document = "" if isinstance(instance, FactorGraph) else repr(task._to_document(instance))
    graph = task.graph(instance)
    return document, graph.constant, graph_digest(graph)
