"""FICO Xpress through its array interface.

Gaps are zero, and so are the cutoffs by which a new incumbent must improve on the last one (defaults: 1e-4 relative,
1e-5 absolute). Integrality and rows of an ILP hold within 1e-9 (defaults 5e-6 and 1e-6), for the reason in `gurobi`.
Reduced costs do as well (default 1e-6): Xpress scales the objective again and would prune near ties of 5e-8
(relative). LPs have primal and dual feasibility within 1e-7, like the other backends.

`pip install xpress` brings a licence for 5,000 rows and columns together. Xpress uses a licence of your own where it
finds one. Initializing the library checks the licence; this happens once per process and counts as no solver's time.
"""

from __future__ import annotations

import functools
import math
import re
import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from problems.linear_program import Floats, LinearProgram

from ..base import TracePoint, cpu_clock
from .base import Outcome, Rounded
from .duality import dual_bound
from .licensed import LicensedBackend, no_licence, plain_bound

TOO_LARGE = re.compile(r"\?120\b.*maximum is (\d+)")  # "?120 Error: Problem has too many rows and columns. The ..."
INFINITE = 1e20  # what Xpress calls infinity


@dataclass(kw_only=True)
class _Xpress(LicensedBackend):
    module: ClassVar[str] = "xpress"
    extra: ClassVar[str] = "xpress"
    limit_name: ClassVar[str] = "timelimit"

    @classmethod
    def licence_problem(cls) -> str | None:
        return _licence_problem()

    @classmethod
    def version(cls) -> str:
        import xpress

        return f"Xpress {xpress.__version__} (Optimizer {xpress.getVersion()})"

    def run(self, program: LinearProgram) -> Outcome:
        import xpress

        _initialise()
        start = cpu_clock()
        model = xpress.problem()
        model.setOutputEnabled(False)
        for control, value in (self.named_settings() | {"threads": 1, "randomseed": 1 + self.seed % 2**30}).items():
            setattr(model.controls, control, value)
        _load(model, program, self.relaxation)
        built = cpu_clock()
        trace = _watch(model, built) if self.trace and not self.relaxation else []
        try:
            model.optimize()
        except xpress.SolverError as error:
            beyond = TOO_LARGE.search(str(error))
            if beyond is None:
                raise
            raise self.beyond_licence(too_large(program, int(beyond[1]))) from None
        outcome = self._outcome(program, model)
        outcome.build_seconds, outcome.solve_seconds = built - start, cpu_clock() - built
        outcome.trace = trace
        return outcome

    def _outcome(self, program: LinearProgram, model: Any) -> Outcome:
        from xpress import SolStatus, SolveStatus

        facts = model.attributes
        ended, found = facts.solvestatus, facts.solstatus
        if ended == SolveStatus.COMPLETED and found == SolStatus.INFEASIBLE:
            return Outcome("infeasible")
        if found == SolStatus.UNBOUNDED:
            self.refuse_unbounded()
        solved = ended == SolveStatus.COMPLETED and found == SolStatus.OPTIMAL
        if not solved and (ended != SolveStatus.STOPPED or self.time_limit is None):
            raise self.unexpected(f"{SolveStatus(ended).name}, {SolStatus(found).name}")
        outcome = Outcome("solved" if solved else "stopped")
        if not self.relaxation and program.integer.any():
            outcome.iterations, outcome.bound = facts.nodes, plain_bound(facts.bestbound, INFINITE)
            if found in (SolStatus.OPTIMAL, SolStatus.FEASIBLE):
                outcome.values = np.array(model.getSolution())
        else:
            outcome.iterations = facts.simplexiter
            if solved:
                outcome.values = np.array(model.getSolution())
                outcome.bound = dual_bound(program, np.array(model.getDuals()))
        return outcome


@dataclass(kw_only=True)
class XpressInteger(_Xpress):
    """Xpress's branch and cut on the integer program."""

    name: ClassVar[str] = "ilp-xpress"
    exact: ClassVar[bool] = True
    settings: ClassVar[dict[str, float]] = {
        "miprelstop": 0.0,
        "mipabsstop": 0.0,
        "miprelcutoff": 0.0,
        "mipaddcutoff": 0.0,
        "miptol": 1e-9,
        "feastol": 1e-9,
        "optimalitytol": 1e-9,
    }


@dataclass(kw_only=True)
class XpressRelaxation(Rounded, _Xpress):
    """Xpress's dual simplex on the LP relaxation."""

    name: ClassVar[str] = "lp-xpress"
    settings: ClassVar[dict[str, float]] = {"defaultalg": 2, "feastol": 1e-7, "optimalitytol": 1e-7}


def too_large(program: LinearProgram, most: int) -> str:
    """What to tell of a program that the licence in force does not cover."""
    rows, columns = program.number_of_rows, program.number_of_columns
    return f"{rows:,} rows and {columns:,} columns; this Xpress licence ends at {most:,} of both together."


@functools.cache
def _licence_problem() -> str | None:
    """Why the library does not start. The licence is given back, so that a process that only asks holds none."""
    import xpress

    try:
        _start()
    except (xpress.InterfaceError, xpress.ModelError, xpress.SolverError) as error:
        return no_licence("Xpress", error)
    xpress.free()
    return None


@functools.cache
def _initialise() -> None:
    _start()


def _start() -> None:
    import xpress

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", xpress.LicenseWarning)  # it recommends naming the licence's file
        xpress.init()


def _load(model: Any, program: LinearProgram, relaxation: bool) -> None:
    """Hand the arrays over, by columns as Xpress wants them."""
    import xpress

    lower, upper = program.row_lower, program.row_upper
    matrix = program.matrix().tocsc()
    bounded = np.isfinite(lower) & np.isfinite(upper)
    kinds = np.select([lower == upper, bounded, np.isfinite(upper)], ["E", "R", "L"], "G")
    integer = np.flatnonzero(np.zeros_like(program.integer) if relaxation else program.integer)
    model.loadMIP(
        probname="dualbench",
        rowtype=kinds,
        rhs=np.where(np.isfinite(upper), upper, lower),
        rng=np.where(bounded, upper - lower, 0.0) if len(lower) else None,
        objcoef=program.objective,
        start=matrix.indptr,
        rowind=matrix.indices,
        rowcoef=matrix.data,
        lb=_within(program.lower),
        ub=_within(program.upper),
        coltype=np.full(len(integer), "I"),
        entind=integer,
    )
    model.chgObjSense(xpress.ObjSense.MAXIMIZE)


def _within(bounds: Floats) -> Floats:
    return np.clip(bounds, -INFINITE, INFINITE)


def _watch(model: Any, start: float) -> list[TracePoint]:
    """Follow Xpress's log and its incumbents: the list fills while it runs."""
    trace: list[TracePoint] = []

    def note(running: Any, _: Any) -> None:
        facts = running.attributes
        objective = facts.mipbestobjval if facts.mipsols else math.nan
        trace.append(TracePoint(cpu_clock() - start, objective, plain_bound(facts.bestbound, INFINITE), facts.nodes))

    model.addMiplogCallback(note, None)
    model.addIntsolCallback(note, None)
    return trace
