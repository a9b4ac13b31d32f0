"""The command `advise`: which solver to take for an instance, from recorded runs; and the making of that record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from problems import task_of
from problems.bare_graph import BareGraphTask
from problems.errors import InputError
from solvers.advice import Advisor, Table, built_in, read_table

from ..experiments.instances import load_instance
from ..experiments.plugins import load_plugins
from .arguments import Plugins, console, console_on, errors

warnings = console_on(errors)


def advise(
    instance: Annotated[
        Path | None,
        typer.Argument(
            help="An instance (.json), a graph (.fg, .uai, .wcsp, .cfn), or library:NAME.", show_default=False
        ),
    ] = None,
    runs: Annotated[
        list[Path] | None, typer.Option("--runs", help="A folder of a run of your own to learn from; may be repeated.")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="With --runs: forget the built-in table.")] = False,
    table: Annotated[
        Path | None, typer.Option(help="A table that --record wrote, instead of the built-in one.")
    ] = None,
    record: Annotated[Path | None, typer.Option(help="Write the table that the advice rests on.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the advice as JSON.")] = False,
    evidence: Annotated[Path | None, typer.Option(help="Observed states of the variables of a .uai network.")] = None,
    plugin: Plugins = None,
) -> None:
    """Recommend a solver for an instance, with the expected time and loss of each."""
    if instance is None and record is None:
        raise InputError("`advise` needs an instance, or --record and the file to write.")
    if replace and not runs:
        raise InputError("option '--replace' needs runs to put in place of the built-in table: --runs DIR.")
    load_plugins(plugin or ())
    advisor = Advisor(_table(runs or [], replace, table)) if runs or table else built_in()
    if record is not None:
        advisor.table.write(record)
        warnings.print(f"{record}: {len(advisor.table.cases)} instances", markup=False, soft_wrap=True)
    if instance is not None:
        _show(advisor, instance, evidence, as_json)


def _table(runs: list[Path], replace: bool, table: Path | None) -> Table:
    """The table that the options ask for; times of another machine are brought to this one where both know the same solvers."""
    from ..analysis.advice_cases import table_of_runs
    from ..analysis.advice_scaling import machine_ratio, scaled

    known = read_table(table) if table is not None else built_in().table
    if not runs:
        return known
    found = table_of_runs(runs)
    if found.left_out:
        said = f"warning: {found.left_out} instances of these runs cannot be made again and are left out."
        warnings.print(said, style="yellow", markup=False, soft_wrap=True)
    if replace:
        return found.table
    ratio, shared = machine_ratio(known, found.table)
    said = f"The table's own times are multiplied by {ratio:.3g} ({shared} cells of your runs have a forecast)."
    warnings.print(said, markup=False, soft_wrap=True)
    return scaled(known, ratio).extended(found.table)


def _show(advisor: Advisor, path: Path, evidence: Path | None, as_json: bool) -> None:
    from solvers.auto import why_unusable

    from ..analysis.choices import choices, document, unrecorded
    from ..experiments.fitting import usable_solvers
    from ..output.advice_table import advice_table

    instance = load_instance(path, evidence)
    name = task_of(instance).name
    advice = advisor.advise(instance)
    task = None if name == BareGraphTask.name else name
    chosen = choices(advice, lambda candidate: why_unusable(candidate, task))
    missing = unrecorded(advice, usable_solvers(name))
    origins = tuple(each for each in advisor.table.provenance if each.get("task") == advice.profile.task)
    if as_json:
        print(json.dumps(document(advice, chosen, missing, origins), allow_nan=False))
        return
    processors = dict.fromkeys(str(each.get("processor", "")) for each in origins)
    runs = f"recorded on {', '.join(processors) or 'an unknown machine'}"
    advice_table(advice, chosen, runs, missing).show(console)
