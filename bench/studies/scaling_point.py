"""One point of `scaling`: CPU seconds of building, solving and rounding, what the answer was, and memory.

Memory is what the process took beyond what it had with everything loaded and the instance made. Libraries are loaded before
the clock starts.
"""

from __future__ import annotations

import gc
import resource
import sys
from statistics import median
from typing import Any

from problems import task_of
from solvers import get_solver
from solvers.base import cpu_clock

from .scaling_cases import INSTANCES, UNITS, Series

SHORT = 0.2  # CPU seconds up to which a call is repeated
REPEATS = 5
SENTENCES = 5  # of each length: single sentences differ by a factor of ten


def measure(series: Series, size: int, seed: int) -> dict[str, Any]:
    """All facts of one point; to be called in a process of its own, whose peak of memory is this point's."""
    make = INSTANCES[series.instances]
    work = build if series.build_only else solve
    work(series, make(smallest(series), 0))
    start = cpu_clock()
    instances = [make(size, seed + index) for index in range(SENTENCES if UNITS[series.task] == "words" else 1)]
    generation = cpu_clock() - start
    gc.collect()
    before, peak_before = _resident(), _peak()
    found = [work(series, instance) for instance in instances]
    peak = _peak()
    for facts, instance in zip(found, instances, strict=True):
        seconds = [facts["seconds"]]
        while facts["seconds"] < SHORT and len(seconds) < REPEATS:
            seconds.append(work(series, instance)["seconds"])
        facts["seconds"] = median(seconds)
    memory = (peak if peak > peak_before else before) - before  # a peak of making the instance hides a lower one
    return {
        **median_of(found),
        "each": [facts["seconds"] for facts in found],
        "generation_seconds": generation,
        "memory_mb": max(memory, 0) / 2**20,
        "peak_mb": peak / 2**20,
    }


def median_of(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Medians of all numbers; texts are counted."""
    facts: dict[str, Any] = {}
    for name, value in found[0].items():
        values = [one[name] for one in found if one[name] is not None]
        if isinstance(value, str):
            facts[name] = {text: values.count(text) for text in dict.fromkeys(values)}
        else:
            facts[name] = median(values) if values else None
    return facts


def smallest(series: Series) -> int:
    """A size to load everything with."""
    return 100 if series.task == "graphs" else 10


def solve(series: Series, instance: Any) -> dict[str, Any]:
    task = None if series.task == "graphs" else series.task
    solution = get_solver(series.solver, task, **series.options).solve(instance)
    return {
        "seconds": solution.cpu_seconds,
        "build_seconds": solution.build_seconds,
        "solve_seconds": solution.solve_seconds,
        "round_seconds": solution.round_seconds,
        "iterations": solution.iterations,
        "status": solution.status,
        "gap": None if solution.gap != solution.gap else solution.gap,
    }


def build(series: Series, instance: Any) -> dict[str, Any]:
    """Graph, linear program and the model in HiGHS; nothing is solved."""
    import highspy

    from solvers.linear.cleaning import clean
    from solvers.linear.highs import _pass_model
    from solvers.linear.scaling import unit_of

    relaxation = series.solver.startswith("lp")
    start = cpu_clock()
    program = clean(task_of(instance).graph(instance).linear_program(), relaxation=relaxation)
    program = unit_of(program, relaxation).apply(program)
    built = cpu_clock()
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    _pass_model(highs, program, relaxation)
    end = cpu_clock()
    return {
        "seconds": end - start,
        "build_seconds": built - start,
        "hand_over_seconds": end - built,
        "columns": program.number_of_columns,
        "rows": program.number_of_rows,
        "entries": len(program.row_values),
    }


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()
