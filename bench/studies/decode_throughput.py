"""How much of N cores arrives: instances per second with N processes against one, where an instance takes 50 ms of CPU.

    python -m bench.studies.decode_throughput [FOLDER] [--jobs 2] [--count 400] [--quick]

Measured for `decode --jobs`, `run --jobs` and `run --dask local:`, each with one process and with N in turn. Starting up is
left out: the rate is that of the last three quarters of the cells. The machine must be idle.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from problems import get_task
from problems.errors import InputError

from ..decoding.corpus import open_corpus
from ..decoding.decode import Decoding
from ..output.tables import Table
from ..runner.executors import executor_for
from ..runner.processes import number_of_cores
from ..runner.runner import execute, prepare
from ..runner.solver_versions import planned
from .study import Study

STUDY = Study("decode-throughput", "How much of N cores arrives when N processes decode?")
PLUGIN = Path(__file__).with_name("harness_solvers.py")
MILLISECONDS = 50.0
ROUNDS = 3
SKIPPED = 0.25  # of the cells, while processes start
TARGET = 0.9


def rate(moments: list[float]) -> float:
    """Cells per second once all processes are warm."""
    first = int(SKIPPED * len(moments))
    return (len(moments) - 1 - first) / (moments[-1] - moments[first])


def lines(folder: Path, count: int) -> Path:
    """A file of instances: generating them takes longer than reading them, and is not what is measured."""
    task, path = get_task("extraction"), folder / "corpus.jsonl"
    with path.open("w") as file:
        for seed in range(1, count + 1):
            file.write(json.dumps(task.document(task.generate(seed, "tiny"))) + "\n")
    return path


def decoded(jobs: int, count: int) -> float:
    moments: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        corpus = open_corpus(str(lines(Path(folder), count)), "extraction")
        decoding = Decoding(corpus, "burns", {"milliseconds": MILLISECONDS}, jobs=jobs, plugins=[PLUGIN])
        decoding.to_file(Path(folder) / "rows.jsonl", tell=lambda row: moments.append(time.perf_counter()))
    return rate(moments)


def ran(jobs: int, count: int, dask: bool) -> float:
    experiment = {
        "name": "throughput",
        "task": "extraction",
        "instances": {"generate": {"size": "tiny", "seed": 1, "count": count}},
        "solvers": [{"name": "burns", "milliseconds": MILLISECONDS}],
    }
    moments: list[float] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        executor_for(dask=f"local:{jobs}") if dask else executor_for(jobs) as executor,
    ):
        plan = planned(prepare(experiment, executor=executor, plugins=[PLUGIN]))
        out = Path(folder) / "run"
        execute(plan, out, executor, False, False, lambda cell, record: moments.append(time.perf_counter()))
    return rate(moments)


WAYS: dict[str, Callable[[int, int], float]] = {
    "decode": decoded,
    "run --jobs": lambda jobs, count: ran(jobs, count, dask=False),
    "run --dask local": lambda jobs, count: ran(jobs, count, dask=True),
}


def measure(folder: Path, quick: bool, jobs: int, count: int) -> Table:
    if jobs < 2:
        raise InputError("the study compares several processes with one: --jobs must be at least 2.")
    rounds, count = (1, 40) if quick else (ROUNDS, count)
    rows, short = [], []
    for name, way in WAYS.items():
        found: dict[int, list[float]] = {1: [], jobs: []}
        for _ in range(rounds):
            for many in found:
                found[many].append(way(many, count))
        one, all_of_them = median(found[1]), median(found[jobs])
        share = all_of_them / (jobs * one)
        if share < TARGET:
            short.append(name)
        beside = 1000 / one - MILLISECONDS
        rows.append(
            [name, f"{one:.2f}", f"{beside:.1f}", f"{all_of_them:.2f}", f"{all_of_them / one:.3f}", f"{share:.3f}"]
        )
        print(" | ".join(rows[-1]), flush=True)
    notes = [
        f"Instances of {MILLISECONDS:g} ms CPU, {count} of them; median of {rounds} rounds; instances per second of wall time.",
        "ms beside: what one process needs per instance beyond its CPU time. share: speed-up over the number of processes.",
        f"At least {TARGET} is asked for: " + (f"missed by {', '.join(short)}." if short else "reached by all."),
    ]
    return Table(
        "Throughput with several processes",
        ["way", "1 process", "ms beside", f"{jobs} processes", "speed-up", "share"],
        rows,
        notes,
    )


if __name__ == "__main__":
    STUDY.main(measure, jobs=number_of_cores(), count=400)
