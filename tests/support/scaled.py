"""The same graph with all scores multiplied: what is optimal must not depend on the unit."""

from __future__ import annotations

import copy

from problems.factor_graph import FactorGraph

WITH_SCORES = ("pair", "dense", "subtree", "grand_siblings", "tri_siblings", "head_bigrams", "derivation")


def scaled(graph: FactorGraph, factor: float) -> FactorGraph:
    other = copy.deepcopy(graph)
    other._scores = [graph.scores * factor]
    for kind in WITH_SCORES:
        if kind in other._chunks:
            other._chunks[kind] = [chunk._replace(floats=chunk.floats * factor) for chunk in other._chunks[kind]]
    other._blocks = None
    other._magnitude *= factor
    return other
