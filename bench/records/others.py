"""How much of the machine other programs took while something was recorded.

Load averages look back a minute: an experiment that starts right after another one sees the load of the first, and at its end they
hold its own processes. So the system's CPU time is read at both ends, and what we and our descendants used is taken off. A
worker in a namespace of its own ends with it, and nobody is told what it used; so a thread looks at all of them now and then.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass

import psutil

IDLE = {"idle", "iowait", "guest", "guest_nice"}  # a guest's time is in `user` as well
SHORTEST = 1.0  # seconds of CPU time of all cores: the system counts hundredths
EVERY = 2.0  # seconds between two looks; one takes a few milliseconds


@dataclass(frozen=True)
class Used:
    """CPU seconds since some moment: of all cores, and of those the busy ones."""

    total: float
    busy: float


def used() -> Used:
    times = psutil.cpu_times()._asdict()
    total = sum(seconds for name, seconds in times.items() if not name.startswith("guest"))
    return Used(total, sum(seconds for name, seconds in times.items() if name not in IDLE))  # stolen time as well


class OwnProcesses:
    """The CPU seconds of this process and of all descendants that were ever seen."""

    def __init__(self) -> None:
        self._me = psutil.Process()
        self._seen: dict[tuple[int, float], float] = {}
        self._waited = 0.0  # of children that are gone, since the start
        self._before = _children(self._me)
        self._turn = threading.Lock()

    def look(self) -> float:
        """Their CPU seconds so far. A child of a child that came and went between two looks is missed."""
        with self._turn:
            return self._look()

    def _look(self) -> float:
        for process in (self._me, *self._me.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                times = process.cpu_times()
                self._seen[process.pid, process.create_time()] = times.user + times.system
        self._waited = _children(self._me) - self._before
        own = self._seen[self._me.pid, self._me.create_time()]
        return own + max(sum(self._seen.values()) - own, self._waited)


def _children(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.children_user + times.children_system)


class OtherPrograms:
    """Watches from its making on, until the first question for the share."""

    def __init__(self, read: Callable[[], Used] = used, own: Callable[[], float] | None = None) -> None:
        self._read, self._own = read, own or OwnProcesses().look
        self._start, self._own_start = read(), self._own()
        self._over = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while not self._over.wait(EVERY):
            self._own()

    def share(self) -> float | None:
        """The mean share of each core that others took so far; None if that was too short to tell."""
        self._over.set()
        now, own = self._read(), self._own() - self._own_start
        total = now.total - self._start.total
        if total < SHORTEST:
            return None
        others = now.busy - self._start.busy - own
        return round(min(max(others / total, 0.0), 1.0), 3)
