"""The tokens of a file whose lines mean nothing; line numbers are worked out only for messages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NoReturn

from ..errors import InputError, quoted
from . import read_text, whole_number

WORDS = re.compile(r"\S+")


class Tokens:
    """All tokens of a file and the place of the next one."""

    def __init__(self, path: Path, pattern: re.Pattern[str] = WORDS, comments: re.Pattern[str] | None = None) -> None:
        self.path = path
        self.pattern = pattern
        text = read_text(path)
        self.text = text if comments is None else comments.sub("", text)
        self.tokens = self.text.split() if pattern is WORDS else pattern.findall(self.text)
        self.next = 0

    def fail(self, message: str) -> NoReturn:
        """Complain about the last token that was taken."""
        line = 1
        for index, match in enumerate(self.pattern.finditer(self.text)):
            if index == max(0, self.next - 1):
                line = self.text.count("\n", 0, match.start()) + 1
                break
        raise InputError(f"{self.path}, line {line}: {message}")

    def take(self, expected: str) -> str:
        if self.next >= len(self.tokens):
            self.fail(f"the file ends where {expected} was expected.")
        self.next += 1
        return self.tokens[self.next - 1]

    def integer(self, expected: str, least: int = 0, most: int | None = None) -> int:
        token = self.take(expected)
        number = whole_number(token)
        if number is None or number < least or (most is not None and number > most):
            self.fail(f"expected {expected}, found {quoted(token)}.")
        return number

    def require(self, count: int, expected: str) -> None:
        """There are so many more tokens: asked before room is made for what they say."""
        if count > len(self.tokens) - self.next:
            self.next = len(self.tokens)
            self.fail(f"the file ends where {expected} was expected.")

    def end(self) -> None:
        if self.next < len(self.tokens):
            self.next += 1
            self.fail(f"expected the end of the file, found {quoted(self.tokens[self.next - 1])}.")
