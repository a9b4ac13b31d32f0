"""CP-SAT, OR-tools' constraint solver, on the program with integer coefficients (`integral`).

CP-SAT converts floating-point objectives with a precision of about 1e-6. Our own conversion keeps 45 bits and adds its
rounding error to the bound: at most half a unit per column, 1.4e-14 of the sum of all absolute scores.

CP-SAT 9.15 loses the optimum of one in a hundred knapsacks with coefficients of 32 bits or more, unless inclusion
detection in its presolve is off (github.com/google/or-tools, issue 5293). We switch it off for programs with large
coefficients.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from problems.errors import InputError
from problems.factors.block import Booleans
from problems.linear_program import Integers, LinearProgram

from ..base import TracePoint, cpu_clock
from .backend import LinearBackend, missing
from .base import Outcome
from .integral import IntegralProgram, to_integral
from .ortools_model import ortools_version

LARGE = 2**24  # coefficients of this size and above; no error was found below 2^31


@dataclass(kw_only=True)
class CpSat(LinearBackend):
    name: ClassVar[str] = "ilp-cpsat"
    exact: ClassVar[bool] = True

    linearization_level: int = 2  # 2 puts every constraint into CP-SAT's LP relaxation, which these programs need.

    def check_options(self) -> None:
        super().check_options()
        if not 0 <= self.linearization_level <= 2:
            raise InputError(
                f"option 'linearization_level' of solver {self.name!r} must be 0, 1 or 2, "
                f"not {self.linearization_level}."
            )

    @classmethod
    def unavailable(cls) -> str | None:
        return missing("ortools.sat.python.cp_model")

    @classmethod
    def version(cls) -> str:
        return ortools_version()

    def run(self, program: LinearProgram) -> Outcome:
        from ortools.sat.python import cp_model

        start = cpu_clock()
        integral = to_integral(program, self.name)
        if integral.contradicts_itself:
            return Outcome("infeasible", message="some bounds have no whole number between them")
        model = _build(program, integral)
        built = cpu_clock()
        solver = cp_model.CpSolver()
        self._set_parameters(solver.parameters, large=bool((np.abs(integral.row_values) >= LARGE).any()))
        trace: list[TracePoint] = []
        callback = _watch(solver, trace, built, program.constant, integral.error) if self.trace else None
        status = solver.solve(model, callback)
        if status == cp_model.INFEASIBLE:
            outcome = Outcome("infeasible")
        elif status in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.UNKNOWN):
            outcome = Outcome("solved" if status == cp_model.OPTIMAL else "stopped")
            response = solver.response_proto
            outcome.iterations = response.num_branches
            if status != cp_model.UNKNOWN:
                outcome.values = np.array(response.solution, dtype=np.float64)
            least_cost = response.inner_objective_lower_bound
            if status != cp_model.UNKNOWN or least_cost != 0:  # a search without any bound yet reports zero
                outcome.bound = program.constant - least_cost / integral.scale + integral.error
        else:
            raise self.unexpected(solver.status_name(status))
        outcome.build_seconds, outcome.solve_seconds = built - start, cpu_clock() - built
        outcome.trace = trace
        return outcome

    def _set_parameters(self, parameters: Any, large: bool) -> None:
        parameters.num_workers = 1
        parameters.random_seed = self.seed % 2**31
        parameters.linearization_level = self.linearization_level
        if large:
            parameters.presolve_inclusion_work_limit = 0
        parameters.relative_gap_limit = 0.0
        parameters.absolute_gap_limit = 0.0
        if self.time_limit is not None:
            parameters.max_time_in_seconds = self.time_limit


def _build(program: LinearProgram, integral: IntegralProgram) -> Any:
    """The model as text, which OR-tools parses faster than Python can call it; rows that are clauses become clauses."""
    from ortools.sat.python import cp_model

    columns, values, starts = program.row_columns, integral.row_values, program.row_starts
    lengths = np.diff(starts)
    at_least, at_most = _clauses(program, integral)
    literals = np.where((values > 0) == np.repeat(at_least, lengths), columns, -columns - 1)
    domains = np.stack([integral.row_lower, integral.row_upper], axis=1)
    text = [_repeat("variables{domain:[%d,%d]}", np.stack([integral.lower, integral.upper], axis=1))]
    for length in np.unique(lengths).tolist():
        numbers = ",".join(["%d"] * length)
        for clauses in (True, False):
            rows = np.flatnonzero((lengths == length) & ((at_least | at_most) == clauses))
            entries = starts[rows][:, None] + np.arange(length)
            if clauses:
                text.append(_repeat(f"constraints{{bool_or{{literals:[{numbers}]}}}}", literals[entries]))
            else:
                pattern = f"constraints{{linear{{vars:[{numbers}]coeffs:[{numbers}]domain:[%d,%d]}}}}"
                text.append(_repeat(pattern, np.hstack([columns[entries], values[entries], domains[rows]])))
    scored = np.flatnonzero(integral.objective)
    costs = (-integral.objective[scored]).tolist()  # the message always minimises
    text.append(f"objective{{vars:{scored.tolist()}coeffs:{costs}scaling_factor:{-1.0 / integral.scale!r}}}")
    model = cp_model.CpModel()
    if not model.proto.parse_text_format("".join(text)):
        raise RuntimeError("solver 'ilp-cpsat' could not read its model.")
    return model


def _repeat(pattern: str, rows: Integers) -> str:
    """The pattern once for each row of numbers, formatted in one go."""
    return (pattern * len(rows)) % tuple(rows.ravel().tolist())


def _clauses(program: LinearProgram, integral: IntegralProgram) -> tuple[Booleans, Booleans]:
    """Rows that say "one of these literals is true": sum of +-x >= 1 - negatives, or <= positives - 1."""
    rows = program.number_of_rows
    owner = np.repeat(np.arange(rows), np.diff(program.row_starts))
    binary = (integral.lower == 0) & (integral.upper == 1)
    others = (np.abs(integral.row_values) != 1) | ~binary[program.row_columns]
    simple = np.bincount(owner, weights=others, minlength=rows) == 0
    positive = np.bincount(owner, weights=integral.row_values > 0, minlength=rows)
    negative = np.bincount(owner, weights=integral.row_values < 0, minlength=rows)
    at_least = simple & (integral.row_lower == 1 - negative) & (integral.row_upper >= positive)
    at_most = simple & (integral.row_upper == positive - 1) & (integral.row_lower <= -negative)
    return at_least, at_most & ~at_least


def _watch(solver: Any, trace: list[TracePoint], start: float, constant: float, error: float) -> Any:
    """Callbacks on new incumbents and new bounds that fill the trace."""
    from ortools.sat.python import cp_model

    latest = {"objective": float("nan"), "bound": float("inf")}

    def note(**news: float) -> None:
        latest.update(news)
        trace.append(TracePoint(cpu_clock() - start, latest["objective"], latest["bound"]))

    class Incumbents(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            note(objective=constant + self.objective_value, bound=constant + self.best_objective_bound + error)

    solver.best_bound_callback = lambda bound: note(bound=constant + bound + error)
    return Incumbents()
