"""A plug-in for studies of the harness itself: a solver that spends a given amount of CPU time and decodes nothing, and, for the soak,
solvers that go wrong in the ways a run must survive. They behave while they are warmed up.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

from solvers.base import Solution, Solver

EXPECTED = {
    "soak-crash": "crash",
    "soak-hang": "timeout",
    "soak-hog": "memout",
    "soak-raise": "error",
    "soak-wrong": "error",
    "soak-daemon": "feasible",
}
"""The status that each of them must get, unless it was killed from outside."""


@dataclass(kw_only=True)
class _Soaked(Solver):
    tasks = frozenset({"extraction"})

    def solve(self, instance: Any) -> Solution:
        return Solution("feasible", (), 0.0) if instance.name == "tiny-0" else self.misbehave(instance)

    @abstractmethod
    def misbehave(self, instance: Any) -> Solution:
        """What it does once it is warm."""


class Crashes(_Soaked):
    name = "soak-crash"

    def misbehave(self, instance: Any) -> Solution:
        os.kill(os.getpid(), signal.SIGSEGV)
        return Solution("feasible", (), 0.0)


class Hangs(_Soaked):
    name = "soak-hang"

    def misbehave(self, instance: Any) -> Solution:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(600)


class Hogs(_Soaked):
    name = "soak-hog"

    def misbehave(self, instance: Any) -> Solution:
        kept = []
        while True:
            kept.append(bytearray(b"x") * 2**24)


class Raises(_Soaked):
    name = "soak-raise"

    def misbehave(self, instance: Any) -> Solution:
        raise ArithmeticError("the scores are odd")


class Wrong(_Soaked):
    """Takes every sentence, which no budget allows, and calls it the optimum."""

    name = "soak-wrong"

    def misbehave(self, instance: Any) -> Solution:
        return Solution("optimal", tuple(range(len(instance.lengths))), 1e6, bound=1e6)


class LeavesADaemon(_Soaked):
    name = "soak-daemon"

    def misbehave(self, instance: Any) -> Solution:
        subprocess.run(["setsid", "--fork", "sleep", "6000"], check=True)
        return Solution("feasible", (), 0.0)


@dataclass(kw_only=True)
class Burns(Solver):
    name = "burns"
    tasks = frozenset({"extraction"})

    milliseconds: float = 50.0

    def solve(self, instance: Any) -> Solution:
        end = time.process_time() + self.milliseconds / 1000
        while time.process_time() < end:
            pass
        return Solution("feasible", (), 0.0)
