"""CSV of tables: one number per cell, intervals apart, no heading twice."""

from __future__ import annotations

import csv
import io
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.output.table_columns import with_interval
from bench.output.table_csv import csv_rows, distinct
from bench.output.tables import Table


def test_intervals_targets_factors_and_counts_have_columns_of_their_own() -> None:
    rows = [
        ["ad3", "1.15 [0.915, 1.23] @1%", "0.474x [0.348, 0.558]", "25.6x", "11/12", "12.5"],
        [],
        ["dp", "-", "0.33x", "", "0/12", "nan"],
        ["ilp", "884 [502, 1024]", "", "1.00x", "", "3"],
    ]
    found = csv_rows(["solver", "xbest", "speed", "paper", "opt.", "mean ms"], rows)
    assert found == [
        ["solver", "xbest", "xbest low", "xbest high", "xbest at", "speed", "speed low", "speed high", "paper", "opt.", "opt. of", "mean ms"],
        ["ad3", "1.15", "0.915", "1.23", "@1%", "0.474", "0.348", "0.558", "25.6", "11", "12", "12.5"],
        ["dp", "-", "", "", "", "0.33", "", "", "", "0", "12", "nan"],
        ["ilp", "884", "502", "1024", "", "", "", "", "1.00", "", "", "3"],
    ]  # fmt: skip


def test_an_interval_without_its_value_is_its_two_ends() -> None:
    found = csv_rows(["ratio", "95 % interval"], [["1.02", "[0.9, 1.1]"], ["-", "-"]])
    assert found == [["ratio", "95 % interval low", "95 % interval high"], ["1.02", "0.9", "1.1"], ["-", "", ""]]


@pytest.mark.parametrize("text", ["1/2 of it", "a [b, c]", "10 to 50", "paper: x", "5x5", "L^2"])
def test_texts_stay_as_they_are(text: str) -> None:
    assert csv_rows(["a"], [[text]]) == [["a"], [text]]


def test_headings_that_stood_before_are_the_papers() -> None:
    assert distinct(["system", "rate", "paper's row", "rate"]) == ["system", "rate", "paper's row", "paper: rate"]
    assert distinct(["a", "b", "a", "a"]) == ["a", "b", "a (2)", "a (3)"]
    found = distinct(["x", "paper: Written rate", "F1", "Spoken rate", "F1", "x", "x"])
    assert len(set(found)) == len(found)


positive = st.floats(1e-4, 1e4)


@given(st.lists(st.tuples(positive, positive, positive), min_size=1, max_size=5))
def test_every_interval_can_be_read_back(values: list[tuple[float, float, float]]) -> None:
    table = Table("T", ["solver", "median ms"], [["s", with_interval(*each)] for each in values], [])
    heads, *rows = csv.reader(io.StringIO(table.csv()))
    assert heads == ["solver", "median ms", "median ms low", "median ms high"]
    for row, each in zip(rows, values, strict=True):
        for text, value in zip(row[1:], each, strict=True):
            assert math.isclose(float(text), value, rel_tol=0.006, abs_tol=5e-7)
