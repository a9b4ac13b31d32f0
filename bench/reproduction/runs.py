"""Experiments as parts of pieces: run by the runner, gone on with where they were left, and shown as they always are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from problems.errors import InputError

from ..experiments.experiment import Experiment
from ..records.loading import load_run
from ..runner.runner import prepare
from ..runner.watched import Prepared
from .piece import Context

if TYPE_CHECKING:
    from ..records.frame import Records

Change = Callable[[Experiment], Experiment]


def run_experiment(name: str, context: Context, change: Change | None = None) -> Records:
    """The records of one of our experiments, with its interactive report beside them."""
    from ..output.report import write_report

    experiment = prepare(name)
    if change is not None:
        experiment = change(experiment)
    folder = context.run_folder(experiment.name)
    Prepared(experiment, folder, resume=True).run(context.console)
    records = load_run(folder)
    findings = write_report(records, folder / "report.html")
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        first = errors[0]
        raise InputError(f"{folder}: the audit found {len(errors)} errors: {first.instance}: {first.text}")
    return records
