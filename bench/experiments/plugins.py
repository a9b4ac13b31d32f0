"""Solvers and tasks from a user's own Python file (`--plugin my_solver.py`).

The file is imported under a module name made from its path, so that two files of the same name do not clash, and the
same path gives the same module in a worker process. Its folder is not searched for further modules: a plug-in is one
file, whose content (`plugin_digest`) is what a record's key depends on; larger ones belong into an installed package.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import traceback
from collections.abc import Iterable
from inspect import isabstract, isclass
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from problems import registry as tasks
from problems.errors import InputError
from problems.factors.foreign import Factor
from problems.files import read_bytes
from problems.registration import Registry
from problems.task import Task
from solvers.base import Solver
from solvers.registry import registry as solvers


class Plugin(NamedTuple):
    """What a file brought: names of solvers and tasks, and the digest of its content."""

    path: Path
    solvers: tuple[str, ...]
    tasks: tuple[str, ...]
    digest: str


_loaded: dict[Path, Plugin] = {}


def plugin_digest(path: str | Path) -> str:
    """The content of a plug-in file in 16 hexadecimal digits."""
    return hashlib.sha256(_read(Path(path))).hexdigest()[:16]


def load_plugin(path: str | Path, source: bytes | None = None) -> Plugin:
    """Import a file and register its solvers and tasks. A file that has not changed is not imported again.

    `source` is the content of the file, for machines that do not have it.
    """
    file = Path(path).resolve() if source is None else Path(path)
    source = _read(file) if source is None else source
    digest = hashlib.sha256(source).hexdigest()[:16]
    known = _loaded.get(file)
    if known is not None and known.digest == digest:
        return known
    module = _import(file, source)
    found = {registry.what: _classes(module, base, registry, file) for registry, base in _SORTS}
    if not any(found.values()):
        raise InputError(f"{file}: no solver or task in it{_unfinished(module)}.")
    unload_plugin(file)  # of an edited file, what it no longer defines is gone
    for registry, _ in _SORTS:
        for one in found[registry.what]:
            registry.add(one, str(file))
    names = {what: tuple(one.name for one in classes) for what, classes in found.items()}
    _loaded[file] = Plugin(file, names["solver"], names["task"], digest)
    return _loaded[file]


def unload_plugin(path: str | Path) -> None:
    """Forget what a file has registered, if it was loaded."""
    known = _loaded.pop(Path(path).resolve(), None)
    if known is not None:
        for name in known.solvers:
            solvers.forget(name)
        for name in known.tasks:
            tasks.forget(name)


def load_plugins(paths: Iterable[str | Path]) -> list[Plugin]:
    """All of several files, in their order."""
    return [load_plugin(path) for path in paths]


def load_factors(path: str | Path) -> dict[str, type[Factor]]:
    """The factors that a file defines, by the names of their classes."""
    file = Path(path).resolve()
    module = _import(file, _read(file))
    found = {
        name: value
        for name, value in vars(module).items()
        if isclass(value) and issubclass(value, Factor) and value.__module__ == module.__name__
        if not name.startswith("_") and not isabstract(value)
    }
    if not found:
        raise InputError(f"{file}: no factor in it (expected a subclass of problems.factors.foreign.Factor).")
    return found


def loaded_plugins() -> list[Plugin]:
    """The files loaded so far: what a worker process has to load as well."""
    return list(_loaded.values())


_SORTS: tuple[tuple[Registry, type[Any]], ...] = ((solvers, Solver), (tasks, Task))


def _read(file: Path) -> bytes:
    try:
        return read_bytes(file)
    except FileNotFoundError:
        raise InputError(f"{file}: no such plug-in file.") from None
    except OSError as error:
        raise InputError(f"{file}: the plug-in cannot be read ({error.strerror}).") from None


def _import(file: Path, source: bytes) -> ModuleType:
    """Run the file as a module; its name in `sys.modules` lets dataclasses and pickle find it."""
    name = f"dualbench_plugin_{hashlib.sha256(str(file).encode()).hexdigest()[:12]}"
    try:
        code = compile(source, str(file), "exec", dont_inherit=True)
    except SyntaxError as error:
        raise InputError(f"{file}, line {error.lineno}: not valid Python ({error.msg}).") from None
    except ValueError as error:  # such as a null byte
        raise InputError(f"{file}: not valid Python ({error}).") from None
    spec = importlib.util.spec_from_loader(name, loader=None, origin=str(file))
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    module.__file__ = str(file)
    before = sys.modules.get(name)
    sys.modules[name] = module
    try:
        exec(code, module.__dict__)
    except (Exception, SystemExit) as error:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before
        raise InputError(_failure(file, error)) from error
    return module


def _failure(file: Path, error: BaseException) -> str:
    """One sentence about a file that fails when imported, with the line of the file that was running."""
    if isinstance(error, InputError):
        return f"{file}: {error}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    where = f"{file}, line {lines[-1]}" if lines else str(file)
    said = " ".join(str(error).split())
    return f"{where}: the plug-in cannot be imported ({type(error).__name__}{': ' + said if said else ''})."


def _unfinished(module: ModuleType) -> str:
    """What a class still lacks, where the file has nothing but abstract ones."""
    for value in vars(module).values():
        own = isclass(value) and issubclass(value, (Solver, Task)) and value.__module__ == module.__name__
        if own and isabstract(value):
            return f" (class {value.__name__!r} lacks {', '.join(sorted(value.__abstractmethods__))})"
    return " (expected a subclass of solvers.base.Solver or problems.task.Task)"


def _classes(module: ModuleType, base: type[Any], registry: Registry, file: Path) -> list[type[Any]]:
    """The usable classes that a module defines itself; private (underscore) and abstract ones are its own affair."""
    found: list[type[Any]] = []
    for name, value in vars(module).items():
        own = isclass(value) and issubclass(value, base) and value.__module__ == module.__name__
        if not own or name.startswith("_") or isabstract(value) or value in found:
            continue
        why = registry.check(value)
        if why is not None:
            raise InputError(f"{file}: {why}.")
        owner = registry.taken(value.name)
        if owner is not None and registry.added.get(value.name, (None, ""))[1] != str(file):
            raise InputError(f"{file}: the name {value.name!r} of class {name!r} is taken by {owner}.")
        if any(other.name == value.name for other in found):
            raise InputError(f"{file}: two classes have the name {value.name!r}.")
        found.append(value)
    return found
