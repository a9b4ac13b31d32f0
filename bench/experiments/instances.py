"""Instances from files: JSON of any task, or bare factor graphs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from problems import get_task, task_names
from problems.errors import InputError, nearest, quoted
from problems.formats import ENDINGS
from problems.library import PREFIX, known_as
from problems.storage import read_document


def is_known(path: Path) -> bool:
    """Does it name an instance of the library, not a file?"""
    return str(path).startswith(PREFIX)


def load_instance(path: Path, evidence: Path | None = None) -> Any:
    """An instance from JSON (its field `task` says which), a factor graph by the file's ending (evidence is for .uai), or `library:NAME`."""
    if is_known(path):
        return known_as(str(path)).make()
    if path.suffix.lower() in ENDINGS:
        from problems.factor_graph import FactorGraph

        return FactorGraph.read(path, evidence)
    if evidence is not None:
        raise InputError(f"{evidence}: evidence is for .uai files, and {path} is none.")
    document = read_document(path)
    name = document.get("task")
    if not isinstance(name, str) or name not in task_names():
        hint = nearest(name, task_names()) if isinstance(name, str) else f"expected one of {', '.join(task_names())}."
        raise InputError(f"{path}: field 'task' is {quoted(name)}: {hint}")
    return get_task(name).parse(document, path)
