"""What runs inside a Dask worker: the slots of a run, with the same isolated and limited processes as on one machine.

A run's solver processes stay warm between its cells. They are ended when the runner says so, when the runner has not been
heard of for a while (its lease), or by their keepers when the Dask worker itself is killed.
"""

from __future__ import annotations

import contextlib
import math
import os
import platform
import threading
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...experiments.experiment import Experiment
from ...experiments.plan import Cell, code_digest
from ..job import Job
from ..supervisor import Interrupted

TOKEN = uuid.uuid4().hex
"""Of this process: a Dask worker that was restarted under its old address is another one."""
LEASE_SECONDS = 90.0
CORE = "core"  # the Dask resource that a cell takes one of


@dataclass(frozen=True)
class Order:
    """All that a node must know of a run; the same for every cell."""

    mark: str
    experiment: Experiment
    plugins: dict[str, str]
    sources: dict[str, bytes]


@dataclass(frozen=True)
class Place:
    """Where on a node a cell runs."""

    token: str
    slot: int
    cores: tuple[int, ...]
    jobs: int  # cells at the same time on that machine


@dataclass
class NodeAnswer:
    """What a node sends back: records with their traces, and why there are not as many as cells."""

    found: list[tuple[dict[str, Any], list[dict[str, Any]]]]
    lost: str = ""


class NodeSession:
    """A run's slots in this process (see `slot.Session`)."""

    def __init__(self, order: Order) -> None:
        self.experiment, self.plugins = order.experiment, order.plugins
        self.sources: dict[str, bytes] | None = order.sources
        self.jobs = 1
        self.stop = threading.Event()
        self.mark = f"{order.mark}/{TOKEN}"
        self.expires = time.monotonic() + LEASE_SECONDS
        self._slots: dict[int, tuple[Job, threading.Lock]] = {}
        self._lock = threading.Lock()
        threading.Thread(target=self._expire, daemon=True).start()

    def run(self, place: Place, cells: Sequence[tuple[Cell, bytes]]) -> NodeAnswer:
        self.jobs = place.jobs
        outcome = NodeAnswer([])
        with self._lock:
            slot, lock = self._slots.setdefault(place.slot, (Job(self, place.slot, place.cores), threading.Lock()))
        with lock:
            try:
                for cell, instance in cells:
                    if self.stop.is_set():
                        raise Interrupted
                    outcome.found.append(slot.run(cell, instance))
            except Interrupted:
                slot.close()
                outcome.lost = "the runner was not heard of for too long"
            except BaseException:
                slot.close()
                raise
        return outcome

    def close(self) -> None:
        """End everything that this run has started here."""
        self.stop.set()
        _sessions.pop(self.mark.partition("/")[0], None)
        with self._lock:
            slots = list(self._slots.values())
        for slot, lock in slots:
            with lock:  # a running cell sees the stop mark within a moment
                slot.close()

    def _expire(self) -> None:
        while not self.stop.wait(1.0):
            if time.monotonic() > self.expires:
                self.close()


_sessions: dict[str, NodeSession] = {}
_closed: set[str] = set()  # marks of runs that have ended: a task of theirs that is still on its way does nothing
_opening = threading.Lock()


def run_cells(order: Order, place: Place, cells: Sequence[tuple[Cell, bytes]]) -> NodeAnswer:
    """The Dask task: a cell, or several short ones after another."""
    if place.token != TOKEN:
        return NodeAnswer([], "its Dask worker was restarted")
    if order.mark in _closed:
        return NodeAnswer([], "the run was stopped")
    os.environ.pop("MALLOC_TRIM_THRESHOLD_", None)  # Dask sets it for its workers; it slows solvers down
    with _opening:
        session = _sessions.get(order.mark)
        if session is None:
            session = _sessions[order.mark] = NodeSession(order)
    return session.run(place, cells)


def renew(mark: str) -> None:
    """The runner is still there."""
    session = _sessions.get(mark)
    if session is not None:
        session.expires = time.monotonic() + LEASE_SECONDS


def close_session(mark: str) -> None:
    """The run has ended, or is to stop."""
    _closed.add(mark)
    session = _sessions.get(mark)
    if session is not None:
        session.close()


def describe(dask_worker: Any) -> dict[str, Any]:
    """What the runner must know of this Dask worker before it uses it."""
    import psutil

    from ...records.provenance import machine

    cpus = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return {
        "token": TOKEN,
        "node": platform.node(),
        "system": boot(),
        "cpus": cpus,
        "threads": dask_worker.state.nthreads,
        "cores": int(dask_worker.state.total_resources.get(CORE, 0)),
        "memory_gb": min(psutil.virtual_memory().total, allowed_memory()) / 2**30,
        "code": code_digest(()),
        "machine": machine(),
    }


def boot() -> str:
    """Names the running kernel: containers of different names on one machine share its cores."""
    with contextlib.suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return platform.node()


def allowed_memory(groups: Path = Path("/proc/self/cgroup"), root: Path = Path("/sys/fs/cgroup")) -> float:
    """The bytes that the control groups of this process allow (a batch system's limit, a container's); inf if there is none."""
    limits = [math.inf]
    with contextlib.suppress(OSError):
        for line in groups.read_text(encoding="ascii", errors="replace").splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers and "memory" not in controllers.split(","):
                continue
            top = root / "memory" if controllers else root
            name = "memory.limit_in_bytes" if controllers else "memory.max"
            group = top / path.strip("/")
            for folder in (group, *group.parents):
                with contextlib.suppress(OSError, ValueError):  # "max" is no number
                    limits.append(float(int((folder / name).read_text(encoding="ascii"))))
                if folder == top:
                    break
    return min(limits)
