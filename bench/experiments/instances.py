"""Instances from files: JSON of any task, or bare factor graphs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from problems import get_task, task_names
from problems.errors import InputError, nearest, quoted
from problems.formats import ENDINGS
from problems.storage import read_document


def load_instance(path: Path) -> Any:
    """An instance from JSON (its field `task` says which) or a factor graph from a .fg or .uai file."""
    if path.suffix.lower() in ENDINGS:
        from problems.factor_graph import FactorGraph

        return FactorGraph.read(path)
    document = read_document(path)
    name = document.get("task")
    if not isinstance(name, str) or name not in task_names():
        hint = nearest(name, task_names()) if isinstance(name, str) else f"expected one of {', '.join(task_names())}."
        raise InputError(f"{path}: field 'task' is {quoted(name)}: {hint}")
    return get_task(name).parse(document, path)
