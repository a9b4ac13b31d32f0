"""Summaries of plain text files: what `dualbench summarize DIR --words N` does.

Every file of the folder is a document, or the folder is a corpus of topics (`text/topic_folders.py`): then each topic gets a
summary. With a model (`dualbench train summarization`) the summary is the model's, and compressive
ones need the parser that it was trained with. Without a model it is the unlearned coverage system's: whole sentences that
cover the bigrams of most documents, by an exact ILP. What is printed are sentences of the documents, or what is left of them, spelled
and spaced as they were.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from problems.errors import InputError
from problems.summarization.blueprint import Blueprint, blueprint
from problems.summarization.corpora import Parser, Unparsed, parsed_topic
from problems.summarization.model import SummarizerModel
from problems.summarization.words import shortened
from problems.text.encodings import read_plain
from problems.text.markup import paragraphs_of
from problems.text.splitting import sentences_of
from problems.text.topic_folders import Topic, files_in, read_text_file, read_topic, topic_files

from ..data.catalogue import catalogue
from ..learning.learners import Decoder
from ..learning.summarization.data import read_parser
from ..learning.summarization.examples import whole
from ..learning.summarization.systems import BITS, EXACT, TESTING, baseline, decode_scores

DEFAULT_WORDS = 100


@dataclass(frozen=True)
class Sentence:
    """A sentence of a summary, where it comes from, and what it was before words were deleted."""

    text: str
    document: str
    position: int
    original: str


@dataclass(frozen=True)
class TextSummary:
    sentences: tuple[Sentence, ...]
    words: int
    system: str
    solver: str
    status: str
    objective: float

    def text(self) -> str:
        """Plain text, one sentence per line."""
        return "\n".join(sentence.text for sentence in self.sentences)

    def json(self) -> str:
        facts = asdict(self)
        return json.dumps({"summary": facts.pop("sentences"), **facts}, ensure_ascii=False, indent=1)


def read_folder(folder: Path, encoding: str = "") -> tuple[Topic, list[str]]:
    """The documents of a folder (files that are not hidden, by name), split into sentences, and the files' names."""
    if not folder.is_dir():
        known = f"; `dualbench data get {folder}` fetches the corpus of this name" if str(folder) in catalogue() else ""
        raise InputError(f"{folder}: no such folder; expected a folder of text files, one per document{known}.")
    files = files_in(folder)
    if not files:
        raise InputError(f"{folder}: the folder has no files; expected one text file per document.")
    documents = []
    for path in files:
        text = read_plain(path, encoding) if encoding else read_text_file(path, "a document")
        sentences = tuple(sentence for part in paragraphs_of(text, path) for sentence in sentences_of(part))
        if not any(character.isalnum() for sentence in sentences for character in sentence):
            raise InputError(f"{path}: the document is empty; expected text to summarize.")
        documents.append(sentences)
    return Topic(folder.name or "folder", tuple(documents)), [path.name for path in files]


def summarize_topics(
    folder: str | Path,
    words: int | None,
    model: str | Path | None = None,
    solver: str | None = None,
    options: dict[str, Any] | None = None,
    parser: str | Path | None = None,
) -> dict[str, TextSummary]:
    """A summary of each topic of a corpus, by its name. Without `words`: of the topic's own limit, or 100."""
    found = {}
    for files in topic_files(Path(folder)):
        topic = read_topic(files, referenced=False)
        names = [path.name for path in files.documents]
        budget = words or topic.words or DEFAULT_WORDS
        found[files.name] = summarize_topic(topic, names, budget, model, solver, options, parser)
    return found


def summarize_folder(
    folder: str | Path,
    words: int,
    model: str | Path | None = None,
    solver: str | None = None,
    options: dict[str, Any] | None = None,
    parser: str | Path | None = None,
    encoding: str = "",
) -> TextSummary:
    """A summary of at most `words` words. Without `solver`: AD3 for compressive models, an exact ILP for extracts."""
    return summarize_topic(*read_folder(Path(folder), encoding), words, model, solver, options, parser)


def summarize_topic(
    topic: Topic,
    files: list[str],
    words: int,
    model: str | Path | None = None,
    solver: str | None = None,
    options: dict[str, Any] | None = None,
    parser: str | Path | None = None,
) -> TextSummary:
    """The same of documents that are read already; `files` are their names."""
    if words < 1:
        raise InputError(f"a summary needs a budget of at least 1 word, not {words}.")
    if model is None:
        cluster = parsed_topic(topic, Unparsed())
        made = blueprint(cluster, words, BITS)
        decoder = Decoder(solver or EXACT.solver, options or {})
        output = baseline("coverage", cluster, made, decoder)
        return _text_summary(made, topic, files, output.solution, "coverage", decoder, True)
    trained = SummarizerModel.read(model)
    cluster = parsed_topic(topic, _parser(trained, parser))
    made = trained.blueprint(cluster, words)
    default = EXACT if trained.extractive else TESTING
    decoder = default if solver is None and not options else Decoder(solver or default.solver, options or {})
    output = decode_scores(trained.system, made, trained.scores(made), decoder)
    return _text_summary(made, topic, files, output.solution, trained.system, decoder, trained.extractive)


def _parser(trained: SummarizerModel, given: str | Path | None) -> Parser:
    """The parser that is given, or the one of the training; an extract of generated training needs none."""
    if given is None and trained.parser_file is None and trained.extractive:
        return Unparsed()
    return read_parser(str(given or trained.parser_file or ""))


def why_empty(made: Blueprint, system: str, extractive: bool) -> str:
    """Why nothing was chosen."""
    problem = made.extractive
    if extractive and min(problem.lengths) > problem.budget:
        return f"its shortest sentence has {min(problem.lengths)} words, and {problem.budget} are allowed"
    if system == "coverage":
        return (
            "without a model, sentences are chosen by pairs of words that several documents have in common, and there "
            "are none; give more documents, or a model of `dualbench train summarization`"
        )
    return f"no sentence is worth choosing by the scores of the model ({system})"


def _text_summary(
    made: Blueprint, topic: Topic, files: list[str], solution: Any, system: str, decoder: Decoder, extractive: bool
) -> TextSummary:
    structure = whole(made, solution.structure) if extractive else solution.structure
    sentences = []
    for index, kept in structure:
        place = made.compressive.sentences[index]
        original = topic.documents[place.document][place.position]
        text = original if extractive else shortened(original, made.sources[index].words, kept)
        sentences.append(Sentence(text, files[place.document], place.position + 1, original))
    if not sentences:
        why = why_empty(made, system, extractive)
        print(f"dualbench: the summary of {topic.name} is empty: {why}.", file=sys.stderr, flush=True)
    count = sum(len(kept) for _, kept in structure)
    return TextSummary(tuple(sentences), count, system, decoder.solver, solution.status, solution.objective)
