"""Instances from files: JSON of any task, or bare factor graphs; and files by pattern, like Python's `glob`, but not without end: a
pattern may look at so many names and no more.
"""

from __future__ import annotations

import fnmatch
import glob
import os
from itertools import islice
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


MOST_ENTRIES = 100_000


def matching(pattern: str, folder: Path = Path()) -> list[str]:
    """The paths that a pattern relative to a folder finds, sorted; `**` stands for any number of folders."""
    given = Path(pattern)
    anchor, parts = (given.anchor, given.parts[1:]) if given.is_absolute() else (str(folder), given.parts)
    seen, found = 0, set()
    stack = [(anchor, parts)]
    while stack:
        where, parts = stack.pop()
        while parts and not glob.has_magic(parts[0]):
            where, parts = os.path.join(where, parts[0]), parts[1:]
        if not parts:
            if os.path.lexists(where):
                found.add(where)
            continue
        first, rest = parts[0], parts[1:]
        entries = _entries(where, MOST_ENTRIES - seen)
        seen += len(entries) + 1
        if seen > MOST_ENTRIES:
            raise InputError(
                f"the pattern {quoted(str(folder / pattern))} has more than {MOST_ENTRIES} names to look at."
            )
        if first == "**":
            stack.append((where, rest))
        for entry in entries:
            if entry.name.startswith(".") and not first.startswith("."):
                continue
            if first == "**":
                if _is_folder(entry):
                    stack.append((entry.path, parts))
                elif not rest:
                    found.add(entry.path)
            elif fnmatch.fnmatchcase(entry.name, first) and (not rest or _is_folder(entry)):
                stack.append((entry.path, rest))
    return sorted(found)


def _entries(folder: str, most: int) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(islice(entries, most + 1))
    except (OSError, ValueError):  # not there, not for us, or a NUL in the path
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False
