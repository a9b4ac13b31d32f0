"""Statistics against hand-computed values, scipy, statsmodels, and the same thing written as loops."""

from __future__ import annotations

import itertools
import math
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_records import incumbent, made_records
from scipy import stats
from statsmodels.stats.multitest import multipletests

from bench.analysis.statistics.cells import best_known, reduce_cells
from bench.analysis.statistics.progress import primal_gap, primal_integral, progress, progress_table, time_to_target
from bench.analysis.statistics.ratios import Race, count_wins, performance_profiles
from bench.analysis.statistics.summary import summary
from bench.analysis.statistics.values import (
    holm,
    mean,
    mean_interval,
    median,
    median_interval,
    paired_test,
    par10,
    ratio_interval,
    shifted_geometric_mean,
)
from bench.experiments.presentation import ratio_name
from problems.errors import InputError

SECONDS = st.floats(1e-4, 1e3)
TABLES = st.integers(1, 4).flatmap(
    lambda labels: st.lists(
        st.lists(st.one_of(SECONDS, st.just(math.inf)), min_size=labels, max_size=labels), min_size=1, max_size=8
    )
)


def frame(rows: list[list[float]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=[f"s{column}" for column in range(len(rows[0]))], dtype=float)


def cell(solver: str, instance: str, seconds: float | None, **more: Any) -> dict[str, Any]:
    return {"solver": solver, "instance": instance, "cpu_seconds": seconds, **more}


# -- averages ----------------------------------------------------------------------------------------------------------


def test_averages_by_hand() -> None:
    assert mean([1, 2, 6]) == 3
    assert median([5, 1, 2, 100]) == 3.5
    assert shifted_geometric_mean([1, 7], shift=1) == pytest.approx(3)  # sqrt(2 * 8) - 1
    assert shifted_geometric_mean([2, 8], shift=0) == pytest.approx(4)
    assert par10([1.0, math.nan], [True, False], [60, 60]) == pytest.approx(300.5)
    assert par10([2.0, 4.0], [True, True], [math.nan, math.nan]) == 3
    assert math.isnan(par10([1.0, math.nan], [True, False], [60, math.nan]))


def test_averages_of_nothing_are_missing() -> None:
    for average in (mean, median, shifted_geometric_mean):
        assert math.isnan(average([]))
        assert math.isnan(average([math.nan]))
    assert math.isnan(par10([], [], []))
    assert all(math.isnan(value) for value in median_interval([]))


def test_a_shift_must_make_values_positive() -> None:
    with pytest.raises(InputError, match="above minus the shift"):
        shifted_geometric_mean([0.0], shift=0.0)


@given(st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=20), st.floats(0.0, 10))
def test_shifted_geometric_mean_is_scipys_of_shifted_values(values: list[float], shift: float) -> None:
    expected = stats.gmean(np.asarray(values) + shift) - shift
    assert shifted_geometric_mean(values, shift) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert min(values) - 1e-6 <= shifted_geometric_mean(values, shift) <= mean(values) + 1e-6


# -- bootstrap ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [2, 3, 6, 7, 20, 31])
def test_the_interval_of_a_median_is_that_of_plain_resampling(count: int) -> None:
    values = np.random.default_rng(count).lognormal(size=count)
    found = median_interval(values, resamples=200_000)
    plain = stats.bootstrap(
        (values,), np.median, n_resamples=20_000, method="percentile", vectorized=True, axis=-1, rng=1
    ).confidence_interval
    spacing = np.diff(np.sort(values)).max()  # both may land on neighbouring values
    assert found.value == np.median(values)
    assert found.low == pytest.approx(plain.low, abs=0.3 * spacing)
    assert found.high == pytest.approx(plain.high, abs=0.3 * spacing)


def test_resampled_medians_have_the_binomial_distribution() -> None:
    """P(median of a resample <= k-th smallest) = P(Binomial(n, k/n) >= (n + 1) / 2), for odd n."""
    from bench.analysis.statistics.values import _resampled_medians

    medians = _resampled_medians(np.arange(1.0, 8.0), 400_000, np.random.default_rng(3))
    for rank in range(1, 8):
        expected = stats.binom.sf(3, 7, rank / 7)
        assert (medians <= rank).mean() == pytest.approx(expected, abs=0.005)


def test_resampled_medians_of_an_even_number_are_those_of_all_resamples() -> None:
    from bench.analysis.statistics.values import _resampled_medians

    values = np.array([1.0, 2.0, 4.0, 8.0])
    every = [np.median(choice) for choice in itertools.product(values, repeat=4)]
    medians = _resampled_medians(values, 400_000, np.random.default_rng(4))
    assert set(medians) == set(every)
    for value in set(every):
        assert (medians == value).mean() == pytest.approx(np.mean(np.asarray(every) == value), abs=0.005)


@given(st.lists(SECONDS, min_size=2, max_size=15), st.randoms())
def test_intervals_hold_the_median_and_do_not_depend_on_order(values: list[float], random: Any) -> None:
    found = median_interval(values)
    assert min(values) <= found.low <= found.value <= found.high <= max(values)
    shuffled = list(values)
    random.shuffle(shuffled)
    assert median_interval(shuffled) == found


def test_one_value_has_no_interval_and_equal_values_a_point() -> None:
    one = median_interval([3.0])
    assert one.value == 3
    assert math.isnan(one.low)
    assert math.isnan(one.high)
    assert median_interval([2.0] * 5) == (2, 2, 2)
    with pytest.raises(InputError, match="between 0 and 1"):
        median_interval([1, 2], confidence=95)


@given(st.lists(st.tuples(SECONDS, SECONDS), min_size=1, max_size=10))
def test_the_ratio_the_other_way_is_the_inverse(pairs: list[tuple[float, float]]) -> None:
    first, second = zip(*pairs, strict=True)
    assert ratio_interval(first, second).value == pytest.approx(1 / ratio_interval(second, first).value)


def test_ratios_leave_out_missing_pairs() -> None:
    assert ratio_interval([2, math.nan, 8], [1, 1, 2]).value == pytest.approx(math.sqrt(8))


# -- reduction ---------------------------------------------------------------------------------------------------------


def test_repetitions_become_their_median_without_traced_ones() -> None:
    records = made_records(
        [cell("s", "a", seconds, repetition=number) for number, seconds in enumerate([3.0, 1.0, 2.0])]
        + [cell("s", "a", 99.0, repetition=3, traced=True)]
    )
    (row,) = reduce_cells(records).to_dict("records")
    assert (row["seconds"], row["repetitions"], row["answered"]) == (2.0, 3, True)
    assert reduce_cells(records.assign(wall_seconds=7.0), "wall")["seconds"].tolist() == [7.0]


def test_one_failed_repetition_fails_the_cell() -> None:
    records = made_records(
        [
            cell("s", "a", 1.0, objective=5.0),
            cell("s", "a", 61.0, repetition=1, status="timeout", audit=""),
            cell("s", "a", 3.0, repetition=2, objective=5.0),
        ]
    )
    strict = reduce_cells(records).iloc[0]
    assert (strict["status"], strict["ended"], strict["answered"], strict["runtime"]) == ("timeout", False, False, 60.0)
    assert math.isnan(strict["seconds"])
    assert math.isnan(strict["objective"])


def test_the_last_record_of_a_cell_counts() -> None:
    records = made_records([cell("s", "a", 1.0, solver_version="1"), cell("s", "a", 5.0, solver_version="2")])
    assert reduce_cells(records)["seconds"].tolist() == [5.0]


def test_what_is_a_valid_answer() -> None:
    rows = [
        cell("optimal", "a", 1.0, objective=1.0),
        cell("relaxed", "a", 1.0, status="relaxed", audit="", bound=2.0),
        cell("proved infeasible", "a", 1.0, status="infeasible", audit=""),
        cell("missed a constraint", "a", 1.0, status="infeasible", structure=[1], objective=9.0),
        cell("wrong", "a", 1.0, audit="the bound is wrong"),
        cell("crash", "a", 1.0, status="crash", audit=""),
    ]
    cells = reduce_cells(made_records(rows)).set_index("label")
    answered, ended = cells["answered"], cells["ended"]
    assert answered.tolist() == [True, True, True, False, False, False]
    assert ended.tolist() == [True, True, True, True, True, False]
    assert cells["objective"].notna().tolist() == [True, False, False, False, False, False]


def test_limits_come_from_the_cell_or_else_from_the_experiment() -> None:
    rows = [cell("s", "a", None, status="crash", limits={})]
    assert reduce_cells(made_records(rows, experiment={"limits": {"seconds": 7.0}}))["limit"].tolist() == [7.0]
    assert reduce_cells(made_records(rows))["limit"].isna().all()


def test_the_best_known_value_is_common_and_verified() -> None:
    records = made_records(
        [
            cell("s", "a", 1.0, objective=5.0),
            cell("t", "a", 1.0, objective=7.0, repetition=4, traced=True),
            cell("liar", "a", 1.0, objective=90.0, audit="not feasible"),
            cell("unverified", "a", 1.0, objective=80.0, audit=""),
            cell("missed", "a", 1.0, objective=70.0, status="infeasible"),
            cell("s", "b", 1.0, objective=-3.0),
            cell("s", "c", 1.0),
        ]
    )
    assert best_known(records) == {"a": 7.0, "b": -3.0}


def test_unknown_names_are_refused_with_the_nearest() -> None:
    records = made_records([cell("s", "a", 1.0)])
    with pytest.raises(InputError, match="unknown time 'walls': did you mean 'wall'"):
        summary(records, time="walls")


# -- races -------------------------------------------------------------------------------------------------------------


def test_wins_by_hand() -> None:
    table = frame([[1, 2, 3], [5, 5.02, 9], [math.inf, 4, math.inf], [math.inf] * 3, [1, 2, math.nan]])
    found = count_wins(table)
    assert found.wins.to_dict() == {"s0": 1.5, "s1": 1.5, "s2": 0.0}
    assert (found.ties, found.instances, found.unsolved) == (1, 4, 1)
    assert count_wins(table, tie=0).wins.to_dict() == {"s0": 2.0, "s1": 1.0, "s2": 0.0}


@given(TABLES)
def test_wins_share_out_the_solved_instances(rows: list[list[float]]) -> None:
    found = count_wins(frame(rows))
    assert found.wins.sum() == pytest.approx(sum(any(math.isfinite(value) for value in row) for row in rows))
    assert found.unsolved == len(rows) - round(found.wins.sum())


def share_at(profile: Any, ratio: float) -> float:
    """The share of a profile at a ratio; 0 below 1."""
    place = int(np.searchsorted(profile.ratios, ratio, side="right"))
    return float(profile.shares[place - 1]) if place else 0.0


def test_a_profile_by_hand() -> None:
    one, two = performance_profiles(frame([[1, 2], [4, 1], [3, math.inf], [math.inf, math.inf]]))
    assert one.ratios.tolist() == [1, 4]
    assert one.shares.tolist() == [0.5, 0.75]
    assert two.ratios.tolist() == [1, 2]
    assert two.shares.tolist() == [0.25, 0.5]
    assert [share_at(one, ratio) for ratio in (0.5, 1, 3.99, 4, math.inf)] == [0, 0.5, 0.5, 0.75, 0.75]


@given(TABLES, st.floats(1, 1e4))
def test_profiles_are_shares_counted_one_by_one(rows: list[list[float]], ratio: float) -> None:
    profiles = performance_profiles(frame(rows))
    for column, profile in enumerate(profiles):
        within = [row[column] / min(row) <= ratio for row in rows if math.isfinite(row[column])]
        assert share_at(profile, ratio) == pytest.approx(sum(within) / len(rows))
        assert share_at(profile, math.inf) == pytest.approx(np.mean([math.isfinite(row[column]) for row in rows]))
        assert (np.diff(profile.ratios) > 0).all()
        assert (np.diff(profile.shares) >= 0).all()
    if any(math.isfinite(value) for row in rows for value in row):
        assert sum(share_at(profile, 1) for profile in profiles) > 0


def test_instances_that_a_label_has_not_tried_are_no_loss() -> None:
    (one, two) = performance_profiles(frame([[1, 2], [1, math.nan]]))
    assert (one.instances, two.instances) == (1, 1)
    assert share_at(two, 2) == 1
    assert [share_at(profile, 9) for profile in performance_profiles(frame([[math.nan, 1.0]]))] == [0, 0]


# -- progress ----------------------------------------------------------------------------------------------------------


def traced(points: list[tuple[float, float | None]], objective: float | None = 10.0, **more: Any) -> dict[str, Any]:
    row = {"traced": True, "objective": objective, "solve_seconds": 4.0, **more}
    trace = [{"seconds": seconds, "objective": value, "bound": None, "iteration": 0} for seconds, value in points]
    return {"row": row, "trace": trace}


def traced_records(*cells: dict[str, Any]) -> Any:
    rows = [{"solver": f"s{number}", "key": f"k{number}", **cell["row"]} for number, cell in enumerate(cells)]
    traces = [{"key": f"k{number}", "points": cell["trace"]} for number, cell in enumerate(cells)]
    return made_records(rows, traces)


def test_the_primal_integral_by_hand() -> None:
    records = traced_records(traced([(1.0, 5.0), (2.0, 8.0), (3.0, 4.0)]))
    (trace,) = progress(records)
    assert trace.seconds.tolist() == [1, 2, 3, 4]
    assert trace.objectives.tolist() == [5, 8, 8, 10]  # the incumbent, not the current value
    expected = 1 * 1 + 1 * 0.5 + 2 * 0.2 + 56 * 0
    assert primal_integral(trace, 10.0) == pytest.approx(expected)
    assert primal_integral(trace, 10.0, until=1.5) == pytest.approx(1.25)
    assert primal_integral(trace, 20.0, until=6) == pytest.approx(1 + 0.75 + 2 * 0.6 + 2 * 0.5)


@given(
    st.lists(st.tuples(st.floats(0, 50), st.floats(-5, 10)), max_size=8),
    st.floats(1, 60),
)
def test_the_primal_integral_is_a_fine_sum_of_gaps(points: list[tuple[float, float]], until: float) -> None:
    (trace,) = progress(traced_records(traced(sorted(points), solve_seconds=51.0)))
    found = primal_integral(trace, 10.0, until)
    moments = (np.arange(800) + 0.5) * until / 800
    total = sum(primal_gap(incumbent(trace, moment), 10.0) for moment in moments) * until / 800
    assert found == pytest.approx(total, abs=(len(points) + 2) * until / 800)
    assert 0 <= found <= until + 1e-9


def test_an_instantly_optimal_trace_has_no_integral() -> None:
    records = traced_records(traced([(0.0, 10.0)], solve_seconds=0.0))
    assert progress_table(records)[["primal_integral", "time_to_target"]].to_numpy().tolist() == [[0, 0]]


def test_targets_are_common_to_all_solvers() -> None:
    records = traced_records(
        traced([(1.0, 99.5), (2.0, 100.0)], 100.0),
        traced([(0.5, 90.0)], 95.0),
        traced([], None, status="timeout", audit=""),
    )
    table = progress_table(records, within=0.01).set_index("label")
    assert table["time_to_target"].tolist() == [1.0, math.inf, math.inf]
    assert [primal_gap(incumbent(trace, 1.0), 100.0) for trace in progress(records)] == pytest.approx([0.005, 0.1, 1.0])
    assert table["primal_integral"].tolist()[2] == 60.0
    assert progress_table(records, within=0.06)["time_to_target"].tolist() == [1.0, 4.0, math.inf]
    assert time_to_target(progress(records)[0], 100.0, within=0.0) == 2.0
    with pytest.raises(InputError, match="at least 0"):
        time_to_target(progress(records)[0], 100.0, within=-1)


def test_a_trace_is_credited_with_no_more_than_its_answer() -> None:
    boastful, wrong = progress(
        traced_records(traced([(1.0, 50.0)], 8.0), traced([(1.0, 9.0)], 9.0, audit="not feasible"))
    )
    assert boastful.objectives.tolist() == [8, 8]
    assert not len(wrong.seconds)


def test_without_a_known_value_there_is_no_gap() -> None:
    (row,) = progress_table(traced_records(traced([], None, status="relaxed", audit=""))).to_dict("records")
    assert all(math.isnan(row[name]) for name in ("best", "primal_integral", "time_to_target"))


def test_primal_gaps_by_hand() -> None:
    assert primal_gap(5, 10) == 0.5
    assert primal_gap(-20, -10) == 0.5
    assert primal_gap(-1, 10) == 1
    assert primal_gap(0, 0) == 0
    assert primal_gap(-1, 0) == 1
    assert primal_gap(math.nan, 3) == 1
    assert primal_gap(4, 3) == 0
    assert math.isnan(primal_gap(1, math.nan))


# -- paired tests ------------------------------------------------------------------------------------------------------


def test_tests_are_scipys_and_corrections_statsmodels() -> None:
    random = np.random.default_rng(5)
    first, second, third = random.lognormal(size=(3, 25))
    pairs = ((first, second), (first, third), (second, third))
    expected = [stats.ttest_rel(one, other).pvalue for one, other in pairs]
    assert [paired_test(one - other) for one, other in pairs] == pytest.approx(expected)
    assert holm(expected).tolist() == pytest.approx(multipletests(expected, method="holm")[1].tolist())


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]).tolist() == pytest.approx([0.03, 0.06, 0.06])
    with_missing = holm([0.01, math.nan, 0.03])
    assert with_missing[[0, 2]].tolist() == pytest.approx([0.03, 0.06])
    assert math.isnan(with_missing[1])
    assert holm([]).tolist() == []


@settings(max_examples=10)  # the library collects garbage on every call, which takes its time
@given(st.lists(st.sampled_from([0.0, 0.01, 0.02, 0.3, 0.5, 1.0]) | st.floats(0, 1), min_size=1, max_size=10))
def test_holm_is_that_of_statsmodels(values: list[float]) -> None:
    assert holm(values) == pytest.approx(multipletests(values, method="holm")[1], abs=1e-15)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=10))
def test_holm_only_raises_and_keeps_the_order(values: list[float]) -> None:
    corrected = holm(values)
    assert (corrected >= np.asarray(values) - 1e-15).all()
    assert (corrected <= 1).all()
    order = np.argsort(values)
    assert (np.diff(corrected[order]) >= -1e-15).all()


def test_degenerate_pairs_have_no_p_value_and_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert math.isnan(paired_test([]))
        assert paired_test([0.0] * 9) == 1.0
        assert math.isnan(paired_test([1.0]))
        assert math.isnan(paired_test([2.0] * 8))  # all differences are the same: their spread is unknown
        assert 0 <= paired_test([0.0] * 30 + [1.0, -2.0, 3.0]) <= 1
        assert paired_test([math.nan, 1.0, 2.0, math.inf, -1.0]) == paired_test([1.0, 2.0, -1.0])


# -- the summary -------------------------------------------------------------------------------------------------------


def example() -> Any:
    return made_records(
        [
            cell("fast", "a", 1.0, objective=10.0, gap=0.0, integral=True, peak_memory_mb=50.0, metrics={"F1": 0.5}),
            cell("fast", "b", 2.0, objective=18.0, status="feasible", gap=0.1, integral=False, peak_memory_mb=70.0),
            cell("fast", "c", 4.0, objective=5.0, integral=True, metrics={"F1": 0.7}, build_seconds=1.0),
            cell("slow", "a", 3.0, objective=10.0),
            cell("slow", "b", 8.0, objective=20.0),
            cell("slow", "c", 60.5, status="timeout", audit=""),
            cell("gone", "a", None, status="skipped", audit=""),
            cell("gone", "b", None, status="skipped", audit=""),
            cell("gone", "c", None, status="skipped", audit=""),
            cell("traced only", "a", 1.0, traced=True, objective=9.0),
        ]
    )


def test_the_summary_by_hand() -> None:
    table = summary(example(), baselines=["slow"], target="any", shift=1.0)
    assert table.index.tolist() == ["fast", "slow", "gone", "traced only"]
    fast, slow, gone, unseen = (table.loc[label] for label in table.index)
    assert fast[["cells", "reached", "optimal", "feasible", "timeout", "wrong", "charged"]].tolist() == [
        3,
        3,
        2,
        1,
        0,
        0,
        0,
    ]
    assert fast["mean"] == pytest.approx(7 / 3)
    assert fast["median"] == 2
    assert fast["median_low"] == 1
    assert fast["median_high"] == 4
    assert fast["sgm"] == pytest.approx(30 ** (1 / 3) - 1)
    assert fast["par10"] == pytest.approx(7 / 3)
    assert fast["wins"] == 3
    ratio = fast[ratio_name("slow")]
    assert (ratio.times.value, ratio.pairs, ratio.charged) == (pytest.approx(4), 3, 1)  # of 3, 4 and 60 / 4
    assert fast[ratio_name("*")] == ratio  # the fastest other one
    assert fast["share"] == pytest.approx((100 + 90 + 100) / 3)
    assert fast["gap"] == pytest.approx(0.05)
    assert fast["integral"] == pytest.approx(200 / 3)
    assert fast["memory"] == 70
    assert fast["metrics.F1"] == pytest.approx(0.6)
    assert fast["build"] == 1
    assert slow[["reached", "timeout", "charged", "scored"]].tolist() == [2, 1, 1, 2]
    assert slow["mean"] == pytest.approx((3 + 8 + 60) / 3)
    assert slow["par10"] == pytest.approx((3 + 8 + 600) / 3)
    assert slow[ratio_name("*")].times.value == pytest.approx(1 / 4)
    assert math.isnan(slow[ratio_name("slow")])  # nobody to compare with
    assert gone[["cells", "reached", "skipped", "wins"]].tolist() == [3, 0, 3, 0]
    assert math.isnan(gone["par10"])
    assert gone[ratio_name("slow")] is None  # what was never tried is neither fast nor slow
    assert math.isnan(gone["mean"])
    assert math.isnan(gone["median"])
    assert unseen["cells"] == 0
    assert math.isnan(unseen["par10"])
    assert math.isnan(unseen[ratio_name("slow")])


def test_skipped_cells_are_in_no_time() -> None:
    """A problem beyond a licence says nothing of a solver's speed."""
    cells = [cell("small", "a", 1.0), cell("small", "b", 3.0), cell("small", "c", None, status="skipped", audit="")]
    row = summary(made_records(cells)).loc["small"]
    assert row[["cells", "skipped", "charged", "mean"]].tolist() == [3, 1, 0, 2.0]
    assert row["par10"] == 2.0


def test_the_target_decides_what_counts_as_reached() -> None:
    """By default a proof, because somebody proves most optima: the answer of `fast` on b is 10 % below the best known."""
    for table in (summary(example()), summary(example(), target="optimal")):
        assert set(table["target"]) == {"optimal"}
        assert table["reached"].tolist() == [2, 2, 0, 0]
        assert table.loc["fast", "par10"] == pytest.approx((1 + 600 + 4) / 3)
        assert table["wins"].tolist() == [2, 1, 0, 0]
        assert table.loc["fast", ratio_name("*")] is None  # it ended without a proof on b
    wide = summary(example(), target=0.2)
    assert wide["wins"].tolist() == [3, 0, 0, 0]
    assert wide.loc["fast", ratio_name("*")].target == 0.2


def test_rubbish_wins_nothing() -> None:
    """A solver that picks the longest sentences, at once, and one that proves optimality."""
    rows = [cell("longest", name, 0.001, objective=34.0, status="feasible") for name in "abcdef"]
    rows += [cell("exact", name, 1.0, objective=100.0) for name in "abcdef"]
    table = summary(made_records(rows), baselines=["exact"])
    assert table["wins"].tolist() == [0, 6]
    assert table.loc["longest", ratio_name("exact")] is None
    assert [value is None for value in table[ratio_name("*")]] == [True, True]
    assert table.loc["longest", "par10"] == 600


def test_time_to_target_and_primal_integral_are_those_of_the_traces() -> None:
    records = traced_records(
        traced([(1.0, 99.5), (2.0, 100.0)], 100.0),
        traced([(0.5, 90.0)], 95.0),
    )
    untraced = [
        {"solver": f"s{n}", "instance": "a", "cpu_seconds": 4.0, "objective": v, "key": f"u{n}"}
        for n, v in ((0, 100.0), (1, 95.0))
    ]
    both = made_records(untraced + records.to_dict("records"), [])
    both.traces = records.traces
    table = summary(both)
    assert table["ttt"].tolist() == [1.0, math.inf]
    assert table["within"].tolist() == [0.01] * 2
    assert table["primal"].tolist() == pytest.approx([1 + 0.005, 0.5 + 3.5 * 0.1 + 56 * 0.05])
    assert summary(both, target=0.1)["ttt"].tolist() == [1.0, 0.5]
    assert summary(made_records(untraced))["ttt"].isna().all()


def test_a_wrong_answer_is_neither_reached_nor_scored() -> None:
    rows = [cell("s", "a", 1.0, objective=10.0, audit="not feasible"), cell("t", "a", 5.0, objective=8.0)]
    table = summary(made_records(rows))
    assert table["wrong"].tolist() == [1, 0]
    assert table["reached"].tolist() == [0, 1]
    assert table["wins"].tolist() == [0, 1]
    assert table["scored"].tolist() == [0, 1]
    assert table["par10"].tolist() == [600, 5]
    assert table["mean"].tolist() == [1, 5]
    assert table.loc["t", "share"] == 100


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.sampled_from("xyz"), st.sampled_from("abcd"), SECONDS, st.sampled_from(["optimal", "timeout"])),
        min_size=1,
        max_size=12,
        unique_by=lambda row: row[:2],
    ),
    st.randoms(),
)
def test_the_order_of_records_does_not_matter(rows: list[tuple[str, str, float, str]], random: Any) -> None:
    made = [cell(solver, instance, seconds, status=status, objective=1.0) for solver, instance, seconds, status in rows]
    shuffled = list(made)
    random.shuffle(shuffled)
    one, other = summary(made_records(made)), summary(made_records(shuffled))
    ratios = [ratio_name("*")]
    pd.testing.assert_frame_equal(one.drop(columns=ratios), other.loc[one.index].drop(columns=ratios))
    assert list(map(repr, one[ratios[0]])) == list(map(repr, other.loc[one.index, ratios[0]]))
    assert one["reached"].sum() == sum(row[3] == "optimal" for row in rows)
    for solver in one.index:
        penalised = [seconds if status == "optimal" else 600.0 for name, _, seconds, status in rows if name == solver]
        assert one.loc[solver, "par10"] == pytest.approx(sum(penalised) / len(penalised))


def test_tables_tell_unsolved_from_missing() -> None:
    table = Race(reduce_cells(made_records([cell("s", "a", 1.0), cell("t", "b", 2.0, status="crash")])), {}).times(
        "any"
    )
    assert table.columns.tolist() == ["s", "t"]
    assert table.loc["a", "s"] == 1
    assert math.isnan(table.loc["a", "t"])
    assert table.loc["b", "t"] == math.inf


def test_no_records_give_an_empty_summary() -> None:
    assert len(summary(made_records([]))) == 0


def test_the_interval_of_a_mean_is_that_of_the_central_limit():
    values = np.random.default_rng(4).normal(3.0, 2.0, size=400)
    found = mean_interval(values)
    error = 1.96 * values.std(ddof=1) / 20.0
    assert found.value == pytest.approx(values.mean())
    assert (found.low, found.high) == pytest.approx((values.mean() - error, values.mean() + error), abs=0.03)
    assert mean_interval(values, confidence=0.5).high < found.high
    assert mean_interval([2.0, math.nan])[0] == 2.0
    assert math.isnan(mean_interval([2.0]).low)
    assert all(math.isnan(value) for value in mean_interval([]))
