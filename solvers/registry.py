"""Solvers by name. The table names classes as text, so that listing solvers imports no solver library."""

from __future__ import annotations

import dataclasses
from inspect import isabstract
from typing import Any

from problems.errors import InputError
from problems.registration import Registry, why_no_name

from .base import Solver, create
from .dynamic import PROGRAMS
from .linear import BACKENDS
from .networks import NETWORK_SOLVERS
from .shared import SHARED, front_class, own_class

SOLVERS: dict[str, str] = {
    **BACKENDS,
    **NETWORK_SOLVERS,
    **PROGRAMS,
    **{name: f"solvers.shared:{name}" for name in SHARED},  # a class for each task: see `solver_class`
    "ad3": "solvers.ad3:Ad3",
    "ad3-exact": "solvers.branch_and_bound:Ad3Exact",
    "ad3-ilp": "solvers.ad3_ilp:Ad3Ilp",
    "auto": "solvers.auto:Auto",
    "beam": "solvers.beam:Beam",
    "brute-force": "solvers.brute_force:BruteForce",
    "crf": "solvers.crf:Crf",
    "greedy": "solvers.greedy:Greedy",
    "rerank": "solvers.rerank:Rerank",
    "subgradient": "solvers.subgradient:Subgradient",
    "tree-ilp": "solvers.tree_ilp:TreeIlp",
}


def why_no_solver(found: Any) -> str | None:
    """Why a class cannot be used as a solver, or None."""
    if not (isinstance(found, type) and issubclass(found, Solver)):
        return "it is no subclass of solvers.base.Solver"
    if isabstract(found):
        return f"class {found.__name__!r} lacks {', '.join(sorted(found.__abstractmethods__))}"
    return why_no_name(found) or _why_no_options(found)


def _why_no_options(found: type[Solver]) -> str | None:
    """Options are dataclass fields with defaults: everything else would be an option that silently does nothing."""
    known = {option.name for option in dataclasses.fields(found)}
    if "name" in known:
        return f"`name` of class {found.__name__!r} is an option: write it without a type (name = {found.name!r})"
    for one in found.__mro__[: found.__mro__.index(Solver)]:
        own = set(vars(one).get("__annotations__", {})) - known
        forgotten = sorted(name for name in own if not _is_class_variable(one.__annotations__[name]))
        if forgotten:
            return f"class {one.__name__!r} has options ({', '.join(forgotten)}) but is no dataclass: put @dataclass(kw_only=True) above it"
        if "__init__" in vars(one) and "__dataclass_params__" not in vars(one):
            return f"class {one.__name__!r} defines __init__, but options are dataclass fields"
    for option in dataclasses.fields(found):
        if option.default is dataclasses.MISSING and option.default_factory is dataclasses.MISSING:
            return f"option {option.name!r} of class {found.__name__!r} needs a default value"
    try:
        found()
    except (Exception, SystemExit) as error:
        said = " ".join(str(error).split()).rstrip(".")
        return f"class {found.__name__!r} refuses its own default options ({said or type(error).__name__})"
    return None


def _is_class_variable(annotation: object) -> bool:
    return "ClassVar" in str(annotation)


registry = Registry("solver", "dualbench.solvers", SOLVERS, why_no_solver)


def solver_names() -> list[str]:
    """All solvers: the built-in ones (`SOLVERS`), then those of plug-ins and installed packages."""
    return registry.names()


def solver_class(name: str, task: str | None = None) -> type[Solver]:
    """A solver's class. If tasks share the name: the given task's class, or without a task their front class."""
    if isinstance(name, str) and name in SHARED:
        return (own_class(name, task) if task else None) or front_class(name)
    return registry.get(name)


def get_solver(name: str, task: str | None = None, **options: Any) -> Solver:
    """A solver with these options. Name the `task` only if several tasks share the solver's name."""
    return make_solver(name, task, options)


def make_solver(name: str, task: str | None, options: dict[str, Any]) -> Solver:
    """Like `get_solver`, with the options in a dictionary."""
    chosen = solver_class(name, task)
    if task is not None and chosen.tasks is not None and task not in chosen.tasks:
        raise InputError(f"solver {name!r} does not solve task {task!r}, only {', '.join(sorted(chosen.tasks))}.")
    return create(chosen, options)
