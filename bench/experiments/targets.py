"""Targets that depend on the instance: a bound within a share of the optimum of the linear relaxation.

A user who asks for a bound knows what is good enough. In an experiment the plan does: it solves the relaxation once, on no
clock, and tells the solver by its option `bound_target`. When the target is met the solver must find out itself, on its clock.
"""

from __future__ import annotations

import math
from typing import Any

from problems.errors import InputError
from problems.task import Task
from solvers import make_solver

TARGET = "bound_target"  # the option; `bench.analysis.statistics.bounds` knows it from records
REFERENCE = "lp-highs"


def relaxed_optimum(task: Task[Any, Any], instance: Any) -> float:
    """The optimum of an instance's linear relaxation."""
    bound = float(make_solver(REFERENCE, None if task.name == "graph" else task.name, {}).solve(instance).bound)
    if not math.isfinite(bound):
        raise InputError(f"option 'bound_within' needs the relaxation's optimum, which {REFERENCE} does not find.")
    return bound


def target(optimum: float, within: float) -> float:
    """The highest bound that is good enough."""
    return optimum + within * abs(optimum)
