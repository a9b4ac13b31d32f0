"""PDLP, OR-tools' first-order method: an inexact solution with a bound that weak duality makes valid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from problems.errors import InputError

from .base import Rounded
from .ortools_model import ModelBuilderSolver

SMALLEST_TOLERANCE = 1e-12  # what double precision can still reach


@dataclass(kw_only=True)
class Pdlp(Rounded, ModelBuilderSolver):
    name: ClassVar[str] = "lp-pdlp"
    library: ClassVar[str] = "pdlp"

    tolerance: float = 1e-7  # Relative, of both residuals and of the gap.

    def check_options(self) -> None:
        super().check_options()
        if not SMALLEST_TOLERANCE <= self.tolerance < 1:
            raise InputError(
                f"option 'tolerance' of solver {self.name!r} must be at least {SMALLEST_TOLERANCE:g} and below 1, "
                f"not {self.tolerance}."
            )

    def parameters(self) -> str:
        eps = repr(self.tolerance)
        criteria = (
            f"eps_optimal_primal_residual_absolute: {eps} eps_optimal_primal_residual_relative: {eps} "
            f"eps_optimal_dual_residual_absolute: {eps} eps_optimal_dual_residual_relative: {eps} "
            f"eps_optimal_objective_gap_absolute: {eps} eps_optimal_objective_gap_relative: {eps}"
        )
        return f"num_threads: 1 termination_criteria {{ detailed_optimality_criteria {{ {criteria} }} }}"
