"""The processes of one solver: what they use together, sampled at next to no cost.

What control groups count is read at every look. Processes are looked at as often as a small share of the time allows. Pages that processes share are counted once only in the proportional size, which
takes the kernel milliseconds to add up: it is read when the resident sum has changed, or comes near the limit.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from typing import NamedTuple

from .control_group import ControlGroup
from .processes import (
    descendants,
    kill_descendants,
    own_cpu_seconds,
    proportional,
    resident,
    status_of,
    waited_cpu_seconds,
)

CHANGED = 0.1  # of the resident sum: then the proportional size is read again
REFINING_SHARE = 0.003  # of the time that may be spent on that
LOOKING_SHARE = 0.004  # of the time that may be spent on looks at processes
URGENT_SECONDS = 0.1  # between such readings beyond the limit, whatever they cost
FILES_SECONDS = 0.5  # between looks at files in memory
SHARED_MEMORY = "/dev/shm"


class Usage(NamedTuple):
    """What a tree has used so far, in seconds."""

    wall: float
    worker: float  # CPU of the solver's own process
    waited: float  # of the children that it has waited for, in ticks
    others: float  # of all other processes
    alive: int = 0  # how many of these there are
    group: float | None = None  # CPU of everything in the control group, dead or alive; None where there is none

    @property
    def cpu(self) -> float:
        return self.worker + self.waited + self.others


class ProcessTree:
    """Everything below `root`, of which `worker` runs the solver.

    With a namespace of its own the tree has its own /dev/shm. Without one, new files in /dev/shm are counted as the
    tree's only if it is `alone`: the only job of this run on this machine.
    """

    def __init__(self, root: int, worker: int, own_namespace: bool, alone: bool, group: ControlGroup) -> None:
        self.root, self.worker, self._own, self._alone = root, worker, own_namespace, alone
        self._group = group
        self._next_look, self._seen = 0.0, 0
        self._rough = self._precise = 0
        self._refined = self._looked = 0.0
        self._cost = 0.0
        self._files = 0
        self.begin()

    def begin(self) -> None:
        """A cell begins: in a /dev/shm that others use as well, only files from now on are the tree's."""
        self._begun = time.time()
        self._next_look = 0.0

    def members(self) -> list[int]:
        return descendants(self.root)

    def usage(self) -> Usage:
        wall, worker = time.perf_counter(), own_cpu_seconds(self.worker)
        others = [pid for pid in self.members() if pid != self.worker]
        beside = sum(own_cpu_seconds(pid) + waited_cpu_seconds(pid) for pid in others) + waited_cpu_seconds(self.root)
        return Usage(wall, worker, waited_cpu_seconds(self.worker), beside, len(others), self._group.cpu_seconds())

    def kill_others(self) -> int:
        """Kill all but the worker; how many were alive."""
        return kill_descendants(self.root, self.worker)

    def memory(self, limit: float | None = None) -> int:
        """Bytes in use, shared ones counted once."""
        start = time.perf_counter()
        if start >= self._next_look:
            refined = self._refined
            self._seen = self._memory_of_processes(limit)
            cost = time.perf_counter() - start - (self._cost if self._refined > refined else 0.0)
            self._next_look = start + cost / LOOKING_SHARE
        return max(self._seen, self._group.memory())

    def _memory_of_processes(self, limit: float | None) -> int:
        members = self.members()
        sizes = [resident(pid) for pid in members]
        rough, files = sum(sizes), self._files_in_memory(members)
        if len(members) <= 1:
            return rough + files
        now = time.perf_counter()
        beyond = limit is not None and rough + files > limit
        changed = abs(rough - self._rough) > CHANGED * self._rough
        due = self._refined + self._cost / REFINING_SHARE
        if (beyond and now >= min(due, self._refined + URGENT_SECONDS)) or (changed and now >= due):
            self._rough, self._precise = rough, sum(map(proportional, members))
            self._refined, self._cost = time.perf_counter(), time.perf_counter() - now
        return max(*sizes, min(rough, self._precise)) + files  # never more than is proved

    def _files_in_memory(self, members: list[int]) -> int:
        """Bytes of files that live in memory and in no process: in /dev/shm, or open and without a name."""
        now = time.perf_counter()
        if now >= self._looked + FILES_SECONDS:
            self._looked = now
            files = self.shared_memory() + sum(map(_nameless, members))
            self._files = max(0, files - sum(map(_mapped, members))) if files else 0
        return self._files

    def shared_memory(self) -> int:
        """Bytes of the tree's files in /dev/shm."""
        with contextlib.suppress(OSError):
            if self._own:
                state = os.statvfs(f"/proc/{self.worker}/root{SHARED_MEMORY}")
                return (state.f_blocks - state.f_bfree) * state.f_frsize
            if self._alone:
                with os.scandir(SHARED_MEMORY) as entries:
                    found = [entry.stat(follow_symlinks=False) for entry in entries]
                mine = [state for state in found if state.st_uid == os.geteuid() and state.st_ctime >= self._begun]
                return sum(state.st_blocks * 512 for state in mine if stat.S_ISREG(state.st_mode))
        return 0


def _mapped(pid: int) -> int:
    """Bytes of files in memory that a process has mapped: its resident size has them already."""
    return int(status_of(pid, "RssShmem").get("RssShmem", "0").partition(" ")[0]) * 1024


def _nameless(pid: int) -> int:
    """Bytes of a process's open files that were made by `memfd_create`."""
    total = 0
    with contextlib.suppress(OSError):
        for name in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                path = f"/proc/{pid}/fd/{name}"
                if os.readlink(path).startswith("/memfd:"):
                    total += os.stat(path).st_blocks * 512
    return total
