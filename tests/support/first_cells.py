"""What a worker loads in its first cells: `python first_cells.py TASK CELLS SOLVER ...`, where CELLS is a file of pickled instances.

Each solver gets a process that has loaded nothing. It warms up as a worker of the runner does, then solves all instances. Printed are,
for each solver, the kernels that were loaded or compiled after the warm-up. Bare graphs are solved again as if they were large.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import sys
from pathlib import Path
from typing import Any

import bench.runner.worker as workers
from problems.kernels import cache, loading

SECONDS = 20.0


class Silent:
    """A connection that nobody listens to."""

    def send(self, message: bytes) -> None: ...


def loaded_after_warm_up(task: str, solver: str, cells: list[bytes]) -> list[str]:
    found: list[str] = []
    begin = loading.begin

    def noting(kernel: Any) -> None:
        found.append(kernel[0].py_func.__qualname__)
        begin(kernel)

    request = {"solver": solver, "options": {}, "task": task, "seconds": SECONDS, "traced": False}
    workers.Worker(Silent()).warm_up(request)  # type: ignore[arg-type]
    loading.begin = noting
    solve(request, cells)
    if task == "graph" and "solvers.consensus" in sys.modules:
        consensus = sys.modules["solvers.consensus"]
        consensus.LARGE, consensus.SCATTERED = 0, -1.0  # type: ignore[attr-defined]
        solve(request, cells)
    return found


def solve(request: dict[str, Any], cells: list[bytes]) -> None:
    for cell in cells:
        with contextlib.suppress(
            Exception
        ):  # solvers refuse graphs that they cannot express, or that their licence does not allow
            workers.made_solver(request).solve(pickle.loads(cell))


def in_a_process(task: str, solver: str, cells: list[bytes]) -> list[str]:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(2, 1)  # libraries print
        with os.fdopen(writer, "w") as answer:
            json.dump(loaded_after_warm_up(task, solver, cells), answer)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        said = answer.read()
    os.waitpid(child, 0)
    return list(json.loads(said)) if said else ["(the process ended)"]


if __name__ == "__main__":
    task, path, *solvers = sys.argv[1:]
    instances = pickle.loads(Path(path).read_bytes())
    assert cache.is_writable()
    print(json.dumps({solver: in_a_process(task, solver, instances) for solver in solvers}))
