"""Files by pattern, like Python's `glob`, but not without end: a pattern may look at so many names and no more."""

from __future__ import annotations

import fnmatch
import glob
import os
from itertools import islice
from pathlib import Path

from problems.errors import InputError, quoted

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
