"""Names that a shell completes. They come from registries and folders: no solver library is imported for a press of the tab key."""

from __future__ import annotations

import os
from collections.abc import Iterable
from glob import escape, glob

from problems import task_names
from problems.formats import ENDINGS
from solvers import solver_names

from ..data.catalogue import catalogue
from ..experiments.experiment import built_in

TASKS_OF_LISTS = ("solvers", "tasks", "experiments", "pieces", "library")


def solvers(incomplete: str) -> list[str]:
    return _starting(solver_names(), incomplete)


def tasks(incomplete: str) -> list[str]:
    return _starting(task_names(), incomplete)


def corpora(incomplete: str) -> list[str]:
    return _starting(catalogue(), incomplete)


def lists(incomplete: str) -> list[str]:
    return _starting(TASKS_OF_LISTS, incomplete)


def experiments(incomplete: str) -> list[str]:
    """Our own by name, and TOML files."""
    return _starting(built_in(), incomplete) + files(incomplete, (".toml",))


def racers(incomplete: str) -> list[str]:
    """Tasks, which a size follows, and files of instances."""
    return [f"{name}:" for name in tasks(incomplete)] + instances(incomplete)


def instances(incomplete: str) -> list[str]:
    return files(incomplete, (".json", *ENDINGS))


def files(incomplete: str, endings: tuple[str, ...]) -> list[str]:
    """Folders, and files with one of these endings."""
    found = sorted(glob(escape(incomplete) + "*"))
    folders = [path + os.sep for path in found if os.path.isdir(path)]
    return folders + [path for path in found if path.endswith(endings)]


def _starting(names: Iterable[str], incomplete: str) -> list[str]:
    return sorted(name for name in names if name.startswith(incomplete))
