"""What is to be solved: factor graphs, tasks, generators, metrics. Imports neither solvers nor bench."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from .errors import InputError, nearest

TASKS = {
    "extraction": "problems.extraction.task:ExtractionTask",
    "parsing": "problems.parsing.task:ParsingTask",
    "summarization": "problems.summarization.task:SummarizationTask",
}


def get_task(name: str) -> Any:
    """The task of this name."""
    if not isinstance(name, str) or name not in TASKS:
        raise InputError(f"unknown task {name!r}: {nearest(name, TASKS)}")
    return _task(name)


@cache
def _task(name: str) -> Any:
    module, _, attribute = TASKS[name].partition(":")
    return getattr(import_module(module), attribute)()


def task_of(instance: Any) -> Any:
    """The task that an instance belongs to; a bare factor graph is a task of its own."""
    from .bare_graph import BareGraphTask
    from .factor_graph import FactorGraph

    if isinstance(instance, FactorGraph):
        return BareGraphTask()
    name = getattr(instance, "task", None)
    if not isinstance(name, str):
        raise InputError(f"expected an instance of a task or a FactorGraph, not {type(instance).__name__}.")
    return get_task(name)


__all__ = ["TASKS", "InputError", "get_task", "task_of"]
