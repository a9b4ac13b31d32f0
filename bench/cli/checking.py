"""The commands for what users write themselves: new, check-solver, check-factor, check-task."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from problems.errors import InputError

from ..experiments.plugins import load_factors, load_plugin, load_plugins
from . import completion
from .arguments import Plugins, console

Seconds = Annotated[float, typer.Option(help="Seconds that one check may take.")]


def check_solver(
    solver: Annotated[
        str,
        typer.Argument(
            help="A Python file with solvers of your own, or a solver's name.",
            autocompletion=completion.checked_solvers,
        ),
    ],
    task: Annotated[
        str | None,
        typer.Option(help="Only problems of this task; `graph` for bare graphs.", autocompletion=completion.tasks),
    ] = None,
    seconds: Annotated[float, typer.Option(help="Seconds that the solver may take in one check.")] = 60.0,
    memory: Annotated[
        float | None, typer.Option(help="Memory limit in GB; 80 % of the machine's if not given.", show_default=False)
    ] = None,
    plugin: Plugins = None,
) -> None:
    """Run the conformance suite on a solver, in a process of its own; exit code 1 if it fails a check."""
    from ..conformance.isolated import show_checks

    load_plugins(plugin or ())
    names, plugins = [solver], [*(plugin or ())]
    if _is_file(solver):
        names, plugins = list(load_plugin(solver).solvers), [*plugins, Path(solver)]
        if not names:
            raise InputError(f"{solver}: no solver in it (expected a subclass of solvers.base.Solver).")
    passed = [show_checks(name, task, plugins, seconds, memory, console) for name in names]
    if not all(passed):
        raise typer.Exit(1)


def check_factor(
    factor: Annotated[
        str, typer.Argument(help="A Python file with factors of your own, or a built-in kind (xor, ...).")
    ],
    seconds: Seconds = 120.0,
) -> None:
    """Check every face of a factor against its definition, by enumeration; exit code 1 if a check fails."""
    from ..conformance.apart import check_apart, show_results

    names = [f"{Path(factor).resolve()}::{name}" for name in load_factors(factor)] if _is_file(factor) else [factor]
    _check_seconds(seconds)
    passed = [show_results(_short(name), check_apart("factor", name, seconds=seconds), console) for name in names]
    if not all(passed):
        raise typer.Exit(1)


def check_task(
    task: Annotated[str, typer.Argument(help="A Python file with tasks of your own, or a task's name.")],
    seconds: Seconds = 120.0,
    plugin: Plugins = None,
) -> None:
    """Check that objective, graph, rounding and JSON of a task agree; exit code 1 if a check fails."""
    from ..conformance.apart import check_apart, show_results

    load_plugins(plugin or ())
    names, plugins = [task], [*(plugin or ())]
    if _is_file(task):
        names, plugins = list(load_plugin(task).tasks), [*plugins, Path(task)]
        if not names:
            raise InputError(f"{task}: no task in it (expected a subclass of problems.task.Task).")
    _check_seconds(seconds)
    passed = [show_results(name, check_apart("task", name, plugins, seconds), console) for name in names]
    if not all(passed):
        raise typer.Exit(1)


def new(
    what: Annotated[str, typer.Argument(help="solver, factor or task", autocompletion=completion.templates)],
    name: Annotated[str, typer.Argument(help="Its name, in lower case: letters, digits and hyphens.")],
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path(),
) -> None:
    """Write a working solver, factor or task for you to edit."""
    from ..conformance.templates import write_template

    console.print(str(write_template(what, name, out)), markup=False, soft_wrap=True)


def _is_file(given: str) -> bool:
    return given.endswith(".py") or "/" in given


def _short(name: str) -> str:
    return name.rpartition("::")[2]


def _check_seconds(seconds: float) -> None:
    if not 0 < seconds < float("inf"):
        raise InputError(f"option '--seconds' must be a positive number, not {seconds:g}.")
