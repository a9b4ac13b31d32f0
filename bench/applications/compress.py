"""Compression for people with text: a file of plain text or CoNLL-U in, compressed sentences out.

Plain text is split and tokenised, tagged and parsed by the parser that the model was trained with (or another one), and so is a blind
CoNLL-U file and the sentences of a file of pairs; otherwise trees and tags of CoNLL-U are taken as they are. Sentences keep as many words as the model's rule says, or a
share of their words. What is printed are tokens of the text, spelled and spaced as they were.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from problems.compression.corpora import one_root
from problems.compression.labeller import Labeller
from problems.compression.model import CompressionModel
from problems.errors import InputError
from problems.parsing.trees import unreachable
from problems.text.conll import FINE, ConllSentence, is_conll
from problems.text.detokenize import kept_tokens
from problems.text.sentence import ParsedSentence
from problems.text.spacing import NOTHING, SurfaceToken, misc_of, surface_tokens, text_line
from solvers import make_solver

from ..learning.compression.training import DECODERS, OPTIONS, read_any
from ..learning.parsing.parse import parser_of
from .parse import read_input, sentence_ids

FORMS = ("text", "json", "conllu")
NO_TAG = "_"


class Compressed(NamedTuple):
    """A sentence, the kept words (from 1), and their heads where the model has a tree of them."""

    name: str
    sentence: ParsedSentence
    kept: tuple[int, ...]
    heads: tuple[int, ...] | None
    status: str
    source: ConllSentence

    @property
    def tokens(self) -> list[SurfaceToken]:
        """What is left of the text, as it was spelled."""
        return kept_tokens(surface_tokens(self.source.lines), self.source.words, frozenset(self.kept))

    @property
    def text(self) -> str:
        return text_line(self.tokens)


def compress_text(
    path: str | Path,
    model: str | Path,
    rate: float | None = None,
    parser: str = "",
    solver: str = "",
    options: dict[str, Any] | None = None,
    form: str = "text",
    encoding: str = "",
    lines: bool = False,
    tokenised: bool = False,
) -> str:
    """Compress the sentences of a file; `form` is text (a line per sentence), json, or conllu (the compressions' trees)."""
    if form not in FORMS:
        raise InputError(f"unknown form {form!r} of a compression: expected one of {', '.join(FORMS)}.")
    if rate is not None and not 0 < rate <= 1:
        raise InputError(f"the share of words to keep must be above 0 and at most 1, not {rate}.")
    trained = read_any(model)
    sources, sentences = read_sentences(Path(path), parser or trained.parser, encoding, lines, tokenised)
    found = [
        compress_sentence(trained, sentence, source, rate, solver, options)
        for source, sentence in zip(sources, sentences, strict=True)
    ]
    if form == "json":
        return to_json(found)
    return to_conllu(found) if form == "conllu" else "".join(f"{each.text}\n" for each in found)


def read_sentences(
    path: Path, parser: str, encoding: str = "", lines: bool = False, tokenised: bool = False
) -> tuple[list[ConllSentence], list[ParsedSentence]]:
    """The sentences of a file, and their trees; `parser` is needed for those that have none."""
    if not parser and not is_conll(path):
        raise InputError(f"{path}: plain text has no trees; name a trained parser, or give CoNLL-U (.conllu).")
    sources = read_input(path, encoding, lines, tokenised)
    sources = [replace(source, name=name) for source, name in zip(sources, sentence_ids(sources), strict=True)]
    blind = [source for source in sources if not source.heads]
    if blind and not parser:
        raise InputError(f"{path}: sentence {blind[0].name!r} has no heads; name a trained parser.")
    if not blind:
        return sources, [_treed(path, source) for source in sources]
    trees = iter(parser_of(Path(parser))([source.words for source in blind]))
    return sources, [_treed(path, source) if source.heads else _one_rooted(next(trees)) for source in sources]


def _one_rooted(tree: ParsedSentence) -> ParsedSentence:
    return ParsedSentence(tree.words, tree.tags, one_root(tree.heads), tree.labels)


def _treed(path: Path, sentence: ConllSentence) -> ParsedSentence:
    if unreachable(sentence.heads):
        raise InputError(f"{path}: sentence {sentence.name!r} has no tree: give plain text and a parser instead.")
    fine = any(tag != NO_TAG for tag in sentence.fine_tags)
    tags = sentence.fine_tags if fine else sentence.coarse_tags
    return ParsedSentence(sentence.words, tags, one_root(sentence.heads), sentence.relations)


def compress_sentence(
    model: CompressionModel | Labeller,
    sentence: ParsedSentence,
    source: ConllSentence,
    rate: float | None = None,
    solver: str = "",
    options: dict[str, Any] | None = None,
) -> Compressed:
    """One sentence by any solver of the task; the CRF has its own."""
    count, name = len(sentence), source.name
    length = model.rule.length(count) if rate is None else max(1, min(count, round(rate * count)))
    if isinstance(model, Labeller):
        if solver:
            raise InputError(f"solver {solver!r} cannot be used: a CRF labels words by itself.")
        return Compressed(name, sentence, model.likeliest(sentence, length), None, "feasible", source)
    name_of = solver or DECODERS[model.system]
    chosen = make_solver(name_of, "compression", OPTIONS.get((model.system, name_of), {}) | (options or {}))
    solution = chosen.solve(model.instance(sentence, name, length))
    if solution.structure is None:
        raise InputError(f"solver {chosen.name!r} found no compression of sentence {name!r}: {solution.status}.")
    kept, heads = solution.structure
    own = tuple(heads) if model.system == "joint" else None
    return Compressed(name, sentence, tuple(kept), own, solution.status, source)


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
        rows = {row[0]: row for row in (line.split("\t") for line in each.source.lines if line[:1] != "#")}
        place = {0: 0, **{word: number for number, word in enumerate(each.kept, 1)}}
        tokens = each.tokens
        for number, token in enumerate(tokens, 1):
            misc = misc_of(token.after) if number < len(tokens) else NOTHING
            if len(token.words) > 1:
                span = f"{place[token.words[0]]}-{place[token.words[-1]]}"
                lines.append("\t".join([span, token.form, *[NOTHING] * 7, misc]))
                misc = NOTHING
            for word in token.words:
                row = rows[str(word)]
                head = NOTHING if each.heads is None else str(place[each.heads[place[word] - 1]])
                tag = each.sentence.tags[word - 1] if row[FINE] == NOTHING else row[FINE]
                lines.append("\t".join([str(place[word]), *row[1:FINE], tag, row[5], head, NOTHING, NOTHING, misc]))
        lines.append("")
    return "\n".join(lines) + "\n"
