"""Which solvers fit a task, and this machine."""

from __future__ import annotations

from problems.bare_graph import BareGraphTask
from problems.errors import InputError
from problems.registration import BUILT_IN
from solvers import solver_class, solver_names
from solvers.registry import registry


def solves(name: str, task: str) -> bool:
    """Whether a solver takes instances of a task."""
    try:
        tasks = solver_class(name, None if task == BareGraphTask.name else task).tasks
    except InputError:  # somebody else's, which cannot be loaded
        return False
    return tasks is None or task in tasks


def unavailable(name: str) -> str | None:
    """Why a built-in solver cannot be used; others are asked by the runner, in a process of their own."""
    return solver_class(name).unavailable() if registry.origin(name) == BUILT_IN else None


def usable_solvers(task: str) -> list[str]:
    """All solvers of a task that can be used here."""
    return [name for name in solver_names() if solves(name, task) and not unavailable(name)]
