"""Solvers by name. The table names classes as text, so that listing solvers imports no solver library."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from problems.errors import InputError, nearest

from .base import Solver, create
from .dynamic import PROGRAMS
from .linear import BACKENDS

SOLVERS: dict[str, str] = {
    **BACKENDS,
    **PROGRAMS,
    "ad3": "solvers.ad3:Ad3",
    "ad3-exact": "solvers.branch_and_bound:Ad3Exact",
    "brute-force": "solvers.brute_force:BruteForce",
    "greedy": "solvers.greedy:Greedy",
    "subgradient": "solvers.subgradient:Subgradient",
}


def solver_class(name: str) -> type[Solver]:
    """The class of a solver."""
    if not isinstance(name, str) or name not in SOLVERS:
        raise InputError(f"unknown solver {name!r}: {nearest(name, SOLVERS)}")
    module, _, attribute = SOLVERS[name].partition(":")
    return getattr(import_module(module), attribute)


def get_solver(name: str, task: str | None = None, **options: Any) -> Solver:
    """A solver with these options. `task` is only needed where several tasks share a solver name."""
    return make_solver(name, task, options)


def make_solver(name: str, task: str | None, options: dict[str, Any]) -> Solver:
    """The same with the options in a dictionary, where their names cannot collide with anything."""
    chosen = solver_class(name)
    if task is not None and chosen.tasks is not None and task not in chosen.tasks:
        raise InputError(f"solver {name!r} does not solve task {task!r}, only {', '.join(sorted(chosen.tasks))}.")
    return create(chosen, options)
