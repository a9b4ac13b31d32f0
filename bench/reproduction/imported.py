"""The sources that a module really depends on: what it imports, at its top or inside of functions, and so on from there.

A module that is named by a text (a registry's entry, `python -m`) counts as imported, and so does an experiment whose
name is a text of the module. Imports for type checkers do not count, nor do those inside of functions of a package in
which a module is only looked up: `bench/__init__.py` offers everything, and a module in `bench` needs none of it.
Comments, blank lines and docstrings are no part of a source.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("problems", "solvers", "bench")
NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*(\.[A-Za-z_][A-Za-z_0-9]*)*")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DOCUMENTED = (ast.Module, ast.ClassDef, *FUNCTIONS)


class Use(NamedTuple):
    """A file that is run: `whole`, or only at its top, as a package is in whose folder the module that is wanted lies."""

    path: Path
    whole: bool = True


@cache
def sources_digest(*modules: str, root: Path = ROOT) -> str:
    """A hash of the modules and of everything that they depend on."""
    state = hashlib.sha256()
    for path in sorted(imported(modules, root)):
        state.update(f"{path.relative_to(root).as_posix()}\n{_content(path)}\n".encode())
    return state.hexdigest()[:20]


def imported(modules: tuple[str, ...], root: Path = ROOT) -> set[Path]:
    """The files of the modules and of everything that they depend on."""
    found: set[Use] = set()
    waiting = [use for module in modules for use in _files(module, root)]
    while waiting:
        use = waiting.pop()
        if use in found:
            continue
        found.add(use)
        if use.path.suffix == ".py":
            waiting += _uses(use, root)
    return {use.path for use in found}


@cache
def _uses(use: Use, root: Path) -> frozenset[Use]:
    """The files that one file imports or names."""
    path = use.path
    package, found = path.relative_to(root).parts[:-1], set[Use]()
    for node in _run(ast.parse(path.read_bytes()), use.whole):
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


def _run(node: ast.AST, whole: bool) -> Iterator[ast.AST]:
    """What of a module may run: nothing that is for type checkers only; not `whole`, no body of a function either."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
            continue
        if whole or not isinstance(child, FUNCTIONS):
            yield child
            yield from _run(child, whole)


def _named(text: str, path: Path, root: Path) -> Iterator[Use]:
    """What a text of a module names: a module, an experiment, or a file beside it."""
    module = text.partition(":")[0]
    if NAME.fullmatch(module) and "." in module:
        yield from _files(module, root)
    if re.fullmatch(r"\w[\w.-]*", text):
        for other in (root / "bench" / "experiments" / f"{text}.toml", path.parent / text):
            if other.is_file():
                yield Use(other)


def _files(name: str, root: Path) -> Iterator[Use]:
    """The files that importing a dotted name runs; of `module.attribute` those of the module. The packages that it is in are run at their top only."""
    parts = name.split(".")
    if parts[0] not in PACKAGES:
        return
    packages: list[Path] = []
    for count in range(1, len(parts) + 1):
        base = root.joinpath(*parts[:count])
        if base.with_suffix(".py").is_file():
            yield Use(base.with_suffix(".py"))
            break
        if (base / "__init__.py").is_file():
            packages.append(base / "__init__.py")
    else:
        if packages:
            yield Use(packages.pop())
    yield from (Use(each, whole=False) for each in packages)


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
