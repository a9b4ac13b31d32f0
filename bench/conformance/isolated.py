"""The suite in a process of its own, which is ended with all its children when a check hangs, and begun again after it.

    python -m bench.conformance.isolated FD REQUEST

runs the checks of REQUEST (JSON) and writes one line per beginning and end of a check, and per change between solving, judging
and compiling, to file descriptor FD, which the solver does not know of.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from problems.errors import InputError
from solvers import solver_class

from ..runner.supervisor import keeper_command, python_command, with_our_code
from .stopwatch import COMPILING, JUDGING, SOLVING, Stopwatch
from .subject import subject_of
from .suite import CHECKS, Outcome, Result, run_check

SECONDS = 60.0  # for the solver's calls in one check
JUDGE_SECONDS = 60.0  # for everything else in it: an answer without an end must not hang the judge
COMPILE_SECONDS = 1800.0  # for our kernels, on a machine that has other things to do
START_SECONDS = 300.0
END_SECONDS = 10.0
ANSWERS = ("statuses", "structures", "plain structures", "objectives", "bounds", "optimality", "exactness")
STARTING = "starting"
STATES = (SOLVING, JUDGING, COMPILING)


@dataclass(frozen=True)
class _Death:
    """How the process ended before its check did."""

    why: str


def check_solver(
    name: str,
    task: str | None = None,
    plugins: Iterable[str | Path] = (),
    seconds: float = SECONDS,
    overrun: float = 3.0,
) -> Iterator[Result]:
    """All checks of a solver, one result after the other; a check that hangs or kills its process has failed."""
    from ..experiments.plugins import load_plugins

    if not 0 < seconds < math.inf:
        raise InputError(f"option '--seconds' must be above 0, not {seconds}.")
    paths = [str(plugin.path) for plugin in load_plugins(plugins)]
    subject_of(solver_class(name), task)  # unknown names are refused here
    request = {"solver": name, "task": task, "plugins": paths, "overrun": overrun}
    left = list(CHECKS)
    while left:
        died: Result | None = None
        for result in _session({**request, "checks": left}, left, seconds):
            yield result
            left.remove(result.check)
            died = result if result.why.startswith("the process ") else None
            if result.check == "available" and result.outcome == "failed":
                return
        if died is not None and died.check == "runs":
            for check in [
                check for check in left if check in ANSWERS or check in ("infeasible problems", "posteriors")
            ]:
                left.remove(check)
                yield Result(check, "not applicable", "the check 'runs' did not come to its end.")


def _session(request: dict[str, Any], checks: list[str], seconds: float) -> Iterator[Result]:
    """The results of one process, until it has done all checks or had to be ended."""
    reading, writing = os.pipe()
    lifeline, ours = os.pipe()  # closed with this process, however it ends
    command = [*python_command("bench.conformance.isolated"), str(writing), json.dumps(request)]
    keeper = keeper_command("tree", str(lifeline), "-1")
    process = subprocess.Popen(
        [*keeper, *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=(writing, lifeline),
        start_new_session=True,
        env=with_our_code(dict(os.environ)),
    )
    os.close(writing)
    os.close(lifeline)
    try:
        lines = _lines(reading, process, seconds)
        for check in list(checks):
            line = next(lines)
            if isinstance(line, _Death):
                yield Result(check, "failed", line.why)
                return
            yield Result(check, line["outcome"], line["why"])
    finally:
        os.close(ours)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(END_SECONDS)
        with contextlib.suppress(ProcessLookupError):  # a solver may have stopped or killed the keeper
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(reading)


class _Clock:
    """What is left of the limits of a check; only the state that its process is in costs time."""

    def __init__(self, seconds: float) -> None:
        self._limits = {SOLVING: seconds, JUDGING: JUDGE_SECONDS, COMPILING: COMPILE_SECONDS, STARTING: START_SECONDS}
        self.restart(STARTING)

    def restart(self, state: str = JUDGING) -> None:
        """A check begins."""
        self._left = dict(self._limits)
        self._state, self._since = state, time.monotonic()

    def change(self, state: str) -> None:
        self._left[self._state] = self.left()
        self._state, self._since = state, time.monotonic()

    def left(self) -> float:
        return max(0.0, self._left[self._state] - (time.monotonic() - self._since))

    def why(self) -> str:
        return f"the process was ended: {self._state} took more than {self._limits[self._state]:g} s."


def _lines(reading: int, process: subprocess.Popen[bytes], seconds: float) -> Iterator[dict[str, Any] | _Death]:
    """The results as they come, until one takes too long."""
    rest, clock = b"", _Clock(seconds)
    while True:
        ready, _, _ = select.select([reading], [], [], clock.left())
        if not ready:
            yield _Death(clock.why())
            return
        data = os.read(reading, 65536)
        if not data:
            yield _Death(f"the process {_end(process.wait())}.")
            return
        *whole, rest = (rest + data).split(b"\n")
        for line in whole:
            document = _read(line)
            if document is None:
                yield _Death("the process wrote what is no result of a check.")
                return
            if "started" in document:
                clock.restart()
            elif "state" in document:
                clock.change(document["state"])
            else:
                yield document


def _read(line: bytes) -> dict[str, Any] | None:
    """A message of the suite; None if somebody else wrote it."""
    with contextlib.suppress(ValueError, RecursionError):
        document = json.loads(line)
        if isinstance(document, dict) and all(isinstance(value, str) for value in document.values()):
            known = document.get("outcome") in get_args(Outcome) and "why" in document
            if known or "started" in document or document.get("state") in STATES:
                return document
    return None


def _end(code: int) -> str:
    if code >= 0:
        return f"ended itself with exit code {code}"
    with contextlib.suppress(ValueError):
        return f"died of signal {signal.Signals(-code).name}"
    return f"died of signal {-code}"


def main(descriptor: int, request: dict[str, Any]) -> None:
    """The other side: run the checks and say so."""
    from ..experiments.plugins import load_plugins

    os.set_inheritable(descriptor, False)  # a child of the solver must not keep the pipe open
    load_plugins(request["plugins"])
    subject = subject_of(solver_class(request["solver"]), request["task"], request["overrun"])
    with open(descriptor, "w", encoding="utf-8", buffering=1) as answers:

        def tell(**facts: str) -> None:
            if os.getpid() == own:  # a child that the solver forked may come back from `solve`
                answers.write(json.dumps(facts) + "\n")

        own = os.getpid()
        with Stopwatch(lambda state: tell(state=state)) as subject.stopwatch:
            for check in request["checks"]:
                tell(started=check)
                tell(**run_check(subject, check)._asdict())


if __name__ == "__main__":
    main(int(sys.argv[1]), json.loads(sys.argv[2]))
