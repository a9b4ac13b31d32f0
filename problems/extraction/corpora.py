"""Extraction problems from real corpora: `multiling2011` (news, 250 words) and `opinosis` (opinions, 25 words).

Concepts are stemmed bigrams, weighted as those of generated clusters are (`summarization.features.concept_scores`), by the
number of documents that have them. A topic of opinosis is one list of review sentences by different people: each sentence
counts as a document. Lengths are words between spaces, which is what budgets and ROUGE's length cut count.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..errors import InputError
from ..summarization.features import bigrams, concept_scores
from ..text.sentence import Cluster, ParsedSentence
from ..text.splitting import is_date, sentences_of, tokens_of
from .instance import Concept, ExtractionInstance

BUDGETS = {"multiling2011": 250, "opinosis": 25}
TOPICS, DOCUMENTS, REFERENCES = range(10), range(10), "ABC"  # of multiling2011
HOME = "summarization"  # the folder of these corpora within the data folder


def read_corpus(name: str, folder: Path) -> Iterator[ExtractionInstance]:
    """One instance per topic, read when it is asked for."""
    home = folder / HOME / name
    if not home.is_dir():
        raise InputError(
            f"{home}: no such folder; expected the corpus {name!r} there (DUALBENCH_DATA names the data folder)."
        )
    return _multiling(home) if name == "multiling2011" else _opinosis(home)


def _multiling(home: Path) -> Iterator[ExtractionInstance]:
    for topic in (f"M{number:03d}" for number in TOPICS):
        documents = []
        for document in DOCUMENTS:
            path = home / "SourceTexts" / f"{topic}{document}.english"
            documents.append(_news(_read(path, f"document {document} of topic {topic}")))
        references = []
        for author in REFERENCES:
            path = home / "Model_Summaries" / "English" / f"{topic}.{author}.250"
            references.append(_reference(_read(path, f"reference summary {author} of topic {topic}")))
        yield from_sentences(f"multiling2011-{topic}", documents, references, BUDGETS["multiling2011"])


def _news(text: str) -> list[str]:
    """The sentences of a news text: not its headline (the first line), nor lines that are dates."""
    _, _, body = text.partition("\n")
    return [sentence for line in body.splitlines() if not is_date(line) for sentence in sentences_of(line)]


def _opinosis(home: Path) -> Iterator[ExtractionInstance]:
    ending = ".txt.data"
    topics = sorted((home / "topics").glob(f"*{ending}"))
    if not topics:
        raise InputError(
            f"{home / 'topics'}: no file *{ending}; expected one per topic, with a review sentence per line."
        )
    for path in topics:
        topic = path.name.removesuffix(ending)
        lines = [" ".join(line.split()) for line in _read(path, f"the sentences of topic {topic}").splitlines()]
        golden = sorted((home / "summaries-gold" / topic).glob(f"{topic}.*.gold"))
        if not golden:
            where = home / "summaries-gold" / topic / f"{topic}.1.gold"
            raise InputError(f"{where}: no such file; expected a reference summary of topic {topic}.")
        references = [_reference(_read(gold, f"a reference summary of topic {topic}")) for gold in golden]
        documents = [[line] for line in lines if line]
        yield from_sentences(f"opinosis-{topic}", documents, references, BUDGETS["opinosis"])


def _reference(text: str) -> tuple[str, ...]:
    """A reference summary, one sentence per line."""
    return tuple(sentence for line in text.splitlines() for sentence in sentences_of(line))


def _read(path: Path, what: str) -> str:
    """A text in UTF-8 or else, as some of opinosis are, in Windows' cp1252."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; expected {what}.") from None
    except OSError as error:
        raise InputError(f"{path}: {what} cannot be read ({error.strerror}).") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def from_sentences(
    name: str, documents: list[list[str]], references: list[tuple[str, ...]], budget: int
) -> ExtractionInstance:
    """A problem over all sentences of some documents; no parse is needed for bigrams."""
    parsed = tuple(
        tuple(ParsedSentence(tokens_of(sentence), (), (), ()) for sentence in document) for document in documents
    )
    scores = concept_scores(Cluster(name, parsed, tuple(references)))
    texts = [sentence for document in documents for sentence in document]
    where: dict[str, list[int]] = {}
    for index, sentence in enumerate(sentence for document in parsed for sentence in document):
        for bigram in dict.fromkeys(bigrams(sentence)):
            if bigram in scores:
                where.setdefault(bigram, []).append(index)
    return ExtractionInstance(
        name=name,
        lengths=tuple(len(text.split()) for text in texts),
        concepts=tuple(Concept(bigram, scores[bigram], tuple(indices)) for bigram, indices in where.items()),
        budget=budget,
        texts=tuple(texts),
        references=tuple(references),
    )
