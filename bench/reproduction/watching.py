"""How far a reproduction is: pieces, the cells of their runs, and the time left for all of it.

In a terminal this is one live view; elsewhere a line a minute. Pieces run in processes of their own: their cells are counted in
the folders of their runs, where each is on disk once it has ended.
"""

from __future__ import annotations

import contextlib
import json
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from problems.errors import InputError

from ..records.log import EXPERIMENT, RECORDS
from ..records.provenance import ROOT
from ..runner.progress import duration
from .context import Context
from .piece import Piece
from .schedule import Event
from .store import read_outcome

LINE_EVERY_SECONDS = 60.0
FRAMES_PER_SECOND = 2
TELLING = 0.1  # of a run's cells: from then on their pace tells what the rest will take
RECORDED = tuple(ROOT / "results" / name for name in ("reproduction", "reproduction-real"))
"""What a checkout knows of earlier times."""
_KEY = re.compile(rb'"key": "([^"]*)"')


def usual_seconds(pieces: Sequence[Piece], context: Context, recorded: Sequence[Path] = RECORDED) -> dict[str, float]:
    """What pieces took before: in this folder, or in the results of the checkout; only runs of the same kind tell."""
    found: dict[str, float] = {}
    for out in (*recorded, context.out):
        for piece in pieces:
            with contextlib.suppress(InputError, KeyError, TypeError, ValueError):
                done = read_outcome(Context(out).folder(piece.name)).done
                same = bool(done.get("quick")) == context.quick and bool(done.get("data")) == (context.data is not None)
                if same and (context.brief or not done.get("brief")):
                    found[piece.name] = float(done["seconds"]) * _share(done, context)
    return found


def _share(done: Mapping[str, Any], context: Context) -> float:
    """How much of a piece's time fewer repetitions take; beside them each cell needs about as long as one more."""
    had = max((int(run["repetitions"]) for run in done.get("runs") or []), default=0)
    if context.repetitions is None or not had:
        return 1.0
    return (1 + min(had, context.repetitions)) / (1 + had)


class TimeLeft:
    """Of all pieces, from what each took before and from how much slower or faster this machine is so far."""

    def __init__(self, pieces: Sequence[Piece], usual: Mapping[str, float], lanes: int) -> None:
        self._pieces, self._usual, self._lanes = {piece.name: piece for piece in pieces}, usual, max(lanes, 1)
        self._took: dict[str, float] = {}
        self._gone: set[str] = set()

    def ended(self, event: Event) -> None:
        """A piece has ended; only one that was made tells of this machine."""
        self._gone.add(event.name)
        if event.state == "finished":
            self._took[event.name] = event.seconds

    def _guess(self, name: str) -> float | None:
        known = [other for other in self._took if other in self._usual]
        usual = sum(self._usual[other] for other in known)
        pace = sum(self._took[other] for other in known) / usual if usual else 1.0
        if name in self._usual:
            return pace * self._usual[name]
        if self._usual:
            return pace * sum(self._usual.values()) / len(self._usual)
        return sum(self._took.values()) / len(self._took) if self._took else None

    def seconds(self, running: Mapping[str, float], cells: float = 0.0) -> float | None:
        """With the seconds that running pieces have had, and those that their cells still need at the pace so far.

        None while nothing is known. Timed pieces follow one another; the others share the lanes.
        """
        total, waiting = {True: 0.0, False: 0.0}, 0.0
        for name, piece in self._pieces.items():
            if name in self._gone:
                continue
            guess = self._guess(name)
            if guess is None:
                return None
            total[piece.timed] += max(guess - running.get(name, 0.0), 0.0)
            waiting += guess if piece.timed and name not in running else 0.0
        return max(total[True], sum(total.values()) / self._lanes, cells + waiting)


class Cells(NamedTuple):
    """Of a run; `begun` are those that were recorded when it was first seen, `since` seconds ago."""

    run: str
    recorded: int
    planned: int
    begun: int = 0
    since: float = 0.0

    @property
    def seconds_left(self) -> float:
        """At the pace so far; 0 while so few cells are recorded that starting workers is most of their time."""
        new = self.recorded - self.begun
        if new < max(1.0, TELLING * (self.planned - self.begun)):
            return 0.0
        return (self.planned - self.recorded) * self.since / new


class RunsWatch:
    """The runs below a folder that were begun since it is watched: cells recorded of those that are planned."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._clock = folder, clock
        self._seen: dict[Path, tuple[float, int]] = {}
        self._before = {path: _changed(path) for path in folder.glob(f"*/{EXPERIMENT}")}
        self._planned: dict[Path, tuple[float, set[bytes]]] = {}
        self._read: dict[Path, tuple[int, set[bytes]]] = {}

    def cells(self) -> list[Cells]:
        """Of the runs that are not complete; only what is new in their logs is read."""
        found = []
        for path in sorted(self._folder.glob(f"*/{EXPERIMENT}")):
            if _changed(path) == self._before.get(path):
                continue
            planned = self._cells_of(path)
            recorded = len(self._recorded(path.with_name(RECORDS)) & planned)
            if recorded < len(planned):
                first, begun = self._seen.setdefault(path, (self._clock(), recorded))
                found.append(Cells(path.parent.name, recorded, len(planned), begun, self._clock() - first))
        return found

    def _cells_of(self, path: Path) -> set[bytes]:
        changed = _changed(path)
        if self._planned.get(path, (None,))[0] != changed:
            keys: set[bytes] = set()
            with contextlib.suppress(OSError, ValueError, AttributeError):
                keys = {str(key).encode() for key in json.loads(path.read_bytes()).get("cells", [])}
            self._planned[path] = changed, keys
        return self._planned[path][1]

    def _recorded(self, path: Path) -> set[bytes]:
        start, keys = self._read.get(path, (0, set()))
        with contextlib.suppress(OSError), path.open("rb") as file:
            file.seek(start)
            new = file.read()
            whole = new[: new.rfind(b"\n") + 1]
            keys |= {match[1] for line in whole.splitlines() if (match := _KEY.search(line))}
            self._read[path] = start + len(whole), keys
        return keys


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0.0


class Watch:
    """Call it with each event; between `with` and its end it shows how far the whole is."""

    def __init__(
        self,
        console: Console,
        pieces: Sequence[Piece],
        context: Context,
        lanes: int = 1,
        clock: Callable[[], float] = time.monotonic,
        start: float | None = None,
    ) -> None:
        """`start`: when the whole began, on this clock; None: now."""
        self._console, self._clock, self._count = console, clock, len(pieces)
        self._pieces = {piece.name: piece for piece in pieces}
        self._left = TimeLeft(pieces, usual_seconds(pieces, context), lanes)
        self._runs = RunsWatch(context.out / "runs", clock)
        self._running: dict[str, float] = {}
        self._open = dict.fromkeys(self._pieces)
        self._lock = threading.Lock()
        self._start = clock() if start is None else start
        self._end = threading.Event()
        self._live = Live(
            get_renderable=self._picture, console=console, transient=True, refresh_per_second=FRAMES_PER_SECOND
        )
        self._thread = threading.Thread(target=self._lines, daemon=True)

    @property
    def elapsed(self) -> float:
        return self._clock() - self._start

    def __call__(self, event: Event) -> None:
        piece = self._pieces[event.name]
        with self._lock:
            if event.state == "started":
                self._running[event.name] = self._clock()
                self._say(f"{event.name}: {piece.where}, {piece.title} ...")
                return
            self._running.pop(event.name, None)
            self._open.pop(event.name, None)
            self._left.ended(event)
            rest = f"{len(self._open)} of {self._count} left" if self._open else "that was the last"
        said = {
            "finished": f"made in {duration(event.seconds)}",
            "reused": "reused, nothing has changed",
            "left out": f"left out: {event.message}",
            "missing": f"left out: {event.message}",
            "failed": f"failed: {event.message}",
        }[event.state]
        self._say(f"{event.name}: {said} ({duration(self.elapsed)} since the start, {rest})")

    def parts(self) -> tuple[str, str, list[str]]:
        """Pieces that have ended; the time gone and left; what is running."""
        with self._lock:
            running = {name: self._clock() - begun for name, begun in self._running.items()}
            runs = self._runs.cells()
            left = self._left.seconds(running, max((cells.seconds_left for cells in runs), default=0.0))
            ended = self._count - len(self._open)
        rest = "time left not known yet" if left is None else f"about {duration(left)} left"
        now = [f"{name} for {duration(seconds)}" for name, seconds in running.items()]
        now += [f"{cells.run}: {cells.recorded} of {cells.planned} cells" for cells in runs]
        return f"{ended} of {self._count} pieces", f"{duration(self.elapsed)} since the start, {rest}", now

    def line(self) -> str:
        """How far it is, in one line."""
        pieces, times, now = self.parts()
        return "; ".join([f"{pieces}, {times}", *now])

    def _picture(self) -> Group:
        pieces, times, now = self.parts()
        whole = Table.grid(padding=(0, 1))
        whole.add_row(Text(pieces), ProgressBar(self._count, self._count - len(self._open), width=30), Text(times))
        return Group(whole, *(Text(f"  {text}") for text in now))

    def _lines(self) -> None:
        while not self._end.wait(LINE_EVERY_SECONDS):
            self._say(self.line())

    def _say(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def __enter__(self) -> Watch:
        if self._console.is_terminal:
            self._live.start()
        else:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        if self._console.is_terminal:
            self._live.stop()
