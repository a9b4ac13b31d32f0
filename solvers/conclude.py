"""From a solver's raw values to a Solution. No solver is trusted: feasibility and objective come from the structure.

Rounding is on the solver's clock; checking and re-scoring the structure is the harness's own doing and off it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problems.errors import InputError, nearest
from problems.task import Task

from .base import INTEGRALITY_TOLERANCE, Solution, cpu_clock, meets, tolerance

Floats = NDArray[np.float64]

NO_ROUNDING = "none"  # posteriors are all that is wanted, as when a model is trained


def chosen_rounding(task: Task[Any, Any], rounding: str | None, optional: bool = False) -> str:
    """The rounding to use for a task: the one asked for, or the task's default; `NO_ROUNDING` where it is optional."""
    if rounding is None:
        return task.roundings[0]
    valid = (*task.roundings, NO_ROUNDING) if optional else task.roundings
    if rounding not in valid:
        raise InputError(f"unknown rounding {rounding!r} of task {task.name!r}: {nearest(rounding, valid)}")
    return rounding


def is_integral(posteriors: Floats) -> bool:
    """Are all posteriors within `INTEGRALITY_TOLERANCE` of 0 or 1?"""
    return not len(posteriors) or bool(np.abs(posteriors - np.rint(posteriors)).max() <= INTEGRALITY_TOLERANCE)


def judge(task: Task[Any, Any], instance: Any, structure: Any, bound: float, magnitude: float = 0.0) -> Solution:
    """A solution with the status that its structure and a valid upper bound justify.

    `magnitude` is the sum of all absolute scores; rounding errors are relative to it. Instances know theirs.
    """
    magnitude = max(magnitude, getattr(instance, "magnitude", 0.0))
    if structure is None:
        return Solution("relaxed" if math.isfinite(bound) else "timeout", bound=bound)
    why = task.broken(instance, structure)
    if why is not None:
        message = f"the solver returned a structure that is not feasible: {why}"
        return Solution("relaxed" if math.isfinite(bound) else "timeout", bound=bound, message=message)
    objective = task.objective(instance, structure)
    solution = Solution("feasible", structure=structure, objective=objective, bound=bound, magnitude=magnitude)
    if objective - bound > tolerance(objective, bound, magnitude):
        solution.message = f"the solver's bound is wrong: {bound:.9g} lies below the objective"
    elif meets(objective, bound, magnitude):
        solution.status = "optimal"
    return solution


def from_posteriors(
    task: Task[Any, Any],
    instance: Any,
    posteriors: Floats,
    bound: float,
    rounding: str | None,
    magnitude: float = 0.0,
) -> Solution:
    """Round a fractional solution. An integral one that is feasible is taken as it is."""
    task.prepare()
    start = cpu_clock()
    integral = is_integral(posteriors)
    structure = task.structure(instance, np.rint(posteriors)) if integral else None
    seconds = cpu_clock() - start
    if rounding != NO_ROUNDING and (structure is None or task.broken(instance, structure) is not None):
        start = cpu_clock()
        structure = task.round(instance, posteriors, chosen_rounding(task, rounding))
        seconds += cpu_clock() - start
    solution = judge(task, instance, structure, bound, magnitude)
    solution.posteriors = posteriors
    solution.integral = integral
    solution.round_seconds = seconds
    return solution
