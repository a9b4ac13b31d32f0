"""Seeded generators of compressive summarization problems."""

from __future__ import annotations

from ..text.clusters import CLUSTER_SIZES, cluster_of_size
from ..text.sentence import Cluster
from ..text.zipf import LARGER, document_of, draw_concepts, draw_lengths, draw_tree, scaled_zipf
from .features import best_sentences, bigrams, concept_scores, deletion_scores, undeletable_arcs
from .instance import Concept, Sentence, SummarizationInstance

ZIPF_SENTENCES, ZIPF_TYPES, ZIPF_EMPTY = 40, 700, 0.25


def generate(seed: int, size: str) -> SummarizationInstance:
    if size == "zipf" or size in LARGER:
        return generate_zipf(seed, LARGER.get(size, ZIPF_SENTENCES))
    limits = CLUSTER_SIZES[size]
    return from_cluster(cluster_of_size(seed, size), limits.candidate_words, limits.budget)


def from_cluster(
    cluster: Cluster, candidate_words: int, budget: int = 100, max_sentences: int = 6
) -> SummarizationInstance:
    """A problem from parsed documents: concepts, hard constraints, and the pruning of section 5.1 to `candidate_words`."""
    scores = concept_scores(cluster)
    parsed = [(d, p, sentence) for d, document in enumerate(cluster.documents) for p, sentence in enumerate(document)]
    chosen = best_sentences([sentence for _, _, sentence in parsed], scores, candidate_words)
    sentences: list[Sentence] = []
    tokens: dict[str, list[tuple[int, int, int]]] = {}
    for number, index in enumerate(chosen):
        document, position, sentence = parsed[index]
        sentences.append(
            Sentence(
                heads=sentence.heads,
                deletion_scores=deletion_scores(sentence),
                undeletable=undeletable_arcs(sentence),
                words=sentence.words,
                tags=sentence.tags,
                labels=sentence.labels,
                document=document,
                position=position,
            )
        )
        for first, bigram in enumerate(bigrams(sentence), 1):
            if bigram in scores:
                tokens.setdefault(bigram, []).append((number, first, first + 1))
    concepts = tuple(Concept(bigram, scores[bigram], tuple(where)) for bigram, where in tokens.items())
    return SummarizationInstance(cluster.name, tuple(sentences), concepts, budget, max_sentences, cluster.references)


def generate_zipf(seed: int, sentences_wanted: int = ZIPF_SENTENCES) -> SummarizationInstance:
    """Size `zipf`: no text, random trees, half of the arcs undeletable, small deletion scores of both signs.

    With another number of sentences the number of concept types is in proportion; the budgets stay.
    """
    rng, types = scaled_zipf(seed, sentences_wanted, ZIPF_SENTENCES, ZIPF_TYPES)
    lengths = draw_lengths(rng, sentences_wanted)
    sentences = []
    for index, length in enumerate(lengths):
        sentences.append(
            Sentence(
                heads=draw_tree(rng, length),
                deletion_scores=tuple(float(score) for score in rng.normal(0.0, 0.1, length)),
                undeletable=tuple(bool(flag) for flag in rng.random(length) < 0.5),
                document=document_of(index, len(lengths)),
                position=index,
            )
        )
    drawn = draw_concepts(rng, lengths, types, ZIPF_EMPTY)
    concepts = tuple(
        Concept(f"c{index}", concept.score, tuple((s, first, first + 1) for s, first in concept.tokens))
        for index, concept in enumerate(drawn)
    )
    name = f"zipf-{seed}" if sentences_wanted == ZIPF_SENTENCES else f"zipf-{sentences_wanted}-{seed}"
    return SummarizationInstance(name, tuple(sentences), concepts, budget=100, max_sentences=6)
