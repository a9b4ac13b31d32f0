"""What toulbar2 itself makes of files: `optima(paths)`, or `python toulbar2_oracle.py FILE ...` with a JSON line for each.

Each file is read in a process of its own: the library keeps options of one file for the next.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path


def optima(paths: Iterable[Path]) -> list[float | None]:
    """The least cost of each file, None where there is no solution."""
    command = [sys.executable, __file__, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert len(found) == len(command) - 2, done.stdout + done.stderr
    return [answer["cost"] for answer in found]


def _solve(path: str, answers: multiprocessing.Queue[dict[str, object]]) -> None:
    import pytoulbar2

    problem = pytoulbar2.CFN()
    solution = None
    with contextlib.suppress(pytoulbar2.pytb2.Contradiction):
        problem.Read(path)
        solution = problem.Solve()
    answers.put({"path": path, "cost": None if solution is None else solution[1]})


if __name__ == "__main__":
    import pytoulbar2  # noqa: F401  # once, for all children

    context = multiprocessing.get_context("fork")
    queue: multiprocessing.Queue[dict[str, object]] = context.Queue()
    for file in sys.argv[1:]:
        child = context.Process(target=_solve, args=(file, queue))
        child.start()
        child.join(120)
        answer = queue.get(timeout=5)
        assert answer["path"] == file
        print("\n" + json.dumps(answer), flush=True)
