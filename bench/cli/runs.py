"""The commands around runs: run, table, plot, report, compare, audit."""

from __future__ import annotations

import shlex
import sys
from collections import defaultdict
from pathlib import Path
from typing import Annotated, Any

import typer

from problems.errors import InputError

from ..experiments.plugins import load_plugins
from ..output.escaping import plain_text
from ..output.tables import Table
from ..records.damage import told
from ..records.log import load_run
from ..records.provenance import UNAVAILABLE
from ..runner.executors import check_positive, executor_for
from ..runner.progress import RunProgress, duration
from ..runner.runner import prepare
from ..runner.watched import Prepared
from .arguments import INTERRUPTED, Plugins, console, console_on, errors, parse_options

warnings = console_on(errors)
FORESEEN = 50  # instances that a dry run makes at most

Runs = Annotated[list[Path], typer.Argument(help="Folders of runs; several are merged.")]


def run(
    experiment: Annotated[str, typer.Argument(help="A TOML file, or a name from `dualbench list experiments`.")],
    jobs: Annotated[int, typer.Option(help="Cells at the same time, each pinned to a core of its own.")] = 1,
    dask: Annotated[
        str | None,
        typer.Option(help="Run on a Dask cluster: tls://host:port of its scheduler, or local:N; see docs/cluster.md."),
    ] = None,
    dask_security: Annotated[
        Path | None, typer.Option(help="The folder with ca.pem, cert.pem and key.pem for an address tls://host:port.")
    ] = None,
    timeout: Annotated[float | None, typer.Option(help="Seconds per cell, instead of the experiment's.")] = None,
    memory: Annotated[float | None, typer.Option(help="Gigabytes per cell, instead of the experiment's.")] = None,
    out: Annotated[Path | None, typer.Option(help="The run's folder; runs/NAME if not given.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run: only what is missing is run.")] = False,
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
            _say(warning)
        chosen = prepare(experiment, timeout, memory, executor, plugin or ())
        folder = out or Path("runs") / chosen.name
        prepared = Prepared(chosen, folder, resume, retry, _say, FORESEEN if dry_run and not resume else None)
        if dry_run:
            _forecast(prepared, executor.jobs).show(console)
            return
        try:
            progress = prepared.run(console, executor)
        except KeyboardInterrupt:
            done = sum(prepared.progress.statuses.values())
            _say(f"Stopped. {done} of {len(prepared.missing)} cells were recorded in {folder}; go on with:")
            _say("    " + _command_to_resume(folder))
            raise typer.Exit(INTERRUPTED) from None
    _conclude(folder, progress)


def _conclude(folder: Path, progress: RunProgress) -> None:
    """Table, plots and audit of a finished run."""
    from ..output.plots import draw
    from ..output.run_tables import run_table

    records = _loaded([folder])
    for show in (
        lambda: _show_table(run_table(records, records.experiment.get("table")), folder),
        lambda: draw(records, records.experiment.get("plots", []), folder / "plots"),
    ):
        try:
            show()
        except InputError as error:  # records without anything to show are no reason to fail
            _say(f"Not shown: {error}")
    _say(f"\n{progress.summary()}. Records, table and plots are in {folder}.")
    if _audit(records):
        raise typer.Exit(1)


def _loaded(runs: list[Path], plugins: list[Path] | None = None) -> Any:
    """The records of runs; what cannot be read of them is told, apart from what a command prints for a file."""
    load_plugins(plugins or ())
    records = load_run(*runs)
    for said in told(records.damage, most=10):
        warnings.print(f"warning: {plain_text(said)}", style="yellow", markup=False, soft_wrap=True)
    return records


def _show_table(made: Table, folder: Path) -> None:
    made.show(console)
    made.write(folder)


def _command_to_resume(folder: Path) -> str:
    arguments = [argument for argument in sys.argv[1:] if argument not in ("--resume", "--dry-run")]
    if not any(argument == "--out" or argument.startswith("--out=") for argument in arguments):
        arguments += ["--out", str(folder)]
    return f"dualbench {shlex.join(arguments)} --resume"


def _forecast(prepared: Prepared, jobs: int) -> Table:
    """What a run would do: cells by solver, those already recorded, and the time they may take."""
    plan, estimator = prepared.plan, prepared.estimator
    by_label: dict[str, list[tuple[float | None, float]]] = defaultdict(list)
    for cell, weight in prepared.expected():
        by_label[cell.solver.label].append((estimator.seconds(cell), weight))
    limits = plan.experiment.limits
    rows, total, unknown = [], 0.0, 0
    for (spec, _, version, _), planned in zip(plan.solvers, plan.counts(), strict=True):
        cells = by_label[spec.label]
        left = round(sum(weight for _, weight in cells))
        known = sum(seconds * weight for seconds, weight in cells if seconds is not None)
        guesses = round(sum(weight for seconds, weight in cells if seconds is None))
        if version.startswith(UNAVAILABLE):
            said = "skipped"
        else:
            total += known
            unknown += guesses
            said = f"at most {duration(left * limits.seconds)}" if guesses else duration(known)
        rows.append([spec.label, str(planned), str(planned - left), str(left), said])
    seen = f" ({plan.looked_at} of them looked at)" if plan.total > plan.looked_at else ""
    traced = " (one traced)" if plan.experiment.trace else ""
    notes = [
        f"{plan.total} instances{seen}, {len(plan.rounds)} repetitions{traced}; "
        f"limits {limits.seconds:g} s and {limits.memory_gb:g} GB per cell.",
        f"About {duration(total / jobs)} with {jobs} job{'s' if jobs > 1 else ''}, from {prepared.learned} earlier records",
    ]
    if unknown:
        most = duration(unknown * limits.seconds / jobs)
        notes[1] += f", and at most {most} for {unknown} cells of which nothing is known"
    notes[1] += "."
    return Table(
        f"What {plan.experiment.name!r} would run", ["solver", "cells", "recorded", "to run", "time"], rows, notes
    )


def table(
    runs: Runs,
    format: Annotated[str, typer.Option(help="terminal, markdown, csv or latex")] = "terminal",
    columns: Annotated[
        str | None, typer.Option(help="Columns, with commas between; the experiment's if not given.")
    ] = None,
    baseline: Annotated[
        list[str] | None,
        typer.Option(
            help="The label that ratios are against, or a pattern: 'ilp-*' is the fastest of them; may be repeated."
        ),
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="The quality that solvers are compared at: auto, optimal, any, or 0.01 for 1 %.")
    ] = None,
    by: Annotated[
        str | None, typer.Option(help="Group rows by size (the default where there are several), length, task or none.")
    ] = None,
    growth: Annotated[bool, typer.Option("--growth", help="Instead: how times grow with size.")] = False,
    wall: Annotated[bool, typer.Option("--wall", help="Wall-clock instead of CPU time.")] = False,
    mix_nodes: Annotated[
        bool, typer.Option("--mix-machines", "--mix-nodes", help="Allow timings of different machines in one column.")
    ] = False,
    plugin: Plugins = None,
) -> None:
    """Print the table of one or more runs."""
    from ..output.growth_table import growth_table
    from ..output.run_tables import run_table

    records = _loaded(runs, plugin)
    layout = dict(records.experiment.get("table") or {})
    if columns is not None:
        layout["columns"] = [name.strip() for name in columns.split(",")]
    given = {"baseline": baseline or None, "by": by, "time": "wall" if wall else None}
    given |= parse_options([f"target={target}"]) if target is not None else {}
    layout |= {name: value for name, value in given.items() if value is not None}
    if growth:
        made = growth_table(records, layout.get("time", "cpu"), mix_nodes or layout.get("mix_nodes", False))
    else:
        made = run_table(records, layout, mix_nodes=mix_nodes)
    made.print(format, console)


def plot(
    runs: Runs,
    kind: Annotated[
        str | None,
        typer.Option(help="convergence, scaling, profile, pareto or bins; the experiment's plots if not given."),
    ] = None,
    option: Annotated[list[str] | None, typer.Option(help="An option of the plot, key=value; may be repeated.")] = None,
    out: Annotated[Path | None, typer.Option(help="The folder to write to; RUN/plots if not given.")] = None,
    plugin: Plugins = None,
) -> None:
    """Draw the plots of one or more runs as PNG, SVG and PDF."""
    from ..output.plots import draw

    records = _loaded(runs, plugin)
    wanted = [{"kind": kind, **parse_options(option or [])}] if kind else records.experiment.get("plots") or []
    if not wanted:
        raise InputError(f"{runs[0]}: its experiment names no plots; choose one with --kind.")
    for path in draw(records, wanted, out or runs[0] / "plots"):
        _say(str(path))


def report(
    runs: Runs,
    out: Annotated[Path | None, typer.Option(help="The HTML file; RUN/report.html if not given.")] = None,
    plugin: Plugins = None,
) -> None:
    """Write one HTML page with tables, interactive plots, examples and provenance; it needs no network."""
    from ..output.report import write_report

    records = _loaded(runs, plugin)
    path = out or runs[0] / "report.html"
    findings = write_report(records, path)
    _say(str(path))
    if _shown(findings):
        raise typer.Exit(1)


def compare(
    run_a: Annotated[Path, typer.Argument(help="The run to compare with.")],
    run_b: Annotated[Path, typer.Argument(help="The run that may be better or worse.")],
    threshold: Annotated[float, typer.Option(help="Slower by more than this share is a regression.")] = 0.05,
    plugin: Plugins = None,
) -> None:
    """Compare two runs cell by cell; exit code 1 if the second is worse."""
    from ..output.comparison_table import run_compare

    load_plugins(plugin or ())
    code = run_compare(run_a, run_b, console, threshold)
    if code:
        raise typer.Exit(code)


def audit(runs: Runs, plugin: Plugins = None) -> None:
    """Recompute feasibility and objectives, and look for contradictions and damage; exit code 1 if there are any."""
    records = _loaded(runs, plugin)
    if _audit(records) or records.damage:
        raise typer.Exit(1)
    _say(f"{len(records)} records: no contradiction found.")


def _audit(records: Any) -> bool:
    """Show what is wrong with a run; is any of it an error?"""
    from ..analysis.audit import audit as find

    return _shown(find(records))


def _shown(findings: Any) -> bool:
    from ..analysis.audit import has_errors
    from ..output.findings import show

    show(findings, console)
    return has_errors(findings)


def _say(text: str) -> None:
    console.print(text, markup=False, soft_wrap=True)
