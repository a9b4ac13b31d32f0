"""Parsing with a trained model: plain text or CoNLL-U to CoNLL-U or JSON.

What is in a file stays in it: comments, lemmas, features, tags and MISC of CoNLL-U, its multiword tokens, and every character of
plain text. Only heads and relations are new, and tags where there were none. Enhanced dependencies and their empty nodes belong to
another tree and go, with a message.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from problems.compression.pair_files import is_pair_file, read_pair_file
from problems.errors import InputError
from problems.parsing.model import ParserModel
from problems.text.conll import (
    COARSE,
    CONLL_ENDINGS,
    EMPTY_NODE,
    ENHANCED,
    FINE,
    HEAD,
    NOT_A_WORD,
    RELATION,
    ConllSentence,
    is_conll,
    looks_like_conll,
    read_treebank,
)
from problems.text.encodings import read_plain
from problems.text.raw import given_tokens, split_text
from problems.text.spacing import surface_tokens, text_line
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
    encoding: str = "",
    lines: bool = False,
) -> str:
    """Parse a file of plain text or CoNLL-U (by its name: .conllu, .conll, .conllx ...) and return CoNLL-U or JSON.

    In CoNLL-U tags that are there are kept, and predicted where there are none. With `lines`, each line of plain text is a sentence.
    """
    if form not in FORMS:
        raise InputError(f"unknown form {form!r} of a parse: expected one of {', '.join(FORMS)}.")
    if not isinstance(model, ParserModel):
        model = ParserModel.read(model)
    sources = read_input(path, encoding, lines)
    decoder = parser_decoder(model.order, solver)
    decoder = replace(decoder, options=decoder.options | (options or {}))
    parsed = parse_sentences(model, [_without_tree(source) for source in sources], decoder).sentences
    if form == "json":
        return to_json(parsed, sources)
    _say_what_goes(path, sources)
    names = sentence_ids(sources)
    copies = model.tagger.knows_no_fine_tags
    texts = [
        "\n".join(filled(source, tree, name, copies)) + "\n\n"
        for source, tree, name in zip(sources, parsed, names, strict=True)
    ]
    return "".join(texts)


def read_input(
    path: str | Path, encoding: str = "", lines: bool = False, tokenised: bool = False
) -> list[ConllSentence]:
    """The sentences of a file; heads may be open. Of a file of pairs (.jsonl, .tsv) they are those to be compressed.

    With `tokenised`, words are what stands between spaces, and each line of plain text is a sentence.
    """
    path = Path(path)
    if is_pair_file(path):
        if lines or encoding:
            raise InputError(
                f"{path}: options '--lines' and '--encoding' are for plain text; a file of pairs is in UTF-8."
            )
        pairs = read_pair_file(path, tokenised, sources_only=True)
        return [given_tokens(pair.text, pair.words, pair.name) for pair in pairs]
    if tokenised and is_conll(path):
        raise InputError(f"{path}: option '--tokenised' is for plain text and pairs; the words of CoNLL-U are given.")
    if not is_conll(path):
        return _plain_sentences(path, encoding, lines, tokenised)
    if lines:
        raise InputError(f"{path}: option '--lines' is for plain text; the sentences of CoNLL-U are given.")
    return list(read_treebank(path, encoding, blind=True))


def _plain_sentences(path: Path, encoding: str, lines: bool, tokenised: bool) -> list[ConllSentence]:
    text = read_plain(path, encoding)
    if looks_like_conll(text):
        known = ", ".join(CONLL_ENDINGS)
        raise InputError(f"{path}: it looks like CoNLL-U or CoNLL-X; let its name end in one of {known}.")
    if tokenised:
        rows = [row for row in text.splitlines() if row.strip()]
        found = [given_tokens(row, row.split(), f"{path.stem}-{number}") for number, row in enumerate(rows, 1)]
    else:
        found = list(split_text(text, path.stem, lines))
    if not found:
        raise InputError(f"{path}: there is no text in it.")
    return found


def _without_tree(source: ConllSentence) -> Sentence:
    return replace(from_conll(source), heads=(), labels=())


def filled(source: ConllSentence, tree: Sentence, name: str, copies: bool) -> list[str]:
    """A sentence's own lines with a tree, and with tags where it had none; `sent_id` and `text` are added where they are missing.

    A model without fine tags has `copies` of the coarse ones: they leave the column of fine tags open.
    """
    comments, body = [], []
    word = 0
    for line in source.lines:
        columns = line.split("\t")
        if line.startswith("#"):
            comments.append(line)
        elif EMPTY_NODE.fullmatch(columns[0]):
            continue
        else:
            columns[ENHANCED] = NO_TAG
            if not NOT_A_WORD.fullmatch(columns[0]):
                columns[COARSE] = tree.coarse[word]
                if columns[FINE] == NO_TAG and not (copies and tree.fine[word] == tree.coarse[word]):
                    columns[FINE] = tree.fine[word]
                columns[HEAD], columns[RELATION] = str(tree.heads[word]), tree.labels[word]
                word += 1
            body.append("\t".join(columns))
    known = {comment[1:].partition("=")[0].strip() for comment in comments}
    if "sent_id" not in known:
        comments.append(f"# sent_id = {name}")
    if "text" not in known:
        comments.append(f"# text = {text_line(surface_tokens(body))}")
    return comments + body


def sentence_ids(sources: Sequence[ConllSentence]) -> list[str]:
    """Names of sentences; one that the reader made up is no other's."""
    given = {source.name for source in sources if _is_named(source)}
    found = []
    for source in sources:
        name = source.name
        if not _is_named(source):
            name = "_".join(name.split())
            while name in given:
                name += "x"
            given.add(name)
        found.append(name)
    return found


def _is_named(source: ConllSentence) -> bool:
    return any(line.startswith("#") and line[1:].partition("=")[0].strip() == "sent_id" for line in source.lines)


def _say_what_goes(path: str | Path, sources: Sequence[ConllSentence]) -> None:
    rows = [line.split("\t") for source in sources for line in source.lines if not line.startswith("#")]
    empty = sum(EMPTY_NODE.fullmatch(row[0]) is not None for row in rows)
    enhanced = sum(row[ENHANCED] != NO_TAG for row in rows) - empty
    nodes = f" and {empty} empty nodes" if empty else ""
    if empty or enhanced:
        print(
            f"dualbench: {path}: the enhanced dependencies of {enhanced} words{nodes} are left out: "
            "they belong to another tree.",
            file=sys.stderr,
            flush=True,
        )


def to_conllu(sentences: Iterable[Sentence]) -> str:
    """Sentences that come from no file: words with blanks between them."""
    lines: list[str] = []
    for sentence in sentences:
        lines += [f"# sent_id = {sentence.name}", f"# text = {' '.join(sentence.words)}"]
        columns = (sentence.words, sentence.coarse, sentence.fine, sentence.heads, sentence.labels)
        for number, (word, coarse, fine, head, label) in enumerate(zip(*columns, strict=True), 1):
            lines.append(f"{number}\t{word}\t_\t{coarse}\t{fine}\t_\t{head}\t{label}\t_\t_")
        lines.append("")
    return "\n".join(lines) + "\n"


def to_json(sentences: Sequence[Sentence], sources: Sequence[ConllSentence]) -> str:
    """Trees, and the tokens of the text: each with its words' numbers and the white space before and after it."""
    documents = []
    for one, source in zip(sentences, sources, strict=True):
        tokens = surface_tokens(source.lines)
        document = {
            "name": one.name,
            "text": text_line(tokens),
            "words": one.words,
            "coarse_tags": one.coarse,
            "fine_tags": one.fine,
            "heads": one.heads,
            "labels": one.labels,
            "tokens": [vars(token) for token in tokens],
        }
        documents.append(document)
    return json.dumps(documents, ensure_ascii=False, indent=1) + "\n"
