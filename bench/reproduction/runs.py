"""Experiments as parts of pieces: run by the runner, gone on with where they were left, audited, and shown as they always are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from problems.errors import InputError

from ..experiments.experiment import Experiment
from ..records.log import load_run
from ..records.marks import run_facts
from ..runner.runner import prepare
from ..runner.watched import Prepared
from .piece import Context

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..records.frame import Records

Change = Callable[[Experiment], Experiment]


def run_experiment(name: str, context: Context, change: Change | None = None) -> Records:
    """The records of one of our experiments, with its interactive report beside them."""
    experiment = prepare(name)
    if change is not None:
        experiment = change(experiment)
    records = audited_run(experiment, context.run_folder(experiment.name), context.console)
    origin = {"experiment": experiment.name, "repetitions": experiment.repetitions}
    context.runs.append(origin | run_facts(records.provenance, records["started"]))
    return records


def audited_run(experiment: Experiment, folder: Path, console: Console) -> Records:
    """Run what is missing in a folder; the records, unless the audit finds an error."""
    from ..output.report import write_report

    Prepared(experiment, folder, resume=True).run(console)
    records = load_run(folder)
    findings = write_report(records, folder / "report.html")
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        first = errors[0]
        raise InputError(f"{folder}: the audit found {len(errors)} errors: {first.instance}: {first.text}")
    return records


def run_figures(records: Records) -> Iterator[tuple[str, Figure]]:
    """The experiment's plots by stem; one without data is left out."""
    from ..output.plots import make_plot

    kinds: Counter[str] = Counter()
    for plot in records.experiment.get("plots", []):
        kind = plot["kind"]
        kinds[kind] += 1
        options = {name: value for name, value in plot.items() if name != "kind"}
        try:
            yield kind if kinds[kind] == 1 else f"{kind}-{kinds[kind]}", make_plot(records, kind, **options)
        except InputError:
            continue
