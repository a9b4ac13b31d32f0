"""Speed-ups are told among answers of equal quality only."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_records import made_records

from bench.analysis.statistics.cells import reduce_cells
from bench.analysis.statistics.progress import progress_table, times_within
from bench.analysis.statistics.ratios import TARGETS, Race, SpeedUp, speed_up
from bench.experiments.presentation import named_by

BEST = {f"i{number}": 100.0 for number in range(6)}


def cell(label: str, number: int, seconds: float, objective: float = 100.0, status: str = "optimal") -> dict[str, Any]:
    """A reduced cell; the status `limited` is an answer of a solver that was stopped at its limit."""
    found = status in ("optimal", "feasible", "limited")
    return {
        "label": label,
        "solver": label.split()[0],
        "instance_digest": f"i{number}",
        "status": "feasible" if status == "limited" else status,
        "answered": found,
        "limited": status == "limited",
        "runtime": seconds if found and status != "limited" else 10.0,
        "objective": objective if found else math.nan,
    }


def cells(**solvers: Any) -> pd.DataFrame:
    """A frame of six instances; each solver is a function of the number of an instance."""
    return pd.DataFrame([make(number) for make in solvers.values() for number in range(6)])


def exact(number: int) -> dict[str, Any]:
    return cell("ilp-a", number, 2.0 + number)


def other(number: int) -> dict[str, Any]:
    return cell("ilp-b fast", number, 7.0 - number)


def rubbish(number: int) -> dict[str, Any]:
    return cell("longest", number, 0.001, 34.0, "feasible")


def close(number: int) -> dict[str, Any]:
    return cell("ad3", number, 0.5, 99.95, "feasible")


def test_rubbish_has_no_ratio_however_fast() -> None:
    frame = cells(exact=exact, rubbish=rubbish)
    assert speed_up(frame, BEST, "longest", "ilp-*") is None
    assert speed_up(frame, BEST, "ilp-a", "*") is None  # nothing of equal quality to compare with


def test_the_strictest_target_that_is_reached_everywhere_is_taken() -> None:
    found = speed_up(cells(exact=exact, close=close, rubbish=rubbish), BEST, "ad3", "ilp-a")
    assert found is not None
    assert (found.target, found.pairs, found.charged) == (0.001, 6, 0)
    assert found.times.value == pytest.approx(math.sqrt(8 * 10))  # the median of 4, 6, 8, 10, 12, 14 on logarithms
    assert found.times.low < found.times.value < found.times.high


def test_one_answer_below_the_target_moves_to_the_next_one() -> None:
    def worse(number: int) -> dict[str, Any]:
        return cell("ad3", number, 0.5, 99.5 if number == 3 else 100.0, "feasible")

    frame = cells(exact=exact, worse=worse)
    found = speed_up(frame, BEST, "ad3", "ilp-a")
    assert found is not None
    assert found.target == 0.01
    assert speed_up(frame, BEST, "ad3", "ilp-a", "optimal") is None
    assert speed_up(frame, BEST, "ad3", "ilp-a", 0.001) is None
    elsewhere = speed_up(frame, BEST, "ad3", "ilp-a", 0.001, everywhere=False)
    assert elsewhere is not None
    assert (elsewhere.pairs, elsewhere.times.value) == (5, pytest.approx(8.0))  # of 4, 6, 8, 12, 14


def test_the_fastest_of_a_pattern_is_taken_on_each_instance() -> None:
    frame = cells(exact=exact, other=other, close=close)
    found = speed_up(frame, BEST, "ad3", "ilp-*")
    assert found is not None
    assert found.times.value == pytest.approx(math.sqrt(6 * 6))  # of 4, 6, 8, 8, 6, 4
    solvers = Race(frame, BEST).solvers
    assert named_by("ilp-b*", solvers) == named_by("ilp-b", solvers) == ["ilp-b fast"]  # the latter is a solver's name
    assert named_by("ilp-*", solvers) == ["ilp-a", "ilp-b fast"]


def test_a_rival_that_was_stopped_counts_as_its_limit() -> None:
    def stopped(number: int) -> dict[str, Any]:
        return cell("ilp-a", number, 5.0, status="timeout" if number < 4 else "optimal")

    found = speed_up(cells(stopped=stopped, other=other), BEST, "ilp-b", "ilp-a", "optimal")
    assert found is not None
    assert (found.pairs, found.charged) == (6, 4)
    assert found.times.value == pytest.approx(math.sqrt(5 / 3 * 2))  # of 10/7, 10/6, 5/3, 10/5, 10/4, 5/2


def test_a_solver_that_ends_without_a_proof_has_no_time_for_one() -> None:
    table = Race(cells(exact=exact, close=close), BEST).times("optimal")
    assert (table["ad3"] == math.inf).all()
    assert (table["ilp-a"] == [2.0, 3.0, 4.0, 5.0, 6.0, 7.0]).all()


def test_a_solver_that_fails_has_no_ratio_and_its_rival_one_over_the_other_instances() -> None:
    def failing(number: int) -> dict[str, Any]:
        return cell("ilp-b", number, 1.0, status="crash" if number == 3 else "optimal")

    def unavailable(number: int) -> dict[str, Any]:
        return cell("ilp-b", number, 1.0, status="skipped" if number == 3 else "optimal")

    assert speed_up(cells(exact=exact, failing=failing), BEST, "ilp-b", "ilp-a") is None
    for frame, own, rival in (
        (cells(exact=exact, failing=failing), "ilp-a", "ilp-b"),
        (cells(exact=exact, unavailable=unavailable), "ilp-a", "ilp-b"),
        (cells(exact=exact, unavailable=unavailable), "ilp-b", "ilp-a"),
    ):
        found = speed_up(frame, BEST, own, rival)
        assert found is not None
        assert (found.pairs, found.charged) == (5, 0)


def test_an_answer_at_the_limit_counts_if_it_is_good_enough_and_is_charged_with_the_limit_if_not() -> None:
    def stopped(number: int) -> dict[str, Any]:
        return cell("ilp-b", number, 9.0, 99.5 if number < 2 else 60.0, "limited")

    frame = cells(close=close, stopped=stopped)
    found = speed_up(frame, BEST, "ad3", "ilp-b", 0.01)
    assert found is not None
    assert (found.times.value, found.pairs, found.charged) == (pytest.approx(20.0), 6, 4)
    assert [*Race(frame, BEST).times(0.01)["ilp-b"]] == [10.0, 10.0, *[math.inf] * 4]


def test_the_common_target_is_the_strictest_that_somebody_reaches_on_most_instances() -> None:
    def lucky(number: int) -> dict[str, Any]:
        return cell("lucky", number, 1.0, 100.0, "optimal" if number < 3 else "feasible")

    assert Race(cells(exact=exact, close=close), BEST).common_target() == "optimal"
    assert Race(cells(lucky=lucky), BEST).common_target() == 0.001  # half of the instances are not most
    assert Race(cells(rubbish=rubbish), BEST).common_target() == "any"
    assert Race(cells(exact=exact), BEST).common_target("any") == "any"


STATUSES = ("optimal", "feasible", "timeout", "limited", "crash", "skipped")
CELLS = st.tuples(
    st.sampled_from(STATUSES), st.sampled_from([0.5, 1.0, 4.0]), st.sampled_from([100.0, 99.95, 99.5, 50.0])
)


def oracle(runs: dict[str, list[Any]], own: list[str], other: list[str], targets: Any) -> Any:
    """The rule of `Race.speed_up`, instance by instance: (target, ratios, charged) or None."""

    def time(label: str, place: int, target: Any) -> tuple[str, float]:
        status, seconds, objective = runs[label][place]
        good = status == "optimal"
        if target != "optimal" and status in ("feasible", "limited"):
            good = target == "any" or objective >= 100 * (1 - target)
        if good:
            return "reached", 10.0 if status == "limited" else seconds
        return {"feasible": "missed", "crash": "failed", "skipped": "untried"}.get(status, "stopped"), 10.0

    def group(labels: list[str], place: int, target: Any) -> tuple[str, float]:
        found = [time(label, place, target) for label in labels]
        timed = sorted((seconds, kind != "reached", kind) for kind, seconds in found if kind in ("reached", "stopped"))
        if timed:
            return timed[0][2], timed[0][0]
        return "+".join(sorted({kind for kind, _ in found})), math.nan

    for target in targets:
        pairs = []
        for place in range(len(runs["a"])):
            if all(time(label, place, target)[0] != "reached" for label in runs):
                continue
            pairs.append((group(own, place, target), group(other, place, target)))
        if any("missed" in mine[0] or "failed" in mine[0] or "missed" in theirs[0] for mine, theirs in pairs):
            continue
        pairs = [pair for pair in pairs if {pair[0][0], pair[1][0]} <= {"reached", "stopped"}]
        pairs = [pair for pair in pairs if "reached" in (pair[0][0], pair[1][0])]
        if any(mine[0] == "reached" for mine, _ in pairs):
            charged = sum("stopped" in (mine[0], theirs[0]) for mine, theirs in pairs)
            return target, [theirs[1] / mine[1] for mine, theirs in pairs], charged
    return None


@settings(max_examples=300)
@given(
    st.integers(1, 5).flatmap(
        lambda n: st.fixed_dictionaries({k: st.lists(CELLS, min_size=n, max_size=n) for k in "abc"})
    ),
    st.sampled_from(["auto", "optimal", "any", 0.001, 0.01]),
    st.sampled_from([("a", "b"), ("a", "*"), ("b", "[ac]")]),
)
def test_speed_ups_are_those_of_the_rule_written_as_loops(runs: Any, target: Any, pair: tuple[str, str]) -> None:
    frame = pd.DataFrame(
        [
            cell(label, place, seconds, objective, status)
            for label, row in runs.items()
            for place, (status, seconds, objective) in enumerate(row)
        ]
    )
    found = speed_up(frame, BEST, *pair, target)
    others = {"b": ["b"], "*": ["b", "c"], "[ac]": ["a", "c"]}[pair[1]]
    expected = oracle(runs, [pair[0]], others, TARGETS if target == "auto" else (target,))
    if expected is None:
        assert found is None
        return
    assert isinstance(found, SpeedUp)
    assert (found.target, found.pairs, found.charged) == (expected[0], len(expected[1]), expected[2])
    ordered = sorted(expected[1])
    middles = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    assert found.times.value == pytest.approx(math.sqrt(middles[0] * middles[1]))


def test_times_to_a_share_are_those_of_traces_and_else_of_the_end() -> None:
    rows = [
        {"solver": "s", "instance": "a", "cpu_seconds": 4.0, "objective": 10.0},
        {"solver": "t", "instance": "a", "cpu_seconds": 5.0, "objective": 9.95, "status": "feasible"},
        {"solver": "u", "instance": "a", "cpu_seconds": 1.0, "objective": 5.0, "status": "feasible"},
        {"solver": "s", "instance": "a", "key": "k", "objective": 10.0, "solve_seconds": 4.0, "traced": True},
    ]
    points = [
        {"seconds": at, "objective": value, "bound": None, "iteration": 0} for at, value in ((1.0, 9.0), (2.0, 9.9))
    ]
    records = made_records(rows, [{"key": "k", "points": points}])
    times = times_within(records, 0.01, reduce_cells(records))
    assert times.loc["a"].to_dict() == {"s": 2.0, "t": 5.0, "u": math.inf}
    whole = progress_table(records, 0.01, cells=reduce_cells(records)).set_index("label")["primal_integral"]
    assert whole.to_dict() == pytest.approx({"s": 1 + 0.1 + 2 * 0.01, "t": 5 + 55 * 0.005, "u": 1 + 59 * 0.5})


@given(st.lists(st.floats(0.01, 9.0), min_size=6, max_size=6), st.lists(st.floats(0.01, 9.0), min_size=6, max_size=6))
def test_a_ratio_and_its_reverse_are_inverse(first: list[float], second: list[float]) -> None:
    frame = pd.DataFrame(
        [cell("a", n, value) for n, value in enumerate(first)] + [cell("b", n, value) for n, value in enumerate(second)]
    )
    one, reverse = speed_up(frame, BEST, "a", "b"), speed_up(frame, BEST, "b", "a")
    assert one is not None
    assert reverse is not None
    assert one.times.value * reverse.times.value == pytest.approx(1.0)
