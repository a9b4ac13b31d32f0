"""How it is solved: backends, dual decomposition, dynamic programs. Imports problems, never bench."""

from .base import Solution, Solver
from .registry import SOLVERS, get_solver, make_solver, solver_class, solver_names

__all__ = ["SOLVERS", "Solution", "Solver", "get_solver", "make_solver", "solver_class", "solver_names"]
