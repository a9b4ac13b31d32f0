"""A solver that does to an instance what the instance's name asks for. Loaded as a plug-in."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import Any

from problems import task_of
from solvers.base import Solution, Solver


@dataclass(kw_only=True)
class Obedient(Solver):
    """Instances named `crash`, `hang`, `raise`, `hog`, `wait`, `child`, `forge` or `odd` (before a dash) are trouble.

    Others take `seconds`.
    """

    name = "obedient"

    seconds: float = 0.0

    def solve(self, instance: Any) -> Solution:
        wish = instance.name.partition("-")[0]
        if wish == "crash":
            os.abort()
        elif wish == "hang":
            time.sleep(600)
        elif wish == "raise":
            raise ArithmeticError("the scores are odd")
        elif wish == "hog":
            kept = []
            while True:
                kept.append(bytearray(b"x") * 2**24)
        elif wish == "wait":
            time.sleep(1.5)
        elif wish == "child":
            os.spawnlp(os.P_NOWAIT, "sleep", "sleep", "619")
        elif wish == "forge":  # as far as this process can tell, everything is feasible and worth 1e9
            task: Any = type(task_of(instance))
            task.broken = lambda *_: None
            task.objective = lambda *_: 1e9
            return Solution("optimal", (0,), 1e9, bound=1e9)
        elif wish == "odd":
            return Solution("feasible", {0: 1}, 0.0)
        time.sleep(self.seconds)
        return Solution("feasible", (), 0.0)
