"""The command `dualbench`. Bad input ends with one sentence on standard error and exit code 2, a failing solver with 1."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from problems.errors import InputError

from . import advise, checking, data, decode, instances, learn, machine, reproduce, running, runs
from .arguments import lost_output

app = typer.Typer(
    help="When does an ILP solver win on NLP decoding problems, and when do combinatorial algorithms?",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


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


for command in (
    *(instances.solve, instances.generate, instances.export, instances.check_solver),
    *(checking.check_factor, checking.check_task, checking.new),
    *(running.race, running.run, runs.table, runs.plot, runs.report, runs.compare, runs.audit),
    *(reproduce.reproduce, decode.decode, advise.advise),
    *(learn.train, learn.evaluate, learn.parse, learn.compress, learn.summarize),
):
    app.command()(command)
app.command(name="list")(machine.list_names)
app.command()(machine.doctor)
app.add_typer(data.app, name="data")


def main() -> None:
    """Entry point: an InputError becomes one sentence and exit code 2, a solver's failure one and exit code 1."""
    try:
        app()
    except SystemExit as end:
        why = lost_output()
        if end.code or not why:
            raise
        print(f"dualbench: standard output cannot be written ({why}).", file=sys.stderr)
        sys.exit(1)
    except InputError as error:
        print(f"dualbench: {error}", file=sys.stderr)
        sys.exit(2)
    except RuntimeError as error:
        if os.environ.get("DUALBENCH_DEBUG"):
            raise
        print(f"dualbench: {' '.join(str(error).split())}", file=sys.stderr)
        sys.exit(1)
