"""CLP, COIN-OR's simplex, through OR-tools' older interface (the model builder does not support it).

The model builder still makes the program and exports the message that the older interface loads. CLP has primal and
dual feasibility within 1e-7 and no random choices, so the seed has no effect. When a limit stops it, CLP reports a
basis of the dual simplex as feasible; a stopped run therefore has no values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from problems.linear_program import LinearProgram

from ..base import cpu_clock
from .backend import LinearBackend, missing
from .base import Outcome, Rounded
from .duality import dual_bound
from .ortools_model import build_model, ortools_version


@dataclass(kw_only=True)
class Clp(Rounded, LinearBackend):
    name: ClassVar[str] = "lp-clp"

    @classmethod
    def unavailable(cls) -> str | None:
        reason = missing("ortools.linear_solver.pywraplp")
        if reason:
            return reason
        from ortools.linear_solver.pywraplp import Solver

        supported = Solver.SupportsProblemType(Solver.CLP_LINEAR_PROGRAMMING)
        return None if supported else "this build of OR-tools comes without CLP"

    @classmethod
    def version(cls) -> str:
        from ortools.linear_solver.pywraplp import Solver

        return f"{Solver('version', Solver.CLP_LINEAR_PROGRAMMING).SolverVersion()} of {ortools_version()}"

    def run(self, program: LinearProgram) -> Outcome:
        from ortools.linear_solver.linear_solver_pb2 import MPSolutionResponse
        from ortools.linear_solver.python import model_builder_helper
        from ortools.linear_solver.pywraplp import Solver

        export: Any = model_builder_helper.to_mpmodel_proto
        start = cpu_clock()
        solver = Solver("dualbench", Solver.CLP_LINEAR_PROGRAMMING)
        solver.SuppressOutput()
        trouble = solver.LoadModelFromProto(export(build_model(program, relaxation=True)))
        if trouble:
            raise self.unexpected(f"on reading the model: {trouble}")
        if self.time_limit is not None:
            solver.SetTimeLimit(min(max(1, round(1000 * self.time_limit)), 2**31 - 1))
        built = cpu_clock()
        status = solver.Solve()
        if status == Solver.UNBOUNDED:
            self.refuse_unbounded()
        if status == Solver.INFEASIBLE:
            outcome = Outcome("infeasible")
        elif status == Solver.OPTIMAL:
            response = MPSolutionResponse()
            solver.FillSolutionResponseProto(response)
            bound = dual_bound(program, np.array(response.dual_value))
            outcome = Outcome("solved", values=np.array(response.variable_value), bound=bound)
            outcome.iterations = solver.Iterations()
        elif self.time_limit is not None and status in (Solver.FEASIBLE, Solver.NOT_SOLVED):
            outcome = Outcome("stopped")
        else:
            raise self.unexpected(status)
        outcome.build_seconds, outcome.solve_seconds = built - start, cpu_clock() - built
        return outcome
