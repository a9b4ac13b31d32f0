"""A solver that takes the machinery around it down: it kills the process that supervises it. Loaded as a plug-in."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solvers.base import Solution, Solver


@dataclass(kw_only=True)
class KillsItsNode(Solver):
    """The first `times` cells that write into the folder `tally` kill their Dask worker; later ones are harmless."""

    name = "kills-its-node"

    tally: str = ""
    times: int = 1

    def solve(self, instance: Any) -> Solution:
        if instance.name != "tiny-0":
            folder = Path(self.tally)
            if len(list(folder.iterdir())) < self.times:
                (folder / f"{time.time_ns()}").touch()
                os.kill(os.getppid(), signal.SIGKILL)
                time.sleep(60)
        return Solution("feasible", (), 0.0)
