"""Topics of real corpora as plain sentences: `multiling2011` (news) and `opinosis` (opinions), with their references.

A topic of opinosis is one list of review sentences by different people: each sentence counts as a document.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError, nearest
from ..files import read_bytes
from .splitting import is_date, sentences_of

BUDGETS = {"multiling2011": 250, "opinosis": 25}  # words of a summary: the task's own, and what references take
TOPICS, DOCUMENTS, REFERENCES = range(10), range(10), "ABC"  # of multiling2011
HOME = "summarization"  # the folder of these corpora within the data folder


@dataclass(frozen=True)
class Topic:
    """Documents on one topic, each a sequence of sentences, and reference summaries, each a sequence of lines."""

    name: str
    documents: tuple[tuple[str, ...], ...]
    references: tuple[tuple[str, ...], ...] = ()


def read_topics(name: str, folder: Path) -> Iterator[Topic]:
    """The topics of a corpus below the data folder, each read when it is asked for."""
    if name not in BUDGETS:
        raise InputError(f"unknown corpus of topics {name!r}: {nearest(name, BUDGETS)}")
    home = folder / HOME / name
    if not home.is_dir():
        raise InputError(
            f"{home}: no such folder; expected the corpus {name!r} there (DUALBENCH_DATA names the data folder)."
        )
    return _multiling(home) if name == "multiling2011" else _opinosis(home)


def _multiling(home: Path) -> Iterator[Topic]:
    for topic in (f"M{number:03d}" for number in TOPICS):
        documents = []
        for document in DOCUMENTS:
            path = home / "SourceTexts" / f"{topic}{document}.english"
            documents.append(tuple(_news(read_text_file(path, f"document {document} of topic {topic}"))))
        references = []
        for author in REFERENCES:
            path = home / "Model_Summaries" / "English" / f"{topic}.{author}.250"
            references.append(_reference(read_text_file(path, f"reference summary {author} of topic {topic}")))
        yield Topic(f"multiling2011-{topic}", tuple(documents), tuple(references))


def _news(text: str) -> list[str]:
    """The sentences of a news text: not its headline (the first line), nor lines that are dates."""
    _, _, body = text.partition("\n")
    return [sentence for line in body.splitlines() if not is_date(line) for sentence in sentences_of(line)]


def _opinosis(home: Path) -> Iterator[Topic]:
    ending = ".txt.data"
    topics = sorted((home / "topics").glob(f"*{ending}"))
    if not topics:
        raise InputError(
            f"{home / 'topics'}: no file *{ending}; expected one per topic, with a review sentence per line."
        )
    for path in topics:
        topic = path.name.removesuffix(ending)
        text = read_text_file(path, f"the sentences of topic {topic}")
        lines = [" ".join(line.split()) for line in text.splitlines()]
        golden = sorted((home / "summaries-gold" / topic).glob(f"{topic}.*.gold"))
        if not golden:
            where = home / "summaries-gold" / topic / f"{topic}.1.gold"
            raise InputError(f"{where}: no such file; expected a reference summary of topic {topic}.")
        references = [_reference(read_text_file(gold, f"a reference summary of topic {topic}")) for gold in golden]
        yield Topic(f"opinosis-{topic}", tuple((line,) for line in lines if line), tuple(references))


def _reference(text: str) -> tuple[str, ...]:
    """A reference summary, one sentence per line."""
    return tuple(sentence for line in text.splitlines() for sentence in sentences_of(line))


def read_text_file(path: Path, what: str) -> str:
    """A text in UTF-8 or else, as some of opinosis are, in Windows' cp1252."""
    try:
        data = read_bytes(path)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; expected {what}.") from None
    except OSError as error:
        raise InputError(f"{path}: {what} cannot be read ({error.strerror}).") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")
