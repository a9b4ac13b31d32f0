"""Parsing with a trained model: sentences to labelled trees, and plain text or CoNLL-U to CoNLL-U or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from problems.errors import InputError
from problems.files import read_text
from problems.parsing.model import ParserModel
from problems.text.conll import read_treebank
from problems.text.raw import split_text
from problems.text.treebank import NO_TAG, Sentence, from_conll

from ..learning.parsing.learners import parser_decoder
from ..learning.parsing.parse import parse_sentences

FORMS = ("conllu", "json")


def parse_text(
    path: str | Path,
    model: ParserModel | str | Path,
    solver: str = "",
    options: dict[str, Any] | None = None,
    form: str = "conllu",
) -> str:
    """Parse a file of plain text or CoNLL-U (by its name: .conllu or .conll) and return CoNLL-U or JSON.

    In CoNLL-U tags that are there are kept, and predicted where a sentence has none.
    """
    if form not in FORMS:
        raise InputError(f"unknown form {form!r} of a parse: expected one of {', '.join(FORMS)}.")
    if not isinstance(model, ParserModel):
        model = ParserModel.read(model)
    sentences = read_input(path)
    decoder = parser_decoder(model.order, solver)
    decoder = replace(decoder, options=decoder.options | (options or {}))
    parsed = parse_sentences(model, sentences, decoder).sentences
    return to_json(parsed) if form == "json" else to_conllu(parsed)


def read_input(path: str | Path) -> list[Sentence]:
    """The sentences of a file; trees in it are not looked at."""
    path = Path(path)
    if path.suffix in (".conllu", ".conll"):
        return [_untreed(from_conll(sentence)) for sentence in read_treebank(path)]
    try:
        text = read_text(path, encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: expected text in UTF-8.") from None
    return list(split_text(text, path.stem))


def _untreed(sentence: Sentence) -> Sentence:
    tagged = any(tag != NO_TAG for tag in sentence.coarse)
    coarse, fine = (sentence.coarse, sentence.fine) if tagged else ((), ())
    return Sentence(sentence.name, sentence.words, coarse, fine)


def to_conllu(sentences: Iterable[Sentence]) -> str:
    lines: list[str] = []
    for sentence in sentences:
        lines += [f"# sent_id = {sentence.name}", f"# text = {' '.join(sentence.words)}"]
        columns = (sentence.words, sentence.coarse, sentence.fine, sentence.heads, sentence.labels)
        for number, (word, coarse, fine, head, label) in enumerate(zip(*columns, strict=True), 1):
            lines.append(f"{number}\t{word}\t_\t{coarse}\t{fine}\t_\t{head}\t{label}\t_\t_")
        lines.append("")
    return "\n".join(lines) + "\n"


def to_json(sentences: Iterable[Sentence]) -> str:
    documents = [
        {
            "name": one.name,
            "words": one.words,
            "coarse_tags": one.coarse,
            "fine_tags": one.fine,
            "heads": one.heads,
            "labels": one.labels,
        }
        for one in sentences
    ]
    return json.dumps(documents, ensure_ascii=False, indent=1) + "\n"
