"""The sources that a module really depends on: what it imports, at its top or inside of functions, and so on from there.

A module that is named by a text (a registry's entry, `python -m`) counts as imported, and so does an experiment whose
name is a text of the module. Comments, blank lines and docstrings are no part of a source.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ..records.provenance import ROOT

PACKAGES = ("problems", "solvers", "bench")
NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*(\.[A-Za-z_][A-Za-z_0-9]*)*")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def sources_digest(*modules: str, root: Path = ROOT) -> str:
    """A hash of the modules and of everything that they depend on."""
    state = hashlib.sha256()
    for path in sorted(imported(modules, root)):
        state.update(f"{path.relative_to(root).as_posix()}\n{_content(path)}\n".encode())
    return state.hexdigest()[:20]


def imported(modules: tuple[str, ...], root: Path = ROOT) -> set[Path]:
    """The files of the modules and of everything that they depend on."""
    found: set[Path] = set()
    waiting = [path for module in modules for path in _files(module, root)]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        if path.suffix == ".py":
            waiting += _uses(path, root)
    return found


@cache
def _uses(path: Path, root: Path) -> frozenset[Path]:
    """The files that one file imports or names."""
    package, found = path.relative_to(root).parts[:-1], set[Path]()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = ""
            if isinstance(node, ast.ImportFrom):
                base = package[: len(package) - node.level + 1] if node.level else ()
                module = "".join(f"{part}." for part in (*base, *filter(None, [node.module])))
            for alias in node.names:
                found.update(_files(f"{module}{alias.name}", root))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 100:
            found.update(_named(node.value, path, root))
    return frozenset(found)


def _named(text: str, path: Path, root: Path) -> Iterator[Path]:
    """What a text of a module names: a module, an experiment, or a file beside it."""
    module = text.partition(":")[0]
    if NAME.fullmatch(module) and "." in module:
        yield from _files(module, root)
    if re.fullmatch(r"\w[\w.-]*", text):
        for other in (root / "bench" / "experiments" / f"{text}.toml", path.parent / text):
            if other.is_file():
                yield other


def _files(name: str, root: Path) -> Iterator[Path]:
    """The files that importing a dotted name runs; of `module.attribute` those of the module."""
    parts = name.split(".")
    if parts[0] not in PACKAGES:
        return
    for count in range(1, len(parts) + 1):
        base = root.joinpath(*parts[:count])
        if base.with_suffix(".py").is_file():
            yield base.with_suffix(".py")
            return
        if (base / "__init__.py").is_file():
            yield base / "__init__.py"


@cache
def _content(path: Path) -> str:
    """What of a file can change what it does."""
    if path.suffix != ".py":
        return path.read_bytes().hex()
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and node.body and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    return ast.dump(tree)
