"""What a cell costs beyond its solver: CPU of runner and worker over 1,000 cells that do nothing (benchopt 1.10: 7.6 ms)."""

from __future__ import annotations

import resource
from pathlib import Path
from typing import Any

from bench.executors import LocalExecutor
from bench.plan import Plan
from bench.runner import execute, prepare

FAULTY = Path(__file__).parent.parent / "support" / "faulty_solvers.py"
CELLS = 1000


def cpu_seconds() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def run_cells(count: int, folder: Path) -> float:
    """CPU seconds of a run of so many cells, processes included."""
    experiment = {
        "task": "extraction",
        "repetitions": count,
        "instances": {"generate": {"size": "tiny", "seeds": [1]}},
        "solvers": [{"name": "noop"}],
    }
    start = cpu_seconds()
    execute(
        Plan(prepare(experiment, plugins=[FAULTY])), folder, LocalExecutor(), False, False, lambda cell, record: None
    )
    return cpu_seconds() - start


def test_overhead_per_cell(benchmark: Any, tmp_path: Path) -> None:
    def measure() -> None:
        run_cells(1, tmp_path / "warm")
        few, many = run_cells(1, tmp_path / "few"), run_cells(CELLS + 1, tmp_path / "many")
        benchmark.extra_info["CPU ms per cell"] = 1000.0 * (many - few) / CELLS
        print(f"\n{1000.0 * (many - few) / CELLS:.2f} ms of CPU per cell beyond the solver")

    benchmark.pedantic(measure, rounds=1)
    assert (tmp_path / "many" / "records.jsonl").read_bytes().count(b"\n") == CELLS + 1
