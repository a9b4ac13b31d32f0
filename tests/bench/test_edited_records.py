"""Edited records: the audit blames the edited cell and nobody else, once, and everything reads that one result."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from damaged_runs import write_run
from made_records import made_records

import bench.analysis.audit
from bench import load_run
from bench.analysis.audit import audit, instances_for, with_audit
from bench.analysis.comparison import compare
from bench.analysis.statistics.cells import best_known
from bench.output.plots import make_plot
from bench.output.report import make_report
from bench.output.run_tables import run_table
from bench.records.log import EXPERIMENT, RECORDS


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("whole") / "run", repetitions=3)


def edited(whole: Path, folder: Path, seed: int, instances: bool, change: str) -> tuple[Path, str]:
    """A copy of the run with one record changed; its key."""
    rng = random.Random(seed)
    target = shutil.copytree(whole, folder / f"run-{seed}-{change}-{instances}")
    records = [json.loads(line) for line in (target / RECORDS).read_text().splitlines()]
    record = rng.choice([record for record in records if record["objective"]])
    if change == "objective":
        record["objective"] *= rng.choice((0.5, 1.01, 1.5, 10.0))
    elif change == "both":
        record["objective"] *= 1.5
        record["bound"] = record["objective"]
        record["status"] = "optimal"
    elif change == "bound":
        record["bound"] = record["objective"] * 0.9
    elif change == "structure":
        record["structure"] = None
    elif change == "task":
        record["structure"] = {"x": [1e300]}
    (target / RECORDS).write_text("".join(json.dumps(record) + "\n" for record in records))
    if not instances:
        experiment = json.loads((target / EXPERIMENT).read_text())
        (target / EXPERIMENT).write_text(json.dumps(experiment | {"instances": {}}))
    return target, record["key"]


@pytest.mark.parametrize("change", ["objective", "both", "bound", "structure", "task"])
@pytest.mark.parametrize("instances", [True, False])
def test_only_the_edited_cell_is_blamed(whole: Path, tmp_path: Path, change: str, instances: bool) -> None:
    best = best_known(with_audit(load_run(whole)))
    for seed in range(8):
        folder, key = edited(whole, tmp_path, seed, instances, change)
        run = with_audit(load_run(folder))
        blamed = set(run["key"][run["audit"] != "ok"])
        assert blamed <= {key}, (seed, blamed)
        if instances or change not in ("structure", "task"):  # without the instance nobody can tell that
            assert blamed == {key}
        assert best_known(run) == pytest.approx(best)


def test_a_run_is_audited_once_and_only_when_that_is_asked(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    judge = bench.analysis.audit.judge
    monkeypatch.setattr(bench.analysis.audit, "judge", lambda *given: calls.append(given) or judge(*given))
    run = load_run(whole)
    assert calls == []
    run_table(run)
    make_plot(run, "profile")
    make_plot(run[run["label"] == "greedy"], "profile", target="any")
    make_report(run)
    compare(run, run)
    assert audit(run) == []
    assert len(calls) == 1
    assert len(calls[0][1]) == 2  # both instances were made again


def test_merged_runs_have_the_instances_of_all(whole: Path, tmp_path: Path) -> None:
    other = write_run(tmp_path / "other")
    merged = load_run(other, whole)
    assert set(instances_for(merged)) == set(merged["instance_digest"])
    assert audit(merged) == []


def test_cells_with_the_same_structure_must_agree_where_there_is_no_instance() -> None:
    alike = [{"solver": f"s{n}", "key": f"s{n}", "objective": 5.0, "structure": [1, 2]} for n in range(3)]
    odd = {"solver": "odd", "key": "odd", "objective": 6.0, "structure": [1, 2], "status": "feasible"}
    (finding,) = audit(made_records([*alike, odd]))
    assert (finding.kind, finding.keys) == ("objective", ("odd",))
    assert finding.text == "the structure is worth 5 in 3 other cells, not 6."
    (doubt,) = audit(made_records([alike[0], odd]))
    assert (doubt.kind, doubt.severity) == ("doubt", "error")
    assert set(with_audit(made_records([alike[0], odd]))["audit"]) == {"ok"}  # nobody can tell whose fault it is
    assert best_known(with_audit(made_records([alike[0], odd]))) == {}
