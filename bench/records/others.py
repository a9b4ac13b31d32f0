"""How much of the machine other programs took while something was recorded.

Load averages look back a minute: an experiment that starts right after another one sees the load of the first, and at its end they
hold its own processes. So the system's CPU time is read at both ends, and what we and our children used is taken off.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass

import psutil

IDLE = {"idle", "iowait", "guest", "guest_nice"}  # a guest's time is in `user` as well
SHORTEST = 1.0  # seconds of CPU time of all cores: the system counts hundredths


@dataclass(frozen=True)
class Used:
    """CPU seconds since some moment: of all cores, of those the busy ones, and of the latter our own."""

    total: float
    busy: float
    own: float


def used() -> Used:
    times = psutil.cpu_times()._asdict()
    total = sum(seconds for name, seconds in times.items() if not name.startswith("guest"))
    busy = sum(seconds for name, seconds in times.items() if name not in IDLE)  # stolen time as well
    return Used(total, busy, _own())


def _own() -> float:
    """Of this process and of its descendants, living or waited for."""
    me = psutil.Process()
    seconds = 0.0
    for process in (me, *me.children(recursive=True)):
        with contextlib.suppress(psutil.Error):
            times = process.cpu_times()
            seconds += times.user + times.system + times.children_user + times.children_system
    return seconds


class OtherPrograms:
    """Watches from its making on."""

    def __init__(self, read: Callable[[], Used] = used) -> None:
        self._read = read
        self._start = read()

    def share(self) -> float | None:
        """The mean share of each core that others took so far; None if that was too short to tell."""
        now, start = self._read(), self._start
        total = now.total - start.total
        if total < SHORTEST:
            return None
        others = (now.busy - start.busy) - (now.own - start.own)
        return round(min(max(others / total, 0.0), 1.0), 3)
