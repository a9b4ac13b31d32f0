"""What is to be solved: factor graphs, tasks, generators, metrics. Imports neither solvers nor bench."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import InputError
from .registration import Registry, why_no_name

if TYPE_CHECKING:
    from .factor_graph import FactorGraph
    from .task import Task

TASKS = {
    "compression": "problems.compression.task:CompressionTask",
    "extraction": "problems.extraction.task:ExtractionTask",
    "parsing": "problems.parsing.task:ParsingTask",
    "summarization": "problems.summarization.task:SummarizationTask",
    "transduction": "problems.transduction.task:TransductionTask",
}


def why_no_task(found: Any) -> str | None:
    """Why a class cannot be used as a task, or None."""
    from inspect import isabstract

    from .task import Task

    if not (isinstance(found, type) and issubclass(found, Task)):
        return "it is no subclass of problems.task.Task"
    if isabstract(found):
        return f"class {found.__name__!r} lacks {', '.join(sorted(found.__abstractmethods__))}"
    return why_no_name(found)


registry = Registry("task", "dualbench.tasks", TASKS, why_no_task, reserved=frozenset({"graph"}))
_made: dict[type[Any], Any] = {}


def task_names() -> list[str]:
    """All tasks: the built-in ones (`TASKS`), then those of plug-ins and installed packages."""
    return registry.names()


def get_task(name: str) -> Any:
    """The task of this name."""
    found = registry.get(name)
    if found not in _made:
        _made[found] = found()
    return _made[found]


def task_of(instance: Any) -> Any:
    """The task of an instance. Bare factor graphs have a task of their own."""
    from .bare_graph import BareGraphTask
    from .factor_graph import FactorGraph

    if isinstance(instance, FactorGraph):
        return BareGraphTask()
    name = getattr(instance, "task", None)
    if not isinstance(name, str):
        raise InputError(f"expected an instance of a task or a FactorGraph, not {type(instance).__name__}.")
    return get_task(name)


def __getattr__(name: str) -> Any:
    """Types that load more than names do."""
    from importlib import import_module

    modules = {"FactorGraph": "factor_graph", "Task": "task"}
    if name not in modules:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{modules[name]}", __name__), name)


__all__ = ["TASKS", "FactorGraph", "InputError", "Task", "get_task", "task_names", "task_of"]
