"""From an instance to a cost function network and back: what solvers of networks share.

The network is the one that `.cfn` and `.wcsp` files have (`problems.formats.graph_network`): it says every kind of factor
exactly, but for those written in Python. Nothing that a library claims is trusted: the structure is decoded from its
values, checked and re-scored.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from problems import task_of
from problems.errors import InputError
from problems.formats.graph_network import Translation
from problems.formats.network import Network
from problems.linear_program import Floats

from ..base import GraphSolver, Solution, TracePoint, cpu_clock
from ..conclude import judge
from ..linear.backend import missing
from ..linear.base import Outcome
from .whole_costs import WholeCosts, whole_costs


@dataclass(kw_only=True)
class NetworkSolver(GraphSolver):
    time_limit: float | None = None
    trace: bool = False

    def check_options(self) -> None:
        self.require_time_limit(self.time_limit)

    def search(self, network: Network, costs: WholeCosts) -> Outcome:
        """Find the network's least cost; the outcome's values are those of the network's variables."""
        raise NotImplementedError

    def solve(self, instance: Any) -> Solution:
        task, instance = task_of(instance), self.formulated(instance)
        unusable = self.unavailable()  # imports the library, which is not on the clock
        if unusable:
            raise InputError(f"solver {self.name!r} cannot be used here: {unusable}.")
        wall, start = time.perf_counter(), cpu_clock()
        graph = task.graph(instance)
        translation = Translation(graph)
        costs = whole_costs(translation.network, self.name)
        build_seconds = cpu_clock() - start
        outcome = Outcome("infeasible") if costs.impossible else self.search(translation.network, costs)
        outcome.build_seconds += build_seconds

        def conclude(values: Floats, bound: float) -> Solution:
            chosen = translation.assignment(values.astype(np.int64))
            solution = judge(task, instance, task.structure(instance, chosen), bound, graph.magnitude)
            solution.integral = True
            return solution

        solution = outcome.solution(conclude)
        if self.trace and solution.status != "infeasible":
            last = TracePoint(outcome.solve_seconds, solution.objective, outcome.bound, outcome.iterations)
            solution.trace.append(last)
        solution.wall_seconds = time.perf_counter() - wall
        return solution


def missing_extra(module: str, extra: str) -> str | None:
    """Why an optional library cannot be used, and the command that installs it; None if it can."""
    why = missing(module)
    return why and f"{why}: pip install 'dualbench[{extra}]'"
