"""Extractive summarization as a factor graph (section 2.2): OR-with-output per concept, one knapsack on sentences.

Variables: first the sentences, then the concept types.
"""

from __future__ import annotations

import numpy as np

from ..checks import number
from ..factor_graph import FactorGraph
from ..factors.budget import Knapsack, knapsack_parameters
from ..factors.flat import FlatFactors
from ..factors.logic import OrOut
from ..kernels.summary_graphs import fill_extraction
from ..linear_program import Floats
from .instance import Extract, ExtractionInstance


def build_graph(instance: ExtractionInstance) -> FactorGraph:
    layout = instance.layout
    sentences, concepts = len(layout.lengths), len(layout.counts)
    if not sentences:
        return FactorGraph()
    factors, links = concepts + 1, len(layout.sentences) + concepts + sentences
    room = number(min(instance.budget, sum(instance.lengths)), "the budget of a knapsack")
    parameters = knapsack_parameters(layout.lengths, room)
    codes, link_starts = np.empty(factors, dtype=np.int64), np.empty(factors + 1, dtype=np.int64)
    variables = np.empty(links, dtype=np.int64)
    fill_extraction(layout.counts, layout.sentences, sentences, codes, link_starts, variables)
    none, float_starts = np.zeros((2, factors + 1), dtype=np.int64)
    float_starts[factors] = len(parameters)
    counts = {OrOut.kind: concepts, Knapsack.kind: 1} if concepts else {Knapsack.kind: 1}
    flat = FlatFactors(
        kinds=tuple(counts),
        counts=tuple(counts.values()),
        codes=codes,
        link_starts=link_starts,
        variables=variables,
        negated=np.zeros(links, dtype=np.bool_),
        int_starts=none,
        ints=np.empty(0, dtype=np.int64),
        float_starts=float_starts,
        floats=parameters,
    )
    scores = np.zeros(sentences + concepts)
    scores[sentences:] = layout.concept_scores
    return FactorGraph.of_flat(scores, flat, 0.0, instance.magnitude)


def assignment_of(instance: ExtractionInstance, extract: Extract) -> Floats:
    selected = np.zeros(len(instance.lengths))
    selected[list(extract)] = 1.0
    layout = instance.layout
    present = np.bincount(layout.concepts, weights=selected[layout.sentences], minlength=len(layout.counts))
    return np.concatenate([selected, (present > 0).astype(np.float64)])


def extract_of(instance: ExtractionInstance, assignment: Floats) -> Extract:
    return tuple(int(index) for index in np.flatnonzero(assignment[: len(instance.lengths)] > 0.5))
