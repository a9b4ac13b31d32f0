"""Solvers that hide what they use: CPU time, memory, or work that is done before the clock starts. A plug-in.

They behave while they are warmed up on the task's `tiny` instance.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
import mmap
import os
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import Any

from solvers.base import Solution, Solver

BURNT = 0.6  # CPU seconds
HOARD, PIECE = 3 * 2**28, 2**26  # bytes


def burn() -> None:
    until = time.process_time() + BURNT
    while time.process_time() < until:
        pass


@dataclass(kw_only=True)
class Hiding(Solver):
    name = "hides-nothing"

    def solve(self, instance: Any) -> Solution:
        if instance.name != "tiny-0":
            self.hide()
        bound = math.fsum(concept.score for concept in instance.concepts if concept.score > 0)
        return Solution("feasible", (), 0.0, bound=bound)

    def hide(self) -> None:
        pass


KEPT: list[dict[str, int]] = []


class KeepsObjects(Hiding):
    """Honest: a cache whose objects take the garbage collector a while to look at."""

    name = "keeps-objects"

    def hide(self) -> None:
        KEPT.extend({"number": number} for number in range(600_000))


class BurnsInAChild(Hiding):
    """In a child that the kernel reaps itself, so that nobody is charged for it."""

    name = "burns-in-a-child"

    def hide(self) -> None:
        old = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        child = os.fork()
        if child == 0:
            burn()
            os._exit(0)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(child, 0)
        signal.signal(signal.SIGCHLD, old)


@dataclass(kw_only=True)
class WorksEarly(Hiding):
    """While it is made, as soon as the harness holds something to look at."""

    name = "works-early"

    def __post_init__(self) -> None:
        super().__post_init__()
        frame: Any = sys._getframe()
        while frame is not None:
            request = frame.f_locals.get("request")
            if isinstance(request, dict) and request.get("kind") == "solve":
                return burn()
            frame = frame.f_back
        return None


class HoardsInSegments(Hiding):
    """In segments of System V's shared memory that are detached, and would outlive their maker."""

    name = "hoards-in-segments"

    def hide(self) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.shmat.restype = ctypes.c_void_p
        for _ in range(HOARD // PIECE):
            segment = libc.shmget(0, PIECE, 0o1600)
            address = libc.shmat(segment, None, 0)
            ctypes.memset(ctypes.c_void_p(address), 1, PIECE)
            libc.shmdt(ctypes.c_void_p(address))
        time.sleep(600)


class HoardsInSharedPages(Hiding):
    """In shared pages that are in memory and in no process's resident size."""

    name = "hoards-in-shared-pages"

    def hide(self) -> None:
        kept = []
        for _ in range(HOARD // PIECE):
            pages = mmap.mmap(-1, PIECE)
            pages.write(b"x" * PIECE)
            pages.madvise(mmap.MADV_DONTNEED)
            kept.append(pages)
        time.sleep(600)


class MountsMemory(Hiding):
    """In a file system of its own."""

    name = "mounts-memory"

    def hide(self) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        with tempfile.TemporaryDirectory() as folder:
            if libc.mount(b"tmpfs", folder.encode(), b"tmpfs", 0, None) == 0:
                raise RuntimeError("it could mount a file system")


class LeavesItsGroup(Hiding):
    """By writing to the control groups' files."""

    name = "leaves-its-group"

    def hide(self) -> None:
        with open("/proc/self/mountinfo", encoding="utf-8") as file:
            points = [line.split()[4] for line in file if " - cgroup" in line]
        for point in points:
            with contextlib.suppress(OSError), open(f"{point}/cgroup.procs", "w") as file:
                file.write("0")
                raise RuntimeError(f"it could leave for {point}")
