"""Extractive summarization as a factor graph (section 2.2): OR-with-output per concept, one knapsack on sentences.

Variables: first the sentences, then the concept types.
"""

from __future__ import annotations

import numpy as np

from ..checks import number
from ..factor_graph import FactorGraph
from ..factors.block import Block
from ..factors.budget import Knapsack, knapsack_parameters
from ..factors.logic import OrOut
from ..linear_program import Floats
from .instance import Extract, ExtractionInstance


def build_graph(instance: ExtractionInstance) -> FactorGraph:
    """The blocks are made here: checking and joining factors one by one would take as long as AD3's iterations."""
    layout = instance.layout
    sentences, concepts = len(layout.lengths), len(layout.counts)
    blocks: list[Block] = []
    if concepts:
        blocks.append(OrOut.of_inputs(layout.counts, layout.sentences, np.arange(sentences, sentences + concepts)))
    if sentences:
        room = number(min(instance.budget, sum(instance.lengths)), "the budget of a knapsack")
        blocks.append(Knapsack.of_costs(np.arange(sentences), knapsack_parameters(layout.lengths, room)))
    scores = np.concatenate([np.zeros(sentences), layout.concept_scores])
    return FactorGraph.of_blocks(scores, blocks, instance.magnitude)


def assignment_of(instance: ExtractionInstance, extract: Extract) -> Floats:
    selected = np.zeros(len(instance.lengths))
    selected[list(extract)] = 1.0
    layout = instance.layout
    present = np.bincount(layout.concepts, weights=selected[layout.sentences], minlength=len(layout.counts))
    return np.concatenate([selected, (present > 0).astype(np.float64)])


def extract_of(instance: ExtractionInstance, assignment: Floats) -> Extract:
    return tuple(int(index) for index in np.flatnonzero(assignment[: len(instance.lengths)] > 0.5))
