"""The suite in a process of its own, which is ended with all its children when a check hangs, and begun again after it.

    python -m bench.conformance.isolated FD REQUEST

runs the checks of REQUEST (JSON) and writes one line per beginning and end of a check to file descriptor FD, which the
solver does not know of.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solvers import solver_class

from ..supervision import python_command
from .subject import subject_of
from .suite import CHECKS, Result, run_check

SECONDS = 60.0  # for one check
ANSWERS = ("statuses", "structures", "plain structures", "objectives", "bounds", "optimality", "exactness")
ROOT = Path(__file__).resolve().parents[2]


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
    from ..plugins import load_plugins

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
    command = [*python_command("bench.conformance.isolated"), str(writing), json.dumps(request)]
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=(writing,),
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    os.close(writing)
    try:
        lines = _lines(reading, process, seconds)
        for check in list(checks):
            line = next(lines)
            if isinstance(line, _Death):
                yield Result(check, "failed", line.why)
                return
            yield Result(line["check"], line["outcome"], line["why"])
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(reading)


def _lines(reading: int, process: subprocess.Popen[bytes], seconds: float) -> Iterator[dict[str, Any] | _Death]:
    """The results as they come; each check has `seconds` from its beginning on, so that starting up is not counted."""
    rest = b""
    deadline = time.monotonic() + 10 * seconds
    while True:
        ready, _, _ = select.select([reading], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            yield _Death(f"the process was ended: the check took more than {seconds:g} s.")
            return
        data = os.read(reading, 65536)
        if not data:
            yield _Death(f"the process {_end(process.wait())}.")
            return
        *whole, rest = (rest + data).split(b"\n")
        for line in whole:
            document = json.loads(line)
            deadline = time.monotonic() + seconds
            if "outcome" in document:
                yield document


def _end(code: int) -> str:
    if code >= 0:
        return f"ended itself with exit code {code}"
    with contextlib.suppress(ValueError):
        return f"died of signal {signal.Signals(-code).name}"
    return f"died of signal {-code}"


def main(descriptor: int, request: dict[str, Any]) -> None:
    """The other side: run the checks and say so."""
    from ..plugins import load_plugins

    os.set_inheritable(descriptor, False)  # a child of the solver must not keep the pipe open
    load_plugins(request["plugins"])
    subject = subject_of(solver_class(request["solver"]), request["task"], request["overrun"])
    with open(descriptor, "w", encoding="utf-8", buffering=1) as answers:
        for check in request["checks"]:
            answers.write(json.dumps({"started": check}) + "\n")
            answers.write(json.dumps(run_check(subject, check)._asdict()) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), json.loads(sys.argv[2]))
