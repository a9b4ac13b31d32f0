"""Gurobi through gurobipy's matrix API.

Gaps are zero. Integrality and rows of an ILP hold within 1e-9 (defaults 1e-5 and 1e-6): a column that is off by 1e-5
could move the bound away from the re-scored structure by more than our tolerance. LPs have primal and dual feasibility
within 1e-7, like the other backends. A two-sided row becomes an equation with a bounded column, as in Gurobi's own
`addRange`.

`pip install gurobipy` brings a licence for 2,000 rows and 2,000 columns. Gurobi uses a licence of your own where it
finds one. Starting an environment checks the licence; this happens once per process and counts as no solver's time.
"""

from __future__ import annotations

import functools
import math
import os
import threading
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from problems.linear_program import LinearProgram

from ..base import TracePoint, cpu_clock
from .base import Outcome, Rounded
from .duality import dual_bound
from .licensed import LicensedBackend, no_licence, plain_bound

INFINITE = 1e100  # what Gurobi calls infinity
FREE_LICENCE = 2000  # rows, and columns, of the licence that comes with gurobipy


@dataclass(kw_only=True)
class _Gurobi(LicensedBackend):
    module: ClassVar[str] = "gurobipy"
    extra: ClassVar[str] = "gurobi"
    limit_name: ClassVar[str] = "TimeLimit"

    @classmethod
    def licence_problem(cls) -> str | None:
        return _licence_problem()

    @classmethod
    def version(cls) -> str:
        import gurobipy

        return f"Gurobi {'.'.join(map(str, gurobipy.gurobi.version()))}"

    def run(self, program: LinearProgram) -> Outcome:
        import gurobipy

        environment = _environment(os.getpid(), threading.get_ident())
        start = cpu_clock()
        with gurobipy.Model(env=environment) as model:
            for name, value in (self.named_settings() | {"Seed": self.seed % 2_000_000_001}).items():
                model.setParam(name, value)
            columns, rows = _load(model, program, self.relaxation)
            built = cpu_clock()
            trace: list[TracePoint] = []
            try:
                model.optimize(_watch(trace, built) if self.trace and not self.relaxation else None)
            except gurobipy.GurobiError as error:
                if error.errno != gurobipy.GRB.Error.SIZE_LIMIT_EXCEEDED:
                    raise
                raise self.beyond_licence(too_large(model.NumConstrs, model.NumVars)) from None
            outcome = self._outcome(program, model, columns, rows)
            outcome.build_seconds, outcome.solve_seconds = built - start, cpu_clock() - built
        outcome.trace = trace
        return outcome

    def _outcome(self, program: LinearProgram, model: Any, columns: Any, rows: Any) -> Outcome:
        from gurobipy import GRB

        if model.Status in (GRB.INFEASIBLE, GRB.INF_OR_UNBD):
            return Outcome("infeasible")
        if model.Status == GRB.UNBOUNDED:
            self.refuse_unbounded()
        if model.Status not in (GRB.OPTIMAL, GRB.TIME_LIMIT):
            raise self.unexpected(model.Status)
        outcome = Outcome("solved" if model.Status == GRB.OPTIMAL else "stopped")
        if model.SolCount and (model.IsMIP or outcome.status == "solved"):
            outcome.values = np.array(columns.X)
        if model.IsMIP:
            outcome.iterations, outcome.bound = int(model.NodeCount), plain_bound(model.ObjBound, INFINITE)
        else:
            outcome.iterations = int(model.IterCount)
            if outcome.status == "solved":
                outcome.bound = dual_bound(program, np.array(rows.Pi))
        return outcome


@dataclass(kw_only=True)
class GurobiInteger(_Gurobi):
    """Gurobi's branch and cut on the integer program."""

    name: ClassVar[str] = "ilp-gurobi"
    exact: ClassVar[bool] = True
    settings: ClassVar[dict[str, float]] = {
        "MIPGap": 0.0,
        "MIPGapAbs": 0.0,
        "IntFeasTol": 1e-9,
        "FeasibilityTol": 1e-9,
    }


@dataclass(kw_only=True)
class GurobiRelaxation(Rounded, _Gurobi):
    """Gurobi's dual simplex on the LP relaxation."""

    name: ClassVar[str] = "lp-gurobi"
    settings: ClassVar[dict[str, float]] = {"Method": 1, "FeasibilityTol": 1e-7, "OptimalityTol": 1e-7}


def too_large(rows: int, columns: int) -> str:
    """What to tell of a model that the licence in force does not cover."""
    beyond = [f"{count:,} {what}" for count, what in ((rows, "rows"), (columns, "columns")) if count > FREE_LICENCE]
    if not beyond:  # some other licence with limits, which Gurobi does not tell
        return f"{rows:,} rows and {columns:,} columns are more than this Gurobi licence covers."
    return f"{' and '.join(beyond)}; this Gurobi licence ends at {FREE_LICENCE:,}."


@functools.cache
def _licence_problem() -> str | None:
    """Why no environment can be started. This one is given back, so that a process that only asks holds no licence."""
    import gurobipy

    try:
        _start().dispose()
    except gurobipy.GurobiError as error:
        return no_licence("Gurobi", error)
    return None


@functools.cache
def _environment(process: int, thread: int) -> Any:
    """The environment of a thread, which Gurobi does not share; a forked child starts its own."""
    return _start()


def _start() -> Any:
    import gurobipy

    return gurobipy.Env(params={"OutputFlag": 0, "Threads": 1})


def _load(model: Any, program: LinearProgram, relaxation: bool) -> tuple[Any, Any]:
    """Hand the arrays over; Gurobi's objects of the program's columns and rows."""
    from gurobipy import GRB

    lower, upper = program.row_lower, program.row_upper
    kinds = np.full(program.number_of_columns, GRB.CONTINUOUS)
    if not relaxation:
        kinds[program.integer] = GRB.INTEGER
    columns = model.addMVar(
        program.number_of_columns, lb=program.lower, ub=program.upper, obj=program.objective, vtype=kinds
    )
    model.ModelSense, model.ObjCon = GRB.MAXIMIZE, program.constant
    ranged = np.isfinite(lower) & np.isfinite(upper) & (lower < upper)
    senses = np.select([ranged | (lower == upper), np.isfinite(upper)], [GRB.EQUAL, GRB.LESS_EQUAL], GRB.GREATER_EQUAL)
    sides = np.where(np.isfinite(upper), upper, lower)
    matrix, everything = program.matrix(), columns
    if ranged.any():
        import gurobipy
        from scipy.sparse import csr_array, hstack

        slacks = model.addMVar(int(ranged.sum()), ub=(upper - lower)[ranged])
        at = np.flatnonzero(ranged)
        unit = csr_array((np.ones(len(at)), (at, np.arange(len(at)))), shape=(len(lower), len(at)))
        matrix, everything = hstack([matrix, unit], format="csr"), gurobipy.concatenate([columns, slacks])
    return columns, model.addMConstr(matrix, everything, senses, sides)


def _watch(trace: list[TracePoint], start: float) -> Any:
    """A callback that notes every better incumbent and every better bound."""
    from gurobipy import GRB

    best = -math.inf

    def note(model: Any, where: int) -> None:
        nonlocal best
        if where == GRB.Callback.MIPSOL:
            objective, bound, nodes = GRB.Callback.MIPSOL_OBJ, GRB.Callback.MIPSOL_OBJBND, GRB.Callback.MIPSOL_NODCNT
        elif where == GRB.Callback.MIP:
            objective, bound, nodes = GRB.Callback.MIP_OBJBST, GRB.Callback.MIP_OBJBND, GRB.Callback.MIP_NODCNT
        else:
            return
        found = model.cbGet(objective)
        best = max(best, found if abs(found) < INFINITE else -math.inf)
        point = TracePoint(
            cpu_clock() - start,
            best if math.isfinite(best) else math.nan,
            plain_bound(model.cbGet(bound), INFINITE),
            int(model.cbGet(nodes)),
        )
        if not trace or (trace[-1].objective, trace[-1].bound) != (point.objective, point.bound):
            trace.append(point)

    return note
