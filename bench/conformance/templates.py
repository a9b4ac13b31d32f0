"""`dualbench new`: a solver, factor or task that passes its check before anything is edited."""

from __future__ import annotations

import ast
import importlib.util
import keyword
import re
from pathlib import Path

from problems import task_names
from problems.errors import InputError, nearest
from solvers import solver_names

FILES = Path(__file__).parent / "template_files"
TEMPLATES = ("solver", "factor", "task")
MOST_CHARACTERS = 40


def write_template(what: str, name: str, folder: Path) -> Path:
    """Write a template under this name; a file that is there stays as it is."""
    if what not in TEMPLATES:
        raise InputError(f"there is no template for {what!r}: {nearest(what, TEMPLATES)}")
    text = (FILES / f"{what}.txt").read_text(encoding="utf-8")
    module, class_name = _names(what, name, text)
    path = folder / f"{module}.py"
    if not path.exists() and _is_importable(module):
        raise InputError(
            f"the name {name!r} makes a file {path.name}, which would hide a module {module!r} that Python can import "
            "already; choose another one."
        )
    text = text.replace("CLASS", class_name).replace("NAME", name).replace("FILE", path.name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror}).") from None
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise InputError(f"{path}: there is such a file already; it was not overwritten.") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}).") from None
    return path


def _names(what: str, name: str, template: str) -> tuple[str, str]:
    """The module's and the class's name; one sentence about names that cannot be used."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or len(name) > MOST_CHARACTERS:
        raise InputError(
            f"the name of a {what} must be at most {MOST_CHARACTERS} letters in lower case, digits and hyphens, "
            f"such as 'my-{what}', not {name[:60]!r}."
        )
    taken = {"solver": solver_names, "task": task_names, "factor": tuple}[what]()  # type: ignore[operator]
    if name in taken:
        raise InputError(f"the name {name!r} is taken by a {what} that is there already.")
    module, class_name = name.replace("-", "_"), "".join(part.capitalize() for part in name.split("-"))
    for made in (module, class_name):
        if keyword.iskeyword(made):
            raise InputError(f"the name {name!r} is a word of Python ({made}); choose another one.")
    if class_name in _names_in(template):
        raise InputError(
            f"the name {name!r} makes a class {class_name!r}, and the template has something else of this name; choose another one."
        )
    return module, class_name


def _names_in(template: str) -> set[str]:
    """What a template imports and uses by name."""
    nodes = list(ast.walk(ast.parse(template)))
    imported = {
        alias.asname or alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    return imported | {node.id for node in nodes if isinstance(node, ast.Name)} - {"CLASS"}


def _is_importable(module: str) -> bool:
    """A folder without `__init__.py` is none: a file of its name comes first."""
    try:
        found = importlib.util.find_spec(module)
    except ValueError:  # loaded by other means
        return True
    return found is not None and found.origin is not None
