"""Extraction problems from real corpora: `multiling2011` (news, 250 words), `opinosis` (opinions, 25 words), and anyone's topics.

Concepts are stemmed bigrams, weighted as those of generated clusters are (`summarization.features.concept_scores`), by the
number of documents that have them. Lengths are words between spaces, which is what budgets and ROUGE's length cut count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ..summarization.features import bigrams, concept_scores
from ..text.sentence import Cluster, ParsedSentence
from ..text.splitting import tokens_of
from ..text.topic_folders import Topic, mean_length
from ..text.topics import BUDGETS, read_topics
from .instance import Concept, ExtractionInstance


def read_corpus(name: str, folder: Path, split: str = "test") -> Iterator[ExtractionInstance]:
    """One instance per topic, read when it is asked for; own topics have their own limit, or the mean length of their references."""
    topics = read_topics(name, folder, split)

    def made(topic: Topic) -> ExtractionInstance:
        budget = BUDGETS.get(name) or topic.words or mean_length(topic.references)
        return from_sentences(topic.name, topic.documents, topic.references, budget)

    return map(made, topics)


def from_sentences(
    name: str, documents: Sequence[Sequence[str]], references: Sequence[tuple[str, ...]], budget: int
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
