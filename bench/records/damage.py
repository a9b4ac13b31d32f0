"""JSON that a crash, an editor or an attacker may have changed: parsed within limits, what is wrong said in a sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from problems.errors import InputError, quoted
from problems.files import read_bytes

DEEPEST = 100  # levels of nesting; the code that reads structures and options is recursive
LARGEST = LONGEST_LINE = 64 << 20  # bytes of a document or a line: the keys of a million cells, and their seeds
MARK = b"\xef\xbb\xbf"  # that some editors put before a text
LONGEST_NUMBER = 300  # digits, so that a float can hold it
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_LONG_NUMBER = re.compile(rb"[0-9]{%d}" % LONGEST_NUMBER)
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_LONE = re.compile("[\ud800-\udfff]")


class Damage(NamedTuple):
    """What cannot be read of a run, and is left out."""

    path: Path
    line: int | None
    text: str

    def __str__(self) -> str:
        where = f"{self.path}, line {self.line}" if self.line else str(self.path)
        return f"{where}: {self.text}; it is left out."


def told(damage: Sequence[Damage], most: int) -> list[str]:
    """The first few of them in sentences, and how many more there are."""
    more = len(damage) - most
    said = [str(one) for one in damage[:most]]
    return [*said, f"{more} more lines or fields cannot be read."] if more > 0 else said


def parse(data: bytes) -> Any:
    """A JSON document; a ValueError says why it is none. Texts of it can be encoded, numbers be made floats."""
    if len(data) > LONGEST_LINE:
        raise ValueError(f"longer than {LONGEST_LINE >> 20} MB")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 (byte {error.start + 1})") from None
    if _depth(data) > DEEPEST:
        raise ValueError(f"nested more than {DEEPEST} levels deep")
    whole = _whole if _LONG_NUMBER.search(data) else None
    try:
        document = json.loads(text, object_pairs_hook=_without_twins, parse_int=whole)
    except json.JSONDecodeError as error:
        raise ValueError(f"not valid JSON (column {error.colno})") from None
    return _encodable(document) if _SURROGATE.search(data) else document


def read_file(path: Path) -> bytes:
    """The bytes of a file, without an editor's mark."""
    try:
        return read_bytes(path, LARGEST).removeprefix(MARK)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from None


def whole_lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Lines and their numbers, empty ones left out; so is a last line that was torn, unless only its end is missing.

    Of a line that is too long only the beginning is there, which `parse` refuses.
    """
    for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE + 1), b""), start=1):
        rest = line
        while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
            rest = file.readline(LONGEST_LINE + 1)
        line = line.removeprefix(MARK) if number == 1 else line
        if line.strip() and (rest.endswith(b"\n") or len(line) > LONGEST_LINE or is_whole(line)):
            yield number, line.removesuffix(b"\n")


def is_whole(line: bytes) -> bool:
    """Is this line without an end of line a whole record?"""
    if not line.rstrip().endswith(b"}"):
        return False
    try:
        return isinstance(parse(line), dict)
    except ValueError:
        return False


def _depth(data: bytes) -> int:
    if data.count(b"[") + data.count(b"{") <= DEEPEST:
        return 0
    import numpy as np

    step = np.zeros(256, np.int32)
    step[list(b"[{")], step[list(b"]}")] = 1, -1
    return int(step[np.frombuffer(_STRING.sub(b"", data), np.uint8)].cumsum().max(initial=0))


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twin = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field {quoted(twin)} is there twice")
    return found


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise ValueError(f"a number of {len(digits)} digits, expected at most {LONGEST_NUMBER}")
    return int(digits)


def _encodable(value: Any) -> Any:
    """The same without halves of surrogate pairs, which no file and no terminal takes."""
    if isinstance(value, str):
        return _LONE.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, list):
        return [_encodable(part) for part in value]
    if isinstance(value, dict):
        return {_encodable(name): _encodable(part) for name, part in value.items()}
    return value
