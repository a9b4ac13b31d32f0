"""The checks of factors and tasks in a process of their own: `python -m bench.conformance.apart FD REQUEST`.

A kernel that writes beyond its arrays ends its process, a loop without an end hangs it. Either fails the check that runs;
the others are made in a new process. Nobody's honesty is at stake here, as it is with solvers: a factor or a task that
deceives its own author is no case for a benchmark.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from .suite import Result, attempted

SECONDS = 120.0  # for one check
COMPILE_SECONDS = 1800.0  # for our kernels, before the first one
READY = "ready"
STYLES = {"passed": "green", "failed": "red", "not applicable": "dim"}
WIDTH = 20

Check = Callable[[], None]


def suite_of(sort: str, name: str, plugins: Iterable[str]) -> dict[str, Check]:
    """The checks of a factor (a built-in kind, or FILE::Class) or of a task, each ready to be made."""
    from problems import registry as tasks

    from ..experiments.plugins import load_factors, load_plugins

    load_plugins(plugins)
    checks: dict[str, Callable[[Any], None]]
    subject: Any
    if sort == "factor":
        from .faces import CHECKS as FACES
        from .factor_subject import FactorSubject, subject_named

        path, _, chosen = name.rpartition("::")
        checks = FACES
        subject = FactorSubject(chosen, load_factors(path)[chosen]) if path else subject_named(chosen)
    else:
        from .task_checks import CHECKS as OF_TASKS
        from .task_subject import TaskSubject

        tasks.get(name)  # an unknown name is no failed check
        checks, subject = OF_TASKS, TaskSubject(name)

    def ready(check: Callable[[Any], None]) -> Check:
        return lambda: check(subject)

    return {title: ready(check) for title, check in checks.items()}


def check_apart(sort: str, name: str, plugins: Iterable[Path] = (), seconds: float = SECONDS) -> Iterator[Result]:
    """All checks, one result after the other; one that hangs or kills its process has failed."""
    paths = [str(Path(path).resolve()) for path in plugins]
    left = list(suite_of(sort, name, paths))  # names and files that cannot be had are refused here
    while left:
        answers = _Process({"sort": sort, "name": name, "plugins": paths, "checks": left})
        try:
            why = answers.wait(COMPILE_SECONDS)
            while left and isinstance(why, dict):
                why = answers.wait(seconds)
                if isinstance(why, dict):
                    left.pop(0)
                    yield Result(**why)
            if left:
                yield Result(left.pop(0), "failed", f"the process ended: {why}.")
        finally:
            answers.close()


class _Process:
    """Our end: one line of JSON for each check, over a pipe that the checked code is not told of."""

    def __init__(self, request: dict[str, Any]) -> None:
        self._reader, writer = os.pipe()
        command = [sys.executable, "-m", "bench.conformance.apart", str(writer), json.dumps(request)]
        self._child = subprocess.Popen(command, pass_fds=[writer], stdout=subprocess.DEVNULL)
        os.close(writer)
        self._buffer = b""

    def wait(self, seconds: float) -> dict[str, Any] | str:
        """The next answer, or why there is none."""
        while b"\n" not in self._buffer:
            if not select.select([self._reader], [], [], seconds)[0]:
                return f"a check took more than {seconds:g} s"
            part = os.read(self._reader, 65536)
            if not part:
                code = self._child.wait()
                return f"signal {-code}" if code < 0 else f"exit code {code}"
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\n")
        return dict(json.loads(line))

    def close(self) -> None:
        self._child.kill()
        self._child.wait()
        os.close(self._reader)


def main(descriptor: str, text: str) -> None:
    """In the child: make the checks that are asked for."""
    from problems.factors.loading import load_kinds
    from solvers.ad3_engine import load_kernels
    from solvers.subgradient_engine import load_kernels as load_more

    request = json.loads(text)
    load_kernels()
    load_more()
    load_kinds()
    with os.fdopen(int(descriptor), "w", encoding="utf-8") as answers:

        def say(what: dict[str, Any]) -> None:
            answers.write(json.dumps(what) + "\n")
            answers.flush()

        say({READY: True})
        suite = suite_of(request["sort"], request["name"], request["plugins"])
        for name in request["checks"]:
            say(attempted(name, suite[name])._asdict())


def show_results(name: str, results: Iterable[Result], console: Console) -> bool:
    """Print each check's result as it comes, then a count; are there no failures?"""
    counts = dict.fromkeys(STYLES, 0)
    for result in results:
        counts[result.outcome] += 1
        line = Text(f"{result.check:{WIDTH}s} ").append(f"{result.outcome:14s}", style=STYLES[result.outcome])
        if result.why:
            line.append(f"  {result.why}")
        console.print(line, soft_wrap=True)
    said = ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)
    console.print(f"\n{name}: {said}.", markup=False, soft_wrap=True)
    return not counts["failed"]


if __name__ == "__main__":
    main(*sys.argv[1:])
