"""A plug-in for studies of the harness itself: its solver spends a given amount of CPU time and decodes nothing."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from solvers.base import Solution, Solver


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
