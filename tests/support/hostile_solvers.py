"""Solvers that attack the runner: its messages, its clocks, its checks and its memory of who was started. A plug-in.

Most behave while they are warmed up on the task's `tiny` instance: what they do to a cell is what is tested.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import json
import math
import os
import random
import signal
import struct
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from solvers.base import Solution, Solver


def empty(instance: Any) -> Solution:
    """The extract of no sentence, with an honest bound."""
    bound = math.fsum(concept.score for concept in instance.concepts if concept.score > 0)
    return Solution("feasible", (), 0.0, bound=bound)


def sockets() -> Iterator[int]:
    """The descriptors of this process that are sockets: the runner's connection is among them."""
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        with contextlib.suppress(OSError):
            if "socket" in os.readlink(f"/proc/self/fd/{descriptor}"):
                yield descriptor


def write(payload: bytes) -> None:
    for descriptor in sockets():
        with contextlib.suppress(OSError):
            os.write(descriptor, payload)


def worker_above() -> Any:
    """The harness's own object, found on the stack."""
    frame: Any = sys._getframe()
    while type(frame.f_locals.get("self")).__name__ != "Worker":
        frame = frame.f_back
    return frame.f_locals["self"]


def framed(document: Any) -> bytes:
    message = document if isinstance(document, bytes) else json.dumps(document).encode()
    return struct.pack("!Q", len(message)) + message


@dataclass(kw_only=True)
class Hostile(Solver):
    name = "harmless"

    def solve(self, instance: Any) -> Solution:
        if instance.name != "tiny-0":
            self.attack(instance)
        return empty(instance)

    def attack(self, instance: Any) -> None:
        pass


FORGED = {"status": "optimal", "objective": 1e9, "bound": 1e9, "audit": "ok", "metrics": {}, "structure": None}


class AnswersAList(Hostile):
    name = "answers-a-list"

    def attack(self, instance: Any) -> None:
        write(framed([]))


class AnswersANumber(Hostile):
    name = "answers-a-number"

    def attack(self, instance: Any) -> None:
        write(framed(3))


class AnswersWithoutKind(Hostile):
    name = "answers-without-kind"

    def attack(self, instance: Any) -> None:
        write(framed({}))


class Forges(Hostile):
    """The messages of an earlier version of the worker, which were believed."""

    name = "forges"

    def attack(self, instance: Any) -> None:
        measured = {"cpu_seconds": 0.0, "wall_seconds": 0.0, "peak_memory_mb": 1.0}
        write(framed({"kind": "solved", **measured}) + framed({"kind": "done", "record": FORGED, "dirty": False}))


class ForgesWithNonce(Hostile):
    """Finds the worker's own object, and answers in its name; then the real answer comes out of step."""

    name = "forges-with-nonce"

    def attack(self, instance: Any) -> None:
        worker_above().say("solved", claim=json.dumps(FORGED).encode(), children_seconds=0.0)


class ForgesAFailure(Hostile):
    """Says that it failed, and that the failure is an optimum."""

    name = "forges-a-failure"

    def attack(self, instance: Any) -> None:
        worker_above().say("solved", claim=json.dumps({"failure": FORGED}).encode(), children_seconds=-1e9)
        time.sleep(600)


class Claims(Hostile):
    """An answer whose length is impossible."""

    name = "claims-a-long-answer"

    def attack(self, instance: Any) -> None:
        write(struct.pack("!Q", 2**62))


class WritesNoise(Hostile):
    name = "writes-noise"

    def attack(self, instance: Any) -> None:
        write(random.Random(instance.name).randbytes(300))


class AnswersLater(Hostile):
    """A thread that writes to the connection after the cell's own answer."""

    name = "answers-later"

    def attack(self, instance: Any) -> None:
        def later() -> None:
            time.sleep(0.05)
            write(framed({"kind": "loaded", "nonce": "0" * 32, "number": 0}))

        threading.Thread(target=later, daemon=True).start()


class StopsClocks(Hostile):
    name = "stops-clocks"

    def solve(self, instance: Any) -> Solution:
        time.process_time = time.perf_counter = time.monotonic = time.time = lambda: 0.0  # type: ignore[assignment]
        end = time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID) + 0.2
        while time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID) < end:
            pass
        return empty(instance)


class SaysTimes(Hostile):
    """Claims times that cannot be."""

    name = "says-times"

    def solve(self, instance: Any) -> Solution:
        answer = empty(instance)
        answer.build_seconds, answer.solve_seconds, answer.round_seconds = -1167.8, math.nan, 10**400  # type: ignore[assignment]
        return answer


class ReturnsAGenerator(Hostile):
    name = "returns-a-generator"

    def solve(self, instance: Any) -> Solution:
        def endless() -> Iterator[int]:
            while True:
                yield 0

        return Solution("optimal", endless(), 1e9, bound=1e9)


class Endless(tuple):
    def __iter__(self) -> Iterator[str]:
        for number in itertools.count():
            yield f"{number:09d}" * 2**17


class ReturnsAnEndlessTuple(Hostile):
    name = "returns-an-endless-tuple"

    def solve(self, instance: Any) -> Solution:
        if instance.name == "tiny-0":
            return empty(instance)
        return Solution("optimal", Endless(), 1e9, bound=1e9)


class ReturnsItself(Hostile):
    """A structure that contains itself."""

    name = "returns-itself"

    def solve(self, instance: Any) -> Solution:
        structure: list[Any] = []
        structure.append(structure)
        return Solution("optimal", structure, 1e9, bound=1e9)


class ReturnsAHugeNumber(Hostile):
    name = "returns-a-huge-number"

    def solve(self, instance: Any) -> Solution:
        return Solution("optimal", (10**10_000,), 1e9, bound=1e9)


class SlowEquality(Hostile):
    """A structure that takes the checker for ever, were it asked in the solver's own words."""

    name = "returns-an-object"

    def solve(self, instance: Any) -> Solution:
        class Odd:
            def __len__(self) -> int:
                time.sleep(600)
                return 0

        return Solution("optimal", Odd(), 1e9, bound=1e9)


class Escapes(Hostile):
    """Two forks, sessions of their own, no environment: nothing marks what is left as ours."""

    name = "escapes"

    def attack(self, instance: Any) -> None:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.setsid()
                os.execve("/bin/sleep", ["sleep", "631"], {})
            os._exit(0)
        os.wait()


class EscapesAndDies(Escapes):
    name = "escapes-and-dies"

    def attack(self, instance: Any) -> None:
        super().attack(instance)
        os.kill(os.getpid(), signal.SIGKILL)


class EscapesAndHangs(Escapes):
    name = "escapes-and-hangs"

    def attack(self, instance: Any) -> None:
        super().attack(instance)
        time.sleep(600)


class SetsATimer(Hostile):
    """Kills whoever runs in this process a third of a second later."""

    name = "sets-a-timer"

    def attack(self, instance: Any) -> None:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, 0.3, 0.3)


class SetsAHandler(Hostile):
    name = "sets-a-handler"

    def attack(self, instance: Any) -> None:
        signal.signal(signal.SIGUSR1, lambda number, frame: None)


class HoardsInFiles(Hostile):
    """Keeps its memory in /dev/shm."""

    name = "hoards-in-files"

    def attack(self, instance: Any) -> None:
        with open(f"/dev/shm/dualbench-hostile-{os.getpid()}", "wb") as file:
            for _ in range(80):
                file.write(bytes(2**24))
        time.sleep(600)


class HoardsWithoutAName(Hostile):
    """Keeps its memory in a file that has no name, and is in no process's resident size."""

    name = "hoards-without-a-name"

    def attack(self, instance: Any) -> None:
        descriptor = os.memfd_create("hoard")
        for _ in range(80):
            os.write(descriptor, bytes(2**24))
        time.sleep(600)


class KillsItsParent(Hostile):
    name = "kills-its-parent"

    def attack(self, instance: Any) -> None:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(600)


class ReadsRequests(Hostile):
    """Takes the runner's next request from the connection before its worker does."""

    name = "eats-requests"

    def attack(self, instance: Any) -> None:
        def eat() -> None:
            while True:
                for descriptor in sockets():
                    with contextlib.suppress(OSError):
                        os.read(descriptor, 65536)

        threading.Thread(target=eat, daemon=True).start()


class _Always(Solver):
    """Misbehaves while it is warmed up as well."""

    def misbehave(self) -> None: ...

    def solve(self, instance: Any) -> Solution:
        self.misbehave()
        return empty(instance)


class AlwaysSleeps(_Always):
    name = "always-sleeps"

    def misbehave(self) -> None:
        time.sleep(600)


class AlwaysHoards(_Always):
    name = "always-hoards"

    def misbehave(self) -> None:
        kept = []
        while True:
            kept.append(bytearray(os.urandom(1)) * 2**24)


class AlwaysRaises(_Always):
    name = "always-raises"

    def misbehave(self) -> None:
        raise ArithmeticError("always")


class AlwaysAborts(_Always):
    name = "always-aborts"

    def misbehave(self) -> None:
        os.abort()


class AlwaysKilled(_Always):
    name = "always-killed"

    def misbehave(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class SegmentationFault(_Always):
    name = "segmentation-fault"

    def misbehave(self) -> None:
        ctypes.string_at(0)
