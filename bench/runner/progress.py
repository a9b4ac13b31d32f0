"""How far a run is, and how long it will still take: a bar in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ..experiments.plan import Cell
from ..records.fields import FAILURES
from .compiling_bar import Lines
from .estimate import Estimator, Mean, Pace

LINE_EVERY_SECONDS = 30.0
GUESS_EVERY_SECONDS = 0.5
WARMING_UP = "warming up"
Like = tuple[str, str, int, bool]  # label, size, rounded logarithm of the number of variables, traced


class TimeLeft:
    """The wall seconds that a run still needs. Adding a record takes constant time, whatever the number of cells.

    Cells are sorted by what is known of them: those whose solver has been on this very instance, in this run or before it, and
    all others, by likeness. Starting a solver's worker is counted once per job and solver, and again as often as it had to be replaced.
    """

    def __init__(self, cells: Iterable[Cell], jobs: int, estimator: Estimator) -> None:
        self._jobs, self._estimator = jobs, estimator
        self._left: Counter[tuple[str, str, bool]] = Counter()
        self._unseen: Counter[Like] = Counter()
        self._samples: dict[Like, Cell] = {}
        self._known: dict[tuple[str, str, bool], float] = {}
        self._known_seconds = 0.0
        self._earlier: dict[tuple[str, str, bool], float] = {}
        self._earlier_left: dict[str, float] = defaultdict(float)  # seconds, by label, of cells to come
        self._pace = Pace()
        self._solvers_left: Counter[str] = Counter()
        self._solvers_done: Counter[str] = Counter()
        self._starts: dict[str, Mean] = defaultdict(Mean)
        for cell in cells:
            identity = _identity(cell)
            self._left[identity] += 1
            if identity not in self._earlier and (found := estimator.earlier(cell)) is not None:
                self._earlier[identity] = found
            if identity in self._earlier:
                self._earlier_left[cell.solver.label] += self._earlier[identity]
            else:
                self._unseen[_like(cell)] += 1
                self._samples.setdefault(_like(cell), cell)
            self._solvers_left[cell.solver.name] += 1
        self._beside = Mean()  # what a cell takes beside its solver
        self._last: dict[int, float] = {}  # when each job had its last record

    def add(self, cell: Cell, record: dict[str, Any], now: float) -> None:
        identity, name = _identity(cell), cell.solver.name
        wall, setup = record["wall_seconds"] or 0.0, record["setup_seconds"] or 0.0
        slot = record["slot"]
        beside = now - self._last[slot] - wall - setup if slot in self._last else 0.0
        self._last[slot] = now
        self._solvers_left[name] -= 1
        self._solvers_done[name] += 1
        if setup > 0.01:  # a worker was started, and with the first one the checker: that is not what every cell takes
            self._starts[name].add(max(setup, setup + beside))
        else:
            self._beside.add(beside)
        if identity in self._known:
            self._known_seconds -= self._known[identity]
        else:
            self._forget(cell, 1)
        self._left[identity] -= 1
        if not self._estimator.learn(record):
            return
        if identity not in self._known:
            self._forget(cell, self._left[identity])
            self._known[identity] = 0.0
            if identity in self._earlier:
                self._pace.add(cell.solver.label, wall, self._earlier[identity])
        else:
            self._known_seconds -= self._known[identity] * self._left[identity]
        self._known[identity] = self._estimator.same(cell) or 0.0
        self._known_seconds += self._known[identity] * self._left[identity]

    def _forget(self, cell: Cell, count: int) -> None:
        """So many cells need not be guessed any more."""
        identity = _identity(cell)
        if identity in self._earlier:
            self._earlier_left[cell.solver.label] -= count * self._earlier[identity]
        else:
            self._unseen[_like(cell)] -= count

    def seconds(self, now: float) -> float:
        """From `now` on; cells of which nothing is known count for nothing."""
        guesses = (
            (count, self._estimator.seconds(self._samples[like])) for like, count in self._unseen.items() if count
        )
        cells = self._known_seconds + sum(count * (guess or 0.0) for count, guess in guesses)
        cells += sum(seconds * self._pace.of(label) for label, seconds in self._earlier_left.items())
        beside = max(0.0, self._beside.value) if self._beside.count else 0.0
        total = cells + beside * sum(self._solvers_left.values()) + self._starting()
        since = now - max(self._last.values()) if self._last else 0.0  # of the cells that are running
        return max(0.0, total / self._jobs - since)

    def _starting(self) -> float:
        """What starting workers will still take."""
        seen = [mean.value for mean in self._starts.values()]
        usual = sum(seen) / len(seen) if seen else 0.0
        total = 0.0
        for name, left in self._solvers_left.items():
            if left:
                starts = self._starts[name].count if name in self._starts else 0
                first = min(left, max(0, self._jobs - starts)) if starts or not self._solvers_done[name] else 0
                again = left * max(0, starts - self._jobs) / max(self._solvers_done[name], 1)
                total += (first + again) * (self._starts[name].value if starts else usual)
        return total


def _identity(cell: Cell) -> tuple[str, str, bool]:
    return cell.solver.label, cell.instance.digest, cell.traced


def _like(cell: Cell) -> Like:
    size = round(10 * math.log(max(cell.instance.instance_size, 1)))
    return cell.solver.label, cell.instance.size, size, cell.traced


class RunProgress:
    """Call it with each cell and its record (`observe` of the runner)."""

    def __init__(
        self,
        console: Console,
        cells: Iterable[Cell],
        jobs: int,
        estimator: Estimator,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        cells = list(cells)
        self._console, self._clock = console, clock
        self._time_left = TimeLeft(cells, jobs, estimator)
        self._total, self._done = len(cells), 0
        self._said = self._guessed = clock()
        self._watched = True
        self._lines = Lines(self._say, clock)
        self.statuses: Counter[str] = Counter()
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
        )
        self._bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task(WARMING_UP, total=self._total, left="")

    def prepare(self, what: str, done: int = 0, total: int = 0, /) -> None:
        """Say what is done before the first cell. With a total, the bar counts this first, and cells afterwards."""
        self._show(lambda: self._show_preparation(what, done, total))

    def _show_preparation(self, what: str, done: int, total: int) -> None:
        if not self._console.is_terminal:
            if total:
                self._lines(what, done, total)
            else:
                self._say(what)
        elif not total:
            self._bar.update(self._task, description=what)
        elif done < total:
            self._bar.update(self._task, description=what, completed=done, total=total)
        else:
            self._bar.update(self._task, description=WARMING_UP, completed=0, total=self._total)

    def _say(self, text: str) -> None:
        self._console.print(text, markup=False, soft_wrap=True)

    def __call__(self, cell: Cell, record: dict[str, Any]) -> None:
        self._done += 1
        self.statuses[record["status"]] += 1
        now = self._clock()
        self._time_left.add(cell, record, now)
        if self._console.is_terminal:
            if now - self._guessed > GUESS_EVERY_SECONDS:
                self._guessed = now
                left = self._left(now)
                self._show(lambda: self._bar.update(self._task, left=left))
            what = f"{cell.solver.label} on {cell.instance.name}"
            self._show(lambda: self._bar.update(self._task, advance=1, description=what))
        elif now - self._said > LINE_EVERY_SECONDS and self._done < self._total:
            self._said = now
            done = f"{self._done} of {self._total} cells, {self._left(now)}"
            self._show(lambda: self._say(done))

    def _show(self, shown: Callable[[], None]) -> None:
        """Whoever watches may go away: then nothing is shown any more, and the run goes on."""
        if self._watched:
            try:
                shown()
            except (OSError, SystemExit):  # rich exits where a pipe has no reader any more
                self._watched = False

    def _left(self, now: float) -> str:
        return f"about {duration(self._time_left.seconds(now))} left"

    def summary(self) -> str:
        """Statuses and their counts, failures last."""
        order = sorted(self.statuses, key=lambda status: (status in FAILURES, status))
        return ", ".join(f"{self.statuses[status]} {status}" for status in order) or "nothing was left to run"

    def __enter__(self) -> RunProgress:
        self._show(self._bar.start)
        return self

    def __exit__(self, *_: object) -> None:
        self._show(self._bar.stop)


def duration(seconds: float) -> str:
    """A time that a person can use."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
