"""GLPK through swiglpk: primal simplex, and branch and bound.

GLPK compares objectives up to `tol_obj` (relative, default 1e-7); we set 1e-12. Its gap is zero. Rows and integrality
have the default tolerances 1e-7 and 1e-5. GLPK does not report a best bound when a limit stops it, so a stopped run
reports the bound of the LP relaxation. On summarization programs the primal simplex is faster than the dual, and
branching on the most fractional column is faster than GLPK's default (rows `tuned` and `default` of
`summarization-runtimes`). Cuts and GLPK's MIP presolver made no difference in development. GLPK has neither seeds nor
threads.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from problems.linear_program import LinearProgram

from ..base import cpu_clock
from .backend import LinearBackend, missing
from .base import Outcome, Rounded
from .duality import dual_bound

BRANCHING = {"most-fractional": "GLP_BR_MFV", "default": "GLP_BR_DTH"}


@dataclass(kw_only=True)
class _Glpk(LinearBackend):
    @classmethod
    def unavailable(cls) -> str | None:
        return missing("swiglpk")

    @classmethod
    def version(cls) -> str:
        import swiglpk

        return f"GLPK {swiglpk.glp_version()}"

    def run(self, program: LinearProgram) -> Outcome:
        import swiglpk as glpk

        glpk.glp_term_out(glpk.GLP_OFF)
        start, wall_start = cpu_clock(), time.perf_counter()
        with _problem() as problem:
            _load(problem, program, self.relaxation)
            built = cpu_clock()
            outcome = self._solve_relaxation(problem, program)
            if outcome.status == "solved":
                outcome = self._go_on(problem, program, outcome, time.perf_counter() - wall_start)
            outcome.build_seconds, outcome.solve_seconds = built - start, cpu_clock() - built
        return outcome

    def _solve_relaxation(self, problem: Any, program: LinearProgram) -> Outcome:
        import swiglpk as glpk

        control = glpk.glp_smcp()
        glpk.glp_init_smcp(control)
        control.msg_lev = glpk.GLP_MSG_OFF
        control.presolve = glpk.GLP_ON
        control.meth = glpk.GLP_PRIMAL
        if self.time_limit is not None:
            control.tm_lim = _milliseconds(self.time_limit)
        code = glpk.glp_simplex(problem, control)
        if code in (glpk.GLP_ENOPFS, glpk.GLP_ENODFS):  # no primal or no dual solution, found by the presolver
            return Outcome("infeasible")
        if code == glpk.GLP_ETMLIM:
            return Outcome("stopped")
        if code != 0:
            raise self.unexpected(f"code {code} of glp_simplex")
        status = glpk.glp_get_status(problem)
        if status == glpk.GLP_NOFEAS:
            return Outcome("infeasible")
        if status == glpk.GLP_UNBND:
            self.refuse_unbounded()
        if status != glpk.GLP_OPT:
            raise self.unexpected(f"{status} of glp_get_status")
        duals = np.array([glpk.glp_get_row_dual(problem, i) for i in range(1, program.number_of_rows + 1)])
        values = np.array([glpk.glp_get_col_prim(problem, j) for j in range(1, program.number_of_columns + 1)])
        return Outcome("solved", values=values, bound=dual_bound(program, duals))

    def _go_on(self, problem: Any, program: LinearProgram, relaxed: Outcome, spent: float) -> Outcome:
        """What follows the solved relaxation."""
        return relaxed


@dataclass(kw_only=True)
class GlpkInteger(_Glpk):
    """GLPK's branch and bound on the integer program."""

    name: ClassVar[str] = "ilp-glpk"
    exact: ClassVar[bool] = True

    branching: str = "most-fractional"  # most-fractional, or default (GLPK's heuristic by Driebeck and Tomlin)

    def check_options(self) -> None:
        super().check_options()
        self.require("branching", self.branching in BRANCHING, f"one of {', '.join(BRANCHING)}")

    def _go_on(self, problem: Any, program: LinearProgram, relaxed: Outcome, spent: float) -> Outcome:
        """Branch and bound."""
        import swiglpk as glpk

        control = glpk.glp_iocp()
        glpk.glp_init_iocp(control)
        control.msg_lev = glpk.GLP_MSG_OFF
        control.br_tech = getattr(glpk, BRANCHING[self.branching])
        control.mip_gap = 0.0
        control.tol_obj = 1e-12
        if self.time_limit is not None:
            control.tm_lim = _milliseconds(self.time_limit - spent)
        code = glpk.glp_intopt(problem, control)
        if code == glpk.GLP_ENOPFS:
            return Outcome("infeasible")
        if code not in (0, glpk.GLP_ETMLIM):
            raise self.unexpected(f"code {code} of glp_intopt")
        status = glpk.glp_mip_status(problem)
        if status == glpk.GLP_NOFEAS:
            return Outcome("infeasible")
        outcome = Outcome("stopped", bound=relaxed.bound)
        if status in (glpk.GLP_OPT, glpk.GLP_FEAS):
            values = [glpk.glp_mip_col_val(problem, j) for j in range(1, program.number_of_columns + 1)]
            outcome.values = np.array(values)
        if status == glpk.GLP_OPT:
            outcome.status = "solved"
            outcome.bound = min(relaxed.bound, glpk.glp_mip_obj_val(problem))
        elif code == 0:
            raise self.unexpected(f"{status} of glp_mip_status")
        return outcome


@dataclass(kw_only=True)
class GlpkRelaxation(Rounded, _Glpk):
    """GLPK's primal simplex on the LP relaxation."""

    name: ClassVar[str] = "lp-glpk"


@contextmanager
def _problem() -> Iterator[Any]:
    import swiglpk as glpk

    problem = glpk.glp_create_prob()
    try:
        yield problem
    finally:
        glpk.glp_delete_prob(problem)


def _load(problem: Any, program: LinearProgram, relaxation: bool) -> None:
    import swiglpk as glpk

    glpk.glp_set_obj_dir(problem, glpk.GLP_MAX)
    glpk.glp_set_obj_coef(problem, 0, program.constant)
    if program.number_of_rows:
        glpk.glp_add_rows(problem, program.number_of_rows)
    glpk.glp_add_cols(problem, program.number_of_columns)
    for i, (kind, low, high) in enumerate(_bounds(program.row_lower, program.row_upper), start=1):
        glpk.glp_set_row_bnds(problem, i, kind, low, high)
    for j, (kind, low, high) in enumerate(_bounds(program.lower, program.upper), start=1):
        glpk.glp_set_col_bnds(problem, j, kind, low, high)
    for j in np.flatnonzero(program.objective).tolist():
        glpk.glp_set_obj_coef(problem, j + 1, float(program.objective[j]))
    if not relaxation:
        for j in np.flatnonzero(program.integer).tolist():
            glpk.glp_set_col_kind(problem, j + 1, glpk.GLP_IV)
    rows = np.repeat(np.arange(1, program.number_of_rows + 1), np.diff(program.row_starts))
    glpk.glp_load_matrix(
        problem,
        len(program.row_values),
        _one_based(glpk.intArray, rows.astype(np.intc)),
        _one_based(glpk.intArray, (program.row_columns + 1).astype(np.intc)),
        _one_based(glpk.doubleArray, program.row_values),
    )


def _bounds(lower: NDArray[np.float64], upper: NDArray[np.float64]) -> Iterator[tuple[int, float, float]]:
    import swiglpk as glpk

    kinds = np.select(
        [np.isinf(lower) & np.isinf(upper), np.isinf(lower), np.isinf(upper), lower == upper],
        [glpk.GLP_FR, glpk.GLP_UP, glpk.GLP_LO, glpk.GLP_FX],
        glpk.GLP_DB,
    )
    return zip(kinds.tolist(), lower.tolist(), upper.tolist(), strict=True)


def _one_based(kind: Any, numbers: NDArray[Any]) -> Any:
    """A SWIG array whose element 0 is unused, copied in one go: element-wise assignment takes twenty times longer.

    The copy goes to the address behind the SWIG object, after checking that it is indeed where the elements are.
    """
    array = kind(len(numbers) + 1)
    array[0] = 1
    address = int(array.this)
    first = np.ctypeslib.as_array((np.ctypeslib.as_ctypes_type(numbers.dtype) * 1).from_address(address))
    array_is_there = first[0] == 1
    array[0] = 0
    if array_is_there and first[0] == 0:
        source = np.ascontiguousarray(numbers)
        ctypes.memmove(address + source.itemsize, source.ctypes.data, source.nbytes)
    else:
        for position, number in enumerate(numbers.tolist(), start=1):
            array[position] = number
    return array


def _milliseconds(seconds: float) -> int:
    return min(max(1, round(1000 * seconds)), 2**31 - 1)
