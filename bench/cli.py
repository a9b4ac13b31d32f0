"""The command `dualbench`. Bad input ends with one sentence on standard error and exit code 2, a failing solver with 1."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from problems import get_task, task_of
from problems.errors import InputError, nearest
from solvers import Solution, make_solver

from .decoding.command import decode
from .learning import commands as learning_commands
from .run_commands import INTERRUPTED, Plugins, load_plugins, register

app = typer.Typer(
    help="When does an ILP solver win on NLP decoding problems, and when do combinatorial algorithms?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
console = Console(highlight=False)


def show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"dualbench {version('dualbench')}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """When does an ILP solver win on NLP decoding problems, and when do combinatorial algorithms?"""


def parse_options(pairs: list[str]) -> dict[str, Any]:
    """Options from `key=value` texts; values are read as JSON where they can be."""
    options: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key:
            raise InputError(f"option {pair!r} must have the form key=value.")
        try:
            options[key] = json.loads(text)
        except (ValueError, RecursionError):
            options[key] = text
    return options


@app.command()
def solve(
    instance: Annotated[Path, typer.Argument(help="An instance (.json) or a factor graph (.fg, .uai).")],
    solver: Annotated[str, typer.Option(help="The solver's name; see `dualbench list solvers`.")] = "ilp-highs",
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the solver, key=value; may be repeated.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole solution as JSON.")] = False,
    removed: Annotated[bool, typer.Option(help="Show removed words struck out.")] = False,
    plugin: Plugins = None,
) -> None:
    """Solve one instance and print its structure, objective and bound."""
    from .instances import load_instance

    load_plugins(plugin)
    problem = load_instance(instance)
    task = task_of(problem)
    chosen = make_solver(solver, task.name, parse_options(option or []))
    try:
        solution = chosen.solve(problem)
    except RuntimeError as error:
        raise RuntimeError(f"solver {solver!r} failed: {error}") from error
    metrics = {} if solution.structure is None else task.evaluate(problem, solution.structure)
    if as_json:
        document = _solution_document(task.name, solver, chosen.options, solution, metrics)
        print(json.dumps(document, allow_nan=False))
    if solution.status == "infeasible":
        raise InputError(f"{instance}: infeasible, says {solver}: no structure satisfies all constraints.")
    if not as_json:
        _print_solution(task, problem, solution, metrics, removed)


def _solution_document(
    task: str, solver: str, options: dict[str, Any], solution: Solution, metrics: dict[str, float]
) -> dict[str, Any]:
    def finite(value: float) -> float | None:
        return value if math.isfinite(value) else None

    return {
        "task": task,
        "solver": solver,
        "options": options,
        "status": solution.status,
        "message": solution.message,
        "objective": finite(solution.objective),
        "bound": finite(solution.bound),
        "gap": finite(solution.gap),
        "integral": solution.integral,
        "iterations": solution.iterations,
        "build_seconds": solution.build_seconds,
        "solve_seconds": solution.solve_seconds,
        "round_seconds": solution.round_seconds,
        "cpu_seconds": solution.cpu_seconds,
        "wall_seconds": solution.wall_seconds,
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
    objective, bound = _said(solution.objective), _said(solution.bound)
    gap = f"{solution.gap:.2%}" if math.isfinite(solution.gap) else "none"
    console.print(f"objective  {objective}   bound {bound}   gap {gap}", soft_wrap=True)
    parts = (solution.build_seconds, solution.solve_seconds, solution.round_seconds)
    console.print("CPU        build {:.4f} s   solve {:.4f} s   round {:.4f} s".format(*parts))
    if metrics:
        said = "   ".join(f"{name} {value:.4g}" for name, value in metrics.items())
        console.print(f"metrics    {said}", soft_wrap=True)


def _said(value: float) -> str:
    """A value to six decimals where these say something, else to ten digits."""
    if not math.isfinite(value):
        return "none"
    return f"{value:.6f}" if value == 0 or 1e-3 <= abs(value) < 1e9 else f"{value:.10g}"


@app.command()
def generate(
    task: Annotated[str, typer.Argument(help="The task; see `dualbench list tasks`.")],
    count: Annotated[int, typer.Option(help="How many instances; their seeds follow one another.")] = 1,
    seed: Annotated[int, typer.Option(help="The first seed.")] = 1,
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("instances"),
    size: Annotated[str | None, typer.Option(help="The size's name; the task's default if not given.")] = None,
    plugin: Plugins = None,
) -> None:
    """Write generated instances as JSON files."""
    load_plugins(plugin)
    chosen = get_task(task)
    if count < 1:
        raise InputError(f"option '--count' must be at least 1, not {count}.")
    for number in range(seed, seed + count):
        path = out / f"{task}-{size or chosen.default_size}-{number}.json"
        chosen.save(chosen.generate(number, size), path)
        console.print(str(path), markup=False, soft_wrap=True)


@app.command()
def export(
    instance: Annotated[Path, typer.Argument(help="An instance (.json) or a factor graph (.fg, .uai).")],
    form: Annotated[str, typer.Option("--format", help="mps, lp (both: the 0/1 program) or fg (AD3's factor graphs).")],
    out: Annotated[
        Path | None, typer.Option(help="The file to write, - for standard output; beside the instance.")
    ] = None,
    plugin: Plugins = None,
) -> None:
    """Write an instance in a format that other programs read."""
    from .export import export_instance

    load_plugins(plugin)
    written = export_instance(instance, form, out)
    if isinstance(written, str):
        sys.stdout.write(written)
    else:
        console.print(str(written), markup=False, soft_wrap=True)


@app.command(name="check-solver")
def check_solver(
    solver: Annotated[str, typer.Argument(help="The solver's name; see `dualbench list solvers`.")],
    task: Annotated[str | None, typer.Option(help="Only problems of this task; `graph` for bare graphs.")] = None,
    seconds: Annotated[float, typer.Option(help="What the solver's calls in one check may take.")] = 60.0,
    plugin: Plugins = None,
) -> None:
    """Run the conformance suite on a solver, in a process of its own; exit code 1 if it fails a check."""
    from .conformance.report import show_checks

    load_plugins(plugin)
    if not show_checks(solver, task, plugin or [], seconds, console):
        raise typer.Exit(1)


@app.command(name="list")
def list_names(
    what: Annotated[str, typer.Argument(help="solvers, tasks, experiments or pieces")], plugin: Plugins = None
) -> None:
    """List what there is."""
    from .listing import LISTS

    load_plugins(plugin)
    if what not in LISTS:
        raise InputError(f"cannot list {what!r}: {nearest(what, LISTS)}")
    console.print(LISTS[what]())


@app.command()
def doctor() -> None:
    """Show which solvers are usable here, their versions, and the machine."""
    from .doctor import kernel_cache, machine, solver_health, task_health
    from .supervision import isolation

    table = Table(box=None, pad_edge=False)
    for heading in ("solver", "usable", "version"):
        table.add_column(heading)
    for health in [*solver_health(), *task_health()]:
        usable = Text("no", style="red") if health.problem else Text("yes", style="green")
        table.add_row(health.name, usable, Text(health.problem or health.version))
    console.print(table)
    facts = {**machine(), "isolation": isolation(), **kernel_cache()}
    for name, fact in facts.items():
        console.print(f"{name:13s} {fact}", markup=False, soft_wrap=True)


@app.command()
def reproduce(
    names: Annotated[
        list[str] | None, typer.Argument(help="Pieces (`dualbench list pieces`); all of them if none is named.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A few small instances, for a first look.")] = False,
    data: Annotated[
        Path | None, typer.Option(help="The folder of the real corpora, instead of generated data.")
    ] = None,
    out: Annotated[Path, typer.Option(help="The folder for tables, figures, records and the report.")] = Path(
        "runs/reproduction"
    ),
    jobs: Annotated[
        int | None,
        typer.Option(help="Processes; those beside the first take what is not timed. 2 if there are 2 cores."),
    ] = None,
    texts: Annotated[bool, typer.Option("--texts/--no-texts", help="Example texts in the report.")] = True,
    parser: Annotated[
        Path | None, typer.Option(help="A trained parser for real data; one is trained on en_ewt if not given.")
    ] = None,
) -> None:
    """The tables and figures of all four papers, ours beside theirs, with a verdict per claim and one report."""
    from .reproduction.command import reproduce as run_reproduction

    try:
        options: dict[str, Any] = {"quick": quick, "data": data, "out": out, "jobs": jobs, "texts": texts}
        shown = Console(file=sys.stdout, highlight=False)
        code = run_reproduction(names, **options, parser=parser, console=shown)
    except KeyboardInterrupt:
        console.print("Stopped; the same command goes on where this one ended.")
        raise typer.Exit(INTERRUPTED) from None
    if code:
        raise typer.Exit(code)


register(app)
app.command()(decode)
learning_commands.register(app)


def main() -> None:
    """Entry point: an InputError becomes one sentence and exit code 2, a solver's failure one and exit code 1."""
    try:
        app()
    except InputError as error:
        print(f"dualbench: {error}", file=sys.stderr)
        sys.exit(2)
    except RuntimeError as error:
        if os.environ.get("DUALBENCH_DEBUG"):
            raise
        print(f"dualbench: {' '.join(str(error).split())}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
