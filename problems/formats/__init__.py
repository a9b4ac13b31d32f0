"""Readers and writers of factor-graph files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .. import files
from ..errors import InputError, quoted

if TYPE_CHECKING:
    from ..factor_graph import FactorGraph

ENDINGS = (".fg", ".uai", ".wcsp", ".cfn")
LONGEST_NUMBER = 18  # digits


def read_text(path: Path, most: int = files.LARGEST) -> str:
    """A file's text; a file that cannot be read, or has more bytes, is an InputError."""
    try:
        return files.read_text(path, most)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file.") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: expected a text file in UTF-8.") from None
    except (OSError, ValueError) as error:  # a ValueError: a NUL in the path
        raise InputError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error}).") from None


def whole_number(text: str) -> int | None:
    """A whole number, or None: also where it has more digits than any count, size or index of a file can need."""
    digits = text[1:] if text[:1] in ("-", "+") else text
    return int(text) if digits.isascii() and digits.isdecimal() and len(digits) <= LONGEST_NUMBER else None


def read_graph(path: Path, evidence: Path | None = None) -> FactorGraph:
    """Read one graph; the file's ending tells its format. Every complaint names the file."""
    try:
        return _read_graph(path, evidence)
    except InputError as error:
        said = str(error)
        named = any(said.startswith(str(file)) for file in (path, evidence) if file is not None)
        raise InputError(said if named else f"{path}: {said}") from None


def _read_graph(path: Path, evidence: Path | None) -> FactorGraph:
    ending = path.suffix.lower()
    if evidence is not None and ending != ".uai":
        raise InputError(f"{evidence}: evidence is for .uai files, and {path} is none.")
    if ending == ".fg":
        from .fg import read_fg

        graphs = read_fg(path)
        if len(graphs) != 1:
            raise InputError(
                f"{path}: expected one graph, found {len(graphs)}; problems.formats.fg.read_fg reads them all."
            )
        return graphs[0]
    if ending == ".uai":
        from .uai import read_uai

        return read_uai(path, evidence)
    if ending == ".wcsp":
        from .wcsp import read_wcsp

        return read_wcsp(path)
    if ending == ".cfn":
        from .cfn import read_cfn

        return read_cfn(path)
    raise InputError(f"{path}: unknown ending {quoted(ending)}; expected one of {', '.join(ENDINGS)}.")
