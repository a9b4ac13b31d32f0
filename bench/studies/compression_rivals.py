"""What the studies of sentence compression have in common: who takes part, and how their time is taken.

Times are CPU seconds of one thread for building, solving, decoding and rounding, warm. A rival is a solver with its options
on one formulation of the problem; `projective = False` is the problem of Thadani & McKeown (2013) itself.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from problems import get_task
from problems.compression.instance import CompressionInstance, Formulation
from solvers import Solution, get_solver, solver_class

from ..records.provenance import ROOT, checkout, command, load_average, now, solver_version
from ..records.this_machine import machine

TASK = get_task("compression")
BACKENDS = ("ilp-highs", "ilp-glpk", "ilp-cpsat", "ilp-scip", "ilp-cbc")
RELAXED_BACKENDS = ("lp-highs", "lp-highs-ipm", "lp-glop", "lp-clp")
QUICK = 0.05  # seconds below which a solve is repeated
REPETITIONS = 3
CUTOFF, CUTOFF_SECONDS = 2.0, 0.5  # in a race, at twice the time of the fastest so far, and half a second more


@dataclass(frozen=True)
class Rival:
    name: str
    solver: str
    options: tuple[tuple[str, Any], ...] = ()
    formulation: Formulation = "factors"
    projective: bool = True

    def problem(self, instance: CompressionInstance) -> CompressionInstance:
        return replace(instance, formulation=self.formulation, projective=self.projective)

    def available(self) -> bool:
        return solver_class(self.solver).unavailable() is None

    def warm_up(self) -> None:
        self.solve(TASK.generate(0, "tiny"))

    def answer(self, instance: CompressionInstance) -> Solution:
        """For studies that take no times."""
        return get_solver(self.solver, **dict(self.options)).solve(self.problem(instance))

    def solve(self, instance: CompressionInstance, limit: float | None = None) -> tuple[Solution, float]:
        """A solution and its CPU seconds, the median of three for quick ones."""
        options = dict(self.options)
        if limit is not None and hasattr(solver_class(self.solver), "time_limit"):
            options["time_limit"] = limit
        solver, problem = get_solver(self.solver, **options), self.problem(instance)
        solution = solver.solve(problem)
        seconds = [solution.cpu_seconds]
        while max(seconds) < QUICK and len(seconds) < REPETITIONS:
            seconds.append(solver.solve(problem).cpu_seconds)
        return solution, median(seconds)


def rival(
    name: str, solver: str, formulation: Formulation = "factors", projective: bool = True, **options: Any
) -> Rival:
    return Rival(name, solver, tuple(options.items()), formulation, projective)


def stopped(solution: Solution) -> bool:
    """Did a limit come before the end?"""
    return "time limit" in solution.message or solution.status in ("timeout", "relaxed")


class Run(NamedTuple):
    rival: Rival
    solution: Solution
    seconds: float  # CPU


def race(rivals: list[Rival], instance: CompressionInstance, limit: float) -> list[Run]:
    """All rivals, one after the other; only the fastest counts, so each is stopped when it can no longer be that."""
    runs = []
    for one in rivals:
        solution, seconds = one.solve(instance, limit)
        runs.append(Run(one, solution, seconds))
        if solution.structure is not None and not stopped(solution):
            limit = min(limit, CUTOFF_SECONDS + CUTOFF * solution.wall_seconds)
    return runs


def integer_programs(formulations: tuple[Formulation, ...] = ("factors", "chart", "flow")) -> list[Rival]:
    """Every backend on every formulation of the projective problem, those that often win first."""
    pairs = [(backend, form) for backend in BACKENDS for form in formulations]
    return [rival(f"{backend} {form}", backend, form) for backend, form in pairs]


def linear_programs() -> list[Rival]:
    """The LP relaxation of `chart` by every backend, and of the other formulations by the one that is quickest there."""
    charts = [rival(f"{backend} chart", backend, "chart") for backend in RELAXED_BACKENDS]
    return [*charts, rival("lp-highs factors", "lp-highs"), rival("lp-clp flow", "lp-clp", "flow")]


EXACT_FAST = rival("dp-exact", "dp-exact", lengths="given")
EXACT_ALL = rival("dp-exact, all lengths", "dp-exact")
EXACT_PAPER = rival("dp-exact, paper", "dp-exact", algorithm="paper")
LAGRANGIAN = rival("dp-lagrangian", "dp-lagrangian")
LAGRANGIAN_STEPS = rival("dp-lagrangian, subgradient", "dp-lagrangian", search="subgradient")
LAGRANGIAN_PAPER = rival("dp-lagrangian, paper", "dp-lagrangian", algorithm="paper", search="subgradient", repair=False)
DUAL = [
    rival("ad3 factors", "ad3"),
    rival("ad3 chart", "ad3", "chart"),
    rival("ad3-exact factors", "ad3-exact"),
    rival("ad3-exact chart", "ad3-exact", "chart"),
    rival("subgradient factors", "subgradient"),
    rival("subgradient chart", "subgradient", "chart"),
]
PARTIAL = [rival("dp-tree", "dp-tree"), rival("dp-bigram", "dp-bigram"), rival("crf", "crf")]


def ready(rivals: list[Rival]) -> list[Rival]:
    """Those that can run here, warmed up."""
    usable = [one for one in rivals if one.available()]
    for one in usable:
        one.warm_up()
    return usable


def cell(part: str, one: Rival, instance: CompressionInstance, seconds: float) -> dict[str, Any]:
    """One measured time as it is written down; null where there is none."""
    known = None if seconds == float("inf") else seconds
    return {"part": part, "solver": one.name, "instance": instance.name, "seconds": known}


def write_records(folder: Path, rivals: list[Rival], cells: list[dict[str, Any]], started: str, **facts: Any) -> None:
    """Every single measurement, and where it comes from."""
    lines = [json.dumps(cell, allow_nan=False) + "\n" for cell in cells]
    (folder / "cells.jsonl").write_text("".join(lines), encoding="utf-8")
    origin = {
        "command": command(),
        "started": started,
        "ended": now(),
        "code": checkout(ROOT),
        "solvers": {name: solver_version(name) for name in sorted({one.solver for one in rivals})},
        "load": load_average(),
        "machine": machine(),
        **facts,
    }
    (folder / "provenance.json").write_text(json.dumps(origin, indent=1) + "\n", encoding="utf-8")
