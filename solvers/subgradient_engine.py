"""The multipliers of subgradient dual decomposition on one graph."""

from __future__ import annotations

from functools import cache

import numpy as np

from problems.factor_graph import FactorGraph
from problems.kernels import subgradient as kernels
from problems.linear_program import Floats

from .consensus import Consensus

STEP, BUDGET_STEP = 1.0, 10.0  # a budget's price moves many scores
RULES = {"diminishing": kernels.DIMINISHING, "dual-increase": kernels.DUAL_INCREASE}


@cache
def load_kernels() -> None:
    """Load (or compile) everything a run needs, off any clock."""
    graph = FactorGraph()
    graph.add_logic("xor", graph.add_variables([1.0, 2.0]))
    SubgradientEngine(graph, 1.0, "diminishing").descend(1)


def default_step(graph: FactorGraph) -> float:
    """The first step relative to the graph's scores: larger with a budget or a knapsack."""
    return STEP if {"budget", "knapsack"}.isdisjoint(graph.kinds) else BUDGET_STEP


class SubgradientEngine:
    """`step` is given relative to the graph's scores (or not; None: `default_step`) and kept in absolute terms."""

    def __init__(self, graph: FactorGraph, step: float | None, rule: str, relative: bool = True) -> None:
        self.consensus = Consensus(graph)
        step = default_step(graph) if step is None else step
        self.step = step * self.consensus.score_scale() if relative else step
        self.rule = RULES[rule]
        layout, links = self.consensus.layout, self.consensus.number_of_links
        largest = int(np.diff(layout.link_starts).max(initial=0))
        self.lone = self.consensus.lone_values()
        self.lone_value = graph.constant + float(self.consensus.scores @ self.lone)
        self.descent = kernels.Descent(
            multipliers=self.consensus.initial_multipliers(),
            z=np.zeros(links),
            means=self.lone.copy(),
            counts=np.zeros(3, dtype=np.int64),
            values=np.array([np.inf, np.inf]),
            point=np.zeros(largest),
            answer=np.zeros(largest),
        )

    @property
    def iterations(self) -> int:
        return int(self.descent.counts[0])

    @property
    def bound(self) -> float:
        return float(self.descent.values[1])

    @property
    def last_value(self) -> float:
        return float(self.descent.values[0])

    def descend(self, iterations: int) -> bool:
        """Advance; returns True where all factors agree."""
        layout, consensus = self.consensus.layout, self.consensus
        if not consensus.foreign:
            return bool(kernels.descend(layout, self.descent, self.lone_value, self.rule, self.step, iterations))
        for _ in range(iterations):
            value = self.lone_value + kernels.maximize_all(layout, self.descent)
            foreign, points = consensus.maximize_foreign(self.descent.multipliers)
            for factor, point in points.items():
                self.descent.z[consensus.links(factor)] = point
            if kernels.finish_step(layout, self.descent, value + foreign, self.rule, self.step):
                return True
        return False

    def posteriors(self, agreed: bool) -> Floats:
        """The mean of all primal estimates so far; where the factors agree, the solution itself."""
        if not agreed:
            return np.clip(self.descent.means, 0.0, 1.0)[self.consensus.variable_of]
        values = self.lone.copy()
        values[self.consensus.layout.link_variables] = self.descent.z
        return values[self.consensus.variable_of]

    def first_factor(self) -> Floats:
        """What the first factor said in the last iteration; variables that it does not know are at their mean, rounded."""
        values = np.rint(np.clip(self.descent.means, 0.0, 1.0))
        if len(self.consensus.layout.codes) == 0:
            return self.posteriors(agreed=True)
        links = self.consensus.links(0)
        values[self.consensus.layout.link_variables[links]] = np.rint(self.descent.z[links])
        return values[self.consensus.variable_of]
