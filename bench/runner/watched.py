"""Run an experiment with its progress on display: what the commands `run` and `reproduce` share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console

from solvers.advice.table import FILE, read_table

from ..experiments.experiment import Experiment
from ..experiments.plan import Cell, is_settled
from ..records.log import RECORDS, read_records
from .estimate import Estimator, Recorded
from .executors import Executor, LocalExecutor
from .progress import RunProgress
from .runner import execute
from .solver_versions import planned

MANY_CELLS = 100_000  # whose keys take seconds


class Prepared:
    """A plan, what of it is missing in a folder, and how long that may take; `most` is the plan's."""

    def __init__(
        self,
        experiment: Experiment,
        folder: Path,
        resume: bool,
        retry: bool = False,
        announce: Callable[[str], None] = lambda text: None,
        most: int | None = None,
    ) -> None:
        self.plan, self.folder, self.resume, self.retry = planned(experiment, announce, most), folder, resume, retry
        known = read_records(folder) if resume and (folder / RECORDS).exists() else {}
        cells = sum(self.plan.counts())
        if most is None and cells >= MANY_CELLS:
            announce(f"planning {cells:,} cells")
        self.missing: list[Cell] = [
            cell
            for cell in (self.plan if most is None else ())
            if not is_settled(known.get(cell.key), experiment.limits, retry)
        ]
        self._partial = most is not None
        longest = experiment.limits.seconds + experiment.limits.grace_seconds
        self.estimator = Estimator(experiment.task, longest, Recorded(experiment.task, read_table(FILE)))
        self.learned = self.estimator.learn_runs(folder.parent)

    def expected(self) -> Iterator[tuple[Cell, float]]:
        """What is missing: cells, and how many each stands for. Of a plan to look at, that is all, without repetitions."""
        if not self._partial:
            yield from ((cell, 1.0) for cell in self.missing)
            return
        share = self.plan.total / max(self.plan.looked_at, 1)
        for traced, rounds in Counter(traced for _, traced in self.plan.rounds).items():
            for number in range(len(self.plan.instances)):
                for cell in self.plan.cells(number, 0, traced):
                    yield cell, share * rounds

    def run(
        self, console: Console, executor: Executor | None = None, shown: type[RunProgress] = RunProgress
    ) -> RunProgress:
        """Run what is missing; KeyboardInterrupt after a clean stop, with `progress` telling how far it came."""
        executor = executor or LocalExecutor()
        self.progress = shown(console, self.missing, executor.jobs, self.estimator)
        with self.progress:
            execute(self.plan, self.folder, executor, self.resume, self.retry, self.progress, self.progress.prepare)
        return self.progress
