"""What every solver has in common: options as dataclass fields, `solve(instance) -> Solution`, one vocabulary of statuses.

The status speaks of the original 0/1 problem, whatever relaxation the solver works on:

- `optimal`: the re-scored feasible structure meets a valid upper bound within `OPTIMALITY_TOLERANCE` (relative)
- `feasible`: a feasible structure whose optimality is not proved
- `relaxed`: a bound, but no feasible structure (possible on bare graphs)
- `infeasible`: the problem has no feasible structure
- `timeout`: the limit came before anything could be said of the problem

The runner adds `memout`, `crash`, `error` and `skipped`.
"""

from __future__ import annotations

import dataclasses
import math
import sys
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from problems import task_of
from problems.display import facts_table, short_line
from problems.errors import InputError, shortened
from problems.factors.mixtures import Mixtures
from problems.kernels import loading
from problems.options import check_names, check_types

Status = Literal["optimal", "feasible", "relaxed", "infeasible", "timeout"]

OPTIMALITY_TOLERANCE = 1e-6  # relative gap between a re-scored structure and a valid bound
ROUNDING_TOLERANCE = (
    1e-12  # relative to the sum of all absolute scores: what adding them up in another order may change
)
LONGEST_STRUCTURE = 300  # characters that a notebook shows
INTEGRALITY_TOLERANCE = 1e-6  # distance of a posterior to 0 or 1


def cpu_clock() -> float:
    """CPU seconds of this process and of its finished children (such as the CBC binary), user and system.

    Loading and compiling kernels does not count: it happens once and belongs to no solver.
    Windows does not report the times of finished children. There, solvers that run as separate programs (`ilp-cbc`, some
    backends of `ilp-pulp`) seem faster than they are; use `wall_seconds`.
    """
    seconds = time.process_time() - loading.cpu_seconds
    try:
        import resource
    except ImportError:  # not on Windows
        return seconds
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds + children.ru_utime + children.ru_stime


def wall_clock() -> float:
    """Seconds that pass, without those that kernels take to load."""
    return time.perf_counter() - loading.wall_seconds


@dataclass(frozen=True)
class TracePoint:
    """One point of a run's trace. Seconds count from the end of the build; missing values are NaN."""

    seconds: float
    objective: float = math.nan
    bound: float = math.nan
    iteration: int = 0
    primal_residual: float = math.nan  # of AD3: root mean square over links
    dual_residual: float = math.nan


@dataclass
class Solution:
    """What a solver returns. Objective and status are computed from the structure, not taken from the solver."""

    status: Status
    structure: Any = None
    objective: float = math.nan
    bound: float = math.inf
    posteriors: NDArray[np.float64] | None = None
    integral: bool | None = None
    iterations: int = 0
    build_seconds: float = 0.0
    solve_seconds: float = 0.0
    round_seconds: float = 0.0
    wall_seconds: float = 0.0
    trace: list[TracePoint] = field(default_factory=list)
    message: str = ""
    info: dict[str, float] = field(default_factory=dict)  # what else the solver has to tell, such as its step size
    magnitude: float = 0.0  # the sum of all absolute scores, where known
    mixtures: Mixtures | None = None  # what the posteriors consist of, factor by factor, where asked for

    def __repr__(self) -> str:
        return short_line(self, "", self.status, *(f"{name} {value}" for name, value in self._values()))

    def _repr_html_(self) -> str:
        """For notebooks."""
        parts = (("build", self.build_seconds), ("solve", self.solve_seconds), ("round", self.round_seconds))
        facts = [("status", f"{self.status}{f' ({self.message})' if self.message else ''}"), *self._values()]
        facts.append(("CPU time", ", ".join(f"{name} {1000 * seconds:.3g} ms" for name, seconds in parts)))
        facts.append(("structure", shortened(repr(self.structure), LONGEST_STRUCTURE)))
        return facts_table("Solution", facts)

    def _values(self) -> list[tuple[str, str]]:
        """What is known, as a person reads it."""
        values = [("objective", f"{self.objective:.6g}")] if math.isfinite(self.objective) else []
        values += [("bound", f"{self.bound:.6g}")] if math.isfinite(self.bound) else []
        values += [("gap", f"{self.gap:.2%}")] if math.isfinite(self.gap) else []
        return values + ([("iterations", f"{self.iterations:,}")] if self.iterations else [])

    @property
    def gap(self) -> float:
        """Distance between bound and objective, relative to the larger of them. NaN if either is missing."""
        if not (math.isfinite(self.objective) and math.isfinite(self.bound)):
            return math.nan
        distance = self.bound - self.objective
        if distance <= ROUNDING_TOLERANCE * self.magnitude:
            return 0.0
        return distance / max(abs(self.objective), abs(self.bound))

    @property
    def cpu_seconds(self) -> float:
        return self.build_seconds + self.solve_seconds + self.round_seconds


def tolerance(objective: float, bound: float, magnitude: float = 0.0) -> float:
    """How far apart two values of a problem may lie and still count as equal; nothing in it is absolute."""
    return OPTIMALITY_TOLERANCE * max(abs(objective), abs(bound)) + ROUNDING_TOLERANCE * magnitude


def meets(objective: float, bound: float, magnitude: float = 0.0) -> bool:
    """Is this objective optimal, given this upper bound? `magnitude` is the sum of all absolute scores."""
    return math.isfinite(bound) and bound - objective <= tolerance(objective, bound, magnitude)


@dataclass(kw_only=True)
class Solver(ABC):
    """Base class. Subclass it as a dataclass: the fields are the options, and `check_options` refuses bad values."""

    name: ClassVar[str]
    tasks: ClassVar[frozenset[str] | None] = None  # None: every task that has a factor graph, and bare graphs
    exact: ClassVar[bool] = False  # proves optimality when given enough time
    drivers: ClassVar[tuple[str, ...]] = ()  # of dual decomposition: functions (module:name) that load their kernels
    rare: ClassVar[tuple[str, ...]] = ()  # the same for kernels that few instances need: `warm_up` loads them, too

    @abstractmethod
    def solve(self, instance: Any) -> Solution: ...

    def warm_up(self, instance: Any) -> None:
        """Load libraries, kernels and licences that `solve` needs, by solving a small problem."""
        self.solve(instance)

    def check_options(self) -> None:  # noqa: B027 (most solvers have nothing to add)
        """Raise InputError for an invalid option."""

    def require(self, option: str, valid: bool, expected: str) -> None:
        """Raise InputError unless an option's value is valid."""
        if not valid:
            found = getattr(self, option)
            raise InputError(f"option {option!r} of solver {self.name!r} must be {expected}, not {found}.")

    def require_time_limit(self, limit: float | None) -> None:
        self.require("time_limit", limit is None or 0 < limit < math.inf, "above 0 and finite")

    @classmethod
    def unavailable(cls) -> str | None:
        """Why this solver cannot run on this machine, or None if it can."""
        return None

    @classmethod
    def version(cls) -> str:
        """The version of the library that does the work."""
        return "built in"

    def __post_init__(self) -> None:
        check_types(self, f"solver {self.name!r}")
        self.check_options()

    @property
    def options(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


@dataclass(kw_only=True)
class GraphSolver(Solver):
    """A solver of factor graphs."""

    formulation: str | None = None  # The graph of instances that have several (compression); None: the instance's own

    def warm_up(self, instance: Any) -> None:
        """Besides, load kernels that other instances of the task may need: those of all its kinds of factor, and rare ones."""
        super().warm_up(instance)
        for name in self.rare:
            load_kernels(name)
        if "problems.kernels.families" in sys.modules:
            from problems.factors.loading import load_kinds

            load_kinds(task_of(instance).factor_kinds)

    def formulated(self, instance: Any) -> Any:
        """The instance in the formulation that is asked for: the same problem, seen as another graph."""
        if self.formulation is None:
            return instance
        if not hasattr(instance, "formulation"):
            raise InputError(f"option 'formulation' of solver {self.name!r}: such an instance has one graph only.")
        return dataclasses.replace(instance, formulation=self.formulation)


def load_kernels(name: str) -> None:
    """Call one of the functions that `drivers` and `rare` name."""
    module, _, function = name.partition(":")
    getattr(import_module(module), function)()


def create(solver: type[Solver], options: dict[str, Any]) -> Solver:
    """An instance of a solver class; unknown options are refused with the nearest valid name."""
    check_names(solver, options, f"solver {solver.name!r}")
    try:
        return solver(**options)
    except SystemExit as error:  # of a solver that somebody else wrote
        raise InputError(f"solver {solver.name!r} ends the program when it is made (SystemExit: {error}).") from None
