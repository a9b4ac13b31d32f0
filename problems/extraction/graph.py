"""Extractive summarization as a factor graph (section 2.2): OR-with-output per concept, one knapsack on sentences.

Variables: first the sentences, then the concept types.
"""

from __future__ import annotations

import numpy as np

from ..factor_graph import FactorGraph
from ..linear_program import Floats, Integers
from .instance import Extract, ExtractionInstance


def incidence(instance: ExtractionInstance) -> tuple[Integers, Integers]:
    """How many sentences each concept occurs in, and which, one concept after the other."""
    counts = np.array([len(concept.sentences) for concept in instance.concepts], dtype=np.int64)
    sentences = [sentence for concept in instance.concepts for sentence in concept.sentences]
    return counts, np.array(sentences, dtype=np.int64)


def concept_scores(instance: ExtractionInstance) -> Floats:
    return np.array([concept.score for concept in instance.concepts], dtype=np.float64)


def build_graph(instance: ExtractionInstance) -> FactorGraph:
    graph = FactorGraph()
    sentences = graph.add_variables(np.zeros(len(instance.lengths)))
    concepts = graph.add_variables(concept_scores(instance))
    counts, where = incidence(instance)
    graph.add_logic_block("or_out", counts + 1, np.insert(where, np.cumsum(counts), concepts))
    if len(sentences):
        graph.add_knapsack(sentences, instance.lengths, min(instance.budget, sum(instance.lengths)))
    return graph


def assignment_of(instance: ExtractionInstance, extract: Extract) -> Floats:
    selected = np.zeros(len(instance.lengths))
    selected[list(extract)] = 1.0
    counts, where = incidence(instance)
    owner = np.repeat(np.arange(len(counts)), counts)
    covered = np.bincount(owner, weights=selected[where], minlength=len(counts)) > 0
    return np.concatenate([selected, covered.astype(np.float64)])


def extract_of(instance: ExtractionInstance, assignment: Floats) -> Extract:
    return tuple(int(index) for index in np.flatnonzero(assignment[: len(instance.lengths)] > 0.5))
