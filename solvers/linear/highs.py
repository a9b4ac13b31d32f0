"""HiGHS through highspy, which takes whole arrays.

Gaps are zero. HiGHS drops nodes that improve on the incumbent by less than `mip_feasibility_tolerance`. We set it to
1e-9 (default 1e-6; no slower) on a scaled objective (`scaling`). LPs have the default feasibility of 1e-7. The interior
point method ends with a crossover, so it returns a vertex like the simplex.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from problems.linear_program import LinearProgram

from ..base import TracePoint, cpu_clock
from .backend import LinearBackend, missing
from .base import Outcome, Rounded
from .duality import dual_bound

COMMON_OPTIONS = {"output_flag": False, "threads": 1, "parallel": "off"}


@dataclass(kw_only=True)
class _Highs(LinearBackend):
    settings: ClassVar[dict[str, Any]]

    @classmethod
    def unavailable(cls) -> str | None:
        return missing("highspy")

    @classmethod
    def version(cls) -> str:
        import highspy

        return f"HiGHS {highspy.Highs().version()}"

    def run(self, program: LinearProgram) -> Outcome:
        import highspy

        start = cpu_clock()
        highs = highspy.Highs()
        limit = {} if self.time_limit is None else {"time_limit": self.time_limit}
        for option, value in (COMMON_OPTIONS | self.settings | limit | {"random_seed": self.seed % 2**31}).items():
            if highs.setOptionValue(option, value) != highspy.HighsStatus.kOk:
                raise self.unexpected(f"on refusing the option {option} = {value}")
        if _pass_model(highs, program, self.relaxation) == highspy.HighsStatus.kError:
            raise self.unexpected("on reading the model")
        built = cpu_clock()
        trace = self._watch(highs, built) if self.trace and not self.relaxation else []
        highs.run()
        outcome = self._outcome(program, highs)
        outcome.build_seconds, outcome.solve_seconds = built - start, cpu_clock() - built
        outcome.trace = trace
        return outcome

    def _outcome(self, program: LinearProgram, highs: Any) -> Outcome:
        from highspy import HighsModelStatus, SolutionStatus

        status, info, solution = highs.getModelStatus(), highs.getInfo(), highs.getSolution()
        if status in (HighsModelStatus.kInfeasible, HighsModelStatus.kUnboundedOrInfeasible):
            return Outcome("infeasible")
        if status == HighsModelStatus.kUnbounded:
            self.refuse_unbounded()
        if status not in (HighsModelStatus.kOptimal, HighsModelStatus.kTimeLimit):
            raise self.unexpected(highs.modelStatusToString(status))
        outcome = Outcome("solved" if status == HighsModelStatus.kOptimal else "stopped")
        if solution.value_valid and info.primal_solution_status == SolutionStatus.kSolutionStatusFeasible:
            outcome.values = np.array(solution.col_value)
        if program.integer.any() and not self.relaxation:
            outcome.iterations = max(info.mip_node_count, 0)
            outcome.bound = info.mip_dual_bound
        else:
            outcome.iterations = max(info.simplex_iteration_count, 0) + max(info.ipm_iteration_count, 0)
            if solution.dual_valid:
                outcome.bound = dual_bound(program, np.array(solution.row_dual))
        return outcome

    def _watch(self, highs: Any, start: float) -> list[TracePoint]:
        """Subscribe to HiGHS's progress: the list fills while it runs."""
        trace: list[TracePoint] = []

        def note(event: Any) -> None:
            data = event.data_out
            objective = data.mip_primal_bound if math.isfinite(data.mip_primal_bound) else math.nan
            trace.append(TracePoint(cpu_clock() - start, objective, data.mip_dual_bound, data.mip_node_count))

        highs.cbMipImprovingSolution.subscribe(note)
        highs.cbMipLogging.subscribe(note)
        return trace


@dataclass(kw_only=True)
class HighsInteger(_Highs):
    """HiGHS's branch and cut on the integer program."""

    name: ClassVar[str] = "ilp-highs"
    exact: ClassVar[bool] = True
    settings: ClassVar[dict[str, Any]] = {
        "mip_rel_gap": 0.0,
        "mip_abs_gap": 0.0,
        "mip_feasibility_tolerance": 1e-9,
    }


@dataclass(kw_only=True)
class HighsSimplex(Rounded, _Highs):
    """HiGHS's dual simplex on the LP relaxation."""

    name: ClassVar[str] = "lp-highs"
    settings: ClassVar[dict[str, Any]] = {"solver": "simplex", "simplex_strategy": 1}


@dataclass(kw_only=True)
class HighsInteriorPoint(Rounded, _Highs):
    """HiGHS's interior point method on the LP relaxation, with crossover."""

    name: ClassVar[str] = "lp-highs-ipm"
    settings: ClassVar[dict[str, Any]] = {"solver": "ipm", "run_crossover": "on"}


def _pass_model(highs: Any, program: LinearProgram, relaxation: bool) -> Any:
    import highspy

    integer = np.zeros_like(program.integer) if relaxation else program.integer
    return highs.passModel(
        program.number_of_columns,
        program.number_of_rows,
        len(program.row_values),
        int(highspy.MatrixFormat.kRowwise),
        int(highspy.ObjSense.kMaximize),
        program.constant,
        program.objective,
        program.lower,
        program.upper,
        program.row_lower,
        program.row_upper,
        program.row_starts.astype(np.int32),
        program.row_columns.astype(np.int32),
        program.row_values,
        integer.astype(np.int32),
    )
