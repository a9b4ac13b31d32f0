"""Plain text as sentences of words, by the rules of the library `syntok`."""

from __future__ import annotations

from collections.abc import Iterator

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
            words = tuple(token.value for token in tokens if token.value.strip())
            if words:
                number += 1
                yield Sentence(f"{name}-{number}", words, (), ())
