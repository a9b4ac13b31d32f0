"""`maxsat-rc2`: PySAT's RC2, a core-guided MaxSAT solver (stratified, on Glucose 3), on weighted clauses.

At its time limit (wall-clock) the search returns the best assignment so far and a valid bound. The limit does not
include the time to make the clauses. The solver refuses a graph that needs too many clauses; the usual reason is a
knapsack whose costs have many different sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from problems.formats.network import Network

from ..base import cpu_clock
from ..linear.base import Outcome
from .base import NetworkSolver, missing_extra
from .clauses import Clauses
from .whole_costs import WholeCosts


@dataclass(kw_only=True)
class MaxsatRc2(NetworkSolver):
    name: ClassVar[str] = "maxsat-rc2"
    exact: ClassVar[bool] = True

    @classmethod
    def unavailable(cls) -> str | None:
        return missing_extra("pysat.examples.rc2", "maxsat")

    @classmethod
    def version(cls) -> str:
        from importlib.metadata import version

        return f"RC2 of python-sat {version('python-sat')}"

    def search(self, network: Network, costs: WholeCosts) -> Outcome:
        from .core_guided import CoreGuided, Stopped

        start = cpu_clock()
        clauses = Clauses(network, costs, self.name)
        if [] in clauses.hard:
            return Outcome("infeasible", build_seconds=cpu_clock() - start)
        with CoreGuided(clauses, costs, self.time_limit, self.trace) as rc2:
            built = cpu_clock()
            try:
                outcome = Outcome("solved" if rc2.run() else "infeasible")
            except Stopped:
                outcome = Outcome("stopped")
            outcome.build_seconds, outcome.solve_seconds = built - start, cpu_clock() - built
            outcome.iterations, outcome.trace = rc2.calls, rc2.points or []
            if outcome.status != "infeasible":
                outcome.bound = costs.bound(rc2.cost)
            if rc2.best is not None:
                outcome.values = clauses.values(rc2.best).astype(np.float64)
        return outcome
