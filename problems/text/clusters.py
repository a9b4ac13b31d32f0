"""The sizes of generated topic clusters, shared by extractive and compressive summarization."""

from __future__ import annotations

import itertools
from typing import NamedTuple

from .sentence import Cluster


class ClusterSize(NamedTuple):
    topics: int
    documents: int  # per topic
    sentences: int  # per document
    references: int
    budget: int  # words of a summary
    candidate_words: int  # kept by the pruning of section 5.1, compressive summarization only


CLUSTER_SIZES = {
    "tiny": ClusterSize(topics=1, documents=3, sentences=4, references=2, budget=25, candidate_words=50),
    "small": ClusterSize(topics=1, documents=8, sentences=8, references=3, budget=50, candidate_words=350),
    "tac": ClusterSize(topics=1, documents=10, sentences=20, references=4, budget=100, candidate_words=1000),
    "large": ClusterSize(topics=10, documents=10, sentences=20, references=4, budget=100, candidate_words=10000),
}


def cluster_of_size(seed: int, size: str) -> Cluster:
    """A cluster of one topic or, as `large` is, the news of a day: several topics together.

    A reference for several topics takes the topics' references line by line, the most important facts first.
    """
    from .newswire import generate_cluster

    limits = CLUSTER_SIZES[size]
    topics = [
        generate_cluster(
            seed if limits.topics == 1 else limits.topics * seed + number,
            documents=limits.documents,
            sentences_per_document=limits.sentences,
            references=limits.references,
            reference_words=limits.budget,
        )
        for number in range(limits.topics)
    ]
    documents = tuple(document for topic in topics for document in topic.documents)
    references = tuple(
        _digest([topic.references[number] for topic in topics], limits.budget) for number in range(limits.references)
    )
    return Cluster(f"{size}-{seed}", documents, references)


def _digest(references: list[tuple[str, ...]], words: int) -> tuple[str, ...]:
    """First lines of all references, then second lines, and so on, as many as fit."""
    if len(references) == 1:
        return references[0]
    lines: list[str] = []
    for line in (line for rank in itertools.zip_longest(*references) for line in rank if line):
        if sum(len(kept.split()) for kept in lines) + len(line.split()) > words:
            break
        lines.append(line)
    return tuple(lines)
