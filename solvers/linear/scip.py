"""SCIP, branch and cut, through OR-tools.

Gaps are zero; rows and integrality hold within 1e-6, and objectives are compared up to 1e-9, SCIP's defaults (the
objective is scaled, see `scaling`). SCIP runs in one thread and offers no callbacks here: a trace has its end only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .ortools_model import ModelBuilderSolver


@dataclass(kw_only=True)
class Scip(ModelBuilderSolver):
    name: ClassVar[str] = "ilp-scip"
    library: ClassVar[str] = "scip"
    exact: ClassVar[bool] = True

    def parameters(self) -> str:
        lines = [
            "limits/gap = 0",
            "limits/absgap = 0",
            f"randomization/randomseedshift = {self.seed % 2**31}",
        ]
        return "\n".join(lines)
