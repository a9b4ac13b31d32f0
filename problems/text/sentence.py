"""Parsed sentences and topic clusters: the text that summarization problems are made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ParsedSentence:
    """A sentence with a dependency tree. Words are numbered from 1; head 0 is the dummy root symbol."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    labels: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.words)


def fits_together(sentence: ParsedSentence) -> bool:
    """Are these texts and places of a sentence, one of each kind for each word? For what comes from a file."""
    count = len(sentence.words)
    columns = (sentence.words, sentence.tags, sentence.labels)
    return (
        all(len(column) == count and all(isinstance(text, str) for text in column) for column in columns)
        and len(sentence.heads) == count
        and all(type(head) is int and 0 <= head <= count for head in sentence.heads)
    )


@dataclass(frozen=True)
class Cluster:
    """Documents on one topic, each a sequence of sentences, and reference summaries, each a sequence of lines."""

    name: str
    documents: tuple[tuple[ParsedSentence, ...], ...]
    references: tuple[tuple[str, ...], ...]
