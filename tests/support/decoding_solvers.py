"""A solver that does to an instance what the instance's name asks for. Loaded as a plug-in."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import Any

from solvers.base import Solution, Solver


@dataclass(kw_only=True)
class Obedient(Solver):
    """Instances named `crash`, `hang`, `raise`, `hog`, `wait` or `child` (before a dash) are trouble; others take `seconds`."""

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
        time.sleep(self.seconds)
        return Solution("feasible", (), 0.0)
