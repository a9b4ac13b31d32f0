"""Cells that last a few milliseconds: the first call finds cold caches, so its time says little of the next million calls.

Such a cell is solved again in its worker, in batches, each call with a solver and an instance of its own that were made
before the clock started. A batch is measured from outside, as a single call is; the cell's time is the median batch's mean.
"""

from __future__ import annotations

import math
from statistics import median
from typing import NamedTuple

from .measuring import cpu_between
from .supervisor import Death, Supervisor

SHORT = 5e-3  # CPU seconds of a first call: longer ones are measured well by one call
WAITING = 4  # times as many wall seconds: who takes more waits for something, and is no short cell
SHORTEST = 1e-4  # less cannot be told from what an empty call takes
BATCHES, BATCH_SECONDS, MOST_CALLS = 3, 3e-3, 30
LOAD_SECONDS = 20.0  # for a worker to take over an instance, or to make those of a batch


class WarmCalls(NamedTuple):
    """What a call takes once everything is warm, and the answer of the last one."""

    calls: int
    cpu: float
    wall: float
    claim: bytes


def calls_of_batch(cpu: float, wall: float) -> int:
    """How many calls make a batch long enough to be measured, given the seconds of one; 0 if one call is."""
    if not SHORTEST <= cpu < SHORT or wall > WAITING * SHORT:
        return 0
    return min(math.ceil(BATCH_SECONDS / cpu), MOST_CALLS)


def warm_calls(worker: Supervisor, calls: int, seconds: float, memory: float) -> WarmCalls | Death:
    """Have a worker that has solved its cell solve it again; each batch is given the seconds of a cell."""
    found: list[tuple[float, float]] = []
    claim, made = b"", 0
    for _ in range(BATCHES):
        worker.tell(calls)
        answer = worker.answer("loaded", LOAD_SECONDS, memory)
        if isinstance(answer, Death):
            return answer
        before = worker.tree.usage()
        worker.go()
        answer = worker.answer("solved", seconds, memory, since=before)
        if isinstance(answer, Death):
            return answer
        after, claim = worker.received, answer["claim"]
        cpu = cpu_between(before, after, answer["children_seconds"]) - worker.overhead.cpu
        wall = after.wall - before.wall - worker.stopped - worker.overhead.wall
        found.append((cpu / calls, wall / calls))
        made += calls
        calls = max(calls, calls_of_batch(*found[-1]))  # warm calls are shorter than the first
    return WarmCalls(made, median(cpu for cpu, _ in found), median(wall for _, wall in found), claim)
