"""Graphs of coverage problems built by the checked `add_*` methods: what the tasks' own blocks must equal."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np

from problems.extraction.instance import ExtractionInstance
from problems.factor_graph import FactorGraph
from problems.summarization.graph import token_variables
from problems.summarization.instance import SummarizationInstance


def extraction_graph(instance: ExtractionInstance) -> FactorGraph:
    graph = FactorGraph()
    sentences = graph.add_variables(np.zeros(len(instance.lengths)))
    concepts = graph.add_variables([concept.score for concept in instance.concepts])
    for concept, output in zip(instance.concepts, concepts, strict=True):
        graph.add_logic("or_out", [*concept.sentences, output])
    if len(sentences):
        graph.add_knapsack(sentences, instance.lengths, min(instance.budget, sum(instance.lengths)))
    return graph


def summarization_graph(instance: SummarizationInstance) -> FactorGraph:
    layout = instance.layout
    graph = FactorGraph()
    nodes = graph.add_variables(np.zeros(len(layout.words)))
    variables, own = token_variables(instance)
    graph.add_variables(np.zeros(len(own)))
    concepts = graph.add_variables(layout.concept_scores)
    graph.add_subtree_block(layout.sizes, nodes, layout.parents, layout.deletion_scores, layout.undeletable)
    for token in own:
        words = layout.token_nodes[layout.token_starts[token] : layout.token_starts[token + 1]]
        graph.add_logic("and_out", [*words, variables[token]])
    for concept, output in enumerate(concepts):
        graph.add_logic("or_out", [*variables[layout.token_concepts == concept], output])
    if len(nodes):
        graph.add_budget(nodes[layout.words > 0], instance.budget)
        graph.add_budget(layout.starts, instance.max_sentences)
    return graph


def assert_same_graph(found: FactorGraph, expected: FactorGraph) -> None:
    """Both have the same factors, scores and magnitude, bit by bit, as blocks and as flat arrays."""
    assert found.kinds == expected.kinds
    assert found.magnitude == expected.magnitude
    assert found.constant == expected.constant
    assert np.array_equal(found.scores, expected.scores)
    if not expected.number_of_factors:
        assert not found.number_of_factors
        return
    assert found.flat is not None
    blocks = dict(zip(found.kinds, found.blocks, strict=True))
    again = FactorGraph.of_flat(found.scores, found.flat, found.constant, found.magnitude).blocks
    for block, split, other in zip(blocks.values(), again, expected.blocks, strict=True):
        assert type(block) is type(split) is type(other)
        for ours, parts, theirs in zip(astuple(block), astuple(split), astuple(other), strict=True):
            assert ours.dtype == parts.dtype == theirs.dtype
            assert np.array_equal(ours, theirs)
            assert np.array_equal(parts, theirs)
