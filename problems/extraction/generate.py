"""Seeded generators of extractive summarization problems."""

from __future__ import annotations

from ..summarization.features import best_sentences, bigrams, concept_scores
from ..text.clusters import CLUSTER_SIZES, cluster_of_size
from ..text.render import as_sentence
from ..text.sentence import Cluster
from ..text.zipf import LARGER, draw_concepts, draw_lengths, scaled_zipf
from .instance import Concept, ExtractionInstance

PRUNED = "-pruned"  # how a size ends that has only the candidates of the compressive problem of the same seed
ZIPF_SENTENCES, ZIPF_TYPES, ZIPF_EMPTY = 200, 600, 0.5


def generate(seed: int, size: str) -> ExtractionInstance:
    if size == "zipf" or size in LARGER:
        return generate_zipf(seed, LARGER.get(size, ZIPF_SENTENCES))
    whole = size.removesuffix(PRUNED)
    limits = CLUSTER_SIZES[whole]
    return from_cluster(cluster_of_size(seed, whole), limits.budget, None if size == whole else limits.candidate_words)


def from_cluster(cluster: Cluster, budget: int = 100, candidate_words: int | None = None) -> ExtractionInstance:
    """A problem with the concepts of the compressive task, over all sentences of a cluster or over its candidates (section 5.1)."""
    scores = concept_scores(cluster)
    sentences = [sentence for document in cluster.documents for sentence in document]
    if candidate_words is not None:
        sentences = [sentences[index] for index in best_sentences(sentences, scores, candidate_words)]
    where: dict[str, list[int]] = {}
    for index, sentence in enumerate(sentences):
        for bigram in dict.fromkeys(bigrams(sentence)):
            if bigram in scores:
                where.setdefault(bigram, []).append(index)
    return ExtractionInstance(
        name=cluster.name,
        lengths=tuple(len(sentence) for sentence in sentences),
        concepts=tuple(Concept(bigram, scores[bigram], tuple(indices)) for bigram, indices in where.items()),
        budget=budget,
        texts=tuple(as_sentence(sentence.words) for sentence in sentences),
        references=cluster.references,
    )


def generate_zipf(seed: int, sentences: int = ZIPF_SENTENCES) -> ExtractionInstance:
    """Size `zipf`: no text, 200 sentences, about 600 concepts of at most five occurrences (or more of both)."""
    rng, types = scaled_zipf(seed, sentences, ZIPF_SENTENCES, ZIPF_TYPES)
    lengths = draw_lengths(rng, sentences)
    concepts = tuple(
        Concept(f"c{index}", concept.score, tuple(dict.fromkeys(sentence for sentence, _ in concept.tokens)))
        for index, concept in enumerate(draw_concepts(rng, lengths, types, ZIPF_EMPTY))
    )
    name = f"zipf-{seed}" if sentences == ZIPF_SENTENCES else f"zipf-{sentences}-{seed}"
    return ExtractionInstance(name, tuple(lengths), concepts, budget=100)
