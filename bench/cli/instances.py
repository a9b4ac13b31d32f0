"""The commands around single instances: solve, generate, export."""

from __future__ import annotations

import copy
import dataclasses
import json
import math
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from problems import get_task, task_of
from problems.errors import InputError
from solvers import Solution, make_solver

from ..experiments.instances import load_instance
from ..experiments.plugins import load_plugins
from ..runner.answer_check import CheckedAnswer, check_answer
from ..runner.compiling_bar import compiled_here
from ..runner.kernel_steps import driver_steps
from . import completion
from .arguments import (
    TASK_HELP,
    Instance,
    Plugins,
    SolverName,
    SolverOption,
    console,
    console_on,
    errors,
    parse_options,
)

Evidence = Annotated[Path | None, typer.Option(help="Observed states of the variables of a .uai network.")]


def solve(
    instance: Instance,
    solver: SolverName = "ilp-highs",
    option: SolverOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole solution as JSON.")] = False,
    removed: Annotated[bool, typer.Option(help="Show removed words struck out.")] = False,
    evidence: Evidence = None,
    plugin: Plugins = None,
) -> None:
    """Solve one instance and print its structure, objective and bound."""
    load_plugins(plugin or ())
    problem = load_instance(instance, evidence)
    task = task_of(problem)
    chosen = make_solver(solver, task.name, parse_options(option or []))
    try:
        with compiled_here(driver_steps(type(chosen), task.name), console_on(errors)):
            claimed = chosen.solve(copy.deepcopy(problem))  # one that alters its instance does not alter ours
    except RuntimeError as error:
        raise RuntimeError(f"solver {solver!r} failed: {error}") from error
    found = check_answer(task, problem, claimed)
    if found.status == "error":
        raise RuntimeError(f"solver {solver!r} failed: {found.message.rstrip('.')}.")
    solution = _rescored(claimed, found)
    metrics = {} if solution.structure is None else task.evaluate(problem, solution.structure)
    if as_json:
        document = _solution_document(task.name, solver, chosen.options, solution, metrics)
        document["audit"] = found.audit
        print(json.dumps(document, allow_nan=False))
    if solution.status == "infeasible":
        raise InputError(f"{instance}: infeasible, says {solver}: no structure satisfies all constraints.")
    if not as_json:
        _print_solution(task, problem, solution, metrics, removed)
        if found.audit not in ("", "ok"):
            console.print(f"audit      {found.audit}", markup=False, soft_wrap=True)


def _rescored(claimed: Solution, found: CheckedAnswer) -> Solution:
    """A solution with what its structure is worth instead of what its solver says."""
    return dataclasses.replace(
        claimed,
        status=found.status,  # type: ignore[arg-type]
        objective=math.nan if found.objective is None else found.objective,
        bound=math.inf if found.bound is None else found.bound,
        message=found.message,
        magnitude=found.magnitude,
    )


def _solution_document(
    task: str, solver: str, options: dict[str, Any], solution: Solution, metrics: dict[str, float]
) -> dict[str, Any]:
    def finite(value: float) -> float | None:
        return value if math.isfinite(value) else None

    times = ("build_seconds", "solve_seconds", "round_seconds", "cpu_seconds", "wall_seconds")
    return {
        "task": task,
        "solver": solver,
        "options": options,
        **{name: getattr(solution, name) for name in ("status", "message")},
        **{name: finite(getattr(solution, name)) for name in ("objective", "bound", "gap")},
        **{name: getattr(solution, name) for name in ("integral", "iterations", *times)},
        "metrics": metrics,
        "structure": solution.structure,
        "posteriors": None if solution.posteriors is None else solution.posteriors.tolist(),
        "trace": [{key: finite(value) for key, value in dataclasses.asdict(point).items()} for point in solution.trace],
    }


def _print_solution(task: Any, problem: Any, solution: Solution, metrics: dict[str, float], removed: bool) -> None:
    if solution.structure is not None:
        for words in task.marked(problem, solution.structure) if removed else []:
            line = Text()
            for word, kept in words:
                plain = kept or console.is_terminal
                line.append(word if plain else f"[-{word}-]", style="" if kept else "strike dim").append(" ")
            console.print(line, soft_wrap=True)
        for text in [] if removed else task.render(problem, solution.structure):
            console.print(text, markup=False, soft_wrap=True)
        console.print()
    status = f"status     {solution.status}" + (f" ({solution.message})" if solution.message else "")
    console.print(status, markup=False, soft_wrap=True)
    objective, bound = _digits(solution.objective), _digits(solution.bound)
    gap = f"{solution.gap:.2%}" if math.isfinite(solution.gap) else "none"
    console.print(f"objective  {objective}   bound {bound}   gap {gap}", soft_wrap=True)
    parts = (solution.build_seconds, solution.solve_seconds, solution.round_seconds)
    console.print("CPU        build {:.4f} s   solve {:.4f} s   round {:.4f} s".format(*parts))
    if metrics:
        said = "   ".join(f"{name} {value:.4g}" for name, value in metrics.items())
        console.print(f"metrics    {said}", soft_wrap=True)


def _digits(value: float) -> str:
    """A value to six decimals where these say something, else to ten digits."""
    if not math.isfinite(value):
        return "none"
    return f"{value:.6f}" if value == 0 or 1e-3 <= abs(value) < 1e9 else f"{value:.10g}"


def generate(
    task: Annotated[str, typer.Argument(help=TASK_HELP, autocompletion=completion.tasks)],
    count: Annotated[int, typer.Option(help="How many instances; their seeds follow one another.")] = 1,
    seed: Annotated[int, typer.Option(help="The first seed.")] = 1,
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("instances"),
    size: Annotated[
        str | None,
        typer.Option(help="The size's name; the task's default if not given.", autocompletion=completion.sizes),
    ] = None,
    plugin: Plugins = None,
) -> None:
    """Write generated instances as JSON files."""
    load_plugins(plugin or ())
    chosen = get_task(task)
    if count < 1:
        raise InputError(f"option '--count' must be at least 1, not {count}.")
    for number in range(seed, seed + count):
        path = out / f"{task}-{size or chosen.default_size}-{number}.json"
        chosen.save(chosen.generate(number, size), path)
        console.print(str(path), markup=False, soft_wrap=True)


def export(
    instance: Instance,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="json, mps, lp (both: the 0/1 program), fg (AD3's), wcsp or cfn (both: toulbar2's).",
            autocompletion=completion.export_formats,
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(help="The file to write, - for standard output; beside the instance.")
    ] = None,
    evidence: Evidence = None,
    plugin: Plugins = None,
) -> None:
    """Write an instance in a format that other programs read."""
    from .exporting import export_instance

    load_plugins(plugin or ())
    written = export_instance(instance, form, out, evidence)
    if isinstance(written, str):
        sys.stdout.write(written)
    else:
        console.print(str(written), markup=False, soft_wrap=True)
