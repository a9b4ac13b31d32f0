"""`wcsp-toulbar2`: toulbar2, an exact solver of cost function networks (hybrid best-first search, local consistency).

Tables become cost functions, and linear constraints become toulbar2's knapsacks. Costs are whole numbers
(`whole_costs`), which the library's doubles hold exactly. At its time limit the search returns the best assignment and
a valid bound; it checks the limit between its steps. The library reports no progress, so a trace has one point.

toulbar2 keeps its options per thread, and its searches change them: preprocessing switches hybrid best-first search
off, and a problem without costs lowers the level of local consistency. An infeasible problem would leave both changed
for all later searches (a budget of 200 over 400 variables: more than 10 s instead of 0.1 s). A new thread has no
defaults, and the library refuses to search. Each search therefore starts with `init`, which restores the defaults in
a microsecond. A process per search would take milliseconds, longer than most small problems.
"""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from problems.formats.network import Linear, Network
from problems.formats.network_costs import FORBIDDEN, CostTable

from ..base import cpu_clock
from ..linear.base import Outcome
from . import wall_timer
from .base import NetworkSolver, missing_extra
from .whole_costs import WholeCosts

MOST_LAID_OUT = 3  # variables of a table; the library has larger ones as lists of tuples


@dataclass(kw_only=True)
class WcspToulbar2(NetworkSolver):
    name: ClassVar[str] = "wcsp-toulbar2"
    exact: ClassVar[bool] = True

    seed: int = 1

    @classmethod
    def unavailable(cls) -> str | None:
        return missing_extra("pytoulbar2", "toulbar2")

    @classmethod
    def version(cls) -> str:
        from importlib.metadata import version

        import pytoulbar2

        return f"toulbar2 {pytoulbar2.pytb2.option.version.split()[0]} of pytoulbar2 {version('pytoulbar2')}"

    def search(self, network: Network, costs: WholeCosts) -> Outcome:
        import pytoulbar2

        start = cpu_clock()
        above = 2 * costs.most + 1  # no allowed assignment costs as much, so this is what a forbidden one costs
        library = pytoulbar2.pytb2
        library.init()
        problem = pytoulbar2.CFN(above, seed=self.seed % 2**31, verbose=-1)
        try:
            _build(problem, network, costs, above)
        except library.Contradiction:
            problem.ClearPropagationQueues()
            return Outcome("infeasible", build_seconds=cpu_clock() - start)
        built = cpu_clock()
        try:
            with _timer(problem.CFN, self.time_limit):
                found = problem.Solve()
            limited = bool(library.option.limited)
        except library.SolverOut:  # the time was up while it sorted constraints, before the search
            found, limited = None, True
        outcome = Outcome("stopped" if limited else "infeasible" if found is None else "solved")
        outcome.build_seconds, outcome.solve_seconds = built - start, cpu_clock() - built
        outcome.iterations = problem.GetNbNodes()
        if found is not None:
            outcome.values = np.array(found[0], dtype=np.float64)
        if limited:
            least_cost = problem.GetDDualBound()
            outcome.bound = costs.bound(min(least_cost, found[1]) if found else least_cost)
        elif found is not None:
            outcome.bound = costs.bound(found[1])
        return outcome


@contextmanager
def _timer(solver: Any, seconds: float | None) -> Iterator[None]:
    """A time limit in wall-clock seconds, or in CPU seconds where the system has no timers that could tell.

    toulbar2's own takes whole CPU seconds, but its signal handler does not mind who sends the signal. It takes hold of Ctrl-C
    as well, which stays Python's.
    """
    if seconds is None:
        yield
        return
    solver.timer(math.ceil(seconds))
    _give_back("SIGINT")
    try:
        if wall_timer.available():
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            with wall_timer.signal_after(seconds, signal.SIGVTALRM):
                yield
        else:
            if hasattr(signal, "setitimer"):
                signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
            yield
    finally:
        solver.timerStop()
        _give_back("SIGVTALRM")


def _give_back(name: str) -> None:
    """Let a signal do again what it did before; only the main thread may say so."""
    known: signal.Signals | None = getattr(signal, name, None)
    if known is not None and threading.current_thread() is threading.main_thread():
        signal.signal(known, signal.getsignal(known))


def _build(problem: Any, network: Network, costs: WholeCosts, above: int) -> None:
    for variable, domain in enumerate(network.domains):
        problem.AddVariable(f"v{variable}", range(domain))
    for table in costs.tables:
        _add_table(problem, table, network.domains, above)
    for linear in network.linears:
        _add_linear(problem, linear, network.domains, above)


def _add_table(problem: Any, table: CostTable, domains: list[int], above: int) -> None:
    if len(table.scope) <= MOST_LAID_OUT:
        laid_out = table.laid_out(domains).ravel()
        problem.AddFunction(list(table.scope), np.where(laid_out == FORBIDDEN, above, laid_out).tolist())
    else:
        default = above if table.default == FORBIDDEN else table.default
        given = np.where(table.costs == FORBIDDEN, above, table.costs)
        problem.AddCompactFunction(list(table.scope), default, table.tuples.tolist(), given.tolist())


def _add_linear(problem: Any, linear: Linear, domains: list[int], above: int) -> None:
    """As in a `knapsackp` of a file; pytoulbar2's own method takes quadratic time."""
    weights = linear.by_variable()
    if (excluded := _clause(linear, domains)) is not None:
        problem.AddCompactFunction(list(weights), 0, [excluded], [above])
        return
    fields = [linear.least]
    for given in weights.values():
        fields += [len(given) // 2, *given]
    problem.CFN.wcsp.postKnapsackConstraint(list(weights), " ".join(map(str, fields)), kp=True)


def _clause(linear: Linear, domains: list[int]) -> list[int] | None:
    """The only values of 0/1 variables that a linear constraint excludes, or None if there are more."""
    variables, weights = linear.variables.tolist(), linear.weights
    if any(domains[v] != 2 for v in variables) or len(set(variables)) < len(variables):
        return None
    least_change = int(np.abs(weights).min())
    lowest = int(np.minimum(weights, 0).sum())
    if not lowest < linear.least <= lowest + least_change:
        return None
    return np.where(weights > 0, 1 - linear.values, linear.values).tolist()
