"""Checks of what a solver answers: statuses, structures, objectives, bounds, optimality.

Each looks at one aspect on all problems and is silent where an earlier aspect already failed, so that one fault of a
solver fails one check.
"""

from __future__ import annotations

import math
from typing import get_args

import numpy as np

from problems import task_of
from solvers.base import INTEGRALITY_TOLERANCE, Solution, Status

from .canonical import GRAPH
from .subject import Answer, Failed, NotApplicable, Subject

STATUSES = get_args(Status)
WITH_STRUCTURE = ("optimal", "feasible")


def runs(subject: Subject) -> None:
    """every canonical problem is answered with a Solution, without an exception"""
    if not subject.problems():
        raise NotApplicable("there are no problems for its tasks.")
    for problem in subject.problems():
        answer = subject.answer(problem)
        if answer.error:
            raise Failed(f"on problem {problem.name!r} {answer.error}.")
        if answer.returned:
            raise Failed(f"on problem {problem.name!r} it returned {answer.returned}, not a Solution.")


def statuses(subject: Subject) -> None:
    """statuses are of the vocabulary; a structure comes with optimal and feasible, and with no other"""
    for answer in _solutions(subject):
        name, solution = answer.problem.name, answer.solution
        if solution.status not in STATUSES:
            raise Failed(f"on problem {name!r} its status is {solution.status!r}, not one of {', '.join(STATUSES)}.")
        if solution.status == "infeasible":
            raise Failed(f"it calls the feasible problem {name!r} infeasible.")
        if (solution.structure is not None) != (solution.status in WITH_STRUCTURE):
            with_or_without = "without a" if solution.structure is None else "with a"
            raise Failed(f"on problem {name!r} its status is {solution.status!r} {with_or_without} structure.")
        if solution.status == "relaxed" and not math.isfinite(solution.bound):
            raise Failed(f"on problem {name!r} its status is 'relaxed', but its bound is {solution.bound}.")


def infeasible_problems(subject: Subject) -> None:
    """a problem without a solution is called infeasible, relaxed or timeout, and no structure is returned"""
    for answer in _solutions(subject, feasible=False):
        solution = answer.solution
        if solution.structure is not None or solution.status in WITH_STRUCTURE:
            raise Failed(f"on the infeasible problem {answer.problem.name!r} it returned status {solution.status!r}.")


def structures(subject: Subject) -> None:
    """structures are feasible, as the task itself judges them"""
    for answer in _solutions(subject):
        if answer.solution.structure is not None:
            why = answer.broken()
            if why is not None:
                raise Failed(f"on problem {answer.problem.name!r} its structure is not feasible: {why}")


def plain_structures(subject: Subject) -> None:
    """structures are plain data: tuples, lists and Python's own numbers, which a record can hold"""
    for answer in subject.answers():
        if answer.unwritable:
            name = answer.problem.name
            raise Failed(f"on problem {name!r} its structure cannot be written to a record ({answer.unwritable}).")


def objectives(subject: Subject) -> None:
    """the objective is that of the structure, recomputed from the structure alone"""
    for answer in _sound(subject):
        if answer.solution.structure is None:
            continue
        claimed, worth = answer.solution.objective, answer.worth()
        if not abs(claimed - worth) <= answer.slack(worth, worth):
            raise Failed(f"on problem {answer.problem.name!r} it says {claimed!r} of a structure worth {worth!r}.")


def bounds(subject: Subject) -> None:
    """the bound is not below the optimum (inf says that there is none)"""
    for answer in _sound(subject):
        check_bound(answer, answer.solution.bound, "its bound")


def check_bound(answer: Answer, bound: float, what: str) -> None:
    optimum = answer.optimum
    if math.isnan(bound) or bound < optimum - answer.slack(optimum, optimum):
        raise Failed(f"on problem {answer.problem.name!r} {what} is {bound!r}, but the optimum is {optimum!r}.")


def optimality(subject: Subject) -> None:
    """optimal is only said of an optimum"""
    for answer in _sound(subject):
        optimum = answer.optimum
        if answer.solution.status == "optimal" and answer.solution.structure is not None:
            worth = answer.worth()
            if worth < optimum - answer.slack(optimum, worth):
                name = answer.problem.name
                raise Failed(f"on problem {name!r} it calls {worth!r} optimal, but the optimum is {optimum!r}.")


def exactness(subject: Subject) -> None:
    """a solver that calls itself exact proves every one of these small problems optimal, with no gap, or infeasible"""
    if not subject.solver.exact:
        raise NotApplicable("it does not call itself exact.")
    for answer in _sound(subject):
        solution = answer.solution
        if solution.status == "infeasible" or solution.status not in STATUSES:
            continue  # the check of statuses tells
        if solution.status != "optimal":
            raise Failed(f"on problem {answer.problem.name!r} its status is {solution.status!r}, not 'optimal'.")
        optimum, bound = answer.optimum, solution.bound
        if bound > optimum + answer.slack(optimum, bound):
            raise Failed(
                f"on problem {answer.problem.name!r} it says 'optimal', but its bound of {bound!r} leaves a gap "
                f"to {optimum!r}."
            )
    if GRAPH in subject.tasks:
        for answer in subject.answers(feasible=False):
            if isinstance(answer.solution, Solution) and answer.solution.status in ("relaxed", "timeout"):
                raise Failed(f"it does not find out that problem {answer.problem.name!r} is infeasible.")


def posteriors(subject: Subject) -> None:
    """posteriors, where given, are one number between 0 and 1 per variable, and `integral` speaks of them truly"""
    given = 0
    for answer in _solutions(subject):
        values = answer.solution.posteriors
        if values is None:
            continue
        given += 1
        name, values = answer.problem.name, np.asarray(values)
        count = task_of(answer.instance).graph(answer.instance).number_of_variables
        if values.shape != (count,):
            raise Failed(f"on problem {name!r} there are posteriors of shape {values.shape} for {count} variables.")
        slack = INTEGRALITY_TOLERANCE
        if count and not (values.min() >= -slack and values.max() <= 1.0 + slack):  # a NaN fails both
            raise Failed(f"on problem {name!r} posteriors lie between {values.min()} and {values.max()}.")
        whole = not count or bool(np.abs(values - np.rint(values)).max() <= slack)
        if answer.solution.integral is not None and bool(answer.solution.integral) != whole:
            raise Failed(f"on problem {name!r} `integral` is {answer.solution.integral}, which its posteriors are not.")
    if not given:
        raise NotApplicable("it gives no posteriors.")


def _solutions(subject: Subject, feasible: bool = True) -> list[Answer]:
    """The answers on feasible (or on infeasible) problems that are solutions at all."""
    return [answer for answer in subject.answers(feasible) if isinstance(answer.solution, Solution)]


def _sound(subject: Subject) -> list[Answer]:
    """The answers on feasible problems whose structure is feasible or missing."""
    return [answer for answer in _solutions(subject) if answer.sound]
