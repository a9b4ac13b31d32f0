"""Plain text as sentences of words, by the rules of the library `syntok`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import InputError
from .treebank import Sentence


def split_text(text: str, name: str = "text") -> Iterator[Sentence]:
    """The sentences of a text, their words without tags; contractions are split as in treebanks (do + n't)."""
    if not text.strip():
        raise InputError(f"{name}: there is no text in it.")
    from syntok import segmenter

    number = 0
    for paragraph in segmenter.analyze(text):
        for tokens in paragraph:
            words = _words(tokens)
            if words:
                number += 1
                yield Sentence(f"{name}-{number}", words, (), ())


CLOSING = frozenset("\"'\u201d\u2019\u00bb)]}") | {"''"}


def _words(tokens: list[Any]) -> tuple[str, ...]:
    """A full stop within a sentence that touches the word before it is part of it, as in `Dr.`: treebanks have it so.

    One that only quotes and brackets follow ends the sentence.
    """
    words: list[str] = []
    last = max((number for number, token in enumerate(tokens) if token.value not in CLOSING), default=0)
    for number, token in enumerate(tokens):
        if token.value == "." and 0 < number < last and not token.spacing and words[-1].replace(".", "").isalpha():
            words[-1] += "."
        elif token.value.strip():
            words.append(token.value)
    return tuple(words)
