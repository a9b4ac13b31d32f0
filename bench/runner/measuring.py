"""What a cell used, seen from outside of its solver's process, and whether the process can be used for another one."""

from __future__ import annotations

import contextlib
import os
import pickle

from .process_tree import Usage
from .processes import TICKS, status_of
from .supervisor import Death, Supervisor

SIGNALS = ("SigBlk", "SigIgn", "SigCgt")
HIDDEN_SHARE = 0.05  # of a cell's CPU time: less is the keeper's, or rounding
AGREEMENT = 3 / TICKS  # of two clocks that count in ticks
EMPTY_CELLS = 30  # by which the harness measures itself


def is_as_before(worker: Supervisor) -> bool:
    """Are a worker's signals and timers those of its first cell?"""
    found = status_of(worker.pid, *SIGNALS)
    with contextlib.suppress(OSError), open(f"/proc/{worker.pid}/timers", encoding="ascii") as file:
        found["timers"] = str(file.read().count("ID:"))
    worker.first_state = worker.first_state or found
    return found == worker.first_state


def number_of_threads(pid: int) -> int:
    with contextlib.suppress(OSError):
        return len(os.listdir(f"/proc/{pid}/task"))
    return 1


def overhead(worker: Supervisor) -> Usage:
    """What the harness itself adds to a cell's times: the least of a few cells without a solver."""
    request = {"solver": "", "instance": pickle.dumps(None), "traced": False}
    found = []
    for _ in range(EMPTY_CELLS):
        if isinstance(worker.ask("solve", request, "loaded"), Death):
            break  # said of its first cell
        before = worker.tree.usage()
        worker.go()
        if isinstance(worker.answer("solved", since=before), Death):
            break
        after = worker.received
        worker.tell(0)
        worker.answer("done")
        found.append((after.wall - before.wall, after.worker - before.worker))
    wall, cpu = map(min, zip(*found, strict=True)) if found else (0.0, 0.0)
    return Usage(wall, cpu, 0.0, 0.0)


def cpu_between(before: Usage, after: Usage, claimed: float) -> float:
    """CPU seconds of a cell. Finished children are known in ticks; the worker's finer figure is taken if it agrees."""
    ticks = after.waited - before.waited
    children = claimed if abs(claimed - ticks) <= AGREEMENT else ticks
    seen = after.worker - before.worker + children + max(0.0, after.others - before.others)
    return seen + hidden_cpu(before, after, seen)


def hidden_cpu(before: Usage, after: Usage, seen: float) -> float:
    """CPU seconds that the control group counted and no process did: of children that nobody waited for."""
    if before.group is None or after.group is None:
        return 0.0
    hidden = after.group - before.group - seen
    return hidden if hidden > AGREEMENT + HIDDEN_SHARE * seen else 0.0
