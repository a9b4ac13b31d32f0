"""The studies of sentence compression run and say what they measured (on short sentences; nothing is decided by timing)."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import pytest

from bench.studies import (
    compression_lagrangian,
    compression_programs,
    compression_race,
    compression_relaxations,
    compression_rivals,
    compression_runtime,
    compression_table,
)
from bench.studies.compression_rivals import EXACT_FAST, LAGRANGIAN, Rival, Run, cell, integer_programs, ready, rival
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


def test_a_solver_above_its_limit_is_not_run_on_longer_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert times == {"slow": {5: 1e-3, 10: math.inf}, "fast": {5: 1e-3, 10: 1e-3, 15: 1e-3}}
    assert asked.count(("slow", 10)) == 2  # the median is decided
    assert ("slow", 15) not in asked
    table = compression_runtime.scaling_table(times, ("5", "10", "15"), range(1, 4), [0.5, 0.4, 0.3])
    assert table.rows[0] == ["slow", "1", "x", "", ""]


def test_exponents_are_slopes_of_long_sentences_or_of_all() -> None:
    law, short = compression_runtime.law({5: 1.0, **{n: 3e-9 * n**5 for n in (20, 30, 60)}})
    assert law is not None
    assert (law.exponent, short) == (pytest.approx(5.0), False)
    law, short = compression_runtime.law({**{n: 2e-6 * n**3 for n in (10, 15, 20, 25)}, 30: math.inf})
    assert law is not None
    assert (law.exponent, short) == (pytest.approx(3.0), True)
    assert compression_runtime.law({5: 1.0, 10: 2.0}) == (None, True)


def test_the_fastest_program_is_chosen_sentence_by_sentence() -> None:
    one, two, other = (rival(name, "ilp-highs") for name in ("one", "two", "other"))
    noted = []
    for seed, seconds in enumerate([(1.0, 4.0, 0.1), (6.0, 2.0, 0.1), (3.0, math.inf, 0.1)]):
        instance = TASK.generate(seed, "5")
        noted += [cell("scaling", who, instance, x) for who, x in zip((one, two, other), seconds, strict=True)]
    noted += [cell("scaling", who, TASK.generate(1, "10"), math.inf) for who in (one, two)]
    assert compression_runtime.fastest({"one", "two"}, noted, ("5", "10")) == {5: 2.0}


def test_runtime_study_writes_its_table_and_plot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression_runtime, "SIZES", ("5", "10"))
    few = {"dynamic programs": [EXACT_FAST, LAGRANGIAN], "ILP": integer_programs()[:1]}
    monkeypatch.setattr(compression_runtime, "groups", lambda: few)
    compression_runtime.main(tmp_path, quick=True)
    rows = cells(tmp_path / "scaling.csv")
    assert [row["solver"] for row in rows] == ["dp-exact", "dp-lagrangian", "ilp-highs factors", "fastest ILP"]
    assert all(float(row["10"]) > 0 for row in rows)
    assert rows[2]["10"] == rows[3]["10"]
    assert (tmp_path / "scaling.png").stat().st_size > 5_000


def test_the_race_against_integer_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression_race, "SIZE", "5")
    monkeypatch.setattr(compression_race, "integer_programs", lambda: integer_programs()[:2])
    compression_race.main(tmp_path, quick=True)
    (sentence, median, least, largest) = cells(tmp_path / "race.csv")
    assert sentence["fastest ILP"] in {one.name for one in integer_programs()[:2]}
    assert [row["seed"] for row in (median, least, largest)] == ["median", "least", "largest"]


def test_times_of_the_dynamic_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression_programs, "SEEDS", {"5": range(4), "10": range(4)})
    compression_programs.main(tmp_path, quick=True)
    rows = cells(tmp_path / "table.csv")
    assert [(row["words"], row["sentences"]) for row in rows] == [("5", "2"), ("10", "2")] * 6
    assert all(row["tables MB"] for row in rows if row["program"].startswith("dp-exact"))
    assert all(0 < float(row["median ms"]) <= float(row["slowest ms"]) for row in rows)


def test_a_race_stops_who_can_no_longer_win(monkeypatch: pytest.MonkeyPatch) -> None:
    walls = {"first": 20.0, "second": 1.0, "third": 5.0, "fourth": 2.0}
    limits = {}

    def solve(self: Rival, instance: object, limit: float | None = None) -> tuple[Solution, float]:
        assert limit is not None
        limits[self.name] = limit
        wall = walls[self.name]
        message = "stopped at the time limit" if wall > limit else ""
        return Solution("feasible", structure=(), message=message, wall_seconds=min(wall, limit)), wall

    monkeypatch.setattr(Rival, "solve", solve)
    runs = compression_rivals.race([rival(name, "ilp-highs") for name in walls], TASK.generate(1, "5"), 10.0)
    assert [run.rival.name for run in runs] == list(walls)
    assert limits == {"first": 10.0, "second": 10.0, "third": 2.5, "fourth": 2.5}


def test_a_wrong_optimum_is_no_rival() -> None:
    run = Run(EXACT_FAST, *EXACT_FAST.solve(TASK.generate(1, "tiny")))
    assert compression_race.proved(run, run.solution.objective) == run.seconds
    with pytest.raises(AssertionError, match="is not the optimum"):
        compression_race.proved(run, 1e6)


def test_lagrangian_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = ("10", "hard-10", "30, scores in halves")
    made = compression_lagrangian.sentences()
    monkeypatch.setattr(compression_lagrangian, "sentences", lambda: {name: made[name] for name in chosen})
    compression_lagrangian.main(tmp_path, quick=True)
    rows = cells(tmp_path / "table.csv")
    assert [row["sentences"] for row in rows] == list(chosen)
    for row in rows:
        assert row["missed %"] == "0.0"
        assert float(row["exact %"]) + float(row["gap %"]) == 100.0
        assert float(row["paper exact %"]) <= float(row["exact %"])
        assert bool(row["median gap % of optimum"]) == (float(row["gap %"]) > 0)
    assert compression_lagrangian.dual_value([1.0, 2.0, 7.0], 2) == 4.0
    assert compression_lagrangian.dual_value([1.0, 5.0, 7.0], 2) == 5.0


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
