"""Any solver that PuLP finds on the machine, such as Gurobi, CPLEX, Xpress or MOSEK with a licence of yours.

PuLP builds the model object by object, and some backends read it from a file with 12 digits: this route is general, not
fast. We pass one thread, zero gaps and the time limit on where the backend has such options. PuLP has no common way to
set a seed or to read a best bound, so a stopped run has the trivial bound only. The solver trusts its backend's status,
except `infeasible` at the time limit, which CBC reports for any program. For CBC itself, `ilp-cbc` is faster and works
around its known errors.
"""

from __future__ import annotations

import inspect
import tempfile
import time
import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from problems.errors import InputError, nearest
from problems.linear_program import LinearProgram

from ..base import cpu_clock
from .backend import LinearBackend, missing
from .base import Outcome
from .cbc import cbc_path, version_of


@dataclass(kw_only=True)
class PulpAny(LinearBackend):
    name: ClassVar[str] = "ilp-pulp"
    exact: ClassVar[bool] = True

    backend: str = "PULP_CBC_CMD"  # PuLP's name of a solver, such as GUROBI_CMD, CPLEX_PY or HiGHS.

    @classmethod
    def unavailable(cls) -> str | None:
        return missing("pulp")

    @classmethod
    def version(cls) -> str:
        """PuLP's, and that of the backend that it takes unless told otherwise."""
        import pulp

        path = cbc_path()
        return f"PuLP {pulp.__version__}" + (f" (by default CBC {version_of(path)})" if path else "")

    def run(self, program: LinearProgram) -> Outcome:
        import pulp

        with warnings.catch_warnings(), tempfile.TemporaryDirectory(prefix="dualbench-pulp-") as folder:
            warnings.simplefilter("ignore", DeprecationWarning)  # PuLP 3 announces PuLP 4
            solver = self._solver(folder)
            start = cpu_clock()
            problem, variables = _build(program)
            built, wall = cpu_clock(), time.perf_counter()
            try:
                problem.solve(solver)
            except pulp.PulpSolverError as error:
                raise self.unexpected(f"of {self.backend}: {error}") from error
            outcome = self._read(program, problem, variables, time.perf_counter() - wall)
            outcome.build_seconds, outcome.solve_seconds = built - start, cpu_clock() - built
        return outcome

    def _solver(self, folder: str) -> Any:
        import pulp

        available = pulp.listSolvers(onlyAvailable=True)
        if self.backend not in available:
            raise InputError(
                f"PuLP cannot use the backend {self.backend!r} of solver {self.name!r} on this machine "
                f"(available: {', '.join(available)}): {nearest(self.backend, available)}"
            )
        wanted: dict[str, Any] = {
            "msg": False,
            "threads": 1,
            "gapRel": 0.0,
            "gapAbs": 0.0,
            "timeLimit": self.time_limit,
        }
        known = inspect.signature(type(pulp.getSolver(self.backend, msg=False)).__init__).parameters
        solver = pulp.getSolver(self.backend, **{option: value for option, value in wanted.items() if option in known})
        if hasattr(solver, "tmpDir"):
            solver.tmpDir = folder
        return solver

    def _read(self, program: LinearProgram, problem: Any, variables: list[Any], elapsed: float) -> Outcome:
        import pulp

        if problem.status == pulp.LpStatusInfeasible:
            return Outcome("stopped" if self.ran_out_of_time(elapsed) else "infeasible")
        if problem.status == pulp.LpStatusUnbounded:
            self.refuse_unbounded()
        found = problem.sol_status in (pulp.LpSolutionOptimal, pulp.LpSolutionIntegerFeasible)
        solved = problem.status == pulp.LpStatusOptimal and problem.sol_status == pulp.LpSolutionOptimal
        if not solved and self.time_limit is None:
            raise self.unexpected(f"{pulp.LpStatus[problem.status]} of {self.backend}")
        outcome = Outcome("solved" if solved else "stopped")
        if found:
            idle = np.clip(0.0, program.lower, program.upper)  # columns that PuLP left out, as nothing depends on them
            values = np.array([np.nan if x.varValue is None else x.varValue for x in variables])
            values = np.where(np.isnan(values), idle, np.clip(values, program.lower, program.upper))
            outcome.values = np.where(program.integer, np.rint(values), values)
            if solved:
                outcome.bound = program.value(outcome.values)
        return outcome


def _build(program: LinearProgram) -> tuple[Any, list[Any]]:
    import pulp

    problem = pulp.LpProblem("dualbench", pulp.LpMaximize)
    new_variable = getattr(problem, "add_variable", pulp.LpVariable)  # PuLP before 3.3 has the class only
    lower = [bound if np.isfinite(bound) else None for bound in program.lower.tolist()]
    upper = [bound if np.isfinite(bound) else None for bound in program.upper.tolist()]
    kinds = np.where(program.integer, pulp.LpInteger, pulp.LpContinuous).tolist()
    variables = [new_variable(f"x{j}", *column) for j, column in enumerate(zip(lower, upper, kinds, strict=True))]
    problem += pulp.LpAffineExpression(list(zip(variables, program.objective.tolist(), strict=True)))
    starts, columns, values = program.row_starts.tolist(), program.row_columns.tolist(), program.row_values.tolist()
    for row, (low, high) in enumerate(zip(program.row_lower.tolist(), program.row_upper.tolist(), strict=True)):
        entries = range(starts[row], starts[row + 1])
        terms = [(variables[columns[k]], values[k]) for k in entries]
        sides = [(pulp.LpConstraintGE, low), (pulp.LpConstraintLE, high)]
        for sense, side in [(pulp.LpConstraintEQ, low)] if low == high else sides:
            if np.isfinite(side):
                problem += pulp.LpConstraint(pulp.LpAffineExpression(terms), sense, rhs=side)
    return problem, variables
