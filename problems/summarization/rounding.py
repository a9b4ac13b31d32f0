"""From fractional posteriors to a summary: the paper's rounding (section 3.4) and a search that improves on it."""

from __future__ import annotations

import numpy as np

from ..linear_program import Floats, Integers
from ..search_units import in_search_units
from .graph import assignment_of, summary_of
from .instance import SummarizationInstance, Summary

SUPPORT_TOLERANCE = 1e-3  # a sentence takes part in the search if its posterior is above this
MAX_ROUNDS = 50


def subtree_ends(sizes: Integers, parents: Integers) -> Integers:
    """For each node in preorder the first node after its subtree (flat indices)."""
    from ..kernels.tree_knapsack import subtree_ends as compiled

    return compiled(sizes, parents)


def round_paper(instance: SummarizationInstance, posteriors: Floats) -> Summary:
    """The K sentences with the highest posteriors, then the feasible summary closest to the posteriors among them.

    For 0/1 values, |z - p|^2 is a constant minus sum of z (2p - 1): a tree knapsack.
    """
    from ..kernels.tree_knapsack import tree_knapsack

    layout = instance.layout
    best = np.argsort(-posteriors[layout.starts], kind="stable")[: instance.max_sentences]
    chosen = np.sort(best)
    weights = 2.0 * posteriors[: len(layout.words)] - 1.0
    kept = tree_knapsack(
        chosen,
        layout.starts,
        layout.sizes,
        subtree_ends(layout.sizes, layout.parents),
        layout.undeletable,
        (layout.words > 0).astype(np.int64),
        weights,
        min(instance.budget, instance.number_of_words),
    )
    return summary_of(instance, kept)


def round_search(instance: SummarizationInstance, posteriors: Floats) -> Summary:
    """The paper's rounding, then local search on the objective over all sentences with positive posterior."""
    candidates = np.flatnonzero(posteriors[instance.layout.starts] > SUPPORT_TOLERANCE)
    return improve(instance, round_paper(instance, posteriors), candidates)


def improve(instance: SummarizationInstance, summary: Summary, candidates: Integers) -> Summary:
    """The local search of `kernels.summary_search`, started from a feasible summary; never worse than it."""
    from ..kernels.summary_search import Problem, State, contract, search, unit_tokens

    layout = instance.layout
    unit_of_node, parent, cost, worth, sentence, ends, first = contract(
        layout.starts, layout.sizes, layout.parents, layout.undeletable, layout.deletion_scores, layout.words
    )
    token_starts, token_units, unit_token_starts, tokens_of_unit = unit_tokens(
        unit_of_node, len(cost), layout.token_starts, layout.token_nodes
    )
    scores = in_search_units(np.concatenate([layout.concept_scores, worth]))
    problem = Problem(
        unit_first=np.append(first, len(cost)),
        unit_parent=parent,
        unit_end=ends,
        unit_cost=cost,
        unit_worth=scores[len(layout.concept_scores) :],
        unit_token_starts=unit_token_starts,
        unit_tokens=tokens_of_unit,
        token_starts=token_starts,
        token_units=token_units,
        token_concepts=layout.token_concepts,
        concept_scores=scores[: len(layout.concept_scores)],
        budget=min(instance.budget, instance.number_of_words),
        max_sentences=min(instance.max_sentences, len(instance.sentences)),
    )
    kept = np.zeros(len(cost), dtype=bool)
    nodes = assignment_of(instance, summary)[: len(layout.words)]
    kept[unit_of_node[nodes > 0.5]] = True
    selected = np.array([index for index, _ in summary], dtype=np.int64)
    support = np.union1d(candidates, selected)
    units = np.flatnonzero(np.isin(sentence, support))
    concepts = len(layout.concept_scores)
    state = State(
        kept=np.zeros(len(cost), dtype=bool),
        missing=np.diff(token_starts),
        active=np.zeros(concepts, dtype=np.int64),
        counts=np.zeros(2, dtype=np.int64),
    )
    mark = np.zeros(concepts, dtype=np.int64)
    search(problem, state, support, np.append(-1, units), mark, kept, MAX_ROUNDS)
    return summary_of(instance, kept[unit_of_node].astype(np.float64))
