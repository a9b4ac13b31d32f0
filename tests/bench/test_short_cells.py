"""Cells of a few milliseconds are solved again and again; longer ones, traced ones and failures are not."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from bench import run
from bench.analysis.audit import audit
from bench.runner.short_cells import BATCH_SECONDS, BATCHES, MOST_CALLS, SHORT, SHORTEST, calls_of_batch

SUPPORT = Path(__file__).parent.parent / "support"


@pytest.fixture(autouse=True)
def _support(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plug-in imports another one beside it, also in workers."""
    monkeypatch.syspath_prepend(str(SUPPORT))
    monkeypatch.setenv("PYTHONPATH", str(SUPPORT))
    sys.modules.pop("short_solvers", None)


def record_of(folder: Path, solver: str, trace: bool = False, **options: Any) -> Any:
    experiment = {
        "task": "extraction",
        "trace": trace,
        "instances": {"generate": {"size": "tiny", "seeds": [3]}},
        "solvers": [{"name": solver, **options}],
        "limits": {"seconds": 20.0, "memory_gb": 4.0},
    }
    return run(experiment, out=folder, plugins=[SUPPORT / "short_solvers.py"])


def test_a_short_cell_is_called_again_with_new_solvers_and_instances(tmp_path: Path) -> None:
    (record,) = record_of(tmp_path / "run", "spins").to_dict("records")
    assert record["calls"] >= BATCHES
    assert record["info"]["calls"] == record["calls"] + 2  # the warm-up's and the first
    assert record["info"]["fresh"] == 1.0
    assert min(record["first_seconds"], record["cpu_seconds"]) >= 0.5e-3
    assert record["status"] == "feasible"
    assert record["message"] == ""


def test_a_longer_cell_is_called_once(tmp_path: Path) -> None:
    (record,) = record_of(tmp_path / "run", "spins", seconds=2 * SHORT).to_dict("records")
    assert (record["calls"], record["info"]["calls"]) == (1, 2)
    assert record["first_seconds"] != record["first_seconds"]  # there is no other than the time of the cell


def test_a_traced_cell_is_called_once(tmp_path: Path) -> None:
    plain, traced = record_of(tmp_path / "run", "spins", trace=True).to_dict("records")
    assert (plain["traced"], traced["traced"]) == (False, True)
    assert traced["calls"] == 1
    assert traced["info"]["calls"] == plain["info"]["calls"] + 1


def test_the_answer_of_the_last_call_is_the_one_that_counts(tmp_path: Path) -> None:
    (record,) = record_of(tmp_path / "run", "changes-its-mind").to_dict("records")
    assert record["status"] not in ("optimal", "feasible")
    assert "its first call answered otherwise (feasible, 0.0)" in record["message"]


def test_a_solver_that_dies_later_has_crashed(tmp_path: Path) -> None:
    (record,) = record_of(tmp_path / "run", "dies-later").to_dict("records")
    assert record["status"] == "crash"
    assert record["message"].startswith("in a later call than the first: signal SIGABRT")
    assert record["objective"] != record["objective"]


def test_a_solver_that_raises_later_has_failed(tmp_path: Path) -> None:
    (record,) = record_of(tmp_path / "run", "raises-later").to_dict("records")
    assert record["status"] == "error"
    assert "RuntimeError: enough" in record["message"]


def test_a_solver_that_remembers_answers_is_found(tmp_path: Path) -> None:
    records = record_of(tmp_path / "run", "remembers")
    (found,) = [finding for finding in audit(records) if finding.kind == "clock"]
    assert found.severity == "warning"
    assert "the first call took" in found.text


@pytest.mark.parametrize(
    ("first", "calls"),
    [
        (SHORTEST / 2, 0),
        (SHORT, 0),
        (1.0, 0),
        (BATCH_SECONDS, 1),
        (BATCH_SECONDS / 2.5, 3),
        (SHORTEST, MOST_CALLS),
    ],
)
def test_how_many_calls_make_a_batch(first: float, calls: int) -> None:
    assert calls_of_batch(first, first) == calls
    assert calls_of_batch(first, 5 * SHORT) == 0  # it waits


def test_every_label_is_warmed_up(tmp_path: Path) -> None:
    """Other options may need other files: nobody's first cell loads them."""
    found = record_of(tmp_path / "run", "loads", file=["a", "b", "c"])
    assert len(found) == 3
    assert (found["cpu_seconds"] < 0.15).all()  # loading would be 0.3
