"""Checks of how a solver behaves: options, seeds, limits, clocks, traces, and what it must leave alone."""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import io
import math
import os
import sys
import tempfile
import time
import typing
from collections.abc import Iterator
from typing import Any

import numpy as np

from problems import task_of
from problems.errors import InputError
from solvers.base import Solution, cpu_clock, create, tolerance

from ..runner.messages import error_text
from .answers import STATUSES
from .subject import Answer, Failed, NotApplicable, Subject, fingerprint

TIME_LIMIT = 0.2
CLOCK_SLACK = 0.02  # seconds: the clock of finished children ticks in hundredths
NONSENSE = "no such value"


def options(subject: Subject) -> None:
    """an unknown option, a value of a wrong type and a time limit below 0 are refused with an InputError"""
    _refused(subject, {"no_such_option": 1}, "an unknown option")
    hints = typing.get_type_hints(subject.solver)
    for option in dataclasses.fields(subject.solver):
        if hints[option.name] is Any:
            continue
        _refused(subject, {option.name: object()}, f"option {option.name!r} of a wrong type")
        if isinstance(option.default, (bool, int, float)):
            _refused(subject, {option.name: NONSENSE}, f"option {option.name!r} = {NONSENSE!r}")
    if subject.has("time_limit"):
        for limit in (-1.0, 0.0, math.nan):
            _refused(subject, {"time_limit": limit}, f"a time limit of {limit}")


def _refused(subject: Subject, values: dict[str, Any], what: str) -> None:
    try:
        create(subject.solver, values)
    except InputError:
        return
    except Exception as error:
        raise Failed(f"{what} raises {error_text(error)} instead of an InputError.") from error
    raise Failed(f"{what} is not refused.")


def determinism(subject: Subject) -> None:
    """two runs with the same options and seed give the same status, structure, objective, bound and iterations"""
    for problem in subject.trials():
        first, second = subject.solve(problem), subject.solve(problem)
        if isinstance(first.solution, Solution) and isinstance(second.solution, Solution):
            for what in ("status", "structure", "objective", "bound", "iterations"):
                one, other = getattr(first.solution, what), getattr(second.solution, what)
                if not _same(one, other):
                    raise Failed(f"on problem {problem.name!r} the {what} is {one!r} first and {other!r} then.")


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, float) and isinstance(second, float) and math.isnan(first) and math.isnan(second):
        return True
    return bool(np.array_equal(np.asarray(first, dtype=object), np.asarray(second, dtype=object)))


def untouched_instances(subject: Subject) -> None:
    """the instance is the same after solving as before"""
    for problem in subject.trials():
        instance = problem.make()
        before = fingerprint(instance)
        with contextlib.suppress(Exception):  # the check that it runs at all tells
            subject.call(subject.make(), instance)
        if fingerprint(instance) != before:
            raise Failed(f"it changes the instance of problem {problem.name!r}.")


def silence(subject: Subject) -> None:
    """nothing is printed to standard output, neither by Python nor by a library"""
    for problem in subject.trials()[:3]:
        with _captured() as printed:
            subject.solve(problem)
        if printed:
            text = printed[0].strip()
            raise Failed(f"on problem {problem.name!r} it prints {text[:60]!r}.")


@contextlib.contextmanager
def _captured() -> Iterator[list[str]]:
    """What goes to standard output meanwhile: by `print`, by C libraries (with their buffers) and by children."""
    printed: list[str] = []
    spoken = io.StringIO()
    sys.stdout.flush()
    saved = os.dup(1)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            with contextlib.redirect_stdout(spoken):
                yield printed
            with contextlib.suppress(OSError, AttributeError):  # no C library to be found
                ctypes.CDLL(None).fflush(None)
        finally:
            os.dup2(saved, 1)
            os.close(saved)
        file.seek(0)
        text = spoken.getvalue() + file.read().decode(errors="replace")
    if text:
        printed.append(text)


def clocks(subject: Subject) -> None:
    """times are at least 0, and build + solve + round are no more CPU time than was measured around the call"""
    for problem in subject.trials():
        instance = problem.make()
        solver = subject.make()
        start, wall = cpu_clock(), time.perf_counter()
        try:
            solution = subject.call(solver, instance)
        except Exception:
            continue
        measured, waited = cpu_clock() - start, time.perf_counter() - wall
        if not isinstance(solution, Solution):
            continue
        for what in ("build_seconds", "solve_seconds", "round_seconds", "wall_seconds"):
            seconds = getattr(solution, what)
            if not 0.0 <= seconds < math.inf:
                raise Failed(f"on problem {problem.name!r} {what} is {seconds!r}.")
        for said, clock, found, how in (
            (solution.cpu_seconds, "of CPU time", measured, "were used"),
            (solution.wall_seconds, "on the wall clock", waited, "went by"),
        ):
            if said > found + CLOCK_SLACK:
                raise Failed(f"on problem {problem.name!r} it says {said:.3f} s {clock}, but only {found:.3f} s {how}.")


def traces(subject: Subject) -> None:
    """a trace goes forward in time, and no point of it is above the optimum or bounds it wrongly"""
    if not subject.has("trace"):
        raise NotApplicable("it has no option 'trace'.")
    for problem in subject.trials():
        answer = subject.solve(problem, trace=True)
        if not isinstance(answer.solution, Solution):
            why = answer.error or answer.unwritable or f"it returned {answer.returned}"
            raise Failed(f"on problem {problem.name!r} it fails when traced: {why}.")
        _check_trace(answer)


def _check_trace(answer: Answer) -> None:
    name, optimum = answer.problem.name, answer.optimum
    slack = answer.slack(optimum, optimum)
    last_seconds, last_iteration = 0.0, 0
    for point in answer.solution.trace:
        if not point.seconds >= last_seconds or point.iteration < last_iteration:
            raise Failed(
                f"on problem {name!r} its trace goes back from {last_seconds} s, iteration {last_iteration}, "
                f"to {point.seconds} s, iteration {point.iteration}."
            )
        last_seconds, last_iteration = point.seconds, point.iteration
        if point.objective > optimum + slack:
            raise Failed(f"on problem {name!r} its trace has the objective {point.objective!r} above {optimum!r}.")
        if point.bound < optimum - slack:
            raise Failed(f"on problem {name!r} its trace has the bound {point.bound!r} below {optimum!r}.")


def time_limit(subject: Subject) -> None:
    """with a limit of 0.2 s a hard problem ends soon after, with a legal status and an honest answer"""
    if not subject.has("time_limit"):
        raise NotApplicable("it has no option 'time_limit'; only the runner's limit holds.")
    hard = subject.hard()
    subject.solve(subject.trials()[0])  # what a first call loads is not on the clock
    answer = subject.solve(hard, time_limit=TIME_LIMIT)
    if answer.error:
        raise Failed(f"at a limit of {TIME_LIMIT} s {answer.error}.")
    if answer.seconds > TIME_LIMIT + subject.overrun:
        raise Failed(f"with a limit of {TIME_LIMIT} s it took {answer.seconds:.1f} s.")
    _check_limited(answer.instance, answer.solution)


def _check_limited(instance: Any, solution: Any) -> None:
    if not isinstance(solution, Solution) or solution.status not in STATUSES or solution.status == "infeasible":
        raise Failed(f"at a limit of {TIME_LIMIT} s its status is {getattr(solution, 'status', None)!r}.")
    if solution.structure is None:
        return
    task = task_of(instance)
    why = task.broken(instance, solution.structure)
    if why is not None:
        raise Failed(f"at a limit of {TIME_LIMIT} s its structure is not feasible: {why}")
    worth = task.objective(instance, solution.structure)
    slack = tolerance(worth, worth, task.graph(instance).magnitude)
    if abs(solution.objective - worth) > slack or worth > solution.bound + slack:
        raise Failed(
            f"at a limit of {TIME_LIMIT} s it says objective {solution.objective!r} and bound {solution.bound!r} "
            f"of a structure worth {worth!r}."
        )
