"""Compressive summarization as a factor graph (section 3.3, Figure 1).

Variables: first the nodes of the instance's layout (dummies and words), then the tokens of two or more words, then the
concept types. Factors: subtree deletion per sentence, AND-with-output per token, OR-with-output per concept, a budget on
words and one on sentences (the dummies). A token of one word is that word's own variable.
"""

from __future__ import annotations

import numpy as np

from ..factor_graph import FactorGraph
from ..linear_program import Floats, Integers
from .instance import SummarizationInstance, Summary


def token_variables(instance: SummarizationInstance) -> tuple[Integers, Integers]:
    """Each token's variable, and the indices of the tokens that have a variable of their own."""
    layout = instance.layout
    lengths = np.diff(layout.token_starts)
    own = np.flatnonzero(lengths > 1)
    variables = layout.token_nodes[layout.token_starts[:-1]].copy()
    variables[own] = len(layout.words) + np.arange(len(own))
    return variables, own


def build_graph(instance: SummarizationInstance) -> FactorGraph:
    layout = instance.layout
    graph = FactorGraph()
    nodes = graph.add_variables(np.zeros(len(layout.words)))
    variables, own = token_variables(instance)
    graph.add_variables(np.zeros(len(own)))
    concepts = graph.add_variables(layout.concept_scores)

    graph.add_subtree_block(layout.sizes, nodes, layout.parents, layout.deletion_scores, layout.undeletable)

    lengths = np.diff(layout.token_starts)[own]
    in_own = np.repeat(np.diff(layout.token_starts) > 1, np.diff(layout.token_starts))
    graph.add_logic_block(
        "and_out", lengths + 1, np.insert(layout.token_nodes[in_own], np.cumsum(lengths), variables[own])
    )

    counts = np.bincount(layout.token_concepts, minlength=len(concepts))
    graph.add_logic_block("or_out", counts + 1, np.insert(variables, np.cumsum(counts), concepts))

    if len(nodes):
        graph.add_budget(nodes[layout.words > 0], instance.budget)
        graph.add_budget(layout.starts, instance.max_sentences)
    return graph


def assignment_of(instance: SummarizationInstance, summary: Summary) -> Floats:
    layout = instance.layout
    kept = np.zeros(len(layout.words))
    for sentence, words in summary:
        start = int(layout.starts[sentence])
        kept[start] = 1.0
        kept[layout.node_of_word[start + np.array(words, dtype=np.int64)]] = 1.0
    on = (
        np.minimum.reduceat(kept[layout.token_nodes], layout.token_starts[:-1])
        if len(layout.token_concepts)
        else np.zeros(0)
    )
    _, own = token_variables(instance)
    covered = np.bincount(layout.token_concepts, weights=on, minlength=len(layout.concept_scores)) > 0
    return np.concatenate([kept, on[own], covered.astype(np.float64)])


def summary_of(instance: SummarizationInstance, kept: Floats) -> Summary:
    """The summary that 0/1 values of the nodes describe (further values are ignored)."""
    layout = instance.layout
    summary = []
    for index in np.flatnonzero(kept[layout.starts] > 0.5):
        start = layout.starts[index]
        nodes = np.flatnonzero(kept[start : start + layout.sizes[index]] > 0.5)
        words = np.sort(layout.words[start + nodes])
        summary.append((int(index), tuple(int(word) for word in words if word > 0)))
    return tuple(summary)
