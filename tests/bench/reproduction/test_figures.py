"""The smaller experiments of quick runs, and the burning solver."""

from __future__ import annotations

import time

import pytest

from bench.experiments.experiment import read_experiment
from bench.reproduction.pieces.comparison import TASKS, smaller
from bench.studies.harness_solvers import Burns


@pytest.mark.parametrize("task", TASKS)
def test_a_quick_comparison_keeps_the_named_solvers(task: str) -> None:
    whole = read_experiment(f"compare-{task}")
    quick = smaller(TASKS[task], whole)
    assert {spec.name for spec in quick.solvers} == set(TASKS[task].solvers)
    assert quick.limits.seconds == 5.0
    assert len(quick.source.seeds) == TASKS[task].seeds
    assert any(spec.name.startswith("ilp-") for spec in quick.solvers)  # the baseline


def test_the_burning_solver_spends_what_it_is_told() -> None:
    start = time.process_time()
    Burns(milliseconds=20.0).solve(None)
    assert time.process_time() - start >= 0.02
