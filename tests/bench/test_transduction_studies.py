"""Tuning the weights of generated transduction problems: rewards meet the gold rate, and the chosen row is the best."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.studies import transduction_tuning
from problems.transduction.models import Settings
from solvers import get_solver


def test_tuning_meets_the_gold_rate_of_the_development_sentences() -> None:
    solver = get_solver("dp-exact", task="transduction")
    instances = transduction_tuning.development("discriminative", 20)
    settings, (rate, *_) = transduction_tuning.tuned(solver, instances, Settings(1.0, 1.0, 0.0))
    gold = np.mean([len(each.gold_kept or ()) / each.number_of_words for each in instances])
    assert rate == pytest.approx(gold, abs=0.02)
    rates = []
    for reward in (settings.reward - 1.0, settings.reward + 1.0):
        kept = [solver.solve(replace(each, ngram_weight=1.0, reward=reward)).structure for each in instances]
        rates.append(sum(len(each[0]) for each in kept if each is not None))
    assert rates[0] < rates[1]


def test_the_study_chooses_one_weight_for_each_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transduction_tuning, "QUICK_SENTENCES", 3)
    transduction_tuning.STUDY.main(transduction_tuning.measure, [str(tmp_path), "--quick"])
    with (tmp_path / "table.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["setting"] for row in rows] == list(transduction_tuning.SYSTEMS)
    assert {row[""] for row in rows} == {"chosen"}
    assert (tmp_path / "provenance.json").exists()
