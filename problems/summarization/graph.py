"""Compressive summarization as a factor graph (section 3.3, Figure 1).

Variables: first the nodes of the instance's layout (dummies and words), then the tokens of two or more words, then the
concept types. Factors: subtree deletion per sentence, AND-with-output per token, OR-with-output per concept, a budget on
words and one on sentences (the dummies). A token of one word is that word's own variable.
"""

from __future__ import annotations

import numpy as np

from ..factor_graph import FactorGraph
from ..factors.budget import Budget, checked_budget
from ..factors.flat import FlatFactors
from ..factors.logic import OrOut
from ..factors.subtree import Subtree
from ..kernels.summary_graphs import fill_summary
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
    trees, nodes, concepts = len(layout.sizes), len(layout.words), len(layout.concept_scores)
    if not nodes:
        return FactorGraph()
    tokens = len(layout.token_concepts)
    most = trees + tokens + concepts + 2  # factors
    codes = np.empty(most, dtype=np.int64)
    link_starts, int_starts, float_starts = np.empty((3, most + 1), dtype=np.int64)
    variables = np.empty(2 * nodes + trees + len(layout.token_nodes) + 2 * tokens + concepts, dtype=np.int64)
    negated = np.empty(len(variables), dtype=np.bool_)
    ints, deletions = np.empty(2 * nodes + 2, dtype=np.int64), layout.deletion_scores.copy()
    own = np.empty(tokens, dtype=np.int64)
    made = codes, link_starts, variables, negated, int_starts, ints, float_starts
    conjunctions, first = fill_summary(layout, own, *made)
    disjunctions = conjunctions + concepts
    factors, links = trees + disjunctions + 2, int(link_starts[trees + disjunctions + 2])
    words = variables[first : links - trees]
    ints[-2] = checked_budget(instance.budget, len(words))
    ints[-1] = checked_budget(instance.max_sentences, trees)
    counts = {Subtree.kind: trees, OrOut.kind: disjunctions, Budget.kind: 2}
    kinds = tuple(kind for kind, count in counts.items() if count)
    flat = FlatFactors(
        kinds=kinds,
        counts=tuple(counts[kind] for kind in kinds),
        codes=codes[:factors],
        link_starts=link_starts[: factors + 1],
        variables=variables[:links],
        negated=negated[:links],
        int_starts=int_starts[: factors + 1],
        ints=ints,
        float_starts=float_starts[: factors + 1],
        floats=deletions,
    )
    scores = np.zeros(nodes + disjunctions)
    scores[nodes + conjunctions :] = layout.concept_scores
    absolute = float(np.abs(deletions[words]).sum()) + float(np.abs(layout.concept_scores).sum())
    return FactorGraph.of_flat(scores, flat, 0.0, absolute)


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
