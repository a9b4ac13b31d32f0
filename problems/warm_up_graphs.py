"""Small factor graphs that between them take every solver through every kernel that a bare graph may need.

The runner warms its workers up on them, so that no cell loads a kernel.
"""

from __future__ import annotations

import numpy as np

from .factor_graph import FactorGraph


def warm_up_graphs() -> list[FactorGraph]:
    return [every_kind(), odd_circle(), summary(), summary(with_pair=True)]


def every_kind() -> FactorGraph:
    """A factor of each kind, over the four arcs of a sentence of two words, an or and an and of them."""
    from .compression.forests import kept_path

    graph = FactorGraph()
    arcs = graph.add_variables([0.5, 0.4, 0.3, -0.2])  # 0 -> 1, 1 -> 2, 0 -> 2, 2 -> 1
    either, both = graph.add_variables([0.1, -0.1])
    heads, modifiers = [0, 1, 0, 2], [1, 2, 2, 1]
    first, second = arcs[[0, 3]], arcs[[1, 2]]  # the arcs to each word
    graph.add_arborescence(arcs, heads, modifiers, 2)
    graph.add_projective_tree(arcs, heads, modifiers, 2)
    graph.add_grand_siblings(first, arcs[[1]], [0, 2], [2], np.eye(2), np.ones((2, 1)), np.ones((2, 2, 2)))
    graph.add_tri_siblings(arcs[:3], np.ones((3, 3, 4)))
    graph.add_head_bigrams([first, second], [np.eye(2)])
    graph.add_dense([first, second], [0.1, -0.2, 0.3, 0.0])
    graph.add_derivation(arcs, kept_path(np.ones((6, 6)), 2))
    graph.add_logic("xor", first)
    graph.add_logic("at_most_one", second)
    graph.add_logic("or", arcs[1:])
    graph.add_logic("or_out", [*second, either])
    graph.add_logic("and_out", [*arcs[:2], both])
    graph.add_subtree_deletion([either, both], [-1, 0], [0.0, 0.1])
    graph.add_pair(arcs[0], arcs[1], 0.3)
    graph.add_budget(arcs, 3)
    graph.add_knapsack(arcs, [1.0, 1.5, 1.0, 2.0], 4.0)
    graph.add_knapsack(arcs, [1, 2, 1, 2], 4, hull=True)
    return graph


def odd_circle() -> FactorGraph:
    """Three variables that exclude each other at a price, and a tree without a gate.

    The relaxation takes half of each of the three, so that exact solvers branch.
    """
    graph = FactorGraph()
    x = graph.add_variables([1.0, 1.1, 1.2, -0.5, 0.4])
    graph.add_pair_block([x[0], x[1], x[1], x[2], x[2], x[0]], [-2.0, -2.0, -2.0])
    graph.add_budget(x[:3], 2)
    graph.add_subtree_deletion(x[3:], [-1, 0], [0.0, 0.1], [False, True])
    return graph


def summary(with_pair: bool = False) -> FactorGraph:
    """Two trees of words, a concept in both, and a budget: a coverage problem, unless two words have a score together."""
    graph = FactorGraph()
    words = graph.add_variables([0.2, 0.1, -0.3, 0.1, 0.0])
    tokens, concept = graph.add_variables([0.0, 0.0]), graph.add_variables([1.0])
    graph.add_subtree_deletion(words[:3], [-1, 0, 0], [0.0, 0.1, 0.1], [False, True, False])
    graph.add_subtree_deletion(words[3:], [-1, 0], [0.0, 0.1])
    for token, tree in zip(tokens, ([1, 2], [3, 4]), strict=True):
        graph.add_logic("and_out", [*words[tree], token])
    graph.add_logic("or_out", [*tokens, *concept])
    graph.add_budget(words, 3)
    if with_pair:
        graph.add_pair(words[0], words[3], 0.2)
    return graph
