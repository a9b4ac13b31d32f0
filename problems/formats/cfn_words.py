"""The words and brackets of a `.cfn` file. Commas, colons and quotes are white space, braces and brackets the same."""

from __future__ import annotations

import re
from pathlib import Path

from ..errors import quoted
from .tokens import Tokens

PARTS = re.compile(r"[{}\[\]]|[^\s\",:{}\[\]]+")
COMMENTS = re.compile(r"(?m)^#.*$|//.*$")
OPEN, CLOSE = ("{", "["), ("}", "]")


class Words(Tokens):
    """Tags are told apart from other words only where the file has any."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, PARTS, COMMENTS)
        self.tagged = False

    def tag(self, name: str) -> None:
        if self.tagged and (found := self.take(f"the tag {name!r}")) != name:
            self.fail(f"expected the tag {name!r}, found {quoted(found)}.")

    def open(self, what: str) -> None:
        if (found := self.take(f"the opening bracket of {what}")) not in OPEN:
            self.fail(f"expected the opening bracket of {what}, found {quoted(found)}.")

    def close(self, what: str) -> None:
        if (found := self.take(f"the closing bracket of {what}")) not in CLOSE:
            self.fail(f"expected the closing bracket of {what}, found {quoted(found)}.")

    def peek(self) -> str:
        return self.tokens[self.next] if self.next < len(self.tokens) else ""

    def closes(self) -> bool:
        """Take a closing bracket if there is one."""
        if self.peek() not in CLOSE:
            return False
        self.next += 1
        return True

    def words(self, what: str) -> list[str]:
        """All words up to the bracket that closes the one before them; brackets inside count for nothing."""
        words: list[str] = []
        depth = 0
        while True:
            word = self.take(f"the closing bracket of {what}")
            if word in OPEN:
                depth += 1
            elif word in CLOSE:
                if not depth:
                    return words
                depth -= 1
            else:
                words.append(word)
