"""The commands that run solvers and leave records: run and race."""

from __future__ import annotations

import shlex
import sys
import threading
from pathlib import Path
from typing import Annotated

import typer

from problems.errors import InputError, nearest

from ..experiments.experiment import Experiment
from ..experiments.presentation import PLOT_OPTIONS
from ..experiments.selection import select
from ..output.tables import Table
from ..runner.compilation import compile_kernels
from ..runner.compiling_bar import CompilingBar, compiled_here
from ..runner.executors import Executor, LocalExecutor, check_positive, executor_for
from ..runner.kernel_steps import steps_of
from ..runner.progress import RunProgress
from ..runner.runner import prepare
from ..runner.watched import Prepared
from . import completion
from .arguments import INTERRUPTED, Plugins, console
from .forecast import forecast
from .runs import audited, loaded, say

FORESEEN = 50  # instances that a dry run makes at most

Jobs = Annotated[int, typer.Option(help="Cells at the same time, each pinned to a core of its own.")]
Resume = Annotated[bool, typer.Option("--resume", help="Continue a run: only missing cells run.")]


def run(
    experiment: Annotated[
        str,
        typer.Argument(
            help="A TOML file, or a name from `dualbench list experiments`.", autocompletion=completion.experiments
        ),
    ],
    jobs: Jobs = 1,
    dask: Annotated[
        str | None,
        typer.Option(help="Run on a Dask cluster: tls://host:port of its scheduler, or local:N; see docs/cluster.md."),
    ] = None,
    dask_security: Annotated[
        Path | None, typer.Option(help="The folder with ca.pem, cert.pem and key.pem for an address tls://host:port.")
    ] = None,
    solver: Annotated[
        list[str] | None,
        typer.Option(
            help="Only solvers of this name or label, or pattern such as 'ilp-*'; may be repeated.",
            autocompletion=completion.solvers,
        ),
    ] = None,
    instance: Annotated[
        list[str] | None,
        typer.Option(
            help="Only instances of this name, or pattern; may be repeated.", autocompletion=completion.instances_of
        ),
    ] = None,
    repetitions: Annotated[int | None, typer.Option(help="Rounds, instead of the experiment's.")] = None,
    timeout: Annotated[float | None, typer.Option(help="Seconds per cell, instead of the experiment's.")] = None,
    memory: Annotated[float | None, typer.Option(help="Gigabytes per cell, instead of the experiment's.")] = None,
    out: Annotated[Path | None, typer.Option(help="The run's folder; runs/NAME if not given.")] = None,
    resume: Resume = False,
    retry: Annotated[bool, typer.Option("--retry", help="With --resume: run crashed and failed cells again.")] = False,
    plugin: Plugins = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be run, and how long it may take.")
    ] = False,
) -> None:
    """Run an experiment: every cell leaves a record."""
    check_positive(timeout=timeout, memory=memory)
    with executor_for(jobs, dask, dask_security) as executor:
        for warning in executor.warnings:
            say(warning)
        whole = prepare(experiment, timeout, memory, executor, plugin or ())
        chosen = select(whole, solver or (), instance or (), repetitions)
        folder = out or Path("runs") / chosen.name
        _compile_for(chosen, executor, solving=not dry_run)
        prepared = Prepared(chosen, folder, resume, retry, say, FORESEEN if dry_run and not resume else None)
        if dry_run:
            forecast(prepared, executor.jobs).show(console)
            return
        progress = _watched(prepared, executor)
    _conclude(folder, progress)


def _compile_for(experiment: Experiment, executor: Executor, solving: bool = True) -> None:
    """Compile side by side before instances are generated, which would compile what it needs one by one."""
    with CompilingBar(console) as bar:
        steps = steps_of(experiment, solving and isinstance(executor, LocalExecutor))
        compile_kernels(steps, experiment.plugins, threading.Event(), bar)


def _watched(prepared: Prepared, executor: Executor, shown: type[RunProgress] = RunProgress) -> RunProgress:
    """Run what is missing; an interruption ends with the command that goes on."""
    try:
        return prepared.run(console, executor, shown)
    except KeyboardInterrupt:
        done = sum(prepared.progress.statuses.values())
        say(f"Stopped. {done} of {len(prepared.missing)} cells were recorded in {prepared.folder}; continue with:")
        say("    " + _command_to_resume(prepared.folder))
        raise typer.Exit(INTERRUPTED) from None


def _conclude(folder: Path, progress: RunProgress) -> None:
    """Table, plots and audit of a finished run."""
    from ..output.plots import draw
    from ..output.run_tables import run_table

    records = loaded([folder])
    for show in (
        lambda: _show_table(run_table(records, records.experiment.get("table")), folder),
        lambda: draw(records, records.experiment.get("plots", []), folder / "plots"),
    ):
        try:
            show()
        except InputError as error:  # records without anything to show are no reason to fail
            say(f"Not shown: {error}")
    say(f"\n{progress.summary()}. Records, table and plots are in {folder}.")
    if audited(records):
        raise typer.Exit(1)


def _show_table(made: Table, folder: Path) -> None:
    made.show(console)
    made.write(folder)


def _command_to_resume(folder: Path) -> str:
    arguments = [argument for argument in sys.argv[1:] if argument not in ("--resume", "--dry-run")]
    if not any(argument == "--out" or argument.startswith("--out=") for argument in arguments):
        arguments += ["--out", str(folder)]
    return f"dualbench {shlex.join(arguments)} --resume"


def race(
    entries: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|TASK:SIZE",
            help="Instances (.json), graphs (.fg, .uai, .wcsp, .cfn), library:NAME, or TASK:SIZE to generate some.",
            autocompletion=completion.racers,
        ),
    ],
    solver: Annotated[
        list[str] | None,
        typer.Option(
            help="A solver, a pattern such as 'ilp-*', or one with options, ad3:max_iterations=500; may be repeated. "
            "By default usable solvers of each kind.",
            autocompletion=completion.solvers,
        ),
    ] = None,
    repetitions: Annotated[
        int | None, typer.Option(help="Rounds; by default 3, or 6 on a single instance.", show_default=False)
    ] = None,
    timeout: Annotated[float, typer.Option(help="Seconds per cell.")] = 20.0,
    memory: Annotated[
        float | None, typer.Option(help="Gigabytes per cell; 80 % of the machine's if not given.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The first seed of generated instances.")] = 1,
    count: Annotated[int, typer.Option(help="Generated instances of each size.")] = 6,
    plot: Annotated[
        Path | None,
        typer.Option(
            help="Draw to this file (.png, .svg, .pdf): convergence from traces, or what it is called (profile.png, "
            "pareto.svg, scaling.pdf)."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The run's folder; a new one in runs/ if not given.")] = None,
    resume: Resume = False,
    jobs: Jobs = 1,
    plugin: Plugins = None,
) -> None:
    """Race solvers on a few instances: a live table, ratios among equals, the winner. The records are a run like any other."""
    from ..experiments.race import free_folder, race_experiment
    from ..output.live_race import LiveRace
    from ..output.plots import make_plot, save
    from ..output.race_verdict import verdicts
    from ..output.run_tables import run_table

    check_positive(timeout=timeout, memory=memory)
    if resume and out is None:
        raise InputError("option '--resume' needs the folder of the race (--out).")
    plots = [] if plot is None else [{"kind": _kind(plot)}]
    with compiled_here([], console):  # the graphs of files are built
        described = race_experiment(
            entries,
            solver or (),
            repetitions=repetitions,
            seconds=timeout,
            seed=seed,
            count=count,
            plots=plots,
            plugins=plugin or (),
        )
    with executor_for(jobs, None, None) as executor:
        chosen = prepare(described, timeout, memory, executor, plugin or ())
        _compile_for(chosen, executor)
        prepared = Prepared(chosen, out or free_folder(Path("runs") / chosen.name), resume, announce=say)
        progress = _watched(prepared, executor, LiveRace)
    folder = prepared.folder
    records = loaded([folder])
    _show_table(run_table(records), folder)
    say("")
    for line in verdicts(records):
        say(line)
    if plot is not None:
        say(
            "".join(
                str(path) for path in save(make_plot(records, _kind(plot)), plot.with_suffix(""), [plot.suffix[1:]])
            )
        )
    say(f"\n{progress.summary()}. Records and table are in {folder}; `dualbench report {folder}` makes a page of them.")
    if audited(records):
        raise typer.Exit(1)


def _kind(plot: Path) -> str:
    """The kind of plot that a file is called after, else convergence."""
    from ..output.plots.canvas import FORMATS

    if plot.suffix[1:] not in FORMATS:
        raise InputError(
            f"{plot}: cannot draw a {plot.suffix or 'file without an ending'}: {nearest(plot.suffix[1:], FORMATS)}"
        )
    return plot.stem if plot.stem in PLOT_OPTIONS else "convergence"
