"""Dependency parsing as a factor graph, in two decompositions of the same objective.

- `large` (section 3): one tree, one grand-sibling automaton and one tri-sibling automaton per side of each head, one sequence
  of head bigrams, and a pair per arbitrary sibling. Variables are the candidate arcs.
- `many` (in the manner of Martins et al. 2011): the tree and otherwise small components only. Each automaton becomes 0/1
  transitions between consecutive modifiers, tied to the arcs by logic factors; grandparents, grand-siblings,
  tri-siblings and head bigrams are pairs. Variables are the arcs, then the transitions.

A side of a head without candidate modifiers has START-END scores only: they go to the head's incoming arcs.
"""

from __future__ import annotations

import numpy as np

from ..factor_graph import FactorGraph
from ..factors.block import runs
from ..linear_program import Floats, Integers
from .instance import ParsingInstance, Tree


def build_graph(instance: ParsingInstance) -> FactorGraph:
    graph = FactorGraph()
    scores, constant = _folded_scores(instance)
    arcs = graph.add_variables(scores)
    graph.constant = constant
    heads, modifiers, count = instance.heads, instance.modifiers, instance.number_of_words
    if instance.projective:
        graph.add_projective_tree(arcs, heads, modifiers, count, instance.single_root)
    else:
        graph.add_arborescence(arcs, heads, modifiers, count, instance.single_root, instance.flow)
    if instance.order == "1":
        return graph
    if instance.decomposition == "large":
        _add_automata(graph, instance)
    else:
        _add_transitions(graph, instance)
    if instance.order in ("2+", "3"):
        graph.add_pair_block(instance.any_sibling_arcs.ravel(), instance.any_sibling_scores)
        _add_bigrams(graph, instance)
    return graph


def _folded_scores(instance: ParsingInstance) -> tuple[Floats, float]:
    """Arc scores with the START-END scores of sides that have no candidate modifier, and what remains constant."""
    scores = instance.arc_scores
    if instance.order == "1":
        return scores, 0.0
    automata = instance.automata
    bare = np.flatnonzero(automata.outgoing_counts == 0)
    constant = float(instance.sibling_scores[automata.sibling_starts[bare]].sum())
    if instance.order == "3":
        scores = scores.copy()
        for automaton in bare[bare > 0].tolist():
            scores[automata.incoming_of(automaton + 1 >> 1)] += automata.grand_sibling_table(
                instance.grand_sibling_scores, automaton
            )[:, 0, 0]
    return scores, constant


def _add_automata(graph: FactorGraph, instance: ParsingInstance) -> None:
    """All automata at once; those of the same word have the same incoming arcs."""
    automata, third = instance.automata, instance.order == "3"
    kept = automata.outgoing_counts > 0
    counts = automata.incoming_counts[kept]
    starts = np.concatenate([np.zeros(1, dtype=np.int64), np.repeat(automata.incoming_starts[:-1], 2)])
    incoming = runs(starts[kept], counts)

    def of_kept(scores: Floats, offsets: Integers) -> Floats:
        return scores[np.repeat(kept, np.diff(offsets))]

    graph.add_grand_sibling_block(
        counts,
        automata.outgoing_counts[kept],
        incoming,
        automata.outgoing,
        instance.heads[incoming],
        instance.modifiers[automata.outgoing],
        of_kept(instance.sibling_scores, automata.sibling_starts),
        of_kept(instance.grandparent_scores, automata.grandparent_starts),
        of_kept(instance.grand_sibling_scores, automata.grand_sibling_starts) if third else None,
    )
    if third:
        scores = of_kept(instance.tri_sibling_scores, automata.tri_sibling_starts)
        graph.add_tri_sibling_block(automata.outgoing_counts[kept], automata.outgoing, scores)


def _add_bigrams(graph: FactorGraph, instance: ParsingInstance) -> None:
    automata, count = instance.automata, instance.number_of_words
    if count < 2:
        return
    if instance.decomposition == "large":
        arcs = np.arange(len(instance.heads))  # in the order of their modifiers
        graph.add_head_bigram_arrays(automata.heads_per_word, arcs, instance.bigram_scores)
        return
    groups = [automata.incoming_of(word) for word in range(1, count + 1)]
    tables = [automata.bigram_table(instance.bigram_scores, word) for word in range(1, count)]
    for first, second, table in zip(groups, groups[1:], tables, strict=False):
        links = np.column_stack([np.repeat(first, len(second)), np.tile(second, len(first))])
        graph.add_pair_block(links.ravel(), table.ravel())


def transitions(degree: int) -> tuple[Integers, Integers]:
    """The entries [a, b] of a sibling table that a tree can reach: a <= b."""
    return np.triu_indices(degree + 1)


def _add_transitions(graph: FactorGraph, instance: ParsingInstance) -> None:
    """Automata as small components: transitions with their sibling scores, logic factors and pairs."""
    automata, third = instance.automata, instance.order == "3"
    for automaton in np.flatnonzero(automata.outgoing_counts).tolist():
        outgoing = automata.outgoing_of(automaton)
        incoming = automata.incoming_of(automaton + 1 >> 1)
        degree = len(outgoing)
        before, after = transitions(degree)
        steps = np.full((degree + 1, degree + 1), -1, dtype=np.int64)
        steps[before, after] = graph.add_variables(
            automata.sibling_table(instance.sibling_scores, automaton)[before, after]
        )
        graph.add_logic("xor", steps[0])
        for place, arc in enumerate(outgoing):
            graph.add_logic("xor_out", np.append(steps[: place + 1, place], arc))
            graph.add_logic("xor_out", np.append(steps[place + 1, place + 1 :], arc))
        distinct = instance.heads[incoming][:, None] != instance.modifiers[outgoing][None, :]
        grandparents, places = np.nonzero(distinct)
        table = automata.grandparent_table(instance.grandparent_scores, automaton)
        links = np.column_stack([incoming[grandparents], outgoing[places]])
        graph.add_pair_block(links.ravel(), table[grandparents, places])
        if not third:
            continue
        table = automata.grand_sibling_table(instance.grand_sibling_scores, automaton)
        around = np.column_stack([np.ones(len(incoming), dtype=bool), distinct])  # START, then the modifiers
        ahead = np.column_stack([distinct, np.ones(len(incoming), dtype=bool)])  # the modifiers, then END
        which, step = np.nonzero(around[:, before] & ahead[:, after])
        links = np.column_stack([incoming[which], steps[before[step], after[step]]])
        graph.add_pair_block(links.ravel(), table[which, before[step], after[step]])
        table = automata.tri_sibling_table(instance.tri_sibling_scores, automaton)
        first, second, next_one = np.meshgrid(*(np.arange(size) for size in table.shape), indexing="ij")
        ordered = (first <= second) & (second < next_one)
        first, second, next_one = first[ordered], second[ordered], next_one[ordered]
        before = np.where(first < second, first + 1, 0)  # START is written as the first modifier once more
        links = np.column_stack([steps[before, second], steps[second + 1, next_one]])
        graph.add_pair_block(links.ravel(), table[first, second, next_one])


def assignment_of(instance: ParsingInstance, tree: Tree) -> Floats:
    automata = instance.automata
    values = np.zeros(len(instance.heads))
    values[[automata.arc_numbers[head, index + 1] for index, head in enumerate(tree)]] = 1.0
    if instance.decomposition == "large" or instance.order == "1":
        return values
    parts = [values]
    for automaton in np.flatnonzero(automata.outgoing_counts).tolist():
        degree = int(automata.outgoing_counts[automaton])
        steps = np.zeros((degree + 1, degree + 1))
        before = 0
        for place in (*np.flatnonzero(values[automata.outgoing_of(automaton)]).tolist(), degree):
            steps[before, place] = 1.0
            before = place + 1
        parts.append(steps[transitions(degree)])
    return np.concatenate(parts)


def tree_of(instance: ParsingInstance, assignment: Floats) -> Tree:
    """The head of each word; -1 where not exactly one arc into it is true."""
    chosen = np.flatnonzero(assignment[: len(instance.heads)] > 0.5)
    heads = np.full(instance.number_of_words, -1, dtype=np.int64)
    heads[instance.modifiers[chosen] - 1] = instance.heads[chosen]
    if len(chosen) != len(heads):
        heads[np.bincount(instance.modifiers[chosen] - 1, minlength=len(heads)) != 1] = -1
    return tuple(heads.tolist())
