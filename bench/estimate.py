"""How long cells will take, from records of earlier ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import fmean
from typing import Any

from problems.errors import InputError

from .plan import Cell
from .records import RECORDS, read_lines

UNRUN = ("skipped",)


class Estimator:
    """Mean wall seconds of cells like this one: same solver, options and size, or less and less like it."""

    def __init__(self, task: str) -> None:
        self._task = task
        self._seen: dict[tuple[Any, ...], list[float]] = defaultdict(list)

    def learn(self, record: dict[str, Any]) -> None:
        if record["task"] != self._task or record["wall_seconds"] is None or record["status"] in UNRUN:
            return
        for likeness in _likenesses(record["solver"], record["options"], record["size"], record["traced"]):
            self._seen[likeness].append(record["wall_seconds"])

    def learn_runs(self, folder: Path) -> int:
        """Learn from all runs below a folder; how many records there were."""
        count = 0
        for path in sorted(folder.glob(f"*/{RECORDS}")):
            try:
                for record in read_lines(path):
                    self.learn(record)
                    count += 1
            except (InputError, KeyError):
                continue  # not a run of this version
        return count

    def seconds(self, cell: Cell) -> float | None:
        """What a cell is likely to take; None if nothing like it was ever run."""
        for likeness in _likenesses(cell.solver.name, cell.options, cell.instance.size, cell.traced):
            if self._seen.get(likeness):
                return fmean(self._seen[likeness])
        return None

    def total(self, cells: Iterable[Cell], otherwise: float) -> float:
        """What all these are likely to take; `otherwise` stands for those of which nothing is known."""
        found = [self.seconds(cell) for cell in cells]
        return sum(otherwise if seconds is None else seconds for seconds in found)


def _likenesses(solver: str, options: dict[str, Any], size: str, traced: bool) -> list[tuple[Any, ...]]:
    said = repr(sorted(options.items(), key=lambda item: item[0]))
    return [(solver, said, size, traced), (solver, said, size), (solver, size), (solver,)]
