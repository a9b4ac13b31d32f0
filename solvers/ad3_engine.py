"""AD3's state on one graph, and the two drivers that advance it.

The compiled driver runs many iterations per call. The Python driver does the same with the same kernels, one half of an
iteration at a time, so that factors written in Python can be solved in between; every iterate is equal.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from problems.factor_graph import FactorGraph
from problems.factors.foreign import checked
from problems.factors.mixtures import Mixtures
from problems.kernels import ad3 as kernels
from problems.kernels.active_set import ActiveSet
from problems.kernels.codes import TREE_BUDGET
from problems.kernels.covers import covers_bound
from problems.kernels.families import PROJECT, load
from problems.kernels.mixtures import copy_mixtures, measure_mixtures
from problems.linear_program import Floats

from .consensus import Consensus
from .warm_start import Kept

ETA, PARSING_ETA = 2.0, 0.25  # see results/ad3-step-sizes
BALANCE = ((5.0, 4.0), (2.5, 2.0))  # where the residuals' ratio is above the first, the step size changes by the second
FINE_BALANCE = (
    *BALANCE,
    (1.5, 1.5),
)  # on graphs of more links than FINE, whose best step sizes lie further from the default
FINE = 10_000


@cache
def load_kernels() -> None:
    """Load (or compile) what a run on any graph needs; the kinds of factor that a graph has are loaded with it."""
    graph = FactorGraph()
    x = graph.add_variables([1.0, 2.0, 0.0, 0.0, 1.0])
    graph.add_logic("and_out", [x[0], x[2], x[3]])
    graph.add_logic("or_out", [x[2], x[3], x[4]])
    engine = Engine(graph, 1.0)
    engine.iterate(1, 0.0)
    engine._change_eta(1.0)
    engine.dual_value()


def default_eta(graph: FactorGraph) -> float:
    """The step size that the studies found best: arcs of a parse have many more links than other variables."""
    return ETA if {"arborescence", "projective_tree"}.isdisjoint(graph.kinds) else PARSING_ETA


class Engine:
    """`eta` is given relative to the graph's scores (None: `default_eta`) and kept in absolute terms."""

    def __init__(
        self,
        graph: FactorGraph,
        eta: float | None,
        over_relaxation: float = 1.0,
        compiled: bool | None = None,
        hub: bool = True,
        reorder: bool = True,
        eliminating: bool = True,
        joining: bool = True,
    ) -> None:
        self.consensus = Consensus(graph, reorder=reorder, eliminating=eliminating, joining=joining and hub)
        if hub:
            self.consensus.choose_hub()
        load(PROJECT, (code for code in self.consensus.codes() if code not in kernels.WITHIN))
        if TREE_BUDGET in self.consensus.code_counts:  # if only the hub is one, whose averages are projected
            load(PROJECT, (TREE_BUDGET,))
        self.compiled = not self.consensus.foreign if compiled is None else compiled
        if self.compiled and self.consensus.foreign:
            raise ValueError("factors written in Python need the Python driver.")
        self.active_sets = {
            factor: ActiveSet(self.consensus.links(factor).stop - self.consensus.links(factor).start)
            for factor in self.consensus.foreign
        }
        self.layout = self.consensus.layout
        self.without_scores = not graph.has_own_factors and graph.magnitude == abs(graph.constant)
        self.eta = (default_eta(graph) if eta is None else eta) * self.consensus.score_scale()
        self.over_relaxation = over_relaxation
        layout, links, variables = self.layout, self.consensus.number_of_links, len(self.consensus.scores)
        factors = len(layout.codes)
        int_memory_starts, float_memory_starts = np.empty((2, factors + 1), dtype=np.int64)
        largest = kernels.measure_memory(layout, int_memory_starts, float_memory_starts)
        self.state = kernels.State(
            u=np.empty(variables),
            mu=np.empty(links),
            z=np.empty(links),
            int_memory_starts=int_memory_starts,
            int_memory=np.empty(int_memory_starts[-1], dtype=np.int64),
            float_memory_starts=float_memory_starts,
            float_memory=np.empty(float_memory_starts[-1]),
            active_factors=np.empty(factors, dtype=np.int64),
            active_variables=np.empty(variables, dtype=np.int64),
            factor_stamps=np.empty(factors, dtype=np.int64),
            variable_stamps=np.empty(variables, dtype=np.int64),
            counts=np.zeros(5, dtype=np.int64),
            point=np.empty(largest),
            answer=np.empty(largest),
            residuals=np.zeros(5),
            hub_memory=np.empty(3 * int(layout.on_hub.sum())),
        )
        kernels.begin(layout, self.state, self.consensus.scores, self.eta)
        self.last_prices = np.full(factors + 1 if self.consensus.covers_only else 0, np.nan)

    @property
    def iterations(self) -> int:
        return int(self.state.counts[2])

    @property
    def factor_solves(self) -> int:
        return int(self.state.counts[3])

    def iterate(self, iterations: int, tolerance: float) -> bool:
        """Advance; returns whether the residuals are within the tolerance."""
        if self.compiled:
            return bool(kernels.iterate(self.layout, self.state, self.eta, self.over_relaxation, iterations, tolerance))
        for _ in range(iterations):
            kernels.first_half(self.layout, self.state, 1.0 / self.eta)
            for factor in self.state.active_factors[: self.state.counts[0]]:
                if factor in self.active_sets:
                    self._solve_foreign(int(factor))
            if kernels.second_half(self.layout, self.state, self.over_relaxation, tolerance):
                return True
        return False

    def _solve_foreign(self, factor: int) -> None:
        """The z-update of a factor written in Python, by the active set method."""
        links, state = self.consensus.links(factor), self.state
        variables = self.layout.link_variables[links]
        part = self.consensus.foreign[factor]
        point = self.consensus.literals(factor, state.u[variables] + state.mu[links])
        z = self.active_sets[factor].project(point, 1.0 / self.eta, lambda scores: checked(part, scores))
        z = self.consensus.literals(factor, z)
        for variable in variables[z != state.z[links]]:
            if state.variable_stamps[variable] != state.counts[2]:
                state.variable_stamps[variable] = state.counts[2]
                state.active_variables[state.counts[1]] = variable
                state.counts[1] += 1
        state.z[links] = z

    def balance(self) -> None:
        """Residual balancing: a large primal residual asks for a larger step, a large dual one for a smaller.

        Residuals are those of all iterations since the last time; single iterations are too noisy.
        """
        primal, dual = np.sqrt(self.state.residuals[2:4])
        self.state.residuals[2:4] = 0.0
        for threshold, factor in FINE_BALANCE if self.consensus.number_of_links > FINE else BALANCE:
            if primal > threshold * dual:
                return self._change_eta(factor)
            if dual > threshold * primal:
                return self._change_eta(1.0 / factor)
        return None

    def _change_eta(self, factor: float) -> None:
        self.eta *= factor
        kernels.change_eta(self.layout, self.state, factor)

    def dual_value(self) -> float:
        """A valid upper bound on the graph's optimum, from the current multipliers."""
        value = self.value_at_multipliers()
        if self.without_scores:  # nothing scores above 0, but multipliers that are not 0 say so only in the limit
            return min(value, self.consensus.constant)
        return value

    def bound(self) -> float:
        """A valid upper bound that may be lower than `dual_value`: that of better multipliers near these and the last look's (`covers`)."""
        if not self.consensus.covers_only:
            return self.dual_value()
        value = self.consensus.constant + float(
            covers_bound(self.layout, self.state, self.eta, self.consensus.scores, self.last_prices)
        )
        return value if np.isfinite(value) else self.dual_value()

    def value_at_multipliers(self) -> float:
        """The dual function itself: the sum of the factors' maxima."""
        value = kernels.dual_value(self.layout, self.state, self.eta, self.consensus.scores)
        foreign, _ = self.consensus.maximize_foreign(self.eta * self.state.mu)
        return self.consensus.constant + float(value) + foreign

    def residuals(self) -> tuple[float, float]:
        """The last iteration's primal and dual residuals, root mean square over links."""
        primal, dual = np.sqrt(self.state.residuals[:2] / max(self.consensus.number_of_links, 1))
        return float(primal), float(dual)

    def posteriors(self) -> Floats:
        """The averages, for the graph's own variables."""
        return self.consensus.values(np.clip(self.state.u, 0.0, 1.0))

    def mixtures(self) -> Mixtures:
        """The configurations that the factors' local solutions consist of, in the graph's order (`reorder` must be off)."""
        starts = np.empty(len(self.layout.codes) + 1, dtype=np.int64)
        values = measure_mixtures(self.layout, self.state, starts)
        found = Mixtures(
            starts, np.empty(starts[-1]), np.empty(starts[-1], dtype=np.int64), np.empty(values, dtype=np.float64)
        )
        copy_mixtures(self.layout, self.state, *found)
        return found

    # -- for warm starts -------------------------------------------------------------------------------------------

    def keep(self) -> Kept:
        """Where the run has come to, for a graph with the same links."""
        scale = self.consensus.score_scale()
        scores = self.consensus.scores.copy()
        return Kept(self.eta * self.state.mu, self.state.u.copy(), scores, self.eta / scale, scale)

    def start_from(self, kept: Kept) -> None:
        """Begin where another run has ended; changes of scores are spread over the variables' links."""
        layout, degrees = self.layout, self.consensus.degrees
        self.eta = kept.eta * self.consensus.score_scale()
        change = (self.consensus.scores - kept.scores) / np.maximum(degrees, 1)
        self.state.mu[:] = (kept.multipliers + change[layout.link_variables]) / self.eta
        linked = degrees > 0
        self.state.u[linked] = kept.averages[linked]

    # -- for branch and bound --------------------------------------------------------------------------------------

    def snapshot(self) -> tuple[Floats, Floats, float]:
        """Multipliers, averages and step size, to start another node from."""
        return self.state.mu.copy(), self.state.u.copy(), self.eta

    def restore(self, snapshot: tuple[Floats, Floats, float], fixed: dict[int, int]) -> None:
        """Start a node from a snapshot, with these variables fixed."""
        if fixed and TREE_BUDGET in self.consensus.code_counts:
            raise ValueError("variables of joined trees cannot be fixed: make the engine with joining=False.")
        mu, u, self.eta = snapshot
        self.state.mu[:] = mu
        self.state.u[:] = u
        self.state.z[:] = np.nan
        self.layout.fixed[:] = -1
        for variable, value in fixed.items():
            self.layout.fixed[variable] = value
            self.state.u[variable] = value
        kernels.activate_all(self.layout, self.state)

    def undecided(self, fixed: dict[int, int]) -> int | None:
        """The variable to branch on: far from 0 and 1, and with large multipliers. None if all are fixed."""
        free = (self.layout.fixed < 0) & (self.consensus.degrees > 0)
        if not free.any():
            return None
        weight = np.bincount(
            self.layout.link_variables, weights=np.abs(self.state.mu), minlength=len(self.consensus.scores)
        )
        u = self.state.u
        influence = np.where(free, (np.minimum(u, 1.0 - u).clip(0.0) + 1e-9) * (weight + 1e-9), -1.0)
        return int(influence.argmax())
