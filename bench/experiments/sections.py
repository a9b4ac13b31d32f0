"""Tables of a TOML file with checked keys: every complaint names the file, the line and what was expected.

`tomllib` keeps no line numbers, so that where a key stands is found out here: a complaint without a line is half a complaint.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from problems.errors import InputError, nearest, quoted, shortened

Key = tuple[str | int, ...]

_HEADER = re.compile(r"^\s*(\[\[?)\s*([A-Za-z0-9_.\-\"']+)\s*\]\]?")
_LONG_TEXT = re.compile(r"\"\"\".*?\"\"\"|\'\'\'.*?\'\'\'", re.DOTALL)
_ASSIGNMENT = re.compile(r"^\s*([A-Za-z0-9_.\-]+|\"[^\"]*\"|'[^']*')\s*=")


def line_numbers(text: str) -> dict[Key, int]:
    """Lines (from 1) of all tables and keys; elements of arrays of tables are counted from 0."""
    lines: dict[Key, int] = {}
    counts: dict[Key, int] = {}
    table: Key = ()
    text = _LONG_TEXT.sub(lambda found: "\n" * found[0].count("\n"), text)  # what looks like a table there is none
    for number, line in enumerate(text.splitlines(), start=1):
        header = _HEADER.match(line)
        if header:
            table = tuple(part.strip("\"'") for part in header[2].split("."))
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            lines.setdefault(table, number)
            continue
        assignment = _ASSIGNMENT.match(line)
        if assignment:
            lines.setdefault((*table, *assignment[1].strip("\"'").split(".")), number)
    return lines


def line_of(lines: dict[Key, int], key: Key) -> int | None:
    """The line of a key, or of the nearest thing around it (an inline table stands on one line)."""
    while key:
        if key in lines:
            return lines[key]
        key = key[:-1]
    return None


LARGEST_WHOLE = 2**63 - 1
LONGEST_FILE, LONGEST_KEY = 1 << 20, 1000  # characters of an experiment, and parts of a dotted key


def parse(text: str, path: Path) -> dict[str, Any]:
    """The tables of a file. Python's reader takes quadratic time for keys of many parts: these are refused before."""
    if len(text) > LONGEST_FILE:
        raise InputError(f"{path}: an experiment has at most {LONGEST_FILE >> 20} MB, not {len(text) / 2**20:.1f} MB.")
    long = next((number for number, line in enumerate(text.split("\n"), 1) if line.count(".") > LONGEST_KEY), None)
    if long is not None:
        raise InputError(f"{path}, line {long}: more than {LONGEST_KEY} dots in a line.")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not valid TOML ({shortened(str(error), 200)}).") from None
    except ValueError:  # Python converts integers of a few thousand digits only
        raise InputError(f"{path}: a number has too many digits, or a date does not exist.") from None
    except RecursionError:
        raise InputError(f"{path}: TOML nested too deeply.") from None


class Section:
    """A table of the file. What is asked for is checked; what nobody asked for is refused by `no_others`."""

    def __init__(self, values: Any, where: str, lines: dict[Key, int], key: Key = ()) -> None:
        self.where, self.lines, self.key = where, lines, key
        if not isinstance(values, dict):
            raise self.error("", f"must be a table, not {quoted(values)}")
        self.values = values

    def place(self, name: str = "") -> str:
        """The file and the line of this table, or of a key of it."""
        line = line_of(self.lines, (*self.key, name) if name else self.key)
        return self.where if line is None else f"{self.where}, line {line}"

    def error(self, name: str, problem: str) -> InputError:
        key = (*self.key, name) if name else self.key
        said = shortened(".".join(str(part) for part in key if not isinstance(part, int)))
        end = "" if problem.endswith(("?", ".")) else "."
        return InputError(f"{self.place(name)}: {said!r} {problem}{end}")

    def no_others(self, valid: Iterable[str]) -> None:
        valid = tuple(valid)
        for name in self.values:
            if name not in valid:
                raise InputError(f"{self.place(name)}: unknown key {quoted(name)}: {nearest(name, valid)}")

    def get(self, name: str, accept: Callable[[Any], bool], expected: str, default: Any = None) -> Any:
        if name not in self.values:
            if default is None:
                raise self.error(name, f"is missing; expected {expected}")
            return default
        if not accept(self.values[name]):
            raise self.error(name, f"must be {expected}, not {quoted(self.values[name])}")
        return self.values[name]

    def text(self, name: str, default: str | None = None) -> str:
        return self.get(name, lambda value: isinstance(value, str), "a text", default)

    def whole(self, name: str, least: int, default: int | None = None) -> int:
        expected = f"a whole number of at least {least}"
        return self.get(name, lambda v: is_whole(v) and least <= v <= LARGEST_WHOLE, expected, default)

    def positive(self, name: str, default: float | None, most: float) -> float | None:
        if name not in self.values and default is None:
            return None
        expected = f"a number above 0 and at most {most:g}"
        return float(self.get(name, lambda v: is_positive(v) and v <= most, expected, default))

    def texts(self, name: str) -> tuple[str, ...]:
        found = self.get(
            name, lambda v: isinstance(v, list) and all(isinstance(t, str) for t in v), "a list of texts", []
        )
        return tuple(found)

    def part(self, name: str, default: dict[str, Any] | None = None) -> Section:
        if name not in self.values and default is None:
            raise self.error(name, "is missing; expected a table")
        return Section(self.values.get(name, default), self.where, self.lines, (*self.key, name))

    def parts(self, name: str) -> list[Section]:
        found = self.get(name, lambda value: isinstance(value, list), f"tables [[{name}]]", [])
        return [Section(value, self.where, self.lines, (*self.key, name, i)) for i, value in enumerate(found)]


def is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_positive(value: Any) -> bool:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    try:
        return 0 < float(value) < math.inf
    except OverflowError:
        return False
