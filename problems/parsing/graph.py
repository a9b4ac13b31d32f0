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
from ..factors.flat import FlatFactors
from ..factors.trees import FLOWS, Arborescence, ProjectiveTree
from ..linear_program import Floats, Integers
from .instance import ParsingInstance, Tree


def build_graph(instance: ParsingInstance) -> FactorGraph:
    if instance.decomposition == "large" or instance.order == "1":
        return _large(instance)
    graph = FactorGraph()
    scores, constant = _folded_scores(instance)
    arcs = graph.add_variables(scores)
    graph.constant = constant
    heads, modifiers, count = instance.heads, instance.modifiers, instance.number_of_words
    if instance.projective:
        graph.add_projective_tree(arcs, heads, modifiers, count, instance.single_root)
    else:
        graph.add_arborescence(arcs, heads, modifiers, count, instance.single_root, instance.flow)
    _add_transitions(graph, instance)
    if instance.order in ("2+", "3"):
        graph.add_pair_block(instance.any_sibling_arcs.ravel(), instance.any_sibling_scores)
        _add_bigrams(graph, instance)
    return graph


def _large(instance: ParsingInstance) -> FactorGraph:
    """The large factors, laid out by compiled code: a sentence is decoded in less time than numpy calls would take."""
    from ..kernels.parsing_layout import lay_out_parsing, measure_parsing

    automata = instance.automata
    higher, third, plus = instance.order != "1", instance.order == "3", instance.order in ("2+", "3")
    pairs = len(instance.any_sibling_scores)
    bigrams = plus and instance.number_of_words > 1
    sizes = np.empty(7, dtype=np.int64)
    incoming_starts, outgoing_counts = automata.incoming_starts, automata.outgoing_counts
    measure_parsing(incoming_starts, outgoing_counts, higher, third, pairs if plus else -1, sizes)
    factors, links, ints, floats, grand, twos, mores = sizes.tolist()
    tree = ProjectiveTree if instance.projective else Arborescence
    middle = [("pair", twos + pairs), ("tri_siblings", mores)]
    listed = [(tree.kind, 1), ("grand_siblings", grand), *(middle if twos else middle[::-1])]
    listed.append(("head_bigrams", int(bigrams)))
    flat = FlatFactors(
        kinds=tuple(kind for kind, count in listed if count),
        counts=tuple(count for _, count in listed if count),
        codes=np.empty(factors, dtype=np.int64),
        link_starts=np.empty(factors + 1, dtype=np.int64),
        variables=np.empty(links, dtype=np.int64),
        negated=np.zeros(links, dtype=np.bool_),
        int_starts=np.empty(factors + 1, dtype=np.int64),
        ints=np.empty(ints, dtype=np.int64),
        float_starts=np.empty(factors + 1, dtype=np.int64),
        floats=np.empty(floats),
    )
    scores, totals = instance.arc_scores.copy(), np.empty(2)
    flow = "multi" if instance.projective else instance.flow
    lay_out_parsing(
        instance.heads,
        instance.modifiers,
        incoming_starts,
        outgoing_counts,
        automata.outgoing,
        instance.sibling_scores,
        instance.grandparent_scores,
        instance.grand_sibling_scores,
        instance.tri_sibling_scores,
        instance.bigram_scores,
        instance.any_sibling_arcs,
        instance.any_sibling_scores,
        tree.code,
        np.array((instance.number_of_words, instance.single_root, FLOWS.index(flow)), dtype=np.int64),
        higher,
        third,
        bigrams,
        sizes,
        scores,
        flat.codes,
        flat.link_starts,
        flat.variables,
        flat.int_starts,
        flat.ints,
        flat.float_starts,
        flat.floats,
        totals,
    )
    constant, absolute = totals.tolist()
    return FactorGraph.of_flat(scores, flat, constant, absolute)


def _folded_scores(instance: ParsingInstance) -> tuple[Floats, float]:
    """Arc scores with the START-END scores of sides that have no candidate modifier, and what remains constant."""
    automata = instance.automata
    bare = np.flatnonzero(automata.outgoing_counts == 0)
    scores = instance.arc_scores.copy()
    constant = float(instance.sibling_scores[automata.sibling_starts[bare]].sum())
    if instance.order == "3":
        for automaton in bare[bare > 0].tolist():
            scores[automata.incoming_of(automaton + 1 >> 1)] += automata.grand_sibling_table(
                instance.grand_sibling_scores, automaton
            )[:, 0, 0]
    return scores, constant


def _add_bigrams(graph: FactorGraph, instance: ParsingInstance) -> None:
    automata, count = instance.automata, instance.number_of_words
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
