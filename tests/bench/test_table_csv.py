"""CSV of tables: one number per cell, intervals apart, no heading twice."""

from __future__ import annotations

import csv
import io
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.output.headings import full
from bench.output.table_columns import with_interval
from bench.output.table_csv import csv_rows
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


def test_marks_have_a_column_of_their_own_and_digits_are_not_grouped() -> None:
    rows = [["a", "52.4†*", "L^0.31 [0.27, 0.35]"], ["b*", "1,338", "1,024 [1,000, 1,100]"], ["c", "60.2*", ""]]
    assert csv_rows(["system*", "F1", "power"], rows) == [
        ["system*", "F1", "F1 mark", "power", "power low", "power high"],
        ["a", "52.4", "†*", "0.31", "0.27", "0.35"],
        ["b*", "1338", "", "1024", "1000", "1100"],
        ["c", "60.2", "*", "", "", ""],
    ]


def test_a_heading_has_the_words_of_its_group_once() -> None:
    assert full(["system", "rate", "paper's row", "rate"]) == ["system", "rate", "paper's row", "paper: rate"]
    assert full(["a", "b", "a", "a"]) == ["a", "b", "a (2)", "a (3)"]
    assert full(["system", "rate", "paper: Written rate", "F1", "Spoken rate", "F1"]) == [
        *("system", "rate", "paper: Written rate", "paper: Written F1", "paper: Spoken rate", "paper: Spoken F1"),
    ]
    assert full(["x R-2", "R-SU4", "y R-2", "R-SU4", "paper R-2", "R-SU4"]) == [
        *("x R-2", "x R-SU4", "y R-2", "y R-SU4", "paper: R-2", "paper: R-SU4"),
    ]
    assert full(["paper: power", "ours: power", "words"]) == ["paper: power", "ours: power", "words"]
    assert full(["x", "First Ord. UAS %", "Tok/sec", "Best UAS %", "Tok/sec"])[2::2] == [
        *("First Ord. Tok/sec", "Best Tok/sec"),
    ]


@given(st.lists(st.sampled_from(["a", "b c", "a (2)", "paper: a", "paper's a", "b: c", "x %"]), max_size=8))
def test_no_heading_stands_twice(headings: list[str]) -> None:
    found = full(headings)
    assert len(set(found)) == len(found) == len(headings)


positive = st.floats(1e-4, 1e4)


@given(st.lists(st.tuples(positive, positive, positive), min_size=1, max_size=5))
def test_every_interval_can_be_read_back(values: list[tuple[float, float, float]]) -> None:
    table = Table("T", ["solver", "median ms"], [["s", with_interval(*each)] for each in values], [])
    heads, *rows = csv.reader(io.StringIO(table.csv()))
    assert heads == ["solver", "median ms", "median ms low", "median ms high"]
    for row, each in zip(rows, values, strict=True):
        for text, value in zip(row[1:], each, strict=True):
            assert math.isclose(float(text), value, rel_tol=0.006, abs_tol=5e-7)
