"""SCIP, branch and cut, through OR-tools.

Gaps are zero. Rows and integrality hold within 1e-6 and objectives compare up to 1e-9, SCIP's defaults, on a scaled
objective (`scaling`). SCIP runs in one thread and offers no callbacks here, so a trace has its end only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .ortools_model import ModelBuilderSolver, ortools_version


@dataclass(kw_only=True)
class Scip(ModelBuilderSolver):
    name: ClassVar[str] = "ilp-scip"
    library: ClassVar[str] = "scip"
    exact: ClassVar[bool] = True

    @classmethod
    def version(cls) -> str:
        from ortools.linear_solver.pywraplp import Solver

        scip = str(Solver("version", Solver.SCIP_MIXED_INTEGER_PROGRAMMING).SolverVersion())
        return f"{scip.partition(' [')[0]} of {ortools_version()}"

    def parameters(self) -> str:
        lines = [
            "limits/gap = 0",
            "limits/absgap = 0",
            f"randomization/randomseedshift = {self.seed % 2**31}",
        ]
        return "\n".join(lines)
