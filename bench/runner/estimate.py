"""How long cells will take, from records of earlier ones: of this run, and of others before it.

The best guess is the same solver on the same instance, in this run or an earlier one; then on others of that size; then on
other sizes, by a power of the number of variables. Earlier runs are those in the same folder and the recorded ones that
`advise` has; what they took counts at the pace of this run. All sums are kept, so that learning a record and guessing a cell
take constant time.
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
from solvers.advice import Candidate, Table, case_name

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


class Pace:
    """How long cells take now, relative to earlier runs: that of a solver, and, as much as one cell of it, that of all."""

    def __init__(self) -> None:
        self._all = (0.0, 0.0)
        self._solvers: dict[str, tuple[float, float, int]] = {}

    def add(self, label: str, now: float, earlier: float) -> None:
        """Seconds of a cell in this run and in an earlier one."""
        spent, expected, count = self._solvers.get(label, (0.0, 0.0, 0))
        self._solvers[label] = spent + now, expected + earlier, count + 1
        self._all = self._all[0] + now, self._all[1] + earlier

    def of(self, label: str) -> float:
        overall = max(self._all[0], LEAST_SECONDS) / self._all[1] if self._all[1] else 1.0
        spent, expected, count = self._solvers.get(label, (0.0, 0.0, 0))
        if not expected:
            return overall
        return (spent + overall * expected / count) / (expected + expected / count)


class Knowledge:
    """What a set of records tells of a solver's times."""

    def __init__(self) -> None:
        self._same: dict[tuple[Kind, str, bool], Mean] = defaultdict(Mean)
        self._sizes: dict[tuple[Kind, str, bool], Mean] = defaultdict(Mean)
        self._growth: dict[Kind, Growth] = defaultdict(Growth)
        self._solvers: dict[str, Mean] = defaultdict(Mean)
        self._tracing: dict[Kind, Pace] = defaultdict(Pace)  # how much longer a traced cell takes

    def learn(self, record: dict[str, Any]) -> None:
        kind, seconds = kind_of(record["solver"], record["options"]), float(record["wall_seconds"])
        untraced = self._same.get((kind, record["instance_digest"], False))
        if record["traced"] and untraced is not None:
            self._tracing[kind].add("", seconds, max(untraced.value, LEAST_SECONDS))
        self._same[kind, record["instance_digest"], record["traced"]].add(seconds)
        self._sizes[kind, record["size"], record["traced"]].add(seconds)
        self._growth[kind].add(record["instance_size"] or 1, seconds)
        self._solvers[kind[0]].add(seconds)

    def same(self, kind: Kind, digest: str, traced: bool) -> float | None:
        return self._found(self._same, kind, digest, traced)

    def like(self, kind: Kind, size: str, traced: bool) -> float | None:
        return self._found(self._sizes, kind, size, traced) if size else None

    def grown(self, kind: Kind, variables: int) -> float | None:
        if kind in self._growth:
            return self._growth[kind].at(variables)
        return self._solvers[kind[0]].value if kind[0] in self._solvers else None

    def _found(self, means: dict[tuple[Kind, str, bool], Mean], kind: Kind, what: str, traced: bool) -> float | None:
        """The mean of cells with a trace or without one; from the others, if need be, by how much longer tracing took."""
        if (kind, what, traced) in means:
            return means[kind, what, traced].value
        if (kind, what, not traced) not in means:
            return None
        longer = self._tracing[kind].of("") if kind in self._tracing else 1.0
        return means[kind, what, not traced].value * (longer if traced else 1.0 / longer)


class Recorded:
    """The times of the table that `advise` has: of a solver, with the options that a run gave it, on an instance."""

    def __init__(self, task: str, table: Table) -> None:
        self._seconds = {
            (candidate, case.instance): cell.seconds
            for case in table.cases
            if case.profile.task == task
            for candidate, cell in case.cells.items()
            if cell.outcome != "refused"
        }
        self._candidates: dict[str, Candidate] = {}

    def seconds(self, cell: Cell) -> float | None:
        label, instance = cell.solver.label, cell.instance
        if label not in self._candidates:
            self._candidates[label] = Candidate.of(cell.solver.name, cell.solver.options)
        return self._seconds.get((self._candidates[label], case_name(instance.name, instance.digest)))


class Estimator:
    """Guesses from this run's records and from those of runs before it."""

    def __init__(self, task: str, longest: float = math.inf, recorded: Recorded | None = None) -> None:
        """No cell takes more than `longest` seconds. `recorded` are times of earlier runs, perhaps on another machine."""
        self._task, self._longest, self._recorded = task, longest, recorded
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

    def earlier(self, cell: Cell) -> float | None:
        """What this very cell took in an earlier run."""
        found = self._before.same(kind_of(cell.solver.name, cell.options), cell.instance.digest, cell.traced)
        if found is None and self._recorded is not None:
            found = self._recorded.seconds(cell)
        return None if found is None else min(found, self._longest)

    def seconds(self, cell: Cell) -> float | None:
        """What a cell is likely to take; None if nothing like it was ever run."""
        found = next((guess for guess in self._guesses(cell) if guess is not None), None)
        return None if found is None else min(found, self._longest)

    def _guesses(self, cell: Cell) -> Iterator[float | None]:
        """From the best one to the worst."""
        kind, instance = kind_of(cell.solver.name, cell.options), cell.instance
        yield self.same(cell)
        yield self.earlier(cell)
        for knowledge in (self._now, self._before):
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
