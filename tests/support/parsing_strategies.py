"""Hypothesis strategies: the factors of dependency parsing over given variables."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import strategies as st

from problems.factor_graph import FactorGraph

PARSING_KINDS = ("arborescence", "projective_tree", "grand_siblings", "tri_siblings", "head_bigrams")


def array(draw: st.DrawFn, scores: st.SearchStrategy[float], *shape: int) -> np.ndarray:
    size = int(np.prod(shape))
    return np.array(draw(st.lists(scores, min_size=size, max_size=size)), dtype=float).reshape(shape)


def add_parsing_factor(
    draw: st.DrawFn, graph: FactorGraph, kind: str, variables: np.ndarray, scores: st.SearchStrategy[float]
) -> None:
    """Add a factor of a kind over exactly these variables."""
    if kind in ("arborescence", "projective_tree"):
        add_tree(draw, graph, kind, variables)
    elif kind == "grand_siblings":
        add_grand_siblings(draw, graph, variables, scores)
    elif kind == "tri_siblings":
        count = len(variables)
        graph.add_tri_siblings(variables, array(draw, scores, count, count, count + 1))
    elif kind == "head_bigrams":
        cuts = sorted(draw(st.sets(st.integers(1, max(len(variables) - 1, 1)), max_size=3)) - {len(variables)})
        groups = np.split(variables, cuts)
        tables = [array(draw, scores, len(left), len(right)) for left, right in itertools.pairwise(groups)]
        graph.add_head_bigrams(groups, tables)
    else:
        raise AssertionError(kind)


def add_tree(draw: st.DrawFn, graph: FactorGraph, kind: str, variables: np.ndarray) -> None:
    """A chain is among the arcs, which has a single root and is projective; the other arcs are any."""
    count = len(variables)
    words = draw(st.integers(int(np.ceil(np.sqrt(count))), min(count, 6)))
    chain = [(word - 1, word) for word in range(1, words + 1)]
    others = [(h, m) for m in range(1, words + 1) for h in range(words + 1) if h not in (m - 1, m)]
    arcs = chain + draw(st.permutations(others))[: count - words]
    heads, modifiers = zip(*draw(st.permutations(arcs)), strict=True)
    single = draw(st.booleans())
    if kind == "arborescence":
        graph.add_arborescence(variables, heads, modifiers, words, single, draw(st.just("multi")))
    else:
        graph.add_projective_tree(variables, heads, modifiers, words, single)


def add_grand_siblings(
    draw: st.DrawFn, graph: FactorGraph, variables: np.ndarray, scores: st.SearchStrategy[float]
) -> None:
    incoming = draw(st.integers(0, len(variables) - 1))
    enter, leave = variables[:incoming], variables[incoming:]
    words = draw(st.permutations(range(1, len(variables) + 2)))
    modifiers = words[: len(leave)]
    grandparents = draw(st.permutations(range(len(variables) + 2)))[: len(enter)]
    i, j = len(enter), len(leave)
    third = draw(st.booleans())
    graph.add_grand_siblings(
        enter,
        leave,
        grandparents,
        modifiers,
        array(draw, scores, j + 1, j + 1),
        array(draw, scores, i, j),
        array(draw, scores, i, j + 1, j + 1) if third else None,
    )
