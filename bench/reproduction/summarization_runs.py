"""Table 3 of Almeida & Martins (2013): runtime and ROUGE-2 of exact ILP, LP relaxation, AD3 and extractive ILP.

Two experiments (`experiments/summarization-runtimes.toml`, `extraction-runtimes.toml`) are run by the runner, or gone on
with where they were left; their records become one table. All times are CPU seconds of one thread, children included.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from ..experiments.experiment import Experiment
from ..records.fields import FIELDS
from ..records.log import read_records
from ..runner.runner import prepare
from ..runner.watched import Prepared
from .summarization_table import AD3, EXTRACTIVE, ILP, LP, build_table

EXPERIMENTS = ("summarization-runtimes", "extraction-runtimes")
QUICK_COUNT = 2


@dataclass(frozen=True)
class Cell:
    """One solver on one instance, with one rounding. What there is none of is None."""

    system: str
    solver: str
    rounding: str
    instance: str
    status: str
    integral: bool | None = None
    objective: float | None = None
    bound: float | None = None
    build_seconds: float | None = None
    solve_seconds: float | None = None
    round_seconds: float | None = None
    rouge_2: float | None = None
    message: str = ""

    @property
    def seconds(self) -> float | None:
        """Build, solve and round together; None if the solver did not run to its end."""
        parts = (self.build_seconds, self.solve_seconds, self.round_seconds)
        return None if None in parts else math.fsum(part for part in parts if part is not None)

    @property
    def row(self) -> tuple[str, str, str]:
        return self.system, self.solver, self.rounding


def cell_of(record: dict[str, Any]) -> Cell:
    """A record as a cell of this table."""
    rouge = record["metrics"].get("ROUGE-2")
    shared = ("solver", "instance", "status", "integral", "objective", "bound", "message")
    seconds = ("build_seconds", "solve_seconds", "round_seconds")
    return Cell(
        system=_system(record),
        rounding=record["options"].get("rounding") or "",
        rouge_2=None if rouge is None else 100.0 * rouge,
        **{name: record[name] for name in (*shared, *seconds)},
    )


def _system(record: dict[str, Any]) -> str:
    """The row of the paper's table that a record belongs to."""
    if record["task"] == "extraction":
        return EXTRACTIVE
    if record["solver"] == "ad3":
        return AD3[record["options"]["max_iterations"]]
    return LP if record["solver"].startswith("lp-") else ILP


@dataclass(frozen=True)
class SummarizationRuntimes:
    """`size` is another one than the paper's only in tests."""

    size: str = "tac"
    reproduces: str = "Table 3 of Almeida & Martins 2013"

    def experiments(self, quick: bool) -> list[Experiment]:
        found = []
        for name in EXPERIMENTS:
            experiment = prepare(name)
            seeds = experiment.source.seeds
            values = {"sizes": [self.size], "seeds": seeds[:QUICK_COUNT] if quick else seeds}
            found.append(replace(experiment, source=replace(experiment.source, values=values)))
        return found

    def run(self, console: Console, quick: bool, folder: Path) -> None:
        cells, time_limit = [], 0.0
        for experiment in self.experiments(quick):
            prepared = Prepared(experiment, folder / experiment.name, resume=True)
            prepared.run(console)
            records = read_records(prepared.folder)
            cells += [cell_of({**FIELDS, **records[cell.key]}) for cell in prepared.plan]
            time_limit = experiment.limits.seconds
        table = build_table(cells, time_limit)
        table.show(console)
        table.write(folder)
        console.print(f"\nTable, records and provenance are in {folder}.", markup=False, soft_wrap=True)
