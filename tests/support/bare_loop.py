"""CPU seconds of short calls by a loop as anybody would write it: `python bare_loop.py TASK SIZE SOLVER SEED ...`."""

from __future__ import annotations

import gc
import json
import math
import pickle
import sys
from statistics import median
from typing import Any

from problems import get_task
from solvers import get_solver
from solvers.base import cpu_clock

BATCHES = 15


def bare_loop(task: str, instance: Any, solver: str) -> float:
    """Of a call, the median over batches. Solvers and instances are new, and made before the clock starts."""
    get_solver(solver, task).solve(instance)
    pickled, found, calls = pickle.dumps(instance), [], 1
    for _ in range(BATCHES):
        work = [(get_solver(solver, task), pickle.loads(pickled)) for _ in range(calls)]
        gc.collect(1)
        start = cpu_clock()
        for chosen, each in work:
            chosen.solve(each)
        found.append((cpu_clock() - start) / calls)
        calls = math.ceil(3e-3 / min(found))
    return median(found)


if __name__ == "__main__":
    task, size, solver, *seeds = sys.argv[1:]
    instances = [get_task(task).generate(int(seed), size) for seed in seeds]
    print(json.dumps([bare_loop(task, instance, solver) for instance in instances]))
