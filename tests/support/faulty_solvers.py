"""Solvers that go wrong in every way a runner must survive, and a good one beside them. Loaded as a plug-in.

They behave while they are warmed up on the task's `tiny` instance (its name says so): what they do to a cell is what is tested.
"""

from __future__ import annotations

import _thread
import contextlib
import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any

from problems import task_of
from solvers.base import Solution, Solver


def empty(instance: Any) -> Solution:
    """The extract of no sentence, with an honest bound."""
    bound = math.fsum(concept.score for concept in instance.concepts if concept.score > 0)
    return Solution("feasible", (), 0.0, bound=bound)


@dataclass(kw_only=True)
class Faulty(Solver):
    name = "good"

    def solve(self, instance: Any) -> Solution:
        if instance.name != "tiny-0":
            self.misbehave(instance)
        return empty(instance)

    def misbehave(self, instance: Any) -> None:
        pass


class Sleeps(Faulty):
    name = "sleeps"

    def misbehave(self, instance: Any) -> None:
        time.sleep(600)


class SleepsInChild(Faulty):
    name = "sleeps-in-child"

    def misbehave(self, instance: Any) -> None:
        subprocess.run(["sleep", "600"], check=False)


class IgnoresSignals(Faulty):
    name = "ignores-signals"

    def misbehave(self, instance: Any) -> None:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM):
            signal.signal(number, signal.SIG_IGN)
        while True:
            time.sleep(600)


class Allocates(Faulty):
    name = "allocates"

    def misbehave(self, instance: Any) -> None:
        kept = []
        while True:
            kept.append(bytearray(os.urandom(1)) * 2**23)


class AllocatesInChild(Faulty):
    name = "allocates-in-child"

    def misbehave(self, instance: Any) -> None:
        code = "kept = []\nwhile True: kept.append(bytearray(b'x') * 2**23)"
        subprocess.run([sys.executable, "-c", code], check=False)


class Raises(Faulty):
    name = "raises"

    def misbehave(self, instance: Any) -> None:
        raise ArithmeticError("the scores\nare odd")


class Exits(Faulty):
    name = "exits"

    def misbehave(self, instance: Any) -> None:
        sys.exit(3)


class LeavesAtOnce(Faulty):
    name = "leaves-at-once"

    def misbehave(self, instance: Any) -> None:
        os._exit(7)


class Aborts(Faulty):
    name = "aborts"

    def misbehave(self, instance: Any) -> None:
        print("something is badly wrong", file=sys.stderr, flush=True)
        os.abort()


class Killed(Faulty):
    name = "killed"

    def misbehave(self, instance: Any) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class LeavesAChild(Faulty):
    name = "leaves-a-child"

    def misbehave(self, instance: Any) -> None:
        subprocess.Popen(["sleep", "617"])


class LeavesADaemon(Faulty):
    """A child in a session of its own whose parent has ended: it is in nobody's process group or tree."""

    name = "leaves-a-daemon"

    def misbehave(self, instance: Any) -> None:
        subprocess.run(["setsid", "--fork", "sleep", "618"], check=True)


class DiesAndLeavesADaemon(LeavesADaemon):
    name = "dies-and-leaves-a-daemon"

    def misbehave(self, instance: Any) -> None:
        super().misbehave(instance)
        os.kill(os.getpid(), signal.SIGKILL)


class ForksAndReturnsTwice(Faulty):
    name = "forks"

    def misbehave(self, instance: Any) -> None:
        os.fork()


class Prints(Faulty):
    name = "prints"

    def misbehave(self, instance: Any) -> None:
        os.write(1, b"x" * 300_000 + b'\n{"key": "forged"}\n')
        print("hello")


class Infeasible(Faulty):
    name = "infeasible-structure"

    def solve(self, instance: Any) -> Solution:
        everything = tuple(range(len(instance.lengths)))
        value = task_of(instance).objective(instance, everything)
        return Solution("optimal", everything, value, bound=value)


class Malformed(Faulty):
    name = "malformed-structure"

    def solve(self, instance: Any) -> Solution:
        return Solution("feasible", ("first", None), 1.0)


class NotANumber(Faulty):
    name = "not-a-number"

    def solve(self, instance: Any) -> Solution:
        return Solution("optimal", (), math.nan, bound=math.nan)


class LowBound(Faulty):
    """Its bound lies below its own objective."""

    name = "low-bound"

    def solve(self, instance: Any) -> Solution:
        return Solution("optimal", (), 0.0, bound=-1.0)


class Liar(Faulty):
    """Says that the empty extract is the best there is: only another solver can tell."""

    name = "liar"

    def solve(self, instance: Any) -> Solution:
        return Solution("optimal", (), 0.0, bound=0.0)


class Boaster(Faulty):
    name = "boaster"

    def solve(self, instance: Any) -> Solution:
        return Solution("optimal", (), 1e6, bound=1e6)


class Nothing(Faulty):
    name = "nothing"

    def solve(self, instance: Any) -> Solution:
        return None  # type: ignore[return-value]


class Missing(Faulty):
    name = "missing"

    @classmethod
    def unavailable(cls) -> str | None:
        return "its licence has expired"


class Noop(Faulty):
    """Does nothing at all: what a cell costs with it is what the harness costs."""

    name = "noop"

    def solve(self, instance: Any) -> Solution:
        return Solution("feasible", (), 0.0)


class Forger(Faulty):
    """Returns what only the worker itself may say."""

    name = "forger"

    def solve(self, instance: Any) -> Solution:
        return {"status": "optimal", "objective": 1e9, "key": "forged", "audit": "ok"}  # type: ignore[return-value]


class Tampers(Faulty):
    """Makes the problem easier, then takes everything."""

    name = "tampers"

    def solve(self, instance: Any) -> Solution:
        object.__setattr__(instance, "budget", 10**6)
        everything = tuple(range(len(instance.lengths)))
        value = task_of(instance).objective(instance, everything)
        return Solution("optimal", everything, value, bound=value)


class Minimizer(Faulty):
    name = "minimizer"

    def solve(self, instance: Any) -> Solution:
        return Solution("optimal", (), 0.0, bound=-math.inf)


class Inflated(Faulty):
    """Claims scores so large that every gap is a rounding error."""

    name = "inflated"

    def solve(self, instance: Any) -> Solution:
        return Solution("optimal", (), 0.0, bound=1000.0, magnitude=1e20)


class Late(Faulty):
    """Ends after the limit, but before it is killed."""

    name = "late"

    def solve(self, instance: Any) -> Solution:
        if instance.name != "tiny-0":
            time.sleep(1.2)
        return Solution("optimal", (), 0.0, bound=0.0)


class Unprintable(Faulty):
    name = "unprintable"

    def misbehave(self, instance: Any) -> None:
        raise ValueError("\udc80 is no text")


class Wordless(Faulty):
    name = "wordless"

    def misbehave(self, instance: Any) -> None:
        class Mute(BaseException):
            def __str__(self) -> str:
                raise RuntimeError("no words")

        raise Mute


class CountsFar(Faulty):
    name = "counts-far"

    def solve(self, instance: Any) -> Solution:
        return Solution("feasible", (), 0.0, iterations=2**70, info={"note": "text"}, build_seconds=-1.0)  # type: ignore[dict-item]


class Babbles(Faulty):
    """Writes half a message to every socket it finds, then sleeps."""

    name = "babbles"

    def misbehave(self, instance: Any) -> None:
        for descriptor in range(3, 64):
            with contextlib.suppress(OSError):
                if "socket" in os.readlink(f"/proc/self/fd/{descriptor}"):
                    os.write(descriptor, b"\0\0\0\0\0\0\1\0{")
        time.sleep(600)


class LeavesAStranger(Faulty):
    """A child without the mark and in a session of its own, alive when its worker is killed."""

    name = "leaves-a-stranger"

    def misbehave(self, instance: Any) -> None:
        subprocess.Popen(["sleep", "619"], env={}, start_new_session=True)
        time.sleep(600)


class Lingers(Faulty):
    """A thread that stops the whole process after its cell."""

    name = "lingers"

    def misbehave(self, instance: Any) -> None:
        def stop() -> None:
            time.sleep(5)
            os.kill(os.getpid(), signal.SIGSTOP)

        _thread.start_new_thread(stop, ())


@dataclass(kw_only=True)
class Odd(Faulty):
    """Options that JSON does not know."""

    name = "odd-options"

    cutoff: float = math.inf
