"""A race while it runs: a table of what is recorded so far above the bar of `bench.runner.progress`. It reads no clock of its own."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ..analysis.statistics.values import median
from ..experiments.plan import Cell
from ..records.fields import FAILURES
from ..runner.estimate import Estimator
from ..runner.progress import RunProgress
from .escaping import plain_text, short_names
from .report.catalog import seconds

FRAMES_PER_SECOND = 4
LONGEST_NAME = 40
Row = tuple[str, str]  # size and label


class Standings:
    """Counts and times of each solver on each size, from the records so far."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        self.planned: Counter[Row] = Counter((cell.instance.size, cell.solver.label) for cell in cells)
        self.statuses: dict[Row, Counter[str]] = defaultdict(Counter)
        self._times: dict[Row, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))

    def add(self, cell: Cell, record: dict[str, Any]) -> None:
        row = cell.instance.size, cell.solver.label
        self.statuses[row][record["status"]] += 1
        ended = record["status"] not in FAILURES and record["cpu_seconds"] is not None
        if ended and not cell.traced:
            self._times[row][cell.instance.digest].append(record["cpu_seconds"])

    def median(self, row: Row) -> float:
        """Over instances, of the median over repetitions, as in the table at the end; of the cells that ended."""
        return median([median(times) for times in self._times[row].values()])

    def table(self) -> Table:
        sizes, labels = ([row[place] for row in self.planned] for place in (0, 1))
        several = len(set(sizes)) > 1
        table = Table(box=None, pad_edge=False)
        for heading in [*(["size"] if several else []), "solver"]:
            table.add_column(heading, no_wrap=True)
        for heading in ("cells", "optimal", "feasible", "failed", "median CPU time"):
            table.add_column(heading, justify="right", no_wrap=True)
        names = short_names(labels, LONGEST_NAME)
        for row in sorted(self.planned, key=lambda row: (sizes.index(row[0]), labels.index(row[1]))):
            counts = self.statuses[row]
            failed = sum(counts[status] for status in FAILURES)
            time = self.median(row)
            cells = [f"{counts.total()}/{self.planned[row]}"]
            cells += [str(many or "") for many in (counts["optimal"], counts["feasible"], failed)]
            cells += [seconds(time) if time == time else ""]
            texts = [*([row[0]] if several else []), names[row[1]], *cells]
            table.add_row(*(Text(plain_text(text)) for text in texts))
        return table


class LiveRace(RunProgress):
    """Call it with each cell and its record; in a terminal it shows the standings as well."""

    def __init__(self, console: Console, cells: Iterable[Cell], jobs: int, estimator: Estimator) -> None:
        cells = list(cells)
        super().__init__(console, cells, jobs, estimator)
        self.standings = Standings(cells)
        self._picture = Live(
            self._drawn(),
            console=console,
            transient=True,
            refresh_per_second=FRAMES_PER_SECOND,
            vertical_overflow="ellipsis",
        )

    def _drawn(self) -> Group:
        return Group(self.standings.table(), self._bar)

    def __call__(self, cell: Cell, record: dict[str, Any]) -> None:
        self.standings.add(cell, record)
        super().__call__(cell, record)
        if self._console.is_terminal:
            self._show(lambda: self._picture.update(self._drawn()))

    def __enter__(self) -> LiveRace:
        if self._console.is_terminal:
            self._show(self._picture.start)
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_terminal:
            self._show(self._picture.stop)
