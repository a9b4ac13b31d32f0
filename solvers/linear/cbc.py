"""CBC, COIN-OR's branch and cut: the program that PuLP brings along, run on an MPS file of our own.

PuLP would build an object per column and row and write 12 digits; our file has 17, and is written ten times faster.
CBC drops nodes that improve on the incumbent by less than `increment`, an absolute 1e-5, and prints its best bound with
three decimals. Scaling (see `scaling`) and an increment of 1e-6 make both harmless. Gaps are zero; feasibility and
integrality hold within 1e-7, its defaults.
"""

from __future__ import annotations

import math
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from problems.linear_program import Floats, LinearProgram

from ..base import cpu_clock
from .backend import LinearBackend, missing
from .base import Outcome
from .mps import write_mps
from .scaling import objective_scale, reach, rescaled

INCREMENT = 1e-6
GRACE = 2.0  # seconds beyond the limit after which CBC is killed: it looks at the clock between steps only
PRINTED_DIGITS_ERROR = 5e-4  # of "Lower bound:" in CBC's log


@dataclass(kw_only=True)
class Cbc(LinearBackend):
    name: ClassVar[str] = "ilp-cbc"
    relaxation: ClassVar[bool] = False
    exact: ClassVar[bool] = True

    @classmethod
    def unavailable(cls) -> str | None:
        reason = missing("pulp")
        if reason:
            return reason
        path = cbc_path()
        return None if path and os.access(path, os.X_OK) else "PuLP brings no CBC program for this machine"

    @classmethod
    def version(cls) -> str:
        import pulp

        log = subprocess.run([str(cbc_path()), "-quit"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
        found = re.search(r"Version:\s*(\S+)", log)
        return f"CBC {found[1] if found else 'unknown'} of PuLP {pulp.__version__}"

    def run(self, program: LinearProgram) -> Outcome:
        program_path = str(cbc_path())
        scale = objective_scale(program.objective, reach(program))
        with tempfile.TemporaryDirectory(prefix="dualbench-cbc-", ignore_cleanup_errors=True) as folder:
            start = cpu_clock()
            write_mps(rescaled(program, scale), Path(folder) / "program.mps")
            built = cpu_clock()
            log = self._call(program_path, folder)
            outcome = self._read(program, Path(folder) / "solution.txt", log, scale)
            outcome.build_seconds, outcome.solve_seconds = built - start, cpu_clock() - built
        return outcome

    def _call(self, program_path: str, folder: str) -> str:
        seed = str(1 + self.seed % (2**31 - 2))  # 0 would ask CBC for the time of day
        command = [program_path, "program.mps", "-randomSeed", seed, "-randomCbcSeed", seed]
        command += ["-ratioGap", "0", "-allowableGap", "0", "-increment", str(INCREMENT)]
        if self.time_limit is not None:
            command += ["-timeMode", "elapsed", "-seconds", repr(self.time_limit)]
        command += ["-solve", "-printingOptions", "all", "-solution", "solution.txt"]
        try:
            ended = subprocess.run(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=None if self.time_limit is None else self.time_limit + GRACE,
            )
        except subprocess.TimeoutExpired:
            return ""
        if ended.returncode != 0:
            raise self.unexpected(f"exit code {ended.returncode}: {ended.stdout[-300:]}")
        return ended.stdout

    def _read(self, program: LinearProgram, path: Path, log: str, scale: float) -> Outcome:
        if not path.exists():
            if self.time_limit is not None and not log:
                return Outcome("stopped", message="killed: it did not keep its time limit")
            raise self.unexpected(f"without a solution file: {log[-300:]}")
        headline, *lines = path.read_text().splitlines()
        if headline.startswith(("Infeasible", "Integer infeasible")):
            return Outcome("infeasible")
        if headline.startswith("Unbounded"):
            self.refuse_unbounded()
        if headline.startswith("Optimal"):
            values = _values(lines, program)
            return Outcome("solved", values=values, bound=program.value(values), iterations=_nodes(log))
        if headline.startswith("Stopped"):
            values = None if "no integer solution" in headline else _values(lines, program)
            return Outcome("stopped", values=values, bound=_printed_bound(log, scale), iterations=_nodes(log))
        raise self.unexpected(headline)


def cbc_path() -> str | None:
    """PuLP's own CBC program, or else the one it finds on the machine (PuLP 4 no longer brings one)."""
    import pulp

    bundled = getattr(getattr(pulp, "PULP_CBC_CMD", None), "pulp_cbc_path", None)
    if bundled and os.path.exists(bundled):
        return str(bundled)
    found = pulp.COIN_CMD(msg=False).path
    return str(found) if found else None


def _values(lines: list[str], program: LinearProgram) -> Floats:
    """Column values, printed with eight digits: integer columns become the whole numbers they stand for."""
    values = np.zeros(program.number_of_columns)
    for line in lines:
        name, value = line.removeprefix("**").split()[1:3]
        if name[0] == "x":
            values[int(name[1:])] = float(value)
    return np.where(program.integer, np.rint(values), np.clip(values, program.lower, program.upper))


def _printed_bound(log: str, scale: float) -> float:
    found = re.search(r"^Lower bound:\s+(\S+)", log, re.MULTILINE)
    return (PRINTED_DIGITS_ERROR - float(found[1])) / scale if found else math.inf


def _nodes(log: str) -> int:
    found = re.search(r"^Enumerated nodes:\s+(\d+)", log, re.MULTILINE)
    return int(found[1]) if found else 0
