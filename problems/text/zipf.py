"""Synthetic concept occurrences without text, for timings that can be compared between machines and papers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

DOCUMENTS = 10
EXPONENT = 0.75
MOST_OCCURRENCES = 5
LARGER = {f"zipf-{sentences}": sentences for sentences in (300, 1000, 3000, 10_000)}
"""Sizes with many more sentences than the usual one, for the growth of time and memory."""


class ZipfConcept(NamedTuple):
    score: float
    tokens: tuple[tuple[int, int], ...]  # sentence, first word (numbered from 1) of a bigram


def scaled_zipf(seed: int, sentences: int, usual: int, usual_types: int) -> tuple[np.random.Generator, int]:
    """The generator of a problem with this many sentences, and its number of concept types; the usual size keeps its seeds."""
    more = [] if sentences == usual else [sentences]
    return np.random.default_rng([seed, 2013, *more]), max(1, round(usual_types * sentences / usual))


def draw_lengths(rng: np.random.Generator, sentences: int) -> list[int]:
    """Sentence lengths from N(25, 6), at least 3 words."""
    return [max(3, round(float(length))) for length in rng.normal(25.0, 6.0, sentences)]


def document_of(sentence: int, sentences: int) -> int:
    """Sentences are spread evenly over the documents, in order."""
    return sentence * DOCUMENTS // sentences


def draw_concepts(rng: np.random.Generator, lengths: list[int], types: int, empty: float) -> list[ZipfConcept]:
    """Concept types for the bigram positions of all sentences.

    A share `empty` of the positions has no concept; the others draw a type with Zipf weights, and a type that has its
    `MOST_OCCURRENCES` leaves the urn. A concept's score is the number of documents it occurs in, times U(1, 1.2).
    """
    weights = 1.0 / np.arange(1, types + 1) ** EXPONENT
    cumulative = np.cumsum(weights)
    tokens: list[list[tuple[int, int]]] = [[] for _ in range(types)]
    for sentence, length in enumerate(lengths):
        for first in range(1, length):
            if rng.random() < empty or cumulative[-1] == 0.0:
                continue
            chosen = int(np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right"))
            tokens[chosen].append((sentence, first))
            if len(tokens[chosen]) == MOST_OCCURRENCES:
                weights[chosen] = 0.0
                cumulative = np.cumsum(weights)
    concepts = []
    for occurrences in tokens:
        if occurrences:
            documents = {document_of(sentence, len(lengths)) for sentence, _ in occurrences}
            concepts.append(ZipfConcept(len(documents) * float(rng.uniform(1.0, 1.2)), tuple(occurrences)))
    return concepts


def draw_tree(rng: np.random.Generator, length: int) -> tuple[int, ...]:
    """Heads of a random recursive tree: words are attached in random order to a word attached before."""
    order = [int(word) for word in rng.permutation(length) + 1]
    heads = [0] * length
    for index in range(1, length):
        heads[order[index] - 1] = order[int(rng.integers(index))]
    return tuple(heads)
