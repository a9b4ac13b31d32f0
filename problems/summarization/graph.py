"""Compressive summarization as a factor graph (section 3.3, Figure 1).

Variables: first the nodes of the instance's layout (dummies and words), then the tokens of two or more words, then the
concept types. Factors: subtree deletion per sentence, AND-with-output per token, OR-with-output per concept, a budget on
words and one on sentences (the dummies). A token of one word is that word's own variable.
"""

from __future__ import annotations

import numpy as np

from ..factor_graph import FactorGraph
from ..factors.block import Block
from ..factors.budget import Budget, checked_budget
from ..factors.logic import OrOut
from ..factors.subtree import Subtree
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
    """The blocks are made here: checking and joining factors one by one would take as long as many of AD3's iterations."""
    layout = instance.layout
    count, concepts = len(layout.words), len(layout.concept_scores)
    variables, own = token_variables(instance)
    scores = np.concatenate([np.zeros(count + len(own)), layout.concept_scores])
    if not count:
        return FactorGraph.of_blocks(scores, [], 0.0)
    nodes, deletions = np.arange(count), layout.deletion_scores.copy()
    trees = Subtree.of_trees(layout.sizes, nodes, layout.parents, deletions, layout.undeletable)
    words = nodes[layout.words > 0]
    budget = checked_budget(instance.budget, len(words)), checked_budget(instance.max_sentences, len(layout.starts))
    blocks: list[Block] = [trees, Budget.of_budgets((words, layout.starts), budget)]
    if concepts:
        lengths = np.diff(layout.token_starts)
        in_own = np.repeat(lengths > 1, lengths)
        counts = np.concatenate([lengths[own], np.bincount(layout.token_concepts, minlength=concepts)])
        inputs = np.concatenate([layout.token_nodes[in_own], variables])
        blocks.insert(1, OrOut.of_inputs(counts, inputs, np.arange(count, len(scores)), conjunctions=len(own)))
    absolute = float(np.abs(deletions[words]).sum()) + float(np.abs(layout.concept_scores).sum())
    return FactorGraph.of_blocks(scores, blocks, absolute)


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
