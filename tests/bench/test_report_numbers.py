"""The numbers in the report: those of the records and of the statistics, and how they are written."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from made_records import made_records
from read_page import page_data, read_page
from report_pages import page_of, summary_rows, two_solvers

from bench.analysis.statistics.summary import summary
from bench.experiments.presentation import ratio_name
from bench.output.report import make_report
from bench.output.report.catalog import counted, listed, number, seconds
from bench.output.report.data import short


def test_embedded_cells_are_the_records() -> None:
    rows = two_solvers()
    rows[2] |= {"status": "timeout", "cpu_seconds": None, "objective": None, "bound": None, "message": "too late"}
    rows[3] |= {"objective": 0.1 + 0.2, "gap": 1e-7, "iterations": 17, "peak_memory_mb": 123.456, "traced": True}
    records = made_records(rows)
    data = page_data(read_page(make_report(records)[0]))
    cells = [dict(zip(data["cellColumns"], cell, strict=True)) for cell in data["cells"]]
    assert len(cells) == len(records)
    for cell, record in zip(cells, records.to_dict("records"), strict=True):
        for name, names in (("label", "labels"), ("instance", "instances"), ("task", "tasks"), ("status", "statuses")):
            assert data[names][cell[name]] == record[name]
        assert data["messages"][cell["message"]] == record["message"]
        for name in ("objective", "bound", "gap", "cpu_seconds", "wall_seconds", "peak_memory_mb"):
            expected = None if np.isnan(record[name]) else pytest.approx(record[name], rel=1e-4)
            assert cell[name] == expected
        assert (cell["iterations"], bool(cell["traced"])) == (record["iterations"], record["traced"])
    assert cells[3]["objective"] == pytest.approx(0.3, rel=1e-12)


def test_points_are_medians_over_untraced_repetitions_and_failed_ones_lie_at_the_limit() -> None:
    base = {"solver": "s", "instance_size": 7, "objective": 1.0}
    rows = [{**base, "repetition": rep, "cpu_seconds": value} for rep, value in enumerate((3.0, 1.0, 2.5))]
    rows += [{**base, "repetition": 3, "cpu_seconds": 99.0, "traced": True}]
    rows += [{**base, "instance": "b", "repetition": 0, "cpu_seconds": 1.0}]
    rows += [{**base, "instance": "b", "repetition": 1, "status": "timeout", "cpu_seconds": None, "audit": ""}]
    data = page_data(page_of(rows))
    first, second = data["points"]
    assert first == [0, 0, 0, data["instances"].index("a"), 7, 2.5, data["statuses"].index("optimal"), 60, 0]
    assert second == [0, 0, 0, data["instances"].index("b"), 7, None, data["statuses"].index("timeout"), 60, 1]


def test_profile_and_fit_have_hand_computed_values() -> None:
    rows = two_solvers()
    rows[4] |= {"status": "feasible", "objective": 4.0, "bound": 6.0}  # slow on i1: an answer, but no proof
    data = page_data(page_of(rows))
    fast, slow = data["profiles"]["0|0"]["optimal"]
    assert fast == [0, [1], [1]]
    assert slow[0] == 1
    assert slow[1] == [1, 3]
    assert slow[2] == [0, pytest.approx(2 / 3, rel=1e-4)]
    answered = data["profiles"]["0|0"]["any"][1]
    assert answered[1] == [1, 3, 4]
    assert answered[2] == [0, pytest.approx(2 / 3, rel=1e-4), 1]
    assert data["profiles"]["0|0"]["near"][1] == slow  # an answer of 4 is not within 1 % of 5, and nothing was traced
    label, exponent, low, high, *ends = data["fits"][0][0]  # fast: seconds = size / 10
    assert (label, exponent) == (0, pytest.approx(1.0))
    assert low == pytest.approx(1.0, abs=1e-3)
    assert high == pytest.approx(1.0, abs=1e-3)
    assert ends == pytest.approx([10, 1, 40, 4], rel=1e-4)


def test_no_exponent_is_fitted_to_instances_of_nearly_one_size() -> None:
    rows = [row | {"instance_size": 10 + place % 3} for place, row in enumerate(two_solvers())]
    page = page_of(rows)
    assert page_data(page)["fits"] == [[]]
    assert not page.all("section", id="growth")


def test_quality_is_share_of_best_known_and_counts_unanswered_instances() -> None:
    rows = two_solvers(metrics={"ROUGE-2": 0.25})
    rows[3] |= {"objective": 4.0, "status": "feasible", "structure": [1]}
    rows[5] |= {"status": "crash", "objective": None, "cpu_seconds": None, "audit": "", "metrics": {}}
    quality = page_data(page_of(rows))["quality"]["0|0"]
    assert quality["measures"] == ["objective, % of the best known", "ROUGE-2 %"]
    fast, slow = quality["rows"]
    assert (fast[0], fast[3]) == (0, 0)
    assert fast[1] == pytest.approx(((1.01 * 2.01 * 4.01) ** (1 / 3)) - 0.01, rel=1e-4)
    assert fast[2] == [100, 25]
    assert slow[2] == [pytest.approx((80 + 100) / 2), 25]
    assert slow[3] == 1


def test_summary_table_holds_the_numbers_of_the_statistics() -> None:
    records = made_records(two_solvers(metrics={"words": 12.5}, peak_memory_mb=50.0, gap=0.0))
    page = read_page(make_report(records)[0])
    table = summary(records)
    heads = [head.text.removesuffix(" ms") for head in page.one("section", id="summary").one("thead").all("th")]
    fields = {"cells": "cells", "opt.": "optimal", "median": "median", "mean": "mean", "sgm": "sgm", "PAR10": "par10"}
    fields |= {"wins": "wins", "MB": "memory", "obj. %": "share", "words": "metrics.words"}
    for label, cells in summary_rows(page).items():
        shown = dict(zip(heads[1:], cells, strict=True))
        for head, name in fields.items():
            assert float(shown[head]) == table.loc[label, name], (label, head)
        assert float(shown["xbest"]) == table.loc[label, ratio_name("*")].times.value
    assert summary_rows(page)["fast"][heads.index("median") - 1] == "2.0"


def test_each_size_has_rows_of_its_own_and_nothing_is_of_all() -> None:
    rows = two_solvers(size="40") + [{**row, "instance": "z" + row["instance"]} for row in two_solvers(size="9")]
    page = page_of(rows)
    body = page.one("section", id="summary").one("tbody")
    sizes = [(row.attributes["data-of-size"], row.all("td")[0].text, row.all("td")[1].text) for row in body.all("tr")]
    assert sizes == [("0", "9", "3")] * 2 + [("1", "40", "3")] * 2
    data = page_data(page)
    for name in ("profiles", "quality"):
        assert set(data[name]) == {"0|0", "0|1"}
    assert data["taskSizes"] == [[0, 1]]
    growth = page.one("section", id="growth").one("tbody").all("tr")
    assert [[cell.text for cell in row.all("td")][:2] for row in growth] == [
        ["fast", "1.00 [1.00, 1.00]"],
        ["slow", mock.ANY],
    ]
    assert len(data["fits"][0]) == 2


def test_baselines_and_target_of_the_experiment_are_those_of_the_page() -> None:
    rows = two_solvers()
    for row in rows[:3]:
        row |= {"status": "feasible", "objective": 4.0, "bound": 9.0, "structure": [1]}
    page = page_of(rows, experiment={"table": {"baseline": "sl*", "target": 0.25}})
    heads = [head.text for head in page.one("section", id="summary").one("thead").all("th")]
    place = heads.index("xbase")
    first, second = page.one("section", id="summary").one("tbody").all("tr")
    assert first.all("td")[place - 1].text == "3.00 [3.00, 4.00] @25%"
    assert second.all("td")[place - 1].text == "\N{EN DASH}"
    assert first.all("td")[heads.index("wins") - 1].text == "3 @25%"


def test_convergence_is_relative_to_the_best_value_of_all_solvers() -> None:
    rows = [
        {"solver": "a", "traced": True, "objective": 8.0, "status": "feasible", "bound": 12.0},
        {"solver": "b", "objective": 10.0, "bound": 10.0},
    ]
    points = [
        {"seconds": 0.1, "objective": 5.0, "bound": 20.0, "iteration": 1},
        {"seconds": 1.0, "objective": 8.0, "bound": 12.0, "iteration": 10},
    ]
    data = page_data(page_of(rows, [{"key": "cell0", "points": points}]))
    (curve,) = data["convergence"]["0|0"]["seconds"]
    assert curve["label"] == data["labels"].index("a")
    assert curve["primal"][0] == [0.1, 0.5, 0.5, 0.5]
    assert curve["primal"][-1] == [1.0, 0.2, 0.2, 0.2]
    assert curve["dual"][0] == [0.1, 0.5, 0.5, 0.5]  # (20 - 10) / 20
    assert curve["dual"][-1][1:] == pytest.approx([2 / 12] * 3, abs=1e-3)
    (single,) = data["single"][0]
    assert single["curves"]["iterations"][0]["primal"] == [[1.0, 0.5], [10.0, 0.2]]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (1234.5, "1,234"),
        (0.012345, "0.0123"),
        (3.0, "3.00"),
        (3, "3"),
        (12345, "12,345"),
        (1e-7, "1.00e-7"),
        (None, "\N{EN DASH}"),
    ],
)
def test_numbers_have_three_significant_digits(value: float | None, text: str) -> None:
    assert number(value) == text


def test_units_counts_and_lists() -> None:
    assert [seconds(0.0123), seconds(2.5), seconds(None)] == ["12.3 ms", "2.50 s", "\N{EN DASH}"]
    assert [counted(1, "cell"), counted(2000, "cell")] == ["1 cell", "2,000 cells"]
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(["a", "b", "c"], most=2) == "a, b and 1 more"


@given(st.floats(allow_nan=True, allow_infinity=True))
@example(1.7976931348623157e308)  # rounds beyond the largest float
def test_short_numbers_are_close_or_missing(value: float) -> None:
    found = short(value)
    assert found is None if not np.isfinite(value) else found == pytest.approx(value, rel=1e-4)
