"""What goes on beside a soak: memory is sampled, and processes of the cluster are killed at random."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import threading
import time
from collections import Counter
from typing import NamedTuple

import numpy as np
import psutil

from ..runner.processes import children, descendants, resident

ROLES = ("runner", "scheduler", "largest Dask worker")  # whose memory is watched
SAMPLE_SECONDS = 1.0
KILL_SECONDS = {"Dask worker": 60.0, "solver process": 20.0}  # on average, between kills
SETTLING = 0.2  # of the time, before which memory may grow
ALLOWED_SHARE, ALLOWED_MB = 0.15, 25.0  # growth over the rest of the time


class Line(NamedTuple):
    """Memory of a role over time, in MB: a straight line through the samples."""

    first: float
    last: float
    slope: float  # per hour


class Watch:
    """Samples and kills as long as the context lasts; `cluster` is the process with the scheduler."""

    def __init__(self, cluster: int, chance: random.Random) -> None:
        self._cluster, self._chance = cluster, chance
        self.samples: list[dict[str, float]] = []
        self.kills: Counter[str] = Counter()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        start = time.monotonic()
        while not self._ended.wait(SAMPLE_SECONDS):
            workers = [pid for pid in children(self._cluster) if _says(pid, "spawn_main")]
            sizes = resident(os.getpid()), resident(self._cluster), max(map(resident, workers), default=0)
            memory = dict(zip(ROLES, (size / 2**20 for size in sizes), strict=True))
            self.samples.append({"seconds": time.monotonic() - start, **memory})
            solvers = [pid for pid in descendants(self._cluster) if _says(pid, "bench.runner.worker")]
            for role, pids in (("Dask worker", workers), ("solver process", solvers)):
                if pids and self._chance.random() < SAMPLE_SECONDS / KILL_SECONDS[role]:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(self._chance.choice(pids), signal.SIGKILL)
                        self.kills[role] += 1

    def lines(self) -> dict[str, Line]:
        """By role, what memory did once it had settled."""
        found = {}
        for role in ROLES:
            points = [(sample["seconds"], sample[role]) for sample in self.samples if sample[role]]
            settled = [point for point in points if point[0] >= SETTLING * points[-1][0]]
            if len(settled) > 2:
                seconds, sizes = np.array(settled).T
                slope, base = np.polyfit(seconds, sizes, 1)
                ends = base + slope * seconds[0], base + slope * seconds[-1]
                found[role] = Line(float(ends[0]), float(ends[1]), float(slope * 3600))
        return found

    def growth(self) -> list[str]:
        """Which roles are not flat."""
        return [
            f"the {role} grew from {line.first:.0f} to {line.last:.0f} MB"
            for role, line in self.lines().items()
            if line.last - line.first > max(ALLOWED_MB, ALLOWED_SHARE * line.first)
        ]


def _says(pid: int, word: str) -> bool:
    """Is this word in the command of a process?"""
    with contextlib.suppress(psutil.Error, OSError):
        return any(word in part for part in psutil.Process(pid).cmdline())
    return False


def processes_with(name: str, value: str) -> list[int]:
    """Other processes that have inherited this variable."""
    others = (each for each in psutil.process_iter(["environ", "status"]) if each.pid != os.getpid())
    alive = (each for each in others if each.info["status"] != psutil.STATUS_ZOMBIE)
    return [each.pid for each in alive if (each.info["environ"] or {}).get(name) == value]
