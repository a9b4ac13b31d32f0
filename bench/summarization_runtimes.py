"""Table 3 of Almeida & Martins (2013): runtime and ROUGE-2 of exact ILP, LP relaxation and extractive ILP, per backend.

All times are CPU seconds of one thread, children included. Solvers take turns on each instance, so that drift of the
machine hits them alike; every solver is warmed up on a tiny instance first. An LP solution is rounded both ways.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from problems import get_task
from problems.errors import InputError
from solvers import Solution, get_solver
from solvers.base import cpu_clock
from solvers.conclude import judge

from .doctor import machine
from .published import SUMMARIZATION_RUNTIMES
from .tables import Table

EXACT = ("ilp-cpsat", "ilp-highs", "ilp-scip", "ilp-cbc", "ilp-glpk")
RELAXED = ("lp-glop", "lp-clp", "lp-highs", "lp-highs-ipm", "lp-pdlp", "lp-glpk")
FIRST_SEED = 101
TIME_LIMIT = 60.0

ILP, LP, EXTRACTIVE = "ILP Exact", "LP-Relax.", "Extractive (ILP)"
LABELS = {ILP: "exact", LP: "LP", EXTRACTIVE: "extractive"}


@dataclass(frozen=True)
class Cell:
    """One solver on one instance."""

    system: str
    solver: str
    rounding: str
    instance: str
    status: str
    integral: bool | None
    objective: float
    bound: float
    build_seconds: float
    solve_seconds: float
    round_seconds: float
    rouge_2: float

    @property
    def seconds(self) -> float:
        return self.build_seconds + self.solve_seconds + self.round_seconds

    @property
    def row(self) -> tuple[str, str, str]:
        return self.system, self.solver, self.rounding


class SummarizationRuntimes:
    reproduces = "Table 3 of Almeida & Martins 2013 (rows that exist so far)"

    def run(self, console: Console, quick: bool, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            cells = _run_cells(console, 2 if quick else 10, folder)
        except OSError as error:
            raise InputError(f"{folder}: cannot be written ({error.strerror}).") from None
        table = build_table(cells)
        table.show(console)
        table.write(folder)
        (folder / "provenance.json").write_text(json.dumps(machine(), indent=1) + "\n", encoding="utf-8")
        console.print(f"\nTable and cells are in {folder}.", markup=False)


def _run_cells(console: Console, count: int, folder: Path) -> list[Cell]:
    jobs = [("summarization", ILP, name) for name in EXACT]
    jobs += [("summarization", LP, name) for name in RELAXED]
    jobs += [("extraction", EXTRACTIVE, name) for name in EXACT]
    tasks = {name: get_task(name) for name in ("summarization", "extraction")}
    cells = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress, open(folder / "cells.jsonl", "w") as log:
        bar = progress.add_task("warming up", total=count * len(jobs))
        for task, _, name in jobs:
            get_solver(name).solve(tasks[task].generate(0, "tiny"))
        for name, task in tasks.items():
            _warm_rounding(name, task)
        for seed in range(FIRST_SEED, FIRST_SEED + count):
            instances = {name: task.generate(seed, "tac") for name, task in tasks.items()}
            for task, system, name in jobs:
                progress.update(bar, description=f"{name} on {task} {seed}")
                solution = get_solver(name, time_limit=TIME_LIMIT).solve(instances[task])
                for cell in _cells_of(tasks[task], instances[task], system, name, solution):
                    cells.append(cell)
                    log.write(json.dumps(asdict(cell)) + "\n")
                    log.flush()
                    os.fsync(log.fileno())
                progress.advance(bar)
    return cells


def _warm_rounding(name: str, task: Any) -> None:
    """Compile the rounding kernels outside the clock: fractional posteriors reach all of them."""
    instance = task.generate(0, "tiny")
    posteriors = task.assignment(instance, ()) + 0.5
    for rounding in task.roundings:
        task.round(instance, posteriors, rounding)


def _cells_of(task: Any, instance: Any, system: str, solver: str, solution: Solution) -> Iterator[Cell]:
    """The cell of a solution; an LP solution has one for each rounding."""

    def cell(rounding: str, outcome: Solution, round_seconds: float) -> Cell:
        metrics = {} if outcome.structure is None else task.evaluate(instance, outcome.structure)
        return Cell(
            system=system,
            solver=solver,
            rounding=rounding,
            instance=instance.name,
            status=outcome.status,
            integral=solution.integral,
            objective=outcome.objective,
            bound=solution.bound,
            build_seconds=solution.build_seconds,
            solve_seconds=solution.solve_seconds,
            round_seconds=round_seconds,
            rouge_2=100.0 * metrics.get("ROUGE-2", float("nan")),
        )

    if solution.posteriors is None:
        yield cell("", solution, solution.round_seconds)
        return
    for rounding in ("paper", "search"):
        start = cpu_clock()
        structure = task.round(instance, solution.posteriors, rounding)
        yield cell(rounding, judge(task, instance, structure, solution.bound), cpu_clock() - start)


def build_table(cells: list[Cell]) -> Table:
    """Means over instances, ours beside the paper's, with the ratio to GLPK's exact time and to the fastest exact time."""
    optimum: dict[tuple[bool, str], float] = {}
    for cell in cells:
        if cell.status == "optimal":
            problem = (cell.system == EXTRACTIVE, cell.instance)
            optimum[problem] = max(cell.objective, optimum.get(problem, cell.objective))

    exact = [cell for cell in cells if cell.system == ILP]
    glpk = {cell.instance: cell.seconds for cell in exact if cell.solver == "ilp-glpk"}
    fastest = {cell.instance: min(c.seconds for c in exact if c.instance == cell.instance) for cell in exact}
    rows: list[list[str]] = []
    for system in dict.fromkeys(cell.system for cell in cells):
        if rows:
            rows.append([])
        for key in dict.fromkeys(cell.row for cell in cells if cell.system == system):
            rows.append(_row(key, [cell for cell in cells if cell.row == key], optimum, glpk, fastest))
        rows.append(_paper_row(system))

    relaxed = {cell.instance: cell.integral for cell in cells if cell.system == LP and cell.solver == "lp-highs"}
    winners = [min((c for c in exact if c.instance == name), key=lambda c: c.seconds).solver for name in fastest]
    notes = [
        f"{len(fastest)} generated clusters (size tac); CPU milliseconds of one thread; limit {TIME_LIMIT:.0f} s; gap 0.",
        f"{sum(bool(value) for value in relaxed.values())} of {len(relaxed)} LP solutions are integral (the paper: 2 of 48).",
        "Fastest exact solver per instance: "
        + ", ".join(f"{name} {winners.count(name)}x" for name in sorted(set(winners)))
        + ".",
        "xGLPK, xbest: times faster than exact GLPK (the paper's solver) and than the fastest exact solver per instance.",
        "obj. %: mean share of the optimum. R-2: ROUGE-2 recall; ours is on generated text, the paper's on TAC-2008.",
        "Paper rows: GLPK on a 2.8 GHz Core i7; its LP row includes 29 ms of rounding.",
    ]
    headings = ["decoder", "build", "solve", "round", "total ms", "xGLPK", "xbest", "obj. %", "proved", "R-2"]
    return Table("Table 3 of Almeida & Martins (2013): runtimes of decoders", headings, rows, notes)


def _row(
    key: tuple[str, str, str],
    group: list[Cell],
    optimum: dict[tuple[bool, str], float],
    glpk: dict[str, float],
    fastest: dict[str, float],
) -> list[str]:
    system, solver, rounding = key
    extractive = system == EXTRACTIVE

    def mean(value: Callable[[Cell], float]) -> float:
        return fmean(value(cell) for cell in group)

    total = mean(lambda cell: cell.seconds)
    known = [cell for cell in group if (extractive, cell.instance) in optimum]
    relative = [100.0 * cell.objective / optimum[extractive, cell.instance] for cell in known]
    return [
        f"{LABELS[system]} {solver}" + (f", {rounding}" if rounding else ""),
        f"{1000 * mean(lambda cell: cell.build_seconds):.1f}",
        f"{1000 * mean(lambda cell: cell.solve_seconds):.0f}",
        f"{1000 * mean(lambda cell: cell.round_seconds):.1f}",
        f"{1000 * total:.0f}",
        f"{fmean(glpk.values()) / total:.2f}",
        f"{fmean(fastest.values()) / total:.2f}",
        f"{fmean(relative):.2f}" if relative else "",
        f"{sum(cell.status == 'optimal' for cell in group)}/{len(group)}",
        f"{mean(lambda cell: cell.rouge_2):.2f}",
    ]


def _paper_row(system: str) -> list[str]:
    paper, exact = SUMMARIZATION_RUNTIMES[system], SUMMARIZATION_RUNTIMES[ILP]
    row = [
        f"{LABELS[system]} paper (GLPK)",
        "",
        "",
        "",
        f"{1000 * paper.seconds:.0f}",
        f"{exact.seconds / paper.seconds:.2f}",
    ]
    return [*row, "", "", "", f"{paper.rouge_2:.2f}"]
