"""Words as a line of text."""

from __future__ import annotations

from collections.abc import Sequence

CLOSING = frozenset(".,;:!?%)'") | {"''", "'s", "n't", "..."}


def as_sentence(words: Sequence[str]) -> str:
    """A sentence: first letter capitalised, punctuation closed up, a period at the end."""
    line = ""
    for word in words:
        line += word if not line or word in CLOSING else " " + word
    if not line:
        return line
    line = line[0].upper() + line[1:]
    return line if line[-1] in ".!?" else line + "."
