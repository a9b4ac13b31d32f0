"""CBC, COIN-OR's branch and cut: the program that PuLP brings along, called with our own MPS file.

PuLP would build an object per column and row and write 12 digits. We write 17 digits straight from the arrays. CBC
drops nodes that improve on the incumbent by less than `increment` (absolute, 1e-5) and prints its best bound with three
decimals. Scaling (`scaling`) and an increment of 1e-6 make both harmless. Gaps are zero; feasibility and integrality
have CBC's default tolerance of 1e-7.

PuLP's CBC is 2.10.3 of 2019. Its preprocessing and two-step MIR cuts lose the optimum of some programs (see
github.com/coin-or/Cbc, issues 293 and 562). Among thousands of random programs, every wrong answer had integers beyond
0/1, or a two-sided row with coefficients other than 1 and -1. We switch both off for such programs (`needs_care`).
Without preprocessing, CBC crashes on some infeasible programs and on no others; after a crash we ask CBC with its
default settings whether the program is infeasible. If the time limit falls into preprocessing, CBC reports any program
as infeasible; we ignore that status at the limit.
"""

from __future__ import annotations

import functools
import math
import os
import re
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from problems.linear_program import Floats, LinearProgram

from ..base import cpu_clock
from .backend import LinearBackend, missing
from .base import Outcome
from .mps import write_mps

INCREMENT = 1e-6
GRACE = 2.0  # seconds beyond the limit after which CBC is killed: it looks at the clock between steps only
CAREFUL = ("preprocess off", "twoMirCuts off")
PRINTED_BOUND_ERROR = 5e-4  # of "Lower bound:" in CBC's log
PRINTED_DIGITS_ERROR = 5e-6  # of six significant digits, relative
PRINTED_OBJECTIVE_ERROR = 5e-9  # of the objective at the head of its solution


@dataclass(kw_only=True)
class Cbc(LinearBackend):
    name: ClassVar[str] = "ilp-cbc"
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

        return f"CBC {version_of(str(cbc_path()))} of PuLP {pulp.__version__}"

    def run(self, program: LinearProgram) -> Outcome:
        program_path = str(cbc_path())
        with tempfile.TemporaryDirectory(prefix="dualbench-cbc-", ignore_cleanup_errors=True) as folder:
            start = cpu_clock()
            write_mps(program, Path(folder) / "program.mps")
            built = cpu_clock()
            careful = needs_care(program)
            wall = time.perf_counter()
            ended = self._call(program_path, folder, CAREFUL if careful else ())
            second_opinion = careful and ended is not None and crashed(ended.returncode)
            if second_opinion:
                wall = time.perf_counter()
                ended = self._call(program_path, folder, ())
            elapsed = time.perf_counter() - wall
            outcome = self._read(program, Path(folder) / "solution.txt", ended, elapsed)
            if second_opinion and outcome.status == "solved":
                raise self.unexpected("crash on a feasible program")
            outcome.build_seconds, outcome.solve_seconds = built - start, cpu_clock() - built
        return outcome

    def _call(
        self, program_path: str, folder: str, settings: tuple[str, ...]
    ) -> subprocess.CompletedProcess[str] | None:
        """Run CBC on the folder's program; None if it had to be killed."""
        seed = str(1 + self.seed % (2**31 - 2))  # 0 would ask CBC for the time of day
        command = [program_path, "program.mps", "-randomSeed", seed, "-randomCbcSeed", seed]
        command += ["-ratioGap", "0", "-allowableGap", "0", "-increment", str(INCREMENT)]
        for setting in settings:
            option, value = setting.split()
            command += [f"-{option}", value]
        if self.time_limit is not None:
            command += ["-timeMode", "elapsed", "-seconds", repr(self.time_limit)]
        command += ["-solve", "-printingOptions", "all", "-solution", "solution.txt"]
        try:
            return subprocess.run(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=None if self.time_limit is None else self.time_limit + GRACE,
            )
        except subprocess.TimeoutExpired:
            return None

    def _read(
        self, program: LinearProgram, path: Path, ended: subprocess.CompletedProcess[str] | None, elapsed: float
    ) -> Outcome:
        if ended is None:
            return Outcome("stopped", message="killed: it did not keep its time limit")
        log = ended.stdout
        if ended.returncode != 0 or not path.exists():
            raise self.unexpected(f"exit code {ended.returncode}: {log[-300:]}")
        headline, *lines = path.read_text().splitlines()
        if headline.startswith(("Infeasible", "Integer infeasible")):
            if self.ran_out_of_time(elapsed):  # in preprocessing, which CBC then takes for a proof
                return Outcome("stopped", bound=_continuous_bound(log))
            return Outcome("infeasible")
        if headline.startswith("Unbounded"):
            self.refuse_unbounded()
        if headline.startswith("Optimal"):
            values = _values(lines, program)
            bound = max(program.value(values), PRINTED_OBJECTIVE_ERROR - float(headline.split()[-1]))
            return Outcome("solved", values=values, bound=bound, iterations=_nodes(log))
        if headline.startswith("Stopped"):
            incumbent = None if "no integer solution" in headline else _values(lines, program)
            return Outcome("stopped", values=incumbent, bound=_printed_bound(log), iterations=_nodes(log))
        raise self.unexpected(headline)


def cbc_path() -> str | None:
    """PuLP's own CBC program, or else the one it finds on the machine (PuLP 4 no longer brings one)."""
    import pulp

    bundled = getattr(getattr(pulp, "PULP_CBC_CMD", None), "pulp_cbc_path", None)
    if bundled and os.path.exists(bundled):
        return str(bundled)
    found = pulp.COIN_CMD(msg=False).path
    return str(found) if found else None


@functools.cache
def version_of(path: str) -> str:
    log = subprocess.run([path, "-quit"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
    found = re.search(r"Version:\s*(\S+)", log)
    return found[1] if found else "unknown"


def needs_care(program: LinearProgram) -> bool:
    """Integers with more than two values, or coefficients other than 1 and -1 in a row bounded on both sides."""
    if (program.upper - program.lower > 1.0)[program.integer].any():
        return True
    two_sided = np.isfinite(program.row_lower) & np.isfinite(program.row_upper)
    return bool((np.abs(program.row_values) != 1.0)[np.repeat(two_sided, np.diff(program.row_starts))].any())


def _values(lines: list[str], program: LinearProgram) -> Floats:
    """Column values, printed with eight digits: integer columns become the whole numbers they stand for."""
    values = np.zeros(program.number_of_columns)
    for line in lines:
        name, value = line.removeprefix("**").split()[1:3]
        if name[0] == "x":
            values[int(name[1:])] = float(value)
    return np.where(program.integer, np.rint(values), np.clip(values, program.lower, program.upper))


def crashed(code: int) -> bool:
    """Did a program end by a signal (a negative exit code), or by an exception on Windows (0xC0000000 and above)?"""
    return code < 0 or code >= 0xC0000000


def _printed_bound(log: str) -> float:
    found = re.search(r"^Lower bound:\s+(\S+)", log, re.MULTILINE)
    return PRINTED_BOUND_ERROR - float(found[1]) if found else _continuous_bound(log)


def _continuous_bound(log: str) -> float:
    """The bound of the LP relaxation, which the log has with six digits."""
    found = re.search(r"^Continuous objective value is (\S+)", log, re.MULTILINE)
    return -float(found[1]) + PRINTED_DIGITS_ERROR * abs(float(found[1])) if found else math.inf


def _nodes(log: str) -> int:
    found = re.search(r"^Enumerated nodes:\s+(\d+)", log, re.MULTILINE)
    return int(found[1]) if found else 0
