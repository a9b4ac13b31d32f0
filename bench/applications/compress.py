"""Compression for people with text: a file of plain text or CoNLL-U in, compressed sentences out.

Plain text is split and tokenised, tagged and parsed by the parser that the model was trained with (or another one). In CoNLL-U
trees and tags are taken as they are. Sentences keep as many words as the model's rule says, or a share of their words.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from problems.compression.corpora import one_root
from problems.compression.labeller import Labeller
from problems.compression.model import CompressionModel
from problems.errors import InputError
from problems.files import read_text
from problems.parsing.trees import unreachable
from problems.text.conll import ConllSentence, read_treebank
from problems.text.render import as_sentence
from problems.text.sentence import ParsedSentence
from solvers import make_solver

from ..learning.compression.training import DECODERS, read_any

FORMS = ("text", "json", "conllu")
NO_TAG = "_"


class Compressed(NamedTuple):
    """A sentence, the kept words (from 1), and their heads where the model has a tree of them."""

    name: str
    sentence: ParsedSentence
    kept: tuple[int, ...]
    heads: tuple[int, ...] | None
    status: str

    @property
    def text(self) -> str:
        return as_sentence([self.sentence.words[word - 1] for word in self.kept])


def compress_text(
    path: str | Path,
    model: str | Path,
    rate: float | None = None,
    parser: str = "",
    solver: str = "",
    options: dict[str, Any] | None = None,
    form: str = "text",
) -> str:
    """Compress the sentences of a file; `form` is text (a line per sentence), json, or conllu (the compressions' trees)."""
    if form not in FORMS:
        raise InputError(f"unknown form {form!r} of a compression: expected one of {', '.join(FORMS)}.")
    if rate is not None and not 0 < rate <= 1:
        raise InputError(f"the share of words to keep must be above 0 and at most 1, not {rate}.")
    trained = read_any(model)
    names, sentences = read_sentences(Path(path), parser or trained.parser)
    found = [
        compress_sentence(trained, sentence, name, rate, solver, options)
        for name, sentence in zip(names, sentences, strict=True)
    ]
    if form == "json":
        return to_json(found)
    return to_conllu(found) if form == "conllu" else "".join(f"{each.text}\n" for each in found)


def read_sentences(path: Path, parser: str) -> tuple[list[str], list[ParsedSentence]]:
    """The sentences of a file with their trees; `parser` is needed for plain text only."""
    if path.suffix in (".conllu", ".conll"):
        listed = list(read_treebank(path))
        return [sentence.name for sentence in listed], [_treed(path, sentence) for sentence in listed]
    if not parser:
        raise InputError(f"{path}: plain text has no trees; name a trained parser, or give CoNLL-U (.conllu).")
    from problems.text.raw import split_text

    from ..learning.parsing.trees import parser_of

    try:
        text = read_text(path, encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is not UTF-8.") from None
    plain = list(split_text(text, path.stem))
    trees = parser_of(Path(parser))([sentence.words for sentence in plain])
    return [sentence.name for sentence in plain], [
        ParsedSentence(tree.words, tree.tags, one_root(tree.heads), tree.labels) for tree in trees
    ]


def _treed(path: Path, sentence: ConllSentence) -> ParsedSentence:
    if unreachable(sentence.heads):
        raise InputError(f"{path}: sentence {sentence.name!r} has no tree: give plain text and a parser instead.")
    fine = any(tag != NO_TAG for tag in sentence.fine_tags)
    tags = sentence.fine_tags if fine else sentence.coarse_tags
    return ParsedSentence(sentence.words, tags, one_root(sentence.heads), sentence.relations)


def compress_sentence(
    model: CompressionModel | Labeller,
    sentence: ParsedSentence,
    name: str,
    rate: float | None = None,
    solver: str = "",
    options: dict[str, Any] | None = None,
) -> Compressed:
    """One sentence by any solver of the task; the CRF has its own."""
    count = len(sentence)
    length = model.rule.length(count) if rate is None else max(1, min(count, round(rate * count)))
    if isinstance(model, Labeller):
        if solver:
            raise InputError(f"solver {solver!r} cannot be used: a CRF labels words by itself.")
        return Compressed(name, sentence, model.likeliest(sentence, length), None, "feasible")
    chosen = make_solver(solver or DECODERS[model.system], "compression", options or {})
    solution = chosen.solve(model.instance(sentence, name, length))
    if solution.structure is None:
        raise InputError(f"solver {chosen.name!r} found no compression of sentence {name!r}: {solution.status}.")
    kept, heads = solution.structure
    own = tuple(heads) if model.system == "joint" else None
    return Compressed(name, sentence, tuple(kept), own, solution.status)


def to_json(found: Sequence[Compressed]) -> str:
    documents = [
        {
            "name": each.name,
            "words": each.sentence.words,
            "kept": each.kept,
            "heads": each.heads,
            "text": each.text,
            "status": each.status,
        }
        for each in found
    ]
    return json.dumps(documents, ensure_ascii=False, indent=1) + "\n"


def to_conllu(found: Sequence[Compressed]) -> str:
    """The kept words with the joint model's tree; other models have none, and heads are left open."""
    lines: list[str] = []
    for each in found:
        lines += [f"# sent_id = {each.name}", f"# text = {each.text}"]
        place = {0: 0, **{word: number for number, word in enumerate(each.kept, 1)}}
        for number, word in enumerate(each.kept, 1):
            head = NO_TAG if each.heads is None else str(place[each.heads[number - 1]])
            source = each.sentence
            lines.append(f"{number}\t{source.words[word - 1]}\t_\t_\t{source.tags[word - 1]}\t_\t{head}\t_\t_\t_")
        lines.append("")
    return "\n".join(lines) + "\n"
