"""Hypothesis strategies: random small factor graphs with every factor kind."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import strategies as st
from parsing_strategies import PARSING_KINDS, add_parsing_factor

from problems.compression.forests import kept_path, kept_tree
from problems.factor_graph import FactorGraph
from problems.factors import KINDS
from problems.factors.derivation import Forest

LOGIC = ("xor", "at_most_one", "or", "or_out", "and_out", "imply", "xor_out")
OTHER = ("budget", "knapsack", "knapsack_hull", "pair", "dense", "subtree", "derivation")
ALL_KINDS = LOGIC + OTHER + PARSING_KINDS

# Scores on a coarse grid make ties and zeros common; the fine ones make them rare.
scores = st.one_of(
    st.integers(-4, 4).map(lambda value: value / 2),
    st.floats(-3, 3, allow_nan=False).map(lambda value: round(value, 6)),
)


@st.composite
def one_factor(draw: st.DrawFn, kind: str, negate: bool = True) -> FactorGraph:
    """A graph with one factor of a kind and as many variables as it links, with scores."""
    graph = FactorGraph()
    smallest = 2 if kind in ("or_out", "and_out", "imply", "xor_out", "pair") else 1
    smallest = 3 if kind == "tri_siblings" else smallest
    degree = 2 if kind == "pair" else draw(st.integers(smallest, 6))
    if kind == "dense":
        sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
        degree = sum(sizes)
    variables = graph.add_variables(draw(st.lists(scores, min_size=degree, max_size=degree)))
    order = np.array(draw(st.permutations(range(degree))))
    if kind == "dense":
        add_dense(draw, graph, np.split(variables[order], np.cumsum(sizes)[:-1]))
    else:
        add_factor(draw, graph, kind, variables[order], negate)
    return graph


def add_dense(draw: st.DrawFn, graph: FactorGraph, groups: list[np.ndarray]) -> None:
    size = math.prod(len(group) for group in groups)
    table = np.array(draw(st.lists(scores, min_size=size, max_size=size)))
    forbidden = draw(st.lists(st.integers(0, size - 1), max_size=size // 2))
    table[forbidden] = -np.inf
    if np.isinf(table).all():
        table[0] = 0.0
    graph.add_dense(groups, table)


def add_factor(draw: st.DrawFn, graph: FactorGraph, kind: str, variables: np.ndarray, negate: bool = True) -> None:
    """Add a factor of a kind over exactly these variables."""
    degree = len(variables)
    flags = draw(st.lists(st.booleans(), min_size=degree, max_size=degree)) if negate else [False] * degree
    if kind in LOGIC:
        graph.add_logic(kind, variables, flags)
    elif kind == "budget":
        graph.add_budget(variables, draw(st.integers(0, degree)), flags)
    elif kind == "knapsack":
        costs = draw(st.lists(st.sampled_from([0, 1, 2, 2.5, 3, 5]), min_size=degree, max_size=degree))
        graph.add_knapsack(variables, costs, draw(st.sampled_from([0, 1, 2.5, 4, 7])), flags)
    elif kind == "knapsack_hull":
        costs = draw(st.lists(st.integers(0, 5), min_size=degree, max_size=degree))
        graph.add_knapsack(variables, costs, draw(st.integers(0, 9)), flags, hull=True)
    elif kind == "pair":
        graph.add_pair(variables[0], variables[1], draw(scores))
    elif kind == "dense":
        cut = draw(st.integers(0, degree - 1))
        add_dense(draw, graph, [group for group in (variables[:cut], variables[cut:]) if len(group)])
    elif kind == "subtree":
        parents = [-1] + [draw(st.integers(0, node - 1)) for node in range(1, degree)]
        deletion = draw(st.lists(scores, min_size=degree, max_size=degree))
        undeletable = draw(st.lists(st.booleans(), min_size=degree, max_size=degree))
        graph.add_subtree_deletion(variables, parents, deletion, undeletable)
    elif kind == "derivation":
        graph.add_derivation(variables, draw(forests(degree)), flags)
    else:
        add_parsing_factor(draw, graph, kind, variables, scores)


@st.composite
def forests(draw: st.DrawFn, words: int) -> Forest:
    """The paths or trees of sentence compression over some words; half of them with coarse scores."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    unit = draw(st.sampled_from([0.5, 1e-6]))
    bigrams, arcs = (np.round(rng.normal(size=size) / unit) * unit for size in ((words + 2,) * 2, (words + 1, words)))
    if draw(st.booleans()):
        return kept_path(bigrams, draw(st.integers(0, words)))
    with_bigrams, empty = draw(st.booleans()), draw(st.booleans())
    return kept_tree(arcs, bigrams if with_bigrams else None, draw(st.integers(0, words)), empty)


@st.composite
def factor_graphs(
    draw: st.DrawFn, most_variables: int = 7, most_factors: int = 5, kinds: tuple[str, ...] = ALL_KINDS
) -> FactorGraph:
    """A graph of several factors of any (of these) kinds, feasible or not."""
    graph = FactorGraph()
    count = draw(st.integers(3, most_variables))
    variables = graph.add_variables(draw(st.lists(scores, min_size=count, max_size=count)))
    for _ in range(draw(st.integers(1, most_factors))):
        kind = draw(st.sampled_from(kinds))
        smallest, largest = (2, 2) if kind == "pair" else (2, min(4, count))
        degree = draw(st.integers(smallest, largest))
        chosen = draw(st.permutations(range(count)))[:degree]
        add_factor(draw, graph, kind, variables[np.array(chosen)])
    return graph


@st.composite
def summary_graphs(draw: st.DrawFn) -> FactorGraph:
    """Small trees of words, tokens of some words, concepts of some tokens, and a budget; few scores are negative."""
    mostly_positive = st.one_of(
        st.integers(-2, 4).map(lambda value: value / 2), st.floats(-1, 3).map(lambda value: round(value, 4))
    )
    graph = FactorGraph()
    words: list[np.ndarray] = []
    for largest in draw(st.sampled_from([(3,), (3, 2)])):
        size = draw(st.integers(1, largest))
        tree = graph.add_variables(draw(st.lists(mostly_positive, min_size=size, max_size=size)))
        parents = [-1] + [draw(st.integers(0, node - 1)) for node in range(1, size)]
        deletion = draw(st.lists(mostly_positive, min_size=size, max_size=size))
        graph.add_subtree_deletion(tree, parents, deletion, draw(st.lists(st.booleans(), min_size=size, max_size=size)))
        words.append(tree)
    nodes = np.concatenate(words)
    tokens = [*graph.add_variables(draw(st.lists(st.sampled_from([0.0, 0.0, 0.5, -0.5]), min_size=1, max_size=3)))]
    for token in tokens:
        inputs = draw(st.lists(st.sampled_from(nodes.tolist()), min_size=1, max_size=3, unique=True))
        graph.add_logic("and_out", [*inputs, token])
    for score in draw(st.lists(mostly_positive, min_size=1, max_size=2)):
        inputs = draw(st.lists(st.sampled_from([*tokens, nodes[0]]), min_size=1, max_size=3, unique=True))
        graph.add_logic(
            draw(st.sampled_from(["or_out", "or_out", "and_out"])), [*inputs, *graph.add_variables([score])]
        )
    graph.add_budget(nodes, draw(st.integers(0, len(nodes))))
    return graph


assert set(KINDS) <= set(ALL_KINDS)
