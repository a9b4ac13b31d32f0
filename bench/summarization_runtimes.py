"""Table 3 of Almeida & Martins (2013): runtime and ROUGE-2 of exact ILP, LP relaxation, AD3 and extractive ILP.

All times are CPU seconds of one thread, children included. Solvers take turns on each instance, so that drift of the
machine hits them alike; every solver is warmed up on a tiny instance first. A fractional solution is rounded both ways. A solver
that cannot run, or fails, has its cells and its row all the same: they say why.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from problems import get_task
from problems.errors import InputError
from solvers import Solution, get_solver, solver_class
from solvers.base import cpu_clock
from solvers.conclude import judge

from .folders import fresh_folder
from .provenance import provenance
from .summarization_table import AD3, EXTRACTIVE, ILP, LP, build_table

EXACT = ("ilp-cpsat", "ilp-highs", "ilp-scip", "ilp-cbc", "ilp-glpk")
RELAXED = ("lp-glop", "lp-clp", "lp-highs", "lp-highs-ipm", "lp-pdlp", "lp-glpk")
ROUNDINGS = ("paper", "search")
SIZE = "tac"
FIRST_SEED = 101
TIME_LIMIT = 60.0
RECORDS = "cells.jsonl"


@dataclass(frozen=True)
class Cell:
    """One solver on one instance, with one rounding. What there is none of is None."""

    system: str
    solver: str
    rounding: str
    instance: str
    status: str  # a Solution's, or `unavailable`, or `error`
    integral: bool | None = None
    objective: float | None = None
    bound: float | None = None
    build_seconds: float | None = None
    solve_seconds: float | None = None
    round_seconds: float | None = None
    rouge_2: float | None = None
    message: str = ""

    @property
    def seconds(self) -> float | None:
        """Build, solve and round together; None if the solver did not run to its end."""
        parts = (self.build_seconds, self.solve_seconds, self.round_seconds)
        return None if None in parts else math.fsum(part for part in parts if part is not None)

    @property
    def row(self) -> tuple[str, str, str]:
        return self.system, self.solver, self.rounding


class Job(NamedTuple):
    task: str
    system: str
    solver: str
    iterations: int | None = None

    @property
    def options(self) -> dict[str, Any]:
        limit = {"time_limit": TIME_LIMIT}
        return limit if self.iterations is None else {**limit, "max_iterations": self.iterations}

    @property
    def roundings(self) -> tuple[str, ...]:
        return ROUNDINGS if self.system == LP or self.iterations else ("",)


JOBS = (
    *(Job("summarization", ILP, name) for name in (*EXACT, "ad3-exact")),
    *(Job("summarization", LP, name) for name in RELAXED),
    *(Job("summarization", name, "ad3", iterations) for iterations, name in AD3.items()),
    *(Job("extraction", EXTRACTIVE, name) for name in EXACT),
)


class SummarizationRuntimes:
    reproduces = "Table 3 of Almeida & Martins 2013"

    def run(self, console: Console, quick: bool, folder: Path) -> None:
        count, start = 2 if quick else 10, time.perf_counter()
        chosen = fresh_folder(folder, RECORDS)
        facts = provenance(
            tuple(dict.fromkeys(job.solver for job in JOBS)),
            instances={"generated": sorted({job.task for job in JOBS}), "size": SIZE},
            seeds=list(range(FIRST_SEED, FIRST_SEED + count)),
            limits={"seconds": TIME_LIMIT, "threads": 1},
        )
        try:
            _write_json(chosen / "provenance.json", facts)
            cells = _run_cells(console, count, chosen / RECORDS)
            table = build_table(cells, TIME_LIMIT)
            table.show(console)
            table.write(chosen)
            _write_json(chosen / "provenance.json", {**facts, "wall_seconds": round(time.perf_counter() - start, 1)})
        except OSError as error:
            raise InputError(f"{chosen}: cannot be written ({error.strerror}).") from None
        other = "" if chosen == folder else f" ({folder} holds an earlier run)"
        console.print(f"\nTable, cells and provenance are in {chosen}{other}.", markup=False, soft_wrap=True)


def _write_json(path: Path, document: dict[str, Any]) -> None:
    path.write_text(json.dumps(document, indent=1, allow_nan=False) + "\n", encoding="utf-8")


def _run_cells(console: Console, count: int, records: Path) -> list[Cell]:
    tasks = {name: get_task(name) for name in dict.fromkeys(job.task for job in JOBS)}
    cells = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        Progress(*columns, console=console, transient=True) as progress,
        open(records, "w", encoding="utf-8") as log,
    ):
        bar = progress.add_task("warming up", total=count * len(JOBS))
        for task in tasks.values():
            task.prepare()
        for job in JOBS:
            _attempt(job, tasks[job.task], tasks[job.task].generate(0, "tiny"))
        for seed in range(FIRST_SEED, FIRST_SEED + count):
            instances = {name: task.generate(seed, SIZE) for name, task in tasks.items()}
            for job in JOBS:
                progress.update(bar, description=f"{job.solver} on {job.task} {seed}")
                for cell in _attempt(job, tasks[job.task], instances[job.task]):
                    cells.append(cell)
                    log.write(json.dumps(asdict(cell), allow_nan=False) + "\n")
                log.flush()
                os.fsync(log.fileno())
                progress.advance(bar)
    return cells


def _attempt(job: Job, task: Any, instance: Any) -> list[Cell]:
    """The cells of one job on one instance, whatever happens."""
    reason = solver_class(job.solver).unavailable()
    if reason:
        return _failure(job, instance, "unavailable", reason)
    try:
        solution = get_solver(job.solver, **job.options).solve(instance)
        return list(_cells_of(job, task, instance, solution))
    except Exception as error:  # one solver's failure is a cell, not the end of the table
        return _failure(job, instance, "error", " ".join(f"{type(error).__name__}: {error}".split()))


def _failure(job: Job, instance: Any, status: str, message: str) -> list[Cell]:
    return [
        Cell(job.system, job.solver, rounding, instance.name, status, message=message) for rounding in job.roundings
    ]


def _cells_of(job: Job, task: Any, instance: Any, solution: Solution) -> Iterator[Cell]:
    """The cell of a solution; an LP solution has one for each rounding. Checking and scoring are off the clock."""
    for rounding in job.roundings:
        outcome, round_seconds = solution, solution.round_seconds
        if rounding and solution.posteriors is not None:
            start = cpu_clock()
            structure = task.round(instance, solution.posteriors, rounding)
            round_seconds = cpu_clock() - start
            outcome = judge(task, instance, structure, solution.bound)
        metrics = {} if outcome.structure is None else task.evaluate(instance, outcome.structure)
        yield Cell(
            system=job.system,
            solver=job.solver,
            rounding=rounding,
            instance=instance.name,
            status=outcome.status,
            integral=solution.integral,
            objective=_finite(outcome.objective),
            bound=_finite(solution.bound),
            build_seconds=solution.build_seconds,
            solve_seconds=solution.solve_seconds,
            round_seconds=round_seconds,
            rouge_2=100.0 * metrics["ROUGE-2"] if "ROUGE-2" in metrics else None,
            message="; ".join(filter(None, dict.fromkeys((outcome.message, solution.message)))),
        )


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
