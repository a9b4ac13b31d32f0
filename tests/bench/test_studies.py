"""The studies behind the defaults run, and measure what they say (on tiny instances; nothing is decided by timing)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.studies import ad3_speed, ad3_step_sizes
from problems import get_task
from solvers import get_solver


def test_step_size_runs_close_the_gap() -> None:
    instance = get_task("extraction").generate(3, "tiny")
    graph, optimum = get_task("extraction").graph(instance), get_solver("lp-highs").solve(instance).bound
    run = ad3_step_sizes.run(graph, optimum, 2.0, 1.6, adapt=True)
    assert len(run.gaps) == ad3_step_sizes.ITERATIONS // ad3_step_sizes.STRETCH
    assert min(run.gaps) >= -1e-9
    assert run.gaps[-1] <= 1e-4
    assert run.hit <= ad3_step_sizes.ITERATIONS


def test_step_size_study_writes_table_and_plot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ad3_step_sizes, "PROBLEMS", (("extraction", "tiny"), ("summarization", "tiny")))
    monkeypatch.setattr(ad3_step_sizes, "SEEDS", range(1, 3))
    monkeypatch.setattr(ad3_step_sizes, "ETAS", (1.0, 2.0))
    monkeypatch.setattr(ad3_step_sizes, "RELAXATIONS", (1.0, 1.6))
    ad3_step_sizes.main(tmp_path)
    rows = [line for line in (tmp_path / "table.md").read_text().splitlines() if "tiny" in line]
    assert len(rows) == 2 * 2 * 2 * 2
    assert (tmp_path / "gaps.png").stat().st_size > 10_000


def test_speed_study_measures_against_lp_and_ilp(monkeypatch: pytest.MonkeyPatch) -> None:
    row = ad3_speed.measure("summarization", "tiny", range(1, 3), ("ilp-cpsat", "ilp-glpk"))
    assert row[0] == "summarization tiny"
    assert row[9] == "2/2"  # branch and bound proves both
    assert 0 < float(row[10]) <= 100.0 + 1e-6
    (grown,) = ad3_speed.growth("extraction", ("tiny",))
    assert int(grown[1]) > 0
