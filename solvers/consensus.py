"""A factor graph laid out for dual decomposition: links ordered by factor, each variable knowing its links.

Variables are those of `presolve`: equal ones are merged, and linear own scores (subtree deletion) belong to the variables,
because psi * (z_parent - z_child) is a sum of unary scores. The problem and its relaxation stay the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from problems.factor_graph import FactorGraph
from problems.factors.block import runs
from problems.factors.flat import FlatFactors
from problems.factors.foreign import Factor, Foreign, checked
from problems.factors.logic import OrOut
from problems.kernels.codes import BUDGET, FOREIGN, KNAPSACK, TREE_BUDGET
from problems.kernels.covers import choose_hub
from problems.kernels.families import LOWEST, MAXIMIZE, load
from problems.kernels.layout import Layout, index_links, order_by_nearness
from problems.linear_program import Floats, Integers

from .compiled_presolve import reduce_graph
from .elimination import Eliminated
from .joining import join
from .presolve import merged_factors

LARGE = 200_000  # links from which on the order of memory matters: beyond the caches that are near a core
SAMPLE, SCATTERED = (
    10_000,
    0.05,
)  # factors that are looked at; how far apart their links are, as a share of all variables
NO_WEIGHTS = np.zeros(0)
HUBS = {BUDGET, KNAPSACK, TREE_BUDGET}
WIDE = 100  # links beyond which a factor says nothing about which variables belong together


@cache
def load_ordering() -> None:
    """Load (or compile) what only large graphs need (`is_scattered`)."""
    graph = FactorGraph()
    graph.add_variables([1.0, 2.0])
    consensus = Consensus(graph)
    consensus._by_nearness(consensus._presolved())


def is_scattered(flat: FlatFactors, variables: int) -> bool:
    """Is the graph large, and do factors that follow each other link variables that are far apart?

    Each link of a sample of factors is compared with the same link of the factor before: a graph that was made in some order has
    streams of variables that grow slowly, whatever lies between the streams.
    """
    if len(flat.variables) < LARGE:
        return False
    factors = np.arange(1, len(flat.codes), max(1, len(flat.codes) // SAMPLE))
    lengths = np.minimum(np.diff(flat.link_starts)[factors], flat.link_starts[factors])
    links = runs(flat.link_starts[factors], lengths)
    jumps = np.abs(flat.variables[links] - flat.variables[links - np.repeat(lengths, lengths)])
    return bool(np.median(jumps) > SCATTERED * variables)


@dataclass
class Consensus:
    """The layout and the (effective) unary scores of a graph."""

    graph: FactorGraph
    reorder: bool = False  # large graphs may be put in another order, which is faster but not the graph's own
    eliminating: bool = False  # outputs that nothing else links are maximized out (see `elimination`)
    joining: bool = False  # if outputs are eliminated, trees and budget become one factor (see `joining`)
    layout: Layout = field(init=False)
    scores: Floats = field(init=False)
    variable_of: Integers = field(init=False)  # what each variable of the graph has become
    degrees: Integers = field(init=False)
    foreign: dict[int, Factor] = field(init=False)  # by factor number
    code_counts: dict[int, int] = field(init=False)  # factors of each kind
    merged_scores: Floats = field(init=False)  # with those of eliminated variables, which `scores` has as 0
    constant: float = field(init=False)
    eliminated: Eliminated | None = field(init=False, default=None)
    tokens: Eliminated | None = field(init=False, default=None)  # that joining took into coverages
    covers_only: bool = field(init=False, default=False)  # a hub, coverages of its variables, and nothing else

    def __post_init__(self) -> None:
        flat = self._presolved()
        self._lay_out(flat)
        if self.reorder and Foreign.kind not in flat.kinds and is_scattered(flat, len(self.scores)):
            self._lay_out(self._by_nearness(flat))
        counts = np.bincount(flat.codes - LOWEST, minlength=1).tolist()
        self.code_counts = {place + LOWEST: count for place, count in enumerate(counts) if count}
        load(MAXIMIZE, self.codes())
        self.foreign = {}
        if Foreign.kind in flat.kinds:
            numbers = np.flatnonzero(flat.codes == FOREIGN).tolist()
            self.foreign = dict(zip(numbers, self.graph.foreign_factors, strict=True))

    def _presolved(self) -> FlatFactors:
        """The factors that are left, and their variables' scores."""
        self.constant = self.graph.constant
        if not (self.eliminating and OrOut.kind in self.graph.kinds):
            flat, self.scores, self.variable_of = merged_factors(self.graph)
            self.merged_scores = self.scores
            return flat
        reduced = reduce_graph(self.graph)
        self.scores, self.merged_scores, self.variable_of = reduced.scores, reduced.merged_scores, reduced.variable_of
        self.eliminated = reduced.eliminated
        self.constant += self.eliminated.constant
        joined = join(reduced.flat, self.scores) if self.joining else None
        if joined is None:
            return reduced.flat
        self.tokens = joined.tokens
        return joined.flat

    def _lay_out(self, flat: FlatFactors) -> None:
        links, count = len(flat.variables), len(self.scores)
        self.degrees = np.empty(count, dtype=np.int64)
        self.layout = Layout(
            codes=flat.codes,
            link_starts=flat.link_starts,
            link_variables=flat.variables,
            link_factors=np.empty(links, dtype=np.int64),
            negated=flat.negated,
            signs=np.empty(links),
            int_starts=flat.int_starts,
            ints=flat.ints,
            float_starts=flat.float_starts,
            floats=flat.floats,
            variable_starts=np.empty(count + 1, dtype=np.int64),
            variable_links=np.empty(links, dtype=np.int64),
            fixed=np.full(count, -1, dtype=np.int64),
            hub=-1,
            on_hub=np.zeros(count, dtype=np.bool_),
            factor_steps=NO_WEIGHTS,
            link_weights=NO_WEIGHTS,
            variable_weights=NO_WEIGHTS,
        )
        index_links(
            flat.link_starts,
            flat.variables,
            flat.negated,
            self.layout.link_factors,
            self.layout.signs,
            self.degrees,
            self.layout.variable_starts,
            self.layout.variable_links,
        )

    def choose_hub(self) -> None:
        """Make the largest budget or knapsack the hub (see `problems.kernels.hub`), and give coverages their weights (`covers`)."""
        if HUBS.isdisjoint(self.code_counts):
            return
        steps, weights = np.empty(len(self.layout.codes)), np.empty(self.number_of_links)
        sums = np.zeros(len(self.scores))
        hub, weighted = choose_hub(self.layout, steps, weights, sums)
        if not weighted:
            steps = weights = sums = NO_WEIGHTS
        self.layout = self.layout._replace(hub=hub, factor_steps=steps, link_weights=weights, variable_weights=sums)
        self.covers_only = weighted and TREE_BUDGET not in self.code_counts

    def _by_nearness(self, flat: FlatFactors) -> FlatFactors:
        """The same factors in breadth-first order over variables numbered in that order; scores and `variable_of` follow."""
        layout, count = self.layout, len(self.scores)
        factors, variables = np.empty(len(flat.codes), dtype=np.int64), np.empty(count, dtype=np.int64)
        order_by_nearness(
            layout.link_starts,
            layout.link_variables,
            layout.link_factors,
            layout.variable_starts,
            layout.variable_links,
            WIDE,
            factors,
            variables,
        )
        number = np.empty(count, dtype=np.int64)
        number[variables] = np.arange(count)
        self.scores, self.variable_of = self.scores[variables], number[self.variable_of]
        self.merged_scores = self.merged_scores[variables]
        if self.eliminated is not None:
            self.eliminated = self.eliminated.renumbered(number)
        if self.tokens is not None:
            self.tokens = self.tokens.renumbered(number)
        return flat.permuted(factors, number)

    @property
    def number_of_links(self) -> int:
        return len(self.layout.link_variables)

    def codes(self) -> list[int]:
        """The codes of all kinds of factor but the hub's."""
        hub = self.layout.codes[self.layout.hub] if self.layout.hub >= 0 else None
        return [code for code, count in self.code_counts.items() if count > (code == hub)]

    def literals(self, factor: int, values: Floats) -> Floats:
        """A factor's part of values per link, as literals (and back: it is its own inverse)."""
        links = self.links(factor)
        return np.where(self.layout.negated[links], 1.0 - values, values)

    def links(self, factor: int) -> slice:
        return slice(int(self.layout.link_starts[factor]), int(self.layout.link_starts[factor + 1]))

    def maximize_foreign(self, multipliers: Floats) -> tuple[float, dict[int, Floats]]:
        """The sum of the foreign factors' maxima for these multipliers, and where they are attained."""
        total, points = 0.0, {}
        for factor, part in self.foreign.items():
            links = self.links(factor)
            scores = multipliers[links]
            best, own = checked(part, np.where(self.layout.negated[links], -scores, scores))
            points[factor] = self.literals(factor, best)
            total += float(scores @ points[factor]) + own
        return total, points

    def initial_multipliers(self) -> Floats:
        """Each variable's score in equal shares for its links."""
        share = self.scores / np.maximum(self.degrees, 1)
        return share[self.layout.link_variables]

    def lone_values(self) -> Floats:
        """The best values of variables without factors; zero for all others."""
        return ((self.degrees == 0) & (self.scores > 0)).astype(np.float64)

    def values(self, averages: Floats) -> Floats:
        """Values of the graph's own variables from averages of the merged ones."""
        if self.tokens is not None:
            averages = self.tokens.restore(averages)
        if self.eliminated is not None:
            averages = self.eliminated.restore(averages)
        return averages[self.variable_of]

    def score_scale(self) -> float:
        """The typical size of a score, to which step sizes are relative: the mean of those that are not zero."""
        scored = self.merged_scores != 0
        if self.eliminated is None:  # else all that lost their links count, too
            scored &= self.degrees > 0
        sizes = np.abs(self.merged_scores[scored])
        return float(np.add.reduce(sizes) / len(sizes)) if len(sizes) else 1.0
