"""A topic before it is scored: candidate sentences, concepts, and the features of both.

Parts are what a model scores: the concepts, then the arcs of all words, sentence after sentence. The same parts serve the
compressive problem (concepts and arcs) and the extractive one (concepts only), over the same candidates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..errors import InputError
from ..extraction.instance import Concept as ExtractionConcept
from ..extraction.instance import ExtractionInstance
from ..linear_program import Floats
from ..models.sparse import RowBuilder, SparseRows
from ..text.sentence import Cluster, ParsedSentence
from .constraints import undeletable_arcs
from .features import best_sentences, bigrams
from .instance import Concept, Sentence, SummarizationInstance, with_scores
from .part_features import CONCEPT_VALUE, ConceptFacts, arc_features, concept_facts, concept_features
from .words import legible, word_places, words_only

CANDIDATE_WORDS = 1000  # section 5.1, for 100 words of summary
SENTENCES = 6  # section 3.3, for 100 words of summary
SHARED_DOCUMENTS = 2  # a bigram of one document only makes no sentence a candidate


@dataclass(frozen=True, eq=False)
class Blueprint:
    """All that decoding and training need of a topic. Scores in `compressive` and `extractive` are 0."""

    name: str
    compressive: SummarizationInstance
    extractive: ExtractionInstance
    features: SparseRows
    sources: tuple[ParsedSentence, ...]  # the candidates with their punctuation

    @property
    def concepts(self) -> int:
        return len(self.compressive.concepts)

    @property
    def references(self) -> tuple[tuple[str, ...], ...]:
        return self.compressive.references

    @cached_property
    def deletable(self) -> Floats:
        """1 for each part that is a concept or an arc that may be deleted, 0 for the other arcs."""
        flags = [not flag for sentence in self.compressive.sentences for flag in sentence.undeletable]
        return np.concatenate([np.ones(self.concepts), np.array(flags, dtype=np.float64)])

    def compressive_problem(self, scores: Floats) -> SummarizationInstance:
        return with_scores(self.compressive, scores[: self.concepts], scores[self.concepts :])

    def extractive_problem(self, scores: Floats) -> ExtractionInstance:
        concepts = tuple(
            ExtractionConcept(concept.name, score, concept.sentences)
            for concept, score in zip(self.extractive.concepts, scores[: self.concepts].tolist(), strict=True)
        )
        return replace(self.extractive, concepts=concepts)

    def lines(self, summary: tuple[tuple[int, tuple[int, ...]], ...]) -> list[str]:
        """A summary as text, with punctuation."""
        return [legible(self.sources[index].words, kept) for index, kept in summary]


def sentence_limit(budget: int) -> int:
    """Six sentences for 100 words (the paper's K), more in proportion for longer summaries, never fewer."""
    return max(SENTENCES, round(SENTENCES * budget / 100))


def candidate_limit(budget: int) -> int:
    """1,000 words of candidates for 100 words (section 5.1), more in proportion for longer summaries, never fewer."""
    return max(CANDIDATE_WORDS, CANDIDATE_WORDS * budget // 100)


class Candidate(NamedTuple):
    """A sentence of a document: as it was parsed, and its words alone."""

    document: int
    position: int
    source: ParsedSentence
    words: ParsedSentence


def shared_counts(facts: Mapping[str, ConceptFacts]) -> dict[str, float]:
    """What bigrams are worth without a model: their document counts, if they are in two or more."""
    return {name: float(fact.documents) for name, fact in facts.items() if fact.documents >= SHARED_DOCUMENTS}


def learned_worths(facts: Mapping[str, ConceptFacts], pruner: Floats) -> dict[str, float]:
    """What bigrams are worth by the weights of a trained model: their scores, where these are above 0."""
    rows = RowBuilder((len(pruner) - 1).bit_length())
    for fact in facts.values():
        rows.add(dict.fromkeys(concept_features(fact), CONCEPT_VALUE))
    scores = rows.build().scores(pruner)
    return {name: float(score) for name, score in zip(facts, scores, strict=True) if score > 0.0}


def candidates(cluster: Cluster, worths: Mapping[str, float], most_words: int) -> list[Candidate]:
    """The sentences that the pruning of section 5.1 leaves, in the documents' order."""
    found = [
        Candidate(number, position, sentence, words_only(sentence))
        for number, document in enumerate(cluster.documents)
        for position, sentence in enumerate(document)
    ]
    found = [one for one in found if len(one.words)]
    return [found[index] for index in best_sentences([one.words for one in found], worths, most_words)]


def blueprint(
    cluster: Cluster,
    budget: int,
    bits: int,
    candidate_words: int | None = None,
    max_sentences: int | None = None,
    concept_value: float = CONCEPT_VALUE,
    pruner: Floats | None = None,
) -> Blueprint:
    """A topic with a budget of words, ready to be scored by weights over 2^bits features.

    `pruner` are the weights by which candidates are chosen; without it document counts choose them. `concept_value` is the value
    of a concept's features; weights are of use only with the value they were trained with.
    """
    if budget < 1:
        raise InputError(f"{cluster.name}: a summary needs a budget of at least 1 word, not {budget}.")
    facts = concept_facts(_plain(cluster))
    worths = shared_counts(facts) if pruner is None else learned_worths(facts, pruner)
    chosen = candidates(cluster, worths, candidate_limit(budget) if candidate_words is None else candidate_words)
    if not chosen:
        raise InputError(f"{cluster.name}: the documents are empty; expected at least one sentence with a word.")
    sentences = [_sentence(one) for one in chosen]
    tokens: dict[str, list[tuple[int, int, int]]] = {}
    for number, one in enumerate(chosen):
        for first, bigram in enumerate(bigrams(one.words), 1):
            if bigram:
                tokens.setdefault(bigram, []).append((number, first, first + 1))
    rows = RowBuilder(bits)
    for bigram in tokens:
        rows.add(dict.fromkeys(concept_features(facts[bigram]), concept_value))
    for one, sentence in zip(chosen, sentences, strict=True):
        for flag, names in zip(sentence.undeletable, arc_features(one.words), strict=True):
            rows.add([] if flag else names)
    concepts = tuple(Concept(bigram, 0.0, tuple(where)) for bigram, where in tokens.items())
    most = sentence_limit(budget) if max_sentences is None else max_sentences
    sources = tuple(one.source for one in chosen)
    return Blueprint(
        name=cluster.name,
        compressive=SummarizationInstance(
            cluster.name, tuple(sentences), concepts, budget, most, tuple(cluster.references)
        ),
        extractive=_extractive(cluster, sources, tokens, budget),
        features=rows.build(),
        sources=sources,
    )


def _plain(cluster: Cluster) -> Cluster:
    """Without punctuation and references."""
    documents = tuple(tuple(words_only(sentence) for sentence in document) for document in cluster.documents)
    return Cluster(cluster.name, documents, ())


def _sentence(one: Candidate) -> Sentence:
    flags = undeletable_arcs(one.source)
    return Sentence(
        heads=one.words.heads,
        deletion_scores=(0.0,) * len(one.words),
        undeletable=tuple(flags[place - 1] for place in word_places(one.source.words)),
        words=one.words.words,
        tags=one.words.tags,
        labels=one.words.labels,
        document=one.document,
        position=one.position,
    )


def _extractive(
    cluster: Cluster, sources: tuple[ParsedSentence, ...], tokens: dict[str, list[tuple[int, int, int]]], budget: int
) -> ExtractionInstance:
    lengths = tuple(len(word_places(source.words)) for source in sources)
    return ExtractionInstance(
        name=cluster.name,
        lengths=lengths,
        concepts=tuple(
            ExtractionConcept(bigram, 0.0, tuple(dict.fromkeys(number for number, _, _ in where)))
            for bigram, where in tokens.items()
        ),
        budget=budget,
        texts=tuple(
            legible(source.words, range(1, length + 1)) for source, length in zip(sources, lengths, strict=True)
        ),
        references=tuple(cluster.references),
    )


def document_counts(cluster: Cluster, made: Blueprint) -> Floats:
    """The unlearned concept scores of coverage systems: document counts, 0 below three (Gillick et al. 2008).

    Where there are fewer than ten documents, two are enough.
    """
    facts = concept_facts(_plain(cluster))
    counts = [facts[concept.name].documents for concept in made.compressive.concepts]
    fewest = 3 if len(cluster.documents) >= 10 else 2
    return np.array([count if count >= fewest else 0 for count in counts], dtype=np.float64)
