"""Bytes of a text file to characters: UTF-8, or an encoding that the user names.

`mixed` is for files whose lines were put together from several sources, as some of CoNLL-2007 are: each line is UTF-8 if it can be,
and latin-1 otherwise.
"""

from __future__ import annotations

import codecs
from pathlib import Path

from ..errors import InputError, quoted
from ..files import read_bytes

MIXED = "mixed"
HELP = "The file's encoding; UTF-8 if not given. `mixed`: each line is UTF-8 if it can be, else latin-1."


def read_plain(path: Path, encoding: str = "") -> str:
    """A file's text with its line ends as they are, without a byte order mark."""
    try:
        data = read_bytes(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from None
    return decoded(data, path, encoding)


def decoded(data: bytes, path: Path, encoding: str = "") -> str:
    """The characters of a file; bytes that are none are an InputError with their line."""
    if encoding == MIXED:
        return "\n".join(map(_line, data.removeprefix(codecs.BOM_UTF8).split(b"\n")))
    name = _known(encoding) if encoding else "utf-8"
    try:
        return data.decode("utf-8-sig" if name == "utf-8" else name)
    except UnicodeDecodeError as error:
        raise wrong_bytes(data, path, error.start, encoding) from None
    except (LookupError, ValueError):  # an encoding of other things than text
        raise _unknown(encoding) from None


def wrong_bytes(data: bytes, path: Path, start: int, encoding: str = "") -> InputError:
    line = data.count(b"\n", 0, start) + 1
    return InputError(
        f"{path}, line {line}: expected text in {encoding or 'UTF-8'}; name the file's encoding with --encoding, "
        f"for example latin-1, or {MIXED} if its lines differ."
    )


def _known(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except (LookupError, ValueError):
        raise _unknown(encoding) from None


def _unknown(encoding: str) -> InputError:
    return InputError(
        f"option '--encoding' must be an encoding that Python knows, as latin-1, or {MIXED}, not {quoted(encoding)}."
    )


def _line(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("latin-1")
