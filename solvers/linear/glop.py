"""GLOP, OR-tools' own simplex. Primal and dual feasibility hold within its default of 1e-6."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .base import Rounded
from .ortools_model import ModelBuilderSolver


@dataclass(kw_only=True)
class Glop(Rounded, ModelBuilderSolver):
    name: ClassVar[str] = "lp-glop"
    library: ClassVar[str] = "glop"

    def parameters(self) -> str:
        return f"random_seed: {self.seed % 2**31}"
