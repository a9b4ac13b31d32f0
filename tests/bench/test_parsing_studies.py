"""The parsing studies run, and their summaries say what was measured (nothing is decided by timing)."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from bench.studies import parsing_calibration, parsing_costs, parsing_lengths, parsing_orders, parsing_speed
from bench.studies.parsing_sentences import POSTERIORS_CALIBRATED, bin_name, bin_of, sentences
from problems.parsing.instance import ParsingInstance
from solvers import get_solver


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "table.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_sentences_are_the_same_every_time_and_as_long_as_asked() -> None:
    found = sentences(5, 20, 40)
    assert all(20 <= instance.number_of_words <= 40 for instance in found)
    assert found == sentences(5, 20, 40)
    other = sentences(5, 20, 40, POSTERIORS_CALIBRATED)
    assert [instance.gold for instance in other] == [instance.gold for instance in found]
    heads = [sum(len(i.heads) for i in sample) / sum(len(i.words) for i in sample) for sample in (found, other)]
    assert 3 < heads[0] < 5 < heads[1] < 9


def test_bins() -> None:
    assert [bin_name(bin_of(length)) for length in (1, 10, 11, 40, 41, 200)] == [
        "1-10", "1-10", "11-20", "31-40", "41+", "41+",
    ]  # fmt: skip


def test_exponent_of_a_power_law() -> None:
    lengths = (10, 20, 40, 80)
    assert parsing_costs.exponent(lengths, [1e-6 * length**3 for length in lengths]) == pytest.approx(3.0)


def test_costs_study_measures_every_component(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing_costs, "QUICK_LENGTHS", {"no pruning": (6, 8, 10), "K heads": (12, 14, 16)})
    monkeypatch.setattr(parsing_costs, "REPEATS", 1)
    monkeypatch.setattr(parsing_costs, "CALLS_MS", 0.05)
    parsing_costs.main(tmp_path, quick=True)
    rows = rows_of(tmp_path)
    assert len(rows) == 3 * 6
    assert all(np.isfinite(float(row["slope"])) for row in rows)
    assert [row["paper"] for row in rows[:6]] == ["2", "4", "4", "3", "3", "4"]


def test_lengths_study_writes_table_and_figure(tmp_path: Path) -> None:
    parsing_lengths.main(tmp_path, quick=True)
    rows = rows_of(tmp_path)
    assert sum(int(row["sentences"]) for row in rows) == 12
    assert (tmp_path / "figure2.png").stat().st_size > 5_000


def test_orders_study_row() -> None:
    sample = sentences(2, 5, 12)
    exact = parsing_orders.row("ilp-highs", {}, "3", sample)
    many = parsing_orders.row("ilp-highs", {}, "3 many", sample)
    assert exact[0] == "ilp-highs, order 3"
    assert exact[3:] == many[3:]  # another decomposition of the same problem
    assert (exact[4], exact[5], exact[6]) == ("100", "100", "0")


def test_speed_study_compares_with_the_fastest_that_proved_its_optimum() -> None:
    def cell(**seconds: float) -> dict:
        solvers = {
            name.replace("_", "-", 1).replace("_", " "): {"seconds": abs(value), "status": "optimal", "objective": 10.0}
            for name, value in seconds.items()
        }
        for name, value in seconds.items():
            if value < 0:
                solvers[name.replace("_", "-", 1).replace("_", " ")]["status"] = "feasible"
        return {"words": 10, "arcs": 40, "optimum": 10.0, "lp_multi": 10.0, "lp_single": 10.5, "solvers": solvers}

    cells = [
        cell(ad3=0.1, ad3_exact=0.2, ilp_x_multi=5.0, ilp_x_single=3.0),
        cell(ad3=-0.1, ad3_exact=0.2, ilp_x_multi=4.0, ilp_x_single=-1.0),
    ]
    row = parsing_speed.summary("made up", cells, ("ilp-x",))
    assert row[1:9] == ["2", "4.0", "100.0", "3500", "35.0 [30.0, 40]", "50", "100.000", "17.5"]
    assert row[10] == "5.00"


def test_speed_study_measures_a_sentence() -> None:
    (instance,) = sentences(1, 8, 10)
    cell = parsing_speed.measure(instance, ("ilp-highs",))
    assert set(cell["solvers"]) == {"ad3", "ad3-exact", "ilp-highs multi", "ilp-highs single"}
    assert cell["lp_single"] >= cell["lp_multi"] - 1e-6
    assert cell["solvers"]["ad3-exact"]["objective"] == pytest.approx(cell["optimum"])


def test_calibration_study_counts_heads_found_and_kept() -> None:
    sample = sentences(2, 5, 8)
    third, certified = parsing_calibration.found_share(sample, "3")
    best = [get_solver("ilp-highs").solve(instance).structure for instance in sample]
    heads = [
        pair for instance, tree in zip(sample, best, strict=True) for pair in zip(instance.gold, tree, strict=True)
    ]
    assert certified == 1.0
    assert third == pytest.approx(np.mean([gold == found for gold, found in heads]))
    arcs = np.array([0, 0, 1]), np.array([1, 2, 2])  # the gold tree's 2 -> 1 is not among them
    pruned = ParsingInstance("x", ("a", "b"), *arcs, np.array([1.0, 2.0, 1.0]), gold=(2, 0))
    assert parsing_calibration.kept_share([pruned]) == 0.5
    assert parsing_calibration.found_share([pruned], "1")[0] == 0.5


def test_calibration_study_has_a_heading_for_every_column(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing_calibration, "SIZES", {"ptb": 1, "short": 1})
    monkeypatch.setattr(parsing_calibration, "warm_up", lambda solvers: None)
    monkeypatch.setattr(parsing_calibration, "found_share", lambda sample, order: (0.8, 0.25))
    monkeypatch.setattr(parsing_calibration, "projective_share", lambda sample: 0.5)
    parsing_calibration.main(tmp_path, quick=True)
    newswire, short = rows_of(tmp_path)
    assert (newswire["dp-eisner %"], newswire["certified %"]) == ("50.0", "25")
    assert (short["dp-eisner %"], short["order 3 %"], None in short) == ("", "80.0", False)
