"""The runner's time of a short call against a bare loop's: they should agree within 10 % for calls of 0.3 ms and more.

The loop runs in a process of its own, as cells do: what malloc has to give back to the system after each call depends on what
else a process has done, and is 20 % of some calls.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from bench import run

ROOT = Path(__file__).parent.parent.parent
CASES = [
    ("compression", "20", "dp-exact"),
    ("compression", "30", "dp-exact"),
    ("compression", "30", "dp-lagrangian"),
    ("compression", "20", "ad3"),
    ("parsing", "20", "ad3"),
    ("transduction", "20", "dp-exact"),
    ("extraction", "tiny", "ad3"),
]
SEEDS, REPETITIONS = (1, 2, 3), 5


def loops(*arguments: str) -> list[float]:
    script = str(ROOT / "tests" / "support" / "bare_loop.py")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, script, *arguments, *map(str, SEEDS)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize(("task", "size", "solver"), CASES)
def test_a_short_call_by_the_runner_and_by_a_loop(
    benchmark: Any, tmp_path: Path, task: str, size: str, solver: str
) -> None:
    experiment = {
        "task": task,
        "repetitions": REPETITIONS,
        "instances": {"generate": {"size": size, "seeds": list(SEEDS)}},
        "solvers": [{"name": solver}],
    }

    def measure() -> None:
        before = loops(task, size, solver)
        records = run(experiment, out=tmp_path / "run")
        after = loops(task, size, solver)
        found = records.groupby("instance_digest", sort=False)[["cpu_seconds", "first_seconds"]].median()
        bare = [(one + other) / 2 for one, other in zip(before, after, strict=True)]
        ratios = [value / loop for value, loop in zip(found["cpu_seconds"], bare, strict=True)]
        first = median(value / loop for value, loop in zip(found["first_seconds"], bare, strict=True))
        benchmark.extra_info["runner / loop"] = median(ratios)
        print(
            f"\n{task} {size} {solver}: loop {1e3 * median(bare):.3f} ms, runner / loop {median(ratios):.2f} "
            f"({min(ratios):.2f} to {max(ratios):.2f}), first call / loop {first:.2f}"
        )

    benchmark.pedantic(measure, rounds=1)
    assert 0 < benchmark.extra_info["runner / loop"] < float("inf")
