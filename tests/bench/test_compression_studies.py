"""The studies of sentence compression run and say what they measured (on short sentences; nothing is decided by timing)."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import pytest

from bench.studies import compression_relaxations, compression_rivals, compression_runtime, compression_table
from bench.studies.compression_rivals import EXACT_FAST, LAGRANGIAN, Rival, integer_programs, ready, rival
from problems import get_task
from solvers import Solution

TASK = get_task("compression")


def cells(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_rival_solves_its_formulation_of_the_problem() -> None:
    instance = TASK.generate(1, "tiny")
    one = rival("any", "ilp-highs", "flow", False, seed=3)
    assert one.options == (("seed", 3),)
    problem = one.problem(instance)
    assert (problem.formulation, problem.projective, problem.length) == ("flow", False, instance.length)
    solution, seconds = one.solve(instance, limit=10.0)
    assert solution.status == "optimal"
    assert seconds > 0
    assert len(integer_programs()) == 3 * len(compression_rivals.BACKENDS)


def test_rivals_that_cannot_run_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rival, "available", lambda self: self.solver == "dp-exact")
    assert ready([EXACT_FAST, LAGRANGIAN]) == [EXACT_FAST]


def test_table_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression_table, "SIZE", "10")
    chosen = [system for system in compression_table.SYSTEMS if not system.name.startswith("CRF")]
    monkeypatch.setattr(compression_table, "SYSTEMS", chosen)
    compression_table.main(tmp_path, quick=True)
    rows = {row["system"]: row for row in cells(tmp_path / "table.csv")}
    assert len(rows) == len(chosen)
    exact = rows["Exact, fast"]
    assert exact["optimal"] == "4"
    assert exact["rate"] == "0.700"
    for name in ("Exact, as published", "Lagrangian, repaired", "TM13, projective trees", "AD3, branch and bound"):
        assert [rows[name][key] for key in ("rate", "unigram F1", "relation F1")] == [
            exact[key] for key in ("rate", "unigram F1", "relation F1")
        ], name
    assert rows["Subtree, ILP"]["unigram F1"] == rows["Subtree, DP"]["unigram F1"]
    origin = json.loads((tmp_path / "provenance.json").read_text())
    assert origin["size"] == "10"
    assert origin["solvers"]["ilp-highs"].startswith("HiGHS")
    noted = [json.loads(line) for line in (tmp_path / "cells.jsonl").read_text().splitlines()]
    assert len(noted) == 4 * len(chosen)


def test_a_solver_above_its_limit_leaves_the_race(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def solve(self: Rival, instance: object, limit: float | None = None) -> tuple[Solution, float]:
        asked.append((self.name, instance.number_of_words))  # type: ignore[attr-defined]
        slow = self.name == "slow" and instance.number_of_words > 5  # type: ignore[attr-defined]
        return Solution("feasible", message="stopped at the time limit" if slow else ""), 1e-3

    monkeypatch.setattr(Rival, "solve", solve)
    noted: list[dict[str, object]] = []
    rivals = [rival("slow", "ad3"), rival("fast", "ad3")]
    times = compression_runtime.grow(rivals, ("5", "10", "15"), range(1, 4), noted)
    assert [cell["seconds"] for cell in noted if cell["solver"] == "slow"] == [1e-3] * 3 + [None] * 2
    assert times == {"slow": {5: 1e-3}, "fast": {5: 1e-3, 10: 1e-3, 15: 1e-3}}
    assert asked.count(("slow", 10)) == 2  # the median is decided
    assert ("slow", 15) not in asked


def test_exponents_are_slopes() -> None:
    assert compression_runtime.exponent({n: 3e-9 * n**5 for n in (5, 20, 30, 60)}) == pytest.approx(5.0)
    assert math.isnan(compression_runtime.exponent({5: 1.0, 10: 2.0, 20: 3.0}))


def test_runtime_study_writes_its_tables_and_plot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression_runtime, "SIZES", ("5", "10"))
    monkeypatch.setattr(compression_runtime, "RACE_SIZE", "5")
    few = [EXACT_FAST, LAGRANGIAN]
    monkeypatch.setattr(compression_runtime, "all_rivals", lambda: few)
    monkeypatch.setattr(compression_runtime, "integer_programs", lambda: integer_programs()[:2])
    compression_runtime.main(tmp_path, quick=True)
    assert [row["solver"] for row in cells(tmp_path / "scaling.csv")] == [one.name for one in few]
    (race, _, least) = cells(tmp_path / "race.csv")
    assert race["fastest ILP"] in {one.name for one in integer_programs()[:2]}
    assert least["seed"] == "least"
    assert (tmp_path / "scaling.png").stat().st_size > 5_000


def test_a_wrong_optimum_is_no_rival() -> None:
    instance = TASK.generate(1, "tiny")
    with pytest.raises(AssertionError, match="is not the optimum"):
        compression_runtime._agreeing(EXACT_FAST, instance, 1e6, 10.0)


def test_relaxation_study(tmp_path: Path) -> None:
    compression_relaxations.main(tmp_path, quick=True)
    rows = [row for row in cells(tmp_path / "table.csv") if row["exact"]]
    assert {row["size"] for row in rows} == {"10", "hard-10"}
    for row in rows:
        assert 0 <= float(row["gap %"]) <= float(row["largest gap %"])
        exact, count = map(int, row["exact"].split("/"))
        assert count == 2
        if exact == count:
            assert float(row["largest gap %"]) <= 1e-3
