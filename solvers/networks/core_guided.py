"""RC2's search with a deadline, and with the assignments that it meets on its way.

RC2 raises a lower bound core by core. Stratified, it satisfies heavy soft literals first, and each level ends with a model of
the hard clauses: an assignment to fall back on. PySAT's RC2 goes on with an unfinished core when it is interrupted; here
the search ends at once, and what it has proved so far stays a valid bound.
"""

from __future__ import annotations

import time
from threading import Timer
from typing import Any

import numpy as np
from pysat.examples.rc2 import RC2Stratified
from pysat.formula import WCNF

from problems.factors.block import Booleans

from ..base import TracePoint, cpu_clock
from .clauses import Clauses
from .whole_costs import WholeCosts

PAUSE = 0.01  # CPU seconds between points of a trace


class Stopped(Exception):
    """The time limit has come."""


class CoreGuided(RC2Stratified):  # type: ignore[misc]
    """`run` searches; then `best` is the best model met, and `cost` the least that any model can cost."""

    def __init__(self, clauses: Clauses, costs: WholeCosts, time_limit: float | None, trace: bool) -> None:
        formula = WCNF()
        formula.hard, formula.nv = clauses.hard, clauses.variables
        for literal, weight in clauses.soft.items():
            formula.append([literal], weight=weight)
        super().__init__(formula, adapt=True, exhaust=True, minz=True)
        self.costs, self.time_limit = costs, time_limit
        self.deadline: float | None = None
        self.soft = np.array(list(clauses.soft), dtype=np.int64)
        self.soft_weights = np.array(list(clauses.soft.values()), dtype=np.int64)
        self.variables = clauses.variables
        self.best: Booleans | None = None  # which variables are true
        self.best_cost = 0
        self.calls = 0
        self.points: list[TracePoint] | None = [] if trace else None
        self.start = 0.0
        self.noted = -PAUSE
        self.oracle.set_phases(
            [*range(1, clauses.variables + 1), *clauses.soft]
        )  # not the empty structure, if possible

    def run(self) -> bool:
        """Search; False if there is no model. Raises `Stopped` at the time limit."""
        timer, self.start = None, cpu_clock()
        if self.time_limit is not None:
            self.deadline = time.perf_counter() + self.time_limit
            timer = Timer(self.time_limit, self.oracle.interrupt)
            timer.daemon = True
            timer.start()
        try:
            if not self._call_oracle(expect_interrupt=True):
                return False
            return self.compute(expect_interrupt=True) is not None
        finally:
            if timer is not None:
                timer.cancel()
                timer.join()

    def _call_oracle(self, assumptions: Any = (), expect_interrupt: bool = False) -> bool | None:
        """Every call can be interrupted; those that RC2 expects to be are its main ones, and their models are looked at."""
        if self.deadline is not None and time.perf_counter() >= self.deadline:
            raise Stopped
        self.calls += 1
        found = self.oracle.solve_limited(assumptions=list(assumptions), expect_interrupt=self.deadline is not None)
        if found is None and self.deadline is not None and time.perf_counter() >= self.deadline:
            raise Stopped
        if expect_interrupt:
            if found:
                self._look_at(self.oracle.get_model() or [])
            self._note()
        return found

    def _look_at(self, model: list[int]) -> None:
        """Keep a model if it costs less. An auxiliary variable may be false without need, so it may cost even less."""
        true = np.zeros(self.variables + 1, dtype=bool)
        true[[literal for literal in model if 0 < literal <= self.variables]] = True
        cost = int(self.soft_weights[true[np.abs(self.soft)] != (self.soft > 0)].sum())
        if self.best is None or cost < self.best_cost:
            self.best, self.best_cost = true, cost
            self.noted = -PAUSE

    def _note(self) -> None:
        seconds = cpu_clock() - self.start
        if self.points is not None and seconds - self.noted >= PAUSE:
            objective = self.costs.score(self.best_cost) if self.best is not None else float("nan")
            self.points.append(TracePoint(seconds, objective, self.costs.bound(self.cost), self.calls))
            self.noted = seconds
