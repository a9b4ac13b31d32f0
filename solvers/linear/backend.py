"""What every backend would otherwise repeat: the programs that libraries disagree on, and a floor under their answers.

Libraries differ or fail on programs without rows or columns, with crossed bounds, or that are unbounded. These are
settled here, so that a backend sees clean arrays (see `cleaning`) in a unit that its absolute tolerances fit (see
`scaling`), and only says how to hand them over and what came
back (`run`).
"""

from __future__ import annotations

import dataclasses
import importlib
import math
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from problems.errors import InputError
from problems.linear_program import LinearProgram

from ..base import TracePoint, cpu_clock
from .base import LinearSolver, Outcome
from .cleaning import BOUND_TOLERANCE, clean
from .duality import box_bound
from .scaling import Unit, unit_of


@dataclass(kw_only=True)
class LinearBackend(LinearSolver):
    def run(self, program: LinearProgram) -> Outcome:
        """Solve a clean program with at least one entry, scaled and without a constant. `infeasible` may also be said of an unbounded one."""
        raise NotImplementedError

    def optimize(self, program: LinearProgram) -> Outcome:
        program = clean(program, relaxation=self.relaxation)
        if (program.lower > program.upper).any() or (program.row_lower > program.row_upper).any():
            return Outcome("infeasible", message="a lower bound exceeds its upper bound")
        outcome = self._run_scaled(program, unit_of(program, self.relaxation))
        if outcome.status == "infeasible" and math.isinf(box_bound(program)):
            without_objective = dataclasses.replace(program, objective=np.zeros(program.number_of_columns))
            if self.run(without_objective).status != "infeasible":
                self.refuse_unbounded()
        if outcome.status != "infeasible":
            outcome.bound = min(outcome.bound, box_bound(program))
        if self.trace and outcome.status != "infeasible":
            objective = math.nan if outcome.values is None else program.value(outcome.values)
            outcome.trace.append(TracePoint(outcome.solve_seconds, objective, outcome.bound, outcome.iterations))
        return outcome

    def _run_scaled(self, program: LinearProgram, unit: Unit) -> Outcome:
        scaled = unit.apply(program)
        outcome = self._run_without_rows(scaled) if len(program.row_values) == 0 else self.run(scaled)
        unit.restore(outcome)
        return outcome

    def _run_without_rows(self, program: LinearProgram) -> Outcome:
        """No row ties columns together: each goes to its better end."""
        start = cpu_clock()
        if (program.row_lower > BOUND_TOLERANCE).any() or (program.row_upper < -BOUND_TOLERANCE).any():
            return Outcome("infeasible", message="a row without entries excludes zero")
        idle = np.clip(0.0, program.lower, program.upper)
        values = np.select([program.objective > 0, program.objective < 0], [program.upper, program.lower], idle)
        if not np.isfinite(values).all():
            self.refuse_unbounded()
        return Outcome("solved", values=values, bound=program.value(values), solve_seconds=cpu_clock() - start)

    def refuse_unbounded(self) -> NoReturn:
        raise InputError(
            f"the linear program is unbounded, says solver {self.name!r}: give every variable finite bounds."
        )

    def unexpected(self, status: object) -> RuntimeError:
        return RuntimeError(f"solver {self.name!r} ended with the unexpected status {status}.")


def missing(module: str, install: str = "") -> str | None:
    """Why a library cannot be used, or None: it is really imported, as an installed one can still fail to load.

    `install` is the command that brings it.
    """
    try:
        importlib.import_module(module)
    except ImportError as error:
        hint = f"; {install} brings it" if install else ""
        return f"the Python package {module.split('.')[0]} cannot be imported ({error}){hint}"
    return None
