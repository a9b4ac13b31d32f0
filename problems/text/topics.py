"""Topics of corpora as plain sentences, with their references: `multiling2011` (news), `opinosis` (opinions), or anyone's folder.

A topic of opinosis is one list of review sentences by different people: each sentence counts as a document. Other corpora are folders
(`topic_folders.py`), named by their path or by their name below `summarization` in the data folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..errors import InputError, nearest, quoted, to_get
from .splitting import is_date, sentences_of
from .topic_folders import PLAIN, Topic, TopicReading, own_topics, read_text_file

BUDGETS = {"multiling2011": 250, "opinosis": 25}  # words of a summary: the task's own, and what references take
TOPICS, DOCUMENTS, REFERENCES = range(10), range(10), "ABC"  # of multiling2011
HOME = "summarization"  # the folder of these corpora within the data folder


def own_folder(name: str, folder: Path) -> Path | None:
    """The folder of a corpus that has no reader of its own; None where there is no such folder."""
    if name in BUDGETS:
        return None
    return next((path for path in (Path(name), folder / HOME / name) if path.is_dir()), None)


def read_topics(name: str, folder: Path, split: str = "train", reading: TopicReading = PLAIN) -> Iterator[Topic]:
    """The topics of a corpus, each read when it is asked for. Named corpora have no splits."""
    own = own_folder(name, folder)
    if own is not None:
        return own_topics(own, split, reading)
    if name not in BUDGETS:
        raise InputError(
            f"unknown corpus of topics {quoted(name)}: {nearest(name, BUDGETS)} A folder of topics can be named, too."
        )
    if reading != PLAIN:
        raise InputError(f"corpus {name!r} has its own form: 'lines' and 'test_share' are for folders of topics.")
    home = folder / HOME / name
    if not home.is_dir():
        raise InputError(f"{home}: no such folder; expected the corpus {name!r} there; {to_get(name)}")
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


__all__ = ["BUDGETS", "HOME", "Topic", "own_folder", "read_text_file", "read_topics"]
