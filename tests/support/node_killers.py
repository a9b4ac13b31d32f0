"""A solver that asks for the death of the machinery around it. Loaded as a plug-in."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solvers.base import Solution, Solver


@dataclass(kw_only=True)
class KillsItsNode(Solver):
    """The first `times` cells that write into the folder `tally` ask for the death of their Dask worker; later ones are harmless.

    From its own namespace a solver cannot see the Dask worker: the test kills the one above the process that asks, which is
    the one that holds a file of `tally` open.
    """

    name = "kills-its-node"

    tally: str = ""
    times: int = 1

    def solve(self, instance: Any) -> Solution:
        if instance.name != "tiny-0":
            folder = Path(self.tally)
            if len(list(folder.iterdir())) < self.times:
                with open(folder / f"{time.time_ns()}", "w"):
                    time.sleep(600)
        return Solution("feasible", (), 0.0)
