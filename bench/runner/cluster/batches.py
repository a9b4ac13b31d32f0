"""Which cells travel together: only those whose solvers have been fast so far, for as long as a task may take."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ...experiments.plan import Cell
from ...records.fields import FAILURES

TASK_SECONDS = 0.25
MOST_CELLS = 16  # in a task
HARNESS_SECONDS = 0.005  # around a cell
FORGETTING = 0.2
FAILED_SECONDS = 1.0  # a cell that failed may need a new worker process


@dataclass
class Flight:
    """A cell with its instance, and why it has to be run again."""

    cell: Cell
    instance: bytes
    losses: list[str] = field(default_factory=list)


class Batches:
    """Takes cells in order and puts them into batches by what is known of the time that they need."""

    def __init__(self, take: Callable[[], tuple[Cell, bytes] | None]) -> None:
        self._take = take
        self._next: Flight | None = None
        self._seconds: dict[str, float] = {}  # by label: the slowest cell, slowly forgotten
        self.exhausted = False

    def learn(self, record: dict[str, Any]) -> None:
        label, wall = record["label"], record["wall_seconds"] or 0.0
        found = FAILED_SECONDS if record["status"] in FAILURES else wall + HARNESS_SECONDS
        before = self._seconds.get(label, 0.0)
        self._seconds[label] = max(found, (1 - FORGETTING) * before + FORGETTING * found)

    def take(self) -> list[Flight]:
        """The next batch: one cell, or several that together should not take longer than `TASK_SECONDS`; empty at the end."""
        batch: list[Flight] = []
        left = TASK_SECONDS
        while len(batch) < MOST_CELLS and (flight := self._peek()) is not None:
            left -= self._seconds.get(flight.cell.solver.label, math.inf)
            if batch and left < 0:
                break
            batch.append(flight)
            self._next = None
        return batch

    def _peek(self) -> Flight | None:
        if self._next is None and not self.exhausted:
            taken = self._take()
            self._next = None if taken is None else Flight(*taken)
            self.exhausted = taken is None
        return self._next
