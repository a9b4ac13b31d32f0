"""Which backends may solve a problem: Gurobi and Xpress come with licences that end at some size."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from problems.errors import InputError
from solvers import get_solver

LICENSED = ("ilp-gurobi", "ilp-xpress", "lp-gurobi", "lp-xpress")


def covers(name: str, instance: Any) -> bool:
    """Does the licence in force cover the instance? Any other refusal is the test's to see."""
    if name not in LICENSED:
        return True
    try:
        get_solver(name, time_limit=0.001).solve(instance)
    except InputError as error:
        if "licence ends at" not in str(error):
            raise
        return False
    return True


def covered(names: Iterable[str], instance: Any) -> list[str]:
    return [name for name in names if covers(name, instance)]
