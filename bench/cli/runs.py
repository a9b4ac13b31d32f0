"""The commands that read runs: table, plot, report, compare, audit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from problems.errors import InputError

from ..experiments.plugins import load_plugins
from ..output.escaping import plain_text
from ..records.damage import told
from ..records.log import load_run
from . import completion
from .arguments import Plugins, console, console_on, errors, parse_options

warnings = console_on(errors)

Runs = Annotated[list[Path], typer.Argument(help="Folders of runs; several are merged.")]


def loaded(runs: list[Path], plugins: list[Path] | None = None) -> Any:
    """The records of runs; what cannot be read of them is told, apart from what a command prints for a file."""
    load_plugins(plugins or ())
    records = load_run(*runs)
    for said in told(records.damage, most=10):
        warnings.print(f"warning: {plain_text(said)}", style="yellow", markup=False, soft_wrap=True)
    return records


def table(
    runs: Runs,
    format: Annotated[
        str, typer.Option(help="terminal, markdown, csv or latex", autocompletion=completion.table_formats)
    ] = "terminal",
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
    bounds: Annotated[
        bool, typer.Option("--bounds", help="Instead: time to a bound near the LP's, of runs with `bound_within`.")
    ] = False,
    wall: Annotated[bool, typer.Option("--wall", help="Wall-clock instead of CPU time.")] = False,
    mix_nodes: Annotated[
        bool, typer.Option("--mix-machines", "--mix-nodes", help="Allow timings of different machines in one column.")
    ] = False,
    plugin: Plugins = None,
) -> None:
    """Print the table of one or more runs."""
    from ..output.bound_table import bound_table
    from ..output.growth_table import growth_table
    from ..output.run_tables import run_table

    records = loaded(runs, plugin)
    layout = dict(records.experiment.get("table") or {})
    if columns is not None:
        layout["columns"] = [name.strip() for name in columns.split(",")]
    given = {"baseline": baseline or None, "by": by, "time": "wall" if wall else None}
    given |= parse_options([f"target={target}"]) if target is not None else {}
    layout |= {name: value for name, value in given.items() if value is not None}
    mixed = mix_nodes or layout.get("mix_nodes", False)
    if growth:
        made = growth_table(records, layout.get("time", "cpu"), mixed)
    elif bounds:
        made = bound_table(records, mix_nodes=mixed)
    else:
        made = run_table(records, layout, mix_nodes=mix_nodes)
    made.print(format, console)


def plot(
    runs: Runs,
    kind: Annotated[
        str | None,
        typer.Option(
            help="convergence, scaling, profile, pareto or bins; the experiment's plots if not given.",
            autocompletion=completion.plots,
        ),
    ] = None,
    option: Annotated[list[str] | None, typer.Option(help="An option of the plot, key=value; may be repeated.")] = None,
    out: Annotated[Path | None, typer.Option(help="The folder to write to; RUN/plots if not given.")] = None,
    plugin: Plugins = None,
) -> None:
    """Draw the plots of one or more runs as PNG, SVG and PDF."""
    from ..output.plots import draw

    records = loaded(runs, plugin)
    wanted = [{"kind": kind, **parse_options(option or [])}] if kind else records.experiment.get("plots") or []
    if not wanted:
        raise InputError(f"{runs[0]}: its experiment names no plots; choose one with --kind.")
    for path in draw(records, wanted, out or runs[0] / "plots"):
        say(str(path))


def report(
    runs: Runs,
    out: Annotated[Path | None, typer.Option(help="The HTML file; RUN/report.html if not given.")] = None,
    plugin: Plugins = None,
) -> None:
    """Write one HTML page with tables, interactive plots, examples and provenance; it needs no network."""
    from ..output.report import write_report

    records = loaded(runs, plugin)
    path = out or runs[0] / "report.html"
    findings = write_report(records, path)
    say(str(path))
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
    records = loaded(runs, plugin)
    if audited(records) or records.damage:
        raise typer.Exit(1)
    say(f"{len(records)} records: no contradiction found.")


def audited(records: Any) -> bool:
    """Show what is wrong with a run; is any of it an error?"""
    from ..analysis.audit import audit as find

    return _shown(find(records))


def _shown(findings: Any) -> bool:
    from ..analysis.audit import has_errors
    from ..output.findings import show

    show(findings, console)
    return has_errors(findings)


def say(text: str) -> None:
    console.print(text, markup=False, soft_wrap=True)
