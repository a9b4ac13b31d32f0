"""The study behind the step size for parsing runs (on tiny sentences; nothing is decided by timing)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.studies import parsing_step_sizes
from problems import get_task
from solvers.ad3_engine import ETA, PARSING_ETA, default_eta


def test_the_study_writes_its_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing_step_sizes, "SIZES", ("tiny", "short"))
    monkeypatch.setattr(parsing_step_sizes, "SEEDS", range(3))
    monkeypatch.setattr(parsing_step_sizes, "ETAS", (0.25, 2.0))
    monkeypatch.setattr(parsing_step_sizes, "RELAXATIONS", (1.6,))
    parsing_step_sizes.main(tmp_path)
    header, first, second = (tmp_path / "table.csv").read_text().splitlines()
    assert header.startswith("relaxation,eta,")
    assert [row.split(",")[1] for row in (first, second)] == ["0.25", "2.0"]
    assert all(int(cell) >= 1 for cell in first.split(",")[3::2])


def test_the_default_step_size_follows_the_problem() -> None:
    graphs = [get_task(task).graph(get_task(task).generate(1, "tiny")) for task in ("parsing", "extraction")]
    assert [default_eta(graph) for graph in graphs] == [PARSING_ETA, ETA]
