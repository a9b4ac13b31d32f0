"""Random coverage problems as factor graphs, small enough to go through all sets of units."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from problems.factor_graph import FactorGraph


@dataclass
class CoverageGraph:
    graph: FactorGraph
    units: np.ndarray
    tokens: dict[int, list[int]]  # output -> units
    concepts: dict[int, list[int]]  # output -> tokens or units

    def values(self, kept: tuple[int, ...]) -> np.ndarray:
        """The 0/1 values of all variables for these units."""
        values = np.zeros(self.graph.number_of_variables)
        values[self.units] = kept
        for output, inputs in self.tokens.items():
            values[output] = min(values[unit] for unit in inputs)
        for output, inputs in self.concepts.items():
            values[output] = max(values[token] for token in inputs)
        return values

    def all_values(self) -> list[tuple[float, np.ndarray]]:
        """Objective and values of every set of units; -inf where it is not allowed."""
        sets = (self.values(kept) for kept in product((0, 1), repeat=len(self.units)))
        return [(self.graph.objective(values), values) for values in sets]


def coverage_graph(seed: int, costly: float = 0.0) -> CoverageGraph:
    """Up to nine units in trees, concepts over them and up to two limits; half of the problems are full of ties.

    So large a share of the scores of concepts and tokens is below 0.
    """
    rng = np.random.default_rng(seed)
    signs = np.random.default_rng([seed, 1])  # of its own: without costs, problems stay the same

    def sign() -> float:
        return -1.0 if signs.random() < costly else 1.0

    coarse = rng.random() < 0.5

    def scores(count: int, low: float) -> np.ndarray:
        drawn = rng.uniform(low, 3.0, count)
        return np.round(2 * drawn) / 2 if coarse else drawn

    graph = FactorGraph()
    sizes = [1] * int(rng.integers(2, 8)) if rng.random() < 0.3 else rng.integers(1, 4, rng.integers(1, 4)).tolist()
    units = graph.add_variables(scores(sum(sizes), -1.5))
    units = rng.permutation(units) if rng.random() < 0.5 else units
    roots, first = [], 0
    for size in sizes:
        tree = units[first : first + size]
        roots.append(int(tree[0]))
        if size > 1 or rng.random() < 0.3:
            parents = [-1, *(int(rng.integers(0, node)) for node in range(1, size))]
            graph.add_subtree_deletion(tree, parents, scores(size, -1.0), rng.random(size) < 0.15)
        first += size
    tokens, concepts = {}, {}
    for _ in range(rng.integers(0, 6)):
        inputs = rng.choice(units, size=min(len(units), int(rng.integers(1, 4))), replace=False)
        own = float(scores(1, 0.0)[0]) if rng.random() < 0.3 else 0.0
        output = int(graph.add_variables([sign() * max(own, 0.0)])[0])
        graph.add_logic("and_out", [*inputs, output])
        tokens[output] = [int(unit) for unit in inputs]
    for _ in range(rng.integers(1, 6)):
        pool = [*units.tolist(), *tokens]
        inputs = rng.choice(pool, size=min(len(pool), int(rng.integers(1, 5))), replace=False)
        output = int(graph.add_variables([sign() * max(float(scores(1, 0.0)[0]), 0.0)])[0])
        graph.add_logic("or_out", [*inputs, output])
        concepts[output] = [int(token) for token in inputs]
    costs = rng.integers(0, 6, len(units)) if rng.random() < 0.7 else rng.uniform(0.0, 4.0, len(units))
    if rng.random() < 0.8:
        graph.add_knapsack(units, costs, float(rng.integers(0, 12)))
    elif rng.random() < 0.5:
        graph.add_budget(units, int(rng.integers(0, len(units))))
    if rng.random() < 0.5:
        graph.add_budget(np.array(roots), int(rng.integers(0, len(roots) + 1)))
    if rng.random() < 0.2:
        graph.add_variables(scores(2, -1.0))
    return CoverageGraph(graph, units, tokens, concepts)
