"""The studies of throughput and the soak: what they conclude from what they saw (nothing is decided by timing)."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from bench.experiments.plan import Plan
from bench.records.fields import FIELDS
from bench.records.log import RECORDS
from bench.runner.runner import prepare
from bench.runner.solver_versions import planned
from bench.studies import decode_throughput, soak
from bench.studies.harness_solvers import EXPECTED
from bench.studies.soak_watch import Watch


def test_the_rate_leaves_starting_up_out() -> None:
    moments = [0.0, 5.0, *(10.0 + 0.5 * number for number in range(6))]
    assert decode_throughput.rate(moments) == pytest.approx(2.0)


def test_the_throughput_study_writes_instances(tmp_path: Path) -> None:
    assert len(set(decode_throughput.lines(tmp_path, 3).read_text().splitlines())) == 3


def soak_plan() -> Plan:
    return planned(prepare(soak.experiment(0), plugins=[soak.PLUGIN]))


def recorded(folder: Path, plan: Plan, **changes: Any) -> soak.Findings:
    """What the soak finds in the records of a plan; `changes` by label."""
    lines = []
    for cell in plan:
        label = cell.solver.label
        record = {**FIELDS, "key": cell.key, "label": label, "status": EXPECTED.get(label, "optimal")}
        lines.append(json.dumps({**record, **changes.get(label.replace("-", "_"), {})}))
    (folder / RECORDS).write_text("\n".join(lines[: changes.get("many")]) + "\n")
    findings = soak.Findings()
    findings.add(plan, folder)
    return findings


def test_the_soak_complains_of_what_is_lost_doubled_or_unexplained(tmp_path: Path) -> None:
    plan = soak_plan()
    found = recorded(tmp_path, plan)
    assert (found.problems, found.cells) == ([], soak.COUNT * (len(soak.GOOD) + len(EXPECTED)))
    assert recorded(tmp_path, plan, many=-2).problems == ["round 1: 2 cells without a record"]
    with open(tmp_path / RECORDS, "a") as file:
        file.write((tmp_path / RECORDS).read_text().splitlines()[0] + "\n")
    again = soak.Findings()
    again.add(plan, tmp_path)
    assert "round 1: 1 cells with several records" in again.problems
    killed = recorded(tmp_path, plan, greedy={"status": "crash", "message": "signal SIGKILL", "attempt": 2})
    assert (killed.problems, killed.killed, killed.again) == ([], soak.COUNT, soak.COUNT)
    wrong = recorded(tmp_path, plan, soak_hog={"status": "optimal"})
    assert len(wrong.problems) == soak.COUNT
    assert wrong.problems[0].startswith("soak-hog on ")


def test_memory_that_grows_is_found() -> None:
    watch = Watch(0, random.Random(1))
    for second in range(101):
        flat = {"seconds": float(second), "runner": 100.0, "scheduler": 100.0 + (second % 7)}
        watch.samples.append({**flat, "largest Dask worker": 100.0 + 0.5 * second})
    assert watch.growth() == ["the largest Dask worker grew from 110 to 150 MB"]
    assert watch.lines()["largest Dask worker"].slope == pytest.approx(1800.0)


@pytest.mark.slow
def test_the_throughput_study_runs(tmp_path: Path) -> None:
    decode_throughput.STUDY.main(decode_throughput.measure, [str(tmp_path), "--quick"], jobs=2, count=400)
    assert (tmp_path / "table.md").read_text().count("\n| ") >= 4


@pytest.mark.slow
def test_a_short_soak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "COUNT", 2)
    assert soak.main([str(tmp_path), "--minutes", "0.2"]) == 0
    assert "Problems: none." in (tmp_path / "table.md").read_text()
