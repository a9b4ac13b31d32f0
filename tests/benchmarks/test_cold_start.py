"""What the first `solve` on a machine costs, and every later one: CPU seconds of the whole command, compilation included."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from problems import get_task

ROOT = Path(__file__).parent.parent.parent


def command_seconds(instance: Path, cache: Path) -> float:
    """CPU seconds of `dualbench solve INSTANCE --solver ad3` with this kernel cache."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DUALBENCH_CACHE": str(cache)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "bench.cli", "solve", str(instance), "--solver", "ad3"]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


@pytest.mark.slow
@pytest.mark.parametrize("task", ["extraction", "summarization", "parsing", "compression", "transduction"])
def test_cold_and_warm_solve(benchmark: Any, tmp_path: Path, task: str) -> None:
    """Targets: at most 20 s cold and 1.0 s warm for extraction. A later process must find every kernel in the cache."""
    instance, cache = tmp_path / "tiny.json", tmp_path / "cache"
    get_task(task).save(get_task(task).generate(seed=1, size="tiny"), instance)
    cold = benchmark.pedantic(command_seconds, (instance, cache), rounds=1)
    kept = {path.name: path.stat().st_mtime_ns for path in cache.rglob("*.nb?")}
    warm = sorted(command_seconds(instance, cache) for _ in range(3))
    benchmark.extra_info |= {"cold_cpu_seconds": round(cold, 1), "warm_cpu_seconds": round(warm[1], 2)}
    assert kept
    assert {path.name: path.stat().st_mtime_ns for path in cache.rglob("*.nb?")} == kept
