"""Times to a bound near the relaxation's optimum, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from made_records import made_records

from bench.analysis.statistics.bounds import fastest_lp, relaxed_optima, times_to_bound
from bench.output.bound_table import bound_table, has_bounds
from bench.records.frame import Records
from problems.errors import InputError


def lp(instance: str, bound: float, build: float, solve: float, **more: Any) -> dict[str, Any]:
    times = {"build_seconds": build, "solve_seconds": solve, "round_seconds": 9.0, "cpu_seconds": build + solve + 9.0}
    return {"solver": "lp-glop", "instance": instance, "bound": bound, "status": "feasible", **times, **more}


def traced(instance: str, key: str, **more: Any) -> dict[str, Any]:
    return {"solver": "ad3", "instance": instance, "key": key, "traced": True, "status": "feasible", **more}


def points(key: str, *values: tuple[float, int, float]) -> list[dict[str, Any]]:
    known = [{"seconds": s, "iteration": i, "bound": b, "objective": 1.0} for s, i, b in values]
    return [{"key": key, "points": known}]


def example() -> Records:
    rows = [
        lp("a", 100.0, 1.0, 3.0),
        lp("a", 100.0, 1.0, 5.0, repetition=1),
        lp("a", 100.05, 0.5, 1.0, solver="lp-highs"),
        lp("b", -10.0, 1.0, 1.0),
        {"solver": "ilp-highs", "instance": "a", "bound": 90.0},  # the 0/1 optimum is no target
        traced("a", "ta"),
        traced("b", "tb"),
        traced("c", "tc"),  # no LP solver told its optimum
    ]
    trace = points("ta", (2.0, 10, 100.2), (1.0, 5, 130.0), (3.0, 15, 100.09), (4.0, 20, 100.0))
    return made_records(rows, trace + points("tb", (0.5, 1, -9.0), (1.5, 7, -9.995)) + points("tc", (0.1, 1, 0.0)))


def test_times_and_iterations_by_hand() -> None:
    records = example()
    assert relaxed_optima(records) == {"a": 100.0, "b": -10.0}
    times = times_to_bound(records).set_index(["label", "instance_digest"])
    assert times.loc[("ad3", "a"), ["seconds", "iterations"]].tolist() == [3.0, 15.0]
    assert times.loc[("ad3", "b"), ["seconds", "iterations"]].tolist() == [1.5, 7.0]
    assert times.loc[("lp-glop", "a"), "seconds"] == 5.0  # the median of 4 and 6; rounding is not counted
    assert ("ad3", "c") not in times.index
    assert fastest_lp(times.reset_index()).to_dict() == {"a": 1.5, "b": 2.0}


def test_what_never_gets_there_has_no_time() -> None:
    records = example()
    times = times_to_bound(records, within=0.0).set_index(["label", "instance_digest"])["seconds"]
    assert times["ad3", "a"] == 4.0
    assert np.isinf(times["ad3", "b"])
    assert np.isinf(times["lp-highs", "a"])  # its bound is a little too high
    (row,) = (row for row in bound_table(records, within=0.0).rows if row and row[0] == "ad3")
    assert row[1:] == ["1 of 2", "-", "-", "-"]


def test_a_trace_is_scaled_to_warm_repetitions_of_the_same_iterations() -> None:
    cold, warm = ({"build_seconds": s, "solve_seconds": 3 * s, "iterations": 20} for s in (1.0, 0.5))
    other = {**warm, "iterations": 19, "build_seconds": 9.0}
    rows = [lp("a", 100.0, 1.0, 1.0), traced("a", "t", **cold)]
    rows += [
        {"solver": "ad3", "status": "feasible", "repetition": n, **s} for n, s in ((1, warm), (2, warm), (3, other))
    ]
    records = made_records(rows, points("t", (1.0, 1, 120.0), (3.0, 15, 100.0)))
    times = times_to_bound(records).set_index("label")["seconds"]
    assert times["ad3"] == pytest.approx(1.5)  # half of the traced time


def test_failed_and_wrong_cells_tell_nothing() -> None:
    rows = [lp("a", 50.0, 1.0, 1.0, audit="objective: wrong"), lp("a", 100.0, 1.0, 1.0, solver="lp-highs")]
    rows += [traced("a", "t", audit="objective: wrong")]
    records = made_records(rows, points("t", (1.0, 1, 100.0)))
    assert relaxed_optima(records) == {"a": 100.0}
    times = times_to_bound(records).set_index("label")["seconds"]
    assert np.isinf(times["lp-glop"])
    assert np.isinf(times["ad3"])


def test_the_table_has_ratios_to_the_fastest_lp() -> None:
    rows = {row[0]: row for row in bound_table(example()).rows if row}
    assert rows["ad3"][1] == "2 of 2"
    assert rows["ad3"][4].startswith("1.22")  # the median of 3 / 1.5 and 1.5 / 2, on logarithms
    assert rows["lp-glop"][3] == ""  # no iterations


def test_a_run_without_traces_has_no_such_table() -> None:
    records = made_records([lp("a", 1.0, 1.0, 1.0)])
    assert not has_bounds(records)
    with pytest.raises(InputError, match="trace = true"):
        bound_table(records)
