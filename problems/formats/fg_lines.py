"""The lines of a `.fg` file and the fields of a factor's line: what is expected there, and the sentence if it is not."""

from __future__ import annotations

import math
from pathlib import Path
from typing import NoReturn

import numpy as np

from ..errors import InputError, quoted
from ..linear_program import Floats
from . import read_text, whole_number


class Lines:
    """The lines of a file, without comments, with one-based numbers for messages."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: list[str] = []
        self.numbers: list[int] = []
        for number, line in enumerate(read_text(path).splitlines(), 1):
            content, comment, _ = line.partition("#")
            if content.strip() or not comment:  # a line that is all comment is no blank line
                self.lines.append(content.strip())
                self.numbers.append(number)
        self.next = 0

    def fail(self, message: str) -> NoReturn:
        number = self.numbers[self.next - 1] if self.next else 1
        raise InputError(f"{self.path}, line {number}: {message}")

    def more(self) -> bool:
        while self.next < len(self.lines) and not self.lines[self.next]:
            self.next += 1
        return self.next < len(self.lines)

    def take(self, expected: str) -> str:
        if self.next >= len(self.lines):
            self.next = len(self.lines)
            self.fail(f"the file ends where {expected} was expected.")
        self.next += 1
        line = self.lines[self.next - 1]
        if not line:
            self.fail(f"a blank line where {expected} was expected.")
        return line

    def count(self, expected: str) -> int:
        line = self.take(expected)
        number = whole_number(line)
        if number is None or number < 0:
            self.fail(f"expected {expected}, found {quoted(line)}.")
        return number

    def score(self, text: str, what: str = "a score") -> float:
        try:
            value = float(text)
        except ValueError:
            self.fail(f"expected {what}, found {quoted(text)}.")
        if not math.isfinite(value):
            self.fail(f"{what} must be finite, found {quoted(text)}.")
        return value

    def integer(self, text: str, expected: str) -> int:
        number = whole_number(text)
        if number is None:
            self.fail(f"expected {expected}, found {quoted(text)}.")
        return number


class Fields:
    """What follows the variables on the line of one factor."""

    def __init__(self, kind: str, fields: list[str], lines: Lines) -> None:
        self.kind = kind
        self.fields = fields
        self.lines = lines
        self.next = 0

    def expect(self, count: int) -> None:
        """There are so many fields, those that were taken included."""
        if len(self.fields) != count:
            self.lines.fail(
                f"expected {count} fields after the variables of the {self.kind} factor, found {len(self.fields)}."
            )

    def _take(self, count: int, expected: str) -> list[str]:
        taken = self.fields[self.next : self.next + count]
        if len(taken) < count:
            self.lines.fail(f"the line ends where {expected} of the {self.kind} factor was expected.")
        self.next += count
        return taken

    def integer(self, expected: str, least: int, most: int) -> int:
        return self.integers(1, expected, least, most)[0]

    def integers(self, count: int, expected: str, least: int, most: int) -> list[int]:
        found = [self.lines.integer(field, expected) for field in self._take(count, expected)]
        for number in found:
            if not least <= number <= most:
                self.lines.fail(f"expected {expected} from {least} to {most}, found {number}.")
        return found

    def scores(self, count: int, what: str = "a score") -> Floats:
        return np.array([self.lines.score(field, what) for field in self._take(count, what)], dtype=np.float64)

    def rest(self, counts: int) -> Floats:
        """All further fields, which are this many scores."""
        self.expect(self.next + counts)
        return self.scores(counts)
