"""How far a run is, and how long it will still take: a bar in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from .estimate import Estimator
from .plan import Cell
from .records import FAILURES

LINE_EVERY_SECONDS = 30.0


class RunProgress:
    """Call it with each cell and its record (`observe` of the runner)."""

    def __init__(self, console: Console, cells: Iterable[Cell], jobs: int, estimator: Estimator) -> None:
        self._console, self._jobs, self._estimator = console, jobs, estimator
        self._left = {cell.key: cell for cell in cells}
        self._total = len(self._left)
        self._start = self._said = time.monotonic()
        self._spent = 0.0  # wall seconds of cells
        self.statuses: Counter[str] = Counter()
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
        )
        self._bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task("warming up", total=self._total, left="")

    def __call__(self, cell: Cell, record: dict[str, Any]) -> None:
        self._left.pop(cell.key, None)
        self.statuses[record["status"]] += 1
        self._estimator.learn(record)
        self._spent += record["wall_seconds"] or 0.0
        self._bar.update(
            self._task, advance=1, description=f"{cell.solver.label} on {cell.instance.name}", left=self._time_left()
        )
        if not self._console.is_terminal and time.monotonic() - self._said > LINE_EVERY_SECONDS and self._left:
            self._said = time.monotonic()
            done = self._total - len(self._left)
            self._console.print(f"{done} of {self._total} cells, {self._time_left()}", markup=False, soft_wrap=True)

    def _time_left(self) -> str:
        """The cells' own times, and what starting workers and all else beside them has taken so far."""
        done = self._total - len(self._left)
        beside = max(0.0, time.monotonic() - self._start - self._spent / self._jobs) / max(done, 1)
        seconds = self._estimator.total(self._left.values(), 0.0) / self._jobs + beside * len(self._left)
        return f"about {duration(seconds)} left"

    def summary(self) -> str:
        """Statuses and their counts, failures last."""
        order = sorted(self.statuses, key=lambda status: (status in FAILURES, status))
        return ", ".join(f"{self.statuses[status]} {status}" for status in order) or "nothing was left to run"

    def __enter__(self) -> RunProgress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()


def duration(seconds: float) -> str:
    """A time that a person can use."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
