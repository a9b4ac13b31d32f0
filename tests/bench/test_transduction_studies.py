"""The studies of tree transduction run and say what they measured (on few sentences; nothing is decided by timing)."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.published import TRANSDUCTION
from bench.studies import transduction_solvers, transduction_table, transduction_tuning
from bench.studies.transduction_table import DISCRIMINATIVE_SYSTEM, LM_SYSTEM, marks
from problems import get_task
from solvers import Solution, get_solver

TASK = get_task("transduction")


def cells(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_marks_are_holms_over_the_declared_family() -> None:
    rng = np.random.default_rng(0)
    base = rng.random(200)
    noise = rng.normal(0, 0.01, size=(3, 200))
    relations = {
        "worse than both": base - 0.5 + noise[0],
        LM_SYSTEM: base,
        DISCRIMINATIVE_SYSTEM: base + 0.001 * noise[1],
        "equal": base.copy(),
        "better than both": base + 0.5 + noise[2],
    }
    found = marks({name: values.tolist() for name, values in relations.items()})
    assert found == {
        "worse than both": "†*",
        LM_SYSTEM: "",
        DISCRIMINATIVE_SYSTEM: "",
        "equal": "",
        "better than both": "†*",
    }


def test_a_p_value_that_only_survives_alone_gets_no_mark() -> None:
    """p = 0.008 alone, but there are five tests in the family of four systems."""
    rng = np.random.default_rng(3)
    base, noise = rng.random(100), rng.normal(size=100)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    shifted = base + noise + 0.271  # t = 2.71
    relations = {LM_SYSTEM: base, DISCRIMINATIVE_SYSTEM: base.copy(), "a": shifted, "b": base.copy()}
    assert set(marks({name: values.tolist() for name, values in relations.items()}).values()) == {""}


@pytest.mark.slow  # the reranker is trained
def test_the_table_has_every_system_of_the_paper(tmp_path: Path) -> None:
    transduction_table.main(tmp_path, quick=True)
    rows = cells(tmp_path / "table.csv")
    names = [row["system"] for row in rows]
    assert set(TRANSDUCTION) - {"Gold-Standard"} <= set(names)
    for row in rows:
        assert 0 < float(row["rate"]) <= 100
        assert 0 <= float(row["relation F1"].rstrip("†*")) <= 100
    exact = next(row for row in rows if row["system"] == "T3+LM, exact")
    assert exact["certified"] == "12"
    shown = (tmp_path / "examples.md").read_text(encoding="utf-8")
    assert shown.count("- Original: ") == shown.count("- Gold-Standard: ") == transduction_table.EXAMPLES
    assert all(f"- {name}: " in shown for name in names)
    assert (tmp_path / "provenance.json").exists()


def test_every_solver_is_measured_against_the_optimum(tmp_path: Path) -> None:
    transduction_solvers.main(tmp_path, quick=True)
    rows = cells(tmp_path / "table.csv")
    assert {row["n-grams"] for row in rows} == {"bigram", "trigram"}
    for row in rows:
        if row["solver"] in ("dp-exact", "ad3-exact", "ilp-highs"):
            assert (float(row["search errors %"]), float(row["certified %"])) == (0.0, 100.0)


def test_a_wrong_certificate_and_a_wrong_optimum_stop_the_study() -> None:
    instance = TASK.generate(1, "tiny")
    best = get_solver("dp-exact", task="transduction").solve(instance)
    worst = min(TASK.structures(instance), key=lambda each: TASK.objective(instance, each))

    class Liar:
        def solve(self, instance: object) -> Solution:
            return Solution("optimal", worst)

    liar = transduction_solvers.Rival("liar", Liar())  # type: ignore[arg-type]
    optimum = TASK.objective(instance, best.structure)
    with pytest.raises(AssertionError, match="liar certifies"):
        list(transduction_solvers.cells(liar, [instance], [optimum]))
    with pytest.raises(AssertionError, match="liar beats"):
        list(transduction_solvers.cells(liar, [instance], [TASK.objective(instance, worst) - 1.0]))


def test_tuning_meets_the_gold_rate_of_the_development_sentences() -> None:
    setting = next(each for each in transduction_tuning.settings() if each.name == "discriminative")
    instances = transduction_tuning.development("discriminative", 20)
    found = transduction_tuning.tune(setting, instances, 1.0)
    gold = np.mean([len(each.gold_kept or ()) / each.number_of_words for each in instances])
    assert found.rate == pytest.approx(gold, abs=0.02)
    rates = []
    for reward in (found.reward - 1.0, found.reward + 1.0):
        kept = [setting.solver.solve(replace(each, ngram_weight=1.0, reward=reward)).structure for each in instances]
        rates.append(sum(len(each[0]) for each in kept if each is not None))
    assert rates[0] < rates[1]
