"""A dry run looks at a few instances however many there are, and a run says what it does while it makes them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.cli.forecast import forecast
from bench.cli.running import FORESEEN
from bench.experiments import plan as planning
from bench.experiments.experiment import Experiment
from bench.records.fields import FIELDS
from bench.runner import watched
from bench.runner.runner import prepare
from bench.runner.watched import Prepared
from problems import get_task


def experiment(**changes: Any) -> Experiment:
    described: dict[str, Any] = {
        "name": "many",
        "task": "extraction",
        "instances": {"generate": {"size": ["tiny", "tac"], "count": 1000}},
        "solvers": [{"name": "greedy"}, {"name": "ad3"}],
    }
    return prepare(described | changes)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sizes of the instances that are made, all of them from one tiny instance of each size."""
    task = get_task("extraction")
    sizes: list[str] = []

    def generate(self: Any, seed: int, size: str) -> Any:
        sizes.append(size)
        return replace(instance, name=f"{size}-{seed}")

    instance = task.generate(1, "tiny")
    monkeypatch.setattr(type(task), "generate", generate)
    return sizes


def test_a_dry_run_makes_few_instances_of_every_size(tmp_path: Path, made: list[str]) -> None:
    given = experiment(repetitions=200, trace=True)
    prepared = Prepared(given, tmp_path / "run", resume=False, most=FORESEEN)
    assert made.count("tiny") + made.count("tac") == FORESEEN
    assert min(made.count("tiny"), made.count("tac")) > FORESEEN // 4
    table = forecast(prepared, 1)
    assert [row[:4] for row in table.rows] == [
        ["greedy", "400000", "0", "400000"],
        ["ad3", "402000", "0", "402000"],  # it can trace
    ]
    assert table.notes[0].startswith(f"2000 instances ({FORESEEN} of them looked at), 201 repetitions (one traced)")
    assert len(list(prepared.expected())) == 3 * FORESEEN


def test_times_of_some_instances_stand_for_all(tmp_path: Path, made: list[str]) -> None:
    given = experiment(solvers=[{"name": "greedy"}])
    records = [
        {**FIELDS, "key": size, "task": "extraction", "solver": "greedy", "size": size, "status": "optimal"}
        | {"instance_digest": size, "options": {}, "wall_seconds": seconds, "cpu_seconds": seconds}
        for size, seconds in (("tiny", 1.0), ("tac", 3.0))
    ]
    (tmp_path / "before").mkdir()
    (tmp_path / "before" / "records.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    table = forecast(Prepared(given, tmp_path / "run", resume=False, most=FORESEEN), 2)
    assert table.rows == [["greedy", "2000", "0", "2000", "67 min"]]
    assert "About 33 min with 2 jobs, from 2 earlier records and those of `advise`." in table.notes[1]


def test_few_instances_are_all_looked_at(tmp_path: Path) -> None:
    given = experiment(instances={"generate": {"size": "tiny", "count": 3}}, repetitions=2)
    some = forecast(Prepared(given, tmp_path / "run", resume=False, most=FORESEEN), 1)
    whole = forecast(Prepared(given, tmp_path / "run", resume=True), 1)
    assert some == whole
    assert [row[1:4] for row in some.rows] == [["6", "0", "6"]] * 2


def test_a_run_says_how_many_instances_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: list[str]
) -> None:
    monkeypatch.setattr(planning, "SAY_EVERY_SECONDS", 0.0)
    monkeypatch.setattr(watched, "MANY_CELLS", 2000)
    said: list[str] = []
    given = experiment(instances={"generate": {"size": "tiny", "count": 1200}})
    Prepared(given, tmp_path / "run", resume=False, announce=said.append)
    assert len(said) == 1201
    assert said[0] == "made 1 of 1,200 instances"
    assert said[-2:] == ["made 1,200 of 1,200 instances", "planning 2,400 cells"]
