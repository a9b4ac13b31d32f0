"""Run an experiment with its progress on display: what the commands `run` and `reproduce` share."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from ..experiments.experiment import Experiment
from ..experiments.plan import Cell, is_settled
from ..records.log import RECORDS, read_records
from .estimate import Estimator
from .executors import Executor, LocalExecutor
from .progress import RunProgress
from .runner import execute
from .solver_versions import planned


class Prepared:
    """A plan, what of it is missing in a folder, and how long that may take."""

    def __init__(self, experiment: Experiment, folder: Path, resume: bool, retry: bool = False) -> None:
        self.plan, self.folder, self.resume, self.retry = planned(experiment), folder, resume, retry
        known = read_records(folder) if resume and (folder / RECORDS).exists() else {}
        self.missing: list[Cell] = [
            cell for cell in self.plan if not is_settled(known.get(cell.key), experiment.limits, retry)
        ]
        self.estimator = Estimator(experiment.task)
        self.learned = self.estimator.learn_runs(folder.parent)

    def run(self, console: Console, executor: Executor | None = None) -> RunProgress:
        """Run what is missing; KeyboardInterrupt after a clean stop, with `progress` telling how far it came."""
        executor = executor or LocalExecutor()
        self.progress = RunProgress(console, self.missing, executor.jobs, self.estimator)
        with self.progress:
            execute(self.plan, self.folder, executor, self.resume, self.retry, self.progress, self.progress.prepare)
        return self.progress
