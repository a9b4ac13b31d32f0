"""From fractional posteriors to a summary: the paper's rounding (section 3.4) and a search that improves on it."""

from __future__ import annotations

import numpy as np

from ..factors.block import runs, starts_of
from ..linear_program import Floats, Integers
from ..search_units import in_search_units
from .graph import assignment_of, summary_of
from .instance import SummarizationInstance, Summary

SUPPORT_TOLERANCE = 1e-3  # a sentence takes part in the search if its posterior is above this
MAX_ROUNDS = 50
MOST_CANDIDATES = 200  # sentences in the search, those with the highest posteriors: its time grows with their square


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
    """The paper's rounding, then local search on the objective over the sentences with positive posterior."""
    of_sentences = posteriors[instance.layout.starts]
    candidates = np.flatnonzero(of_sentences > SUPPORT_TOLERANCE)
    if len(candidates) > MOST_CANDIDATES:
        candidates = candidates[np.argsort(-of_sentences[candidates], kind="stable")[:MOST_CANDIDATES]]
    return improve(instance, round_paper(instance, posteriors), candidates)


def improve(instance: SummarizationInstance, summary: Summary, candidates: Integers) -> Summary:
    """The local search of `kernels.summary_search`, started from a feasible summary; never worse than it.

    Only the candidates and the sentences of the summary take part: everything else is left out of the kernel's arrays.
    """
    from ..kernels.summary_search import Problem, State, contract, search, unit_tokens

    layout = instance.layout
    selected = np.array([index for index, _ in summary], dtype=np.int64)
    support = np.union1d(candidates, selected)
    unit_of_node, parent, cost, worth, _, ends, first = contract(
        layout.starts[support],
        layout.sizes[support],
        layout.parents,
        layout.undeletable,
        layout.deletion_scores,
        layout.words,
    )
    takes_part = np.zeros(len(layout.words), dtype=bool)
    takes_part[runs(layout.starts[support], layout.sizes[support])] = True
    tokens = np.flatnonzero(takes_part[layout.token_nodes[layout.token_starts[:-1]]])
    lengths = np.diff(layout.token_starts)[tokens]
    token_starts, token_units, unit_token_starts, tokens_of_unit = unit_tokens(
        unit_of_node, len(cost), starts_of(lengths), layout.token_nodes[runs(layout.token_starts[tokens], lengths)]
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
        token_concepts=layout.token_concepts[tokens],
        concept_scores=scores[: len(layout.concept_scores)],
        budget=min(instance.budget, instance.number_of_words),
        max_sentences=min(instance.max_sentences, len(instance.sentences)),
    )
    kept = np.zeros(len(cost), dtype=bool)
    nodes = assignment_of(instance, summary)[: len(layout.words)]
    kept[unit_of_node[nodes > 0.5]] = True
    concepts = len(layout.concept_scores)
    state = State(
        kept=np.zeros(len(cost), dtype=bool),
        missing=np.diff(token_starts),
        active=np.zeros(concepts, dtype=np.int64),
        counts=np.zeros(2, dtype=np.int64),
    )
    mark = np.zeros(concepts, dtype=np.int64)
    moves = np.arange(-1, len(cost))
    search(problem, state, np.arange(len(support)), moves, mark, kept, MAX_ROUNDS)
    result = np.zeros(len(layout.words))
    result[takes_part] = kept[unit_of_node[takes_part]]
    return summary_of(instance, result)
