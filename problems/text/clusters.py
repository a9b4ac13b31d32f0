"""The sizes of generated topic clusters, shared by extractive and compressive summarization."""

from __future__ import annotations

from typing import NamedTuple

from .sentence import Cluster


class ClusterSize(NamedTuple):
    documents: int
    sentences: int  # per document
    references: int
    budget: int  # words of a summary
    candidate_words: int  # kept by the pruning of section 5.1, compressive summarization only


CLUSTER_SIZES = {
    "tiny": ClusterSize(documents=3, sentences=4, references=2, budget=25, candidate_words=50),
    "tac": ClusterSize(documents=10, sentences=20, references=4, budget=100, candidate_words=1000),
    "large": ClusterSize(documents=50, sentences=40, references=4, budget=100, candidate_words=10000),
}


def cluster_of_size(seed: int, size: str) -> Cluster:
    from .newswire import generate_cluster

    limits = CLUSTER_SIZES[size]
    return generate_cluster(
        seed,
        documents=limits.documents,
        sentences_per_document=limits.sentences,
        references=limits.references,
        reference_words=limits.budget,
        name=f"{size}-{seed}",
    )
