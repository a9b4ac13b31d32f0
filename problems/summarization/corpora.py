"""Topics of real corpora with dependency trees by our own parser, kept in the cache folder once they are parsed.

A parsed topic is kept as JSON under a hash of its sentences and of the parser's model file, so that another parser or another
text is never mistaken for it.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from ..errors import InputError
from ..text.sentence import Cluster, ParsedSentence, fits_together
from ..text.splitting import tokens_of
from ..text.topics import Topic, read_topics
from ..unpacking import read_packed

VERSION = "3"  # of what is kept in the cache: one more whenever parsing a sentence gives something else


class Parser(Protocol):
    """Plain sentences to trees."""

    @property
    def fingerprint(self) -> str:
        """Another text for every other model."""
        ...

    def tokens(self, sentence: str) -> Sequence[str]:
        """The tokens that the sentence's tree would have."""
        ...

    def parse(self, sentences: Sequence[str]) -> list[ParsedSentence]:
        """A tree for each sentence, of its tokens; a sentence without tokens has an empty one."""
        ...


class Unparsed:
    """No parser at all: every word hangs from the first, so that only whole sentences make sense. For extraction."""

    fingerprint = "unparsed"

    def tokens(self, sentence: str) -> Sequence[str]:
        return tokens_of(sentence)

    def parse(self, sentences: Sequence[str]) -> list[ParsedSentence]:
        return [flat_tree(tokens_of(sentence)) for sentence in sentences]


def flat_tree(tokens: Sequence[str]) -> ParsedSentence:
    count = len(tokens)
    heads = tuple(0 if place == 0 else 1 for place in range(count))
    labels = tuple("root" if place == 0 else "dep" for place in range(count))
    return ParsedSentence(tuple(tokens), ("X",) * count, heads, labels)


def parsed_corpus(name: str, folder: Path, parser: Parser, limit: int | None = None) -> Iterator[Cluster]:
    """The topics of a named corpus, parsed or from the cache, one after the other."""
    return (parsed_topic(topic, parser) for topic in islice(read_topics(name, folder), limit))


def parsed_topic(topic: Topic, parser: Parser) -> Cluster:
    """A topic as a cluster of trees."""
    sentences = [sentence for document in topic.documents for sentence in document]
    trees = iter(parsed_sentences(sentences, parser))
    documents = tuple(tuple(next(trees) for _ in document) for document in topic.documents)
    return Cluster(topic.name, documents, topic.references)


def parsed_sentences(sentences: Sequence[str], parser: Parser) -> list[ParsedSentence]:
    """The trees of sentences, from the cache if they are there."""
    from ..kernels.cache import cache_directory

    digest = hashlib.sha256("\0".join((VERSION, parser.fingerprint, *sentences)).encode("utf-8", "surrogatepass"))
    path = cache_directory().parent / "parsed" / f"{digest.hexdigest()[:32]}.json.gz"
    kept = _read(path, len(sentences))
    if kept is not None:
        return kept
    made = parser.parse(sentences)
    if len(made) != len(sentences):
        raise InputError(f"the parser returned {len(made)} trees for {len(sentences)} sentences.")
    _write(path, made)
    return made


def _read(path: Path, count: int) -> list[ParsedSentence] | None:
    """What is in the cache, or None: a file that is missing, cut off or of another form means parsing again."""
    try:
        rows: list[Any] = json.loads(read_packed(path))
        found = [ParsedSentence(*(tuple(column) for column in row)) for row in rows]
        whole = len(found) == count and all(map(fits_together, found))
    except (ValueError, TypeError, RecursionError):
        return None
    return found if whole else None


def _write(path: Path, trees: Sequence[ParsedSentence]) -> None:
    rows = [(tree.words, tree.tags, tree.heads, tree.labels) for tree in trees]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{path.name}.{os.getpid()}")
        with gzip.open(unfinished, "wt", encoding="utf-8", compresslevel=4) as stream:
            json.dump(rows, stream, ensure_ascii=False)
        unfinished.replace(path)
    except OSError:
        pass  # a cache that cannot be written is no reason to fail
