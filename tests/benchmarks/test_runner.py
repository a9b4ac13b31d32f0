"""What a cell costs beyond its solver, and what watching one costs, in CPU time (benchopt 1.10: 7.6 ms per cell)."""

from __future__ import annotations

import io
import resource
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from bench.runner.estimate import Estimator
from bench.runner.executors import LocalExecutor
from bench.runner.progress import RunProgress
from bench.runner.runner import execute, prepare
from bench.runner.solver_versions import planned
from bench.runner.supervisor import Supervisor

SUPPORT = Path(__file__).parent.parent / "support"


def cpu_seconds() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def run_cells(count: int, folder: Path) -> float:
    """CPU seconds of a run of so many cells, processes and progress included."""
    experiment = {
        "task": "extraction",
        "repetitions": count,
        "instances": {"generate": {"size": "tiny", "seeds": [1]}},
        "solvers": [{"name": "noop"}],
    }
    start = cpu_seconds()
    plan, executor = planned(prepare(experiment, plugins=[SUPPORT / "faulty_solvers.py"])), LocalExecutor()
    progress = RunProgress(Console(file=io.StringIO()), plan, executor.jobs, Estimator("extraction"))
    execute(plan, folder, executor, False, False, progress)
    return cpu_seconds() - start


@pytest.mark.parametrize("cells", [1000, pytest.param(30_000, marks=pytest.mark.slow)])
def test_overhead_per_cell(benchmark: Any, tmp_path: Path, cells: int) -> None:
    cells = cells if benchmark.enabled else 100  # `make test-all` sees that it works; only a measurement needs them all

    def measure() -> None:
        run_cells(1, tmp_path / "warm")
        few, many = run_cells(1, tmp_path / "few"), run_cells(cells + 1, tmp_path / "many")
        benchmark.extra_info["CPU ms per cell"] = 1000.0 * (many - few) / cells
        print(f"\n{cells} cells: {1000.0 * (many - few) / cells:.2f} ms of CPU per cell beyond the solver")

    benchmark.pedantic(measure, rounds=1)
    assert (tmp_path / "many" / "records.jsonl").read_bytes().count(b"\n") == cells + 1


def test_watching_a_solver_with_a_child(benchmark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The runner's share of a core while a process waits for a child of 256 MB."""
    monkeypatch.setenv("PYTHONPATH", str(SUPPORT))
    child = "import time; kept = bytearray(b'x') * 2**28; time.sleep(10)"
    monkeypatch.setenv("DUALBENCH_TEST_CODE", f"subprocess.run([sys.executable, '-c', {child!r}])")
    worker = Supervisor(threading.Event(), "obedient_worker")

    def measure() -> None:
        wall, cpu = time.perf_counter(), time.process_time()
        assert worker.ask("warm up", {}, "warm", 60.0, 2.0**33) == {}
        share = (time.process_time() - cpu) / (time.perf_counter() - wall)
        benchmark.extra_info["share of a core"] = share
        print(f"\n{100 * share:.2f} % of a core")

    benchmark.pedantic(measure, rounds=1)
    worker.close()
