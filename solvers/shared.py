"""Solver names that several tasks share: each task has a class of its own, and one in front of them looks at the instance.

`get_solver(name, task)` is the task's own class. Without a task it is the one in front, with the options of all of them; an
option that the instance's own class does not have must be left at its default.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, ClassVar

from problems.errors import InputError, nearest

from .base import Solution, Solver, create

SHARED: dict[str, dict[str, str]] = {
    "dp-bigram": {
        "compression": "solvers.dynamic.dp_bigram:DpBigram",
        "transduction": "solvers.dynamic.transduction_bigram:TransductionBigram",
    },
    "dp-exact": {
        "compression": "solvers.dynamic.dp_exact:DpExact",
        "transduction": "solvers.dynamic.transduction_exact:TransductionExact",
    },
}


def own_class(name: str, task: str) -> type[Solver] | None:
    """The class behind a shared name for one task; None if the task has none."""
    place = SHARED[name].get(task)
    if place is None:
        return None
    module, _, attribute = place.partition(":")
    found: type[Solver] = getattr(import_module(module), attribute)
    return found


@cache
def front_class(name: str) -> type[Solver]:
    """The class in front of all that share a name: the tasks and options of all of them."""
    classes = {task: own_class(name, task) for task in SHARED[name]}
    options: dict[str, tuple[str, Any, Any]] = {}
    for chosen in classes.values():
        assert chosen is not None
        hints = typing.get_type_hints(chosen)
        for option in dataclasses.fields(chosen):
            made = dataclasses.field(default=option.default)
            known = options.setdefault(option.name, (option.name, hints[option.name], made))
            if known[1] != hints[option.name] or known[2].default != option.default:
                raise TypeError(f"option {option.name!r} of {name!r} means different things for different tasks.")
    facts = {"name": name, "tasks": frozenset(classes), "exact": all(each.exact for each in classes.values() if each)}
    return dataclasses.make_dataclass(
        f"Shared_{name.replace('-', '_')}",
        options.values(),
        bases=(_Front,),
        namespace={
            **facts,
            "classes": classes,
            "__doc__": f"`{name}` for any task that has one.",
            "__module__": __name__,
        },
        kw_only=True,
    )


class _Front(Solver):
    classes: ClassVar[Mapping[str, type[Solver]]]

    def check_options(self) -> None:
        """A value must be right for one of the classes that have the option."""
        for chosen in self.classes.values():
            create(chosen, self._options_of(chosen))

    def _options_of(self, chosen: type[Solver]) -> dict[str, Any]:
        return {option.name: getattr(self, option.name) for option in dataclasses.fields(chosen)}

    def solve(self, instance: Any) -> Solution:
        task = str(getattr(type(instance), "task", ""))
        if task not in self.classes:
            raise InputError(f"solver {self.name!r} solves instances of the tasks {' and '.join(self.classes)} only.")
        chosen = self.classes[task]
        own = self._options_of(chosen)
        for option in dataclasses.fields(self):
            if option.name not in own and getattr(self, option.name) != option.default:
                hint = nearest(option.name, own) if own else "it has no options."
                raise InputError(f"unknown option {option.name!r} of solver {self.name!r} for task {task!r}: {hint}")
        return create(chosen, own).solve(instance)
