"""Our trained parser as the summarizer's: plain sentences to trees with universal tags and labels."""

from __future__ import annotations

from problems.errors import InputError
from problems.summarization.corpora import Parser


def read_parser(path: str) -> Parser:
    """The parser of a model file."""
    if not path:
        raise InputError(
            "real text needs a parser: train one (dualbench train parsing) and name its file, parser=FILE."
        )
    raise NotImplementedError
