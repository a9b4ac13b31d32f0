"""Experiments as parts of pieces: run by the runner, gone on with where they were left, and shown as they always are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from problems.errors import InputError

from ..experiment import Experiment
from ..records import load_run
from ..runner import prepare
from ..shown import Prepared
from .piece import Context

if TYPE_CHECKING:
    from ..frames import Records

Change = Callable[[Experiment], Experiment]


def chosen(
    name: str,
    quick_count: int | None = None,
    quick_sizes: list[str] | None = None,
    seconds: float | None = None,
) -> Change:
    """A change for quick runs: the first seeds and sizes only, and a lower limit."""

    def change(experiment: Experiment) -> Experiment:
        values = dict(experiment.source.values)
        if quick_count is not None:
            values["seeds"] = list(values["seeds"])[:quick_count]
        if quick_sizes is not None:
            values["sizes"] = quick_sizes
        limits = experiment.limits if seconds is None else replace(experiment.limits, seconds=seconds)
        source = replace(experiment.source, values=values)
        return replace(experiment, name=name, source=source, limits=limits)

    return change


def run_experiment(name: str, context: Context, change: Change | None = None) -> Records:
    """The records of one of our experiments, with its interactive report beside them."""
    from ..report import write_report
    from ..sources import instances_of

    experiment = prepare(name)
    if change is not None:
        experiment = change(experiment)
    folder = context.run_folder(experiment.name)
    Prepared(experiment, folder, resume=True).run(context.console)
    records = load_run(folder)
    findings = write_report(records, folder / "report.html", instances_of(records))
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        first = errors[0]
        raise InputError(f"{folder}: the audit found {len(errors)} errors: {first.instance}: {first.text}")
    return records


def planned(experiment: Experiment) -> dict[str, Any]:
    """What an experiment runs, in short, for notes."""
    return {"instances": len(experiment.source.seeds), "solvers": [spec.label for spec in experiment.solvers]}
