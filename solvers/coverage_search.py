"""The search of `kernels.coverage_search` on a recognized graph: its arrays, its first prices, and its answer."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from problems.factors.block import Booleans, starts_of
from problems.kernels import coverage as kernels
from problems.kernels.codes import OR_OUT
from problems.kernels.coverage_search import FIRST, FRESH, Stack, search
from problems.linear_program import Floats

from .base import tolerance
from .coverage import Coverage

if TYPE_CHECKING:
    from .ad3_engine import Engine

ROOT_STEPS, NODE_STEPS = 10, 2  # improvements of the prices; see docs/performance.md
STACKED_PRICES = 4_000_000  # numbers: prices and shares that the levels of the stack keep


class CoverageSearch:
    """One search; `run` goes on where it was. Prices begin at the concepts' worths, or where AD3 has come to."""

    def __init__(self, coverage: Coverage, magnitude: float) -> None:
        self.coverage, self.magnitude = coverage, magnitude
        units, tokens, concepts = len(coverage.parents), len(coverage.token_starts) - 1, len(coverage.worths)
        sizes, tokens_of = np.diff(coverage.token_starts), np.diff(coverage.concept_starts)
        by_unit = np.argsort(coverage.token_units, kind="stable")
        self.problem = kernels.Problem(
            parents=coverage.parents,
            costs=coverage.costs,
            scores=coverage.scores,
            concept_starts=coverage.concept_starts,
            worths=coverage.worths,
            token_starts=coverage.token_starts,
            token_units=coverage.token_units,
            token_concepts=np.repeat(np.arange(concepts), tokens_of),
            unit_starts=starts_of(np.bincount(coverage.token_units, minlength=units)),
            unit_tokens=np.repeat(np.arange(tokens), sizes)[by_unit],
        )
        self.state = kernels.State(
            fixed=np.full(units, kernels.FREE),
            missing=sizes.copy(),
            lost=np.zeros(tokens, dtype=np.int64),
            present=np.zeros(concepts, dtype=np.int64),
            live=tokens_of.copy(),
            trail=np.zeros(units, dtype=np.int64),
            counts=np.zeros(kernels.COUNTS, dtype=np.int64),
            totals=np.zeros(kernels.TOTALS),
            prices=np.maximum(coverage.worths, 0.0),
            shares=np.repeat(1.0 / np.maximum(sizes, 1), sizes),
            effective=np.zeros(concepts),
            gains=np.zeros(units),
            closures=np.zeros(units),
            chosen=np.zeros(units, dtype=np.int64),
            low=np.zeros(units, dtype=np.int64),
            high=np.zeros(units, dtype=np.int64),
            blend=np.zeros(units),
            penalties=np.zeros(units),
            losses=np.zeros(units),
            paths=np.zeros(units),
            slopes=np.zeros(concepts),
            limits=np.zeros(2),
            roots=np.zeros(units),
            best=np.zeros(units, dtype=bool),
        )
        self.state.counts[kernels.ROOTS] = coverage.roots
        totals = self.state.totals
        totals[kernels.ROOM] = coverage.room
        totals[kernels.THETA] = float(np.maximum(coverage.scores, 0.0).sum() + np.maximum(coverage.worths, 0.0).sum())
        totals[kernels.THETA] /= max(float(coverage.costs.sum()), 1e-300)
        totals[kernels.BEST] = -math.inf
        levels = units + 2
        kept = max(1, min(levels, STACKED_PRICES // max(1, concepts + len(coverage.token_units))))
        self.stack = Stack(
            phases=np.full(levels, FRESH),
            units=np.zeros(levels, dtype=np.int64),
            lengths=np.zeros(levels, dtype=np.int64),
            values=np.zeros(levels),
            rooms=np.zeros(levels),
            thetas=np.zeros(levels),
            bounds=np.full(levels, math.inf),
            prices=np.empty((kept, concepts)),
            shares=np.empty((kept, len(coverage.token_units))),
        )

    @property
    def nodes(self) -> int:
        return int(self.state.counts[kernels.NODES])

    @property
    def steps(self) -> int:
        return int(self.state.counts[kernels.STEPS])

    @property
    def objective(self) -> float:
        """Of the incumbent, in the graph's terms; -inf before the first node."""
        return float(self.state.totals[kernels.BEST]) + self.coverage.constant

    @property
    def best(self) -> Booleans:
        return self.state.best

    def start_at(self, prices: Floats, shares: Floats) -> None:
        """Begin with these prices and shares."""
        self.state.prices[:] = prices
        self.state.shares[:] = shares

    def take_over(self, other: CoverageSearch) -> None:
        """Another search's incumbent."""
        self.state.totals[kernels.BEST] = other.state.totals[kernels.BEST]
        self.state.best[:] = other.state.best

    def run(self, nodes: int) -> bool:
        """Search for so many more nodes; returns whether the incumbent is proved to be optimal."""
        if math.isfinite(self.objective):
            least = max(self.objective, 0.0)  # an incumbent below 0 may rise to 0, where the tolerance is smaller
            self.state.totals[kernels.MARGIN] = 0.5 * tolerance(least, least, self.magnitude)
        return bool(search(self.problem, self.state, self.stack, ROOT_STEPS, NODE_STEPS, nodes))

    def bound(self) -> float:
        """On every assignment: the highest bound of an open node, or what the margin of pruning leaves open."""
        pruned = self.objective + float(self.state.totals[kernels.MARGIN])
        level = int(self.state.counts[kernels.LEVEL])
        if level < 0:
            return pruned
        phases, bounds = self.stack.phases[: level + 1], self.stack.bounds[: level + 1]
        open_bounds = bounds[phases == FIRST]
        fresh = phases[level] == FRESH
        above = float(bounds[level - 1]) if level and fresh else (math.inf if fresh else -math.inf)
        highest = max(float(open_bounds.max(initial=-math.inf)), above)
        return max(pruned, highest + self.coverage.constant)


def prices_of(coverage: Coverage, engine: Engine) -> tuple[Floats, Floats]:
    """Prices and shares from AD3's multipliers; the engine must have eliminated nothing.

    An or_out charges its tokens -lambda each; the least of these charges is a price that no token finds too high, and bounds as well. An
    and_out passes its output's price on to its units.
    """
    layout, charges = engine.layout, -engine.eta * engine.state.mu
    variable = np.empty(len(coverage.merged.scores), dtype=np.int64)  # AD3 may have another order
    variable[coverage.merged.variable_of] = engine.consensus.variable_of
    gates = np.flatnonzero(layout.codes == OR_OUT)
    last = layout.link_starts[gates + 1] - 1
    conjunctive = layout.negated[last]

    least = np.full(len(variable), np.inf)
    links = np.isin(layout.link_factors, gates[~conjunctive])
    links[last] = False
    factors = layout.link_factors[links]
    output_of = layout.link_variables[layout.link_starts[factors + 1] - 1]
    np.minimum.at(least, output_of, charges[links])
    own = np.full(len(coverage.worths), np.inf)
    own[: len(coverage.outputs)] = least[variable[coverage.outputs]]
    prices = np.clip(own, 0.0, np.maximum(coverage.worths, 0.0))

    sizes = np.diff(coverage.token_starts)
    shares = np.repeat(1.0 / np.maximum(sizes, 1), sizes)
    several = np.repeat(sizes > 1, sizes)
    if several.any():
        links = np.isin(layout.link_factors, gates[conjunctive])
        links[last] = False
        output_of = layout.link_variables[layout.link_starts[layout.link_factors[links] + 1] - 1]
        keys = output_of * len(variable) + layout.link_variables[links]
        order = np.argsort(keys)
        token = np.repeat(coverage.tokens, sizes)[several]
        wanted = variable[token] * len(variable) + variable[coverage.units[coverage.token_units[several]]]
        found = np.maximum(charges[links][order][np.searchsorted(keys[order], wanted)], 0.0)
        owner = np.repeat(np.arange(len(sizes)), sizes)[several]
        totals = np.bincount(owner, weights=found, minlength=len(sizes))[owner]
        shares[several] = np.where(totals > 0.0, found / np.where(totals > 0.0, totals, 1.0), shares[several])
    return prices, shares
