"""How long cells will take, from records of earlier ones: of this run, and of others before it.

The best guess is the same solver on the same instance; then on others of that size; then on other sizes, by a power of
the number of variables. All sums are kept, so that learning a record and guessing a cell take constant time.
"""

from __future__ import annotations

import contextlib
import math
import stat
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from problems.errors import InputError

from ..experiments.plan import Cell
from ..records.log import RECORDS, read_lines

STEEPEST = 4.0  # exponent of the growth with the number of variables
LINEAR = 0.5  # the weight of the belief that it is 1, as a sum of squared logarithms
LEAST_SECONDS = 1e-4
LARGEST_RUN, MOST_READ = 16 << 20, 64 << 20  # bytes of earlier records: of one run, and of all
Kind = tuple[str, str]  # a solver and its options


class Mean:
    def __init__(self) -> None:
        self.count, self.total = 0, 0.0

    def add(self, value: float) -> None:
        self.count += 1
        self.total += value

    @property
    def value(self) -> float:
        return self.total / self.count


class Growth:
    """Seconds as a power of the size, fitted by least squares of logarithms."""

    def __init__(self) -> None:
        self._count = 0
        self._x = self._y = self._xx = self._xy = 0.0

    def add(self, size: int, seconds: float) -> None:
        x, y = math.log(max(size, 1)), math.log(max(seconds, LEAST_SECONDS))
        self._count += 1
        self._x, self._y = self._x + x, self._y + y
        self._xx, self._xy = self._xx + x * x, self._xy + x * y

    def at(self, size: int) -> float | None:
        if not self._count:
            return None
        x, y = self._x / self._count, self._y / self._count
        spread, common = self._xx - self._count * x * x, self._xy - self._count * x * y
        slope = (common + LINEAR) / (spread + LINEAR)  # sizes that hardly differ tell nothing of growth
        slope = min(max(slope, 0.0), STEEPEST)
        return math.exp(min(y + slope * (math.log(max(size, 1)) - x), 50.0))


class Knowledge:
    """What a set of records tells of a solver's times."""

    def __init__(self) -> None:
        self._same: dict[tuple[Kind, str, bool], Mean] = defaultdict(Mean)
        self._sizes: dict[tuple[Kind, str, bool], Mean] = defaultdict(Mean)
        self._growth: dict[Kind, Growth] = defaultdict(Growth)
        self._solvers: dict[str, Mean] = defaultdict(Mean)

    def learn(self, record: dict[str, Any]) -> None:
        kind, seconds = kind_of(record["solver"], record["options"]), float(record["wall_seconds"])
        self._same[kind, record["instance_digest"], record["traced"]].add(seconds)
        self._sizes[kind, record["size"], record["traced"]].add(seconds)
        self._growth[kind].add(record["instance_size"] or 1, seconds)
        self._solvers[kind[0]].add(seconds)

    def same(self, kind: Kind, digest: str, traced: bool) -> float | None:
        return self._mean(self._same, (kind, digest, traced), (kind, digest, not traced))

    def like(self, kind: Kind, size: str, traced: bool) -> float | None:
        return self._mean(self._sizes, (kind, size, traced), (kind, size, not traced)) if size else None

    def grown(self, kind: Kind, variables: int) -> float | None:
        return self._growth[kind].at(variables) if kind in self._growth else self._mean(self._solvers, kind[0])

    @staticmethod
    def _mean(means: dict[Any, Mean], *keys: Any) -> float | None:
        return next((means[key].value for key in keys if key in means), None)


class Estimator:
    """Guesses from this run's records and from those of runs before it."""

    def __init__(self, task: str, longest: float = math.inf) -> None:
        """No cell takes more than `longest` seconds."""
        self._task, self._longest = task, longest
        self._now, self._before = Knowledge(), Knowledge()

    def learn(self, record: dict[str, Any], earlier: bool = False) -> bool:
        """Learn a record of this run, or of an earlier one; False if it tells nothing of times."""
        if record["task"] != self._task or record["wall_seconds"] is None or record["status"] == "skipped":
            return False
        (self._before if earlier else self._now).learn(record)
        return True

    def learn_runs(self, folder: Path) -> int:
        """Learn from the runs below a folder, the latest first, as long as reading them is quick; how many records there were."""
        count, room = 0, MOST_READ
        for size, path in _latest(folder):
            if size > min(LARGEST_RUN, room):
                continue
            room -= size
            try:
                for record in read_lines(path, largest=LARGEST_RUN):
                    self.learn(record, earlier=True)
                    count += 1
            except (InputError, KeyError, TypeError, ValueError):
                continue  # not a run of this version
        return count

    def same(self, cell: Cell) -> float | None:
        """What this very cell took in this run, in another repetition."""
        return self._now.same(kind_of(cell.solver.name, cell.options), cell.instance.digest, cell.traced)

    def seconds(self, cell: Cell) -> float | None:
        """What a cell is likely to take; None if nothing like it was ever run."""
        found = next((guess for guess in self._guesses(cell) if guess is not None), None)
        return None if found is None else min(found, self._longest)

    def _guesses(self, cell: Cell) -> Iterator[float | None]:
        """From the best one to the worst."""
        kind, instance = kind_of(cell.solver.name, cell.options), cell.instance
        for knowledge in (self._now, self._before):
            yield knowledge.same(kind, instance.digest, cell.traced)
            yield knowledge.like(kind, instance.size, cell.traced)
        for knowledge in (self._now, self._before):
            yield knowledge.grown(kind, instance.instance_size)


def _latest(folder: Path) -> list[tuple[int, Path]]:
    """The records of runs below a folder with their sizes, the latest first."""
    found = []
    for path in folder.glob(f"*/{RECORDS}"):
        with contextlib.suppress(OSError):
            state = path.stat()
            if stat.S_ISREG(state.st_mode):
                found.append((-state.st_mtime, str(path), state.st_size))
    return [(size, Path(path)) for _, path, size in sorted(found)]


def kind_of(solver: str, options: dict[str, Any]) -> Kind:
    return solver, repr(sorted(options.items(), key=lambda item: item[0]))
