"""Exponents of growth against known laws, statsmodels, and runs with cells that were stopped."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_records import made_records

from bench.analysis.growth import Growth, fit_power_law, growth
from bench.analysis.statistics.cells import reduce_cells
from bench.output.growth_table import growth_table
from problems.errors import InputError


@given(st.floats(-1, 4), st.floats(1e-5, 10))
def test_power_laws_are_recovered(exponent: float, factor: float) -> None:
    sizes = np.array([3.0, 7.0, 30.0, 100.0])
    law = fit_power_law(sizes, factor * sizes**exponent)
    assert law is not None
    assert law.exponent == pytest.approx(exponent, abs=1e-8)
    assert law.factor == pytest.approx(factor, rel=1e-6)
    assert law.low - 1e-6 <= exponent <= law.high + 1e-6


def test_interval_of_the_exponent_is_that_of_statsmodels() -> None:
    import statsmodels.api as sm

    sizes = np.array([10.0, 20.0, 40.0, 80.0, 160.0, 320.0])
    seconds = 1e-3 * sizes**1.5 * np.exp(0.3 * np.random.default_rng(5).normal(size=6))
    law = fit_power_law(sizes, seconds, 0.9)
    fitted = sm.OLS(np.log(seconds), sm.add_constant(np.log(sizes))).fit()
    assert law is not None
    assert [law.exponent, law.low, law.high] == pytest.approx([fitted.params[1], *fitted.conf_int(0.1)[1]])


def test_too_few_sizes_have_no_fit() -> None:
    assert fit_power_law(np.array([1.0, 2.0]), np.array([1.0, 2.0])) is None
    assert fit_power_law(np.array([5.0, 5.0, 5.0]), np.array([1.0, 2.0, 3.0])) is None


def run(exponent: float, label: str = "s", sizes: tuple[int, ...] = (10, 20, 40), **more: Any) -> list[dict[str, Any]]:
    """Three instances of each size, of which the first takes half and the last twice the time of the law."""
    return [
        {
            "solver": label,
            "size": str(size),
            "instance": f"{size}-{place}",
            "instance_size": size,
            "cpu_seconds": 1e-3 * size**exponent * factor,
            "objective": 1.0,
            **more,
        }
        for size in sizes
        for place, factor in enumerate((0.5, 1.0, 2.0))
    ]


def grown(rows: list[dict[str, Any]]) -> Growth:
    (found,) = growth(reduce_cells(made_records(rows)))
    return found


def stopped(row: dict[str, Any]) -> dict[str, Any]:
    return row | {"status": "timeout", "objective": None, "cpu_seconds": None, "audit": ""}


@given(st.floats(0.2, 3.0), st.permutations(range(9)))
def test_the_exponent_is_that_of_the_law_in_whatever_order(exponent: float, order: list[int]) -> None:
    rows = run(exponent)
    found = grown([rows[place] for place in order])
    assert found.law is not None
    assert found.law.exponent == pytest.approx(exponent)
    assert found.law.low < exponent < found.law.high
    assert (len(found.sizes), found.stopped, found.left_out) == (9, 0, [])


def test_a_size_that_was_mostly_stopped_is_left_out_and_the_easy_instance_of_it_too() -> None:
    rows = [*run(2.0), *run(2.0, sizes=(80,))]
    rows[-2:] = map(stopped, rows[-2:])
    rows[-3]["cpu_seconds"] = 1e-3  # the one that ended is easy
    found = grown(rows)
    assert found.left_out == ["80"]
    assert found.sizes.max() == 40
    assert found.law is not None
    assert found.law.exponent == pytest.approx(2.0)


def test_where_fewer_were_stopped_they_count_as_their_limit() -> None:
    rows = [*run(2.0), *run(2.0, sizes=(80,))]
    rows[-1] = stopped(rows[-1])
    found = grown(rows)
    assert (found.left_out, found.stopped, found.seconds.max()) == ([], 1, 60.0)
    crashed = [*rows[:-1], rows[-1] | {"status": "crash"}]
    assert (grown(crashed).stopped, len(grown(crashed).sizes)) == (0, 11)  # a crash is no time


def test_lengths_are_sizes_where_all_have_one_and_their_bins_where_sizes_have_no_names() -> None:
    rows = [row | {"size": "ptb", "length": row["instance_size"] / 2} for row in run(3.0, sizes=(10, 30, 50))]
    rows[-2:] = map(stopped, rows[-2:])
    found = grown(rows)
    assert found.sizes.tolist() == [5.0] * 3 + [15.0] * 3
    assert found.left_out == ["21-30"]
    rows[0]["length"] = None
    assert grown(rows).sizes.max() == 50.0  # one has none: instances are measured by their variables


def test_sizes_that_hardly_differ_have_no_exponent() -> None:
    assert grown(run(2.0, sizes=(10, 19))).law is None
    assert grown(run(2.0, sizes=(10, 20))).law is not None


def test_the_table_says_what_is_fitted_and_what_is_left_out() -> None:
    rows = [*run(2.0), *run(2.0, sizes=(80,)), *run(1.0, "t"), *run(1.0, "dead")]
    rows[9:12] = map(stopped, rows[9:12])
    rows[-9:] = map(stopped, rows[-9:])
    table = growth_table(made_records(rows))
    named = [dict(zip(table.headings, row, strict=True)) for row in table.rows]
    assert [row["solver"] for row in named] == ["s", "t", "dead"]
    assert named[0]["exponent"].startswith("2.00 [1.")
    assert (named[0]["from"], named[0]["to"], named[0]["points"], named[0]["left out"]) == ("10", "40", "9", "80")
    assert (named[2]["exponent"], named[2]["points"], named[2]["left out"]) == ("-", "0", "10 20 40")
    assert "variables or words of an instance" in table.notes[0]
    both = growth_table(made_records([*run(2.0), *(row | {"task": "parsing", "length": 4} for row in run(1.0))]))
    assert both.headings[0] == "task"
    assert [row[:1] for row in both.rows] == [["extraction"], [], ["parsing"]]


def test_growth_needs_records_of_one_machine() -> None:
    with pytest.raises(InputError, match="needs records"):
        growth_table(made_records([]))
    rows = [*run(1.0, node="one"), *run(1.0, "t", node="two")]
    with pytest.raises(InputError, match="several machines"):
        growth_table(made_records(rows))
    assert len(growth_table(made_records(rows), mix_nodes=True).rows) == 2
