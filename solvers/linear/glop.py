"""GLOP, OR-tools' own simplex. Primal and dual feasibility within 1e-6, its default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .ortools_model import ModelBuilderSolver


@dataclass(kw_only=True)
class Glop(ModelBuilderSolver):
    name: ClassVar[str] = "lp-glop"
    library: ClassVar[str] = "glop"
    relaxation: ClassVar[bool] = True

    def parameters(self) -> str:
        return f"random_seed: {self.seed % 2**31}"
