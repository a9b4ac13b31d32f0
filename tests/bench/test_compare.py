"""Comparisons of two made runs: what pairs, what counts as worse, what is warned of."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_records import made_records
from rich.console import Console

from bench.analysis.comparison import compare
from bench.analysis.statistics.values import median_interval
from bench.output.comparison_table import comparison_table, run_compare
from problems.errors import InputError


def run(times: dict[tuple[str, str], float], provenance: Any = None, **more: Any) -> Any:
    rows = [
        {"solver": solver, "instance": instance, "cpu_seconds": seconds, "objective": 1.0, **more}
        for (solver, instance), seconds in times.items()
    ]
    return made_records(rows, provenance=provenance)


def cells(solver: str, *seconds: float) -> dict[tuple[str, str], float]:
    return {(solver, f"i{number}"): value for number, value in enumerate(seconds)}


BASE = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]


def one(**more: Any) -> Any:
    return made_records([{"solver": "s", "cpu_seconds": 1.0, **more}])


def test_ratios_are_second_over_first_per_label_and_over_instances() -> None:
    first = run(cells("s", 1.0, 2.0, 4.0) | cells("t", 1.0, 1.0, 1.0))
    second = run(cells("s", 2.0, 6.0, 4.0) | cells("t", 2.0, 1.0, 1.0))
    found = compare(first, second)
    labels = [speed.label for speed in found.speeds]
    assert labels == ["s", "t", "all"]
    ratios = {speed.label: speed.ratio for speed in found.speeds}
    assert ratios["s"] == median_interval([2.0, 3.0, 1.0], logarithms=True)
    assert ratios["all"].value == pytest.approx(math.sqrt(3))  # of 2, sqrt(3) and 1
    assert found.speeds[0].first == 2.0
    assert found.speeds[0].second == 4.0
    assert found.pairs == 6


def test_a_slower_solver_is_a_regression_and_a_faster_one_an_improvement() -> None:
    first = run(cells("s", *BASE) | cells("t", *BASE))
    second = run(cells("s", *(1.2 * value for value in BASE)) | cells("t", *(0.5 * value for value in BASE)))
    found = compare(first, second)
    assert [(change.kind, change.label) for change in found.regressions] == [("time", "s")]
    assert [(change.kind, change.label) for change in found.improvements] == [("time", "t"), ("time", "all")]
    assert found.exit_code == 1
    assert compare(first, second, threshold=0.25).exit_code == 0
    assert compare(second, first).improvements[0].label == "s"


def test_an_interval_that_holds_no_change_is_no_regression() -> None:
    second = [value * factor for value, factor in zip(BASE, [0.5, 3, 1, 1.01, 2, 0.9, 1.2], strict=True)]
    found = compare(run(cells("s", *BASE)), run(cells("s", *second)))
    assert found.speeds[0].ratio.value > 1.005
    assert found.exit_code == 0
    assert "Nothing got worse." in comparison_table(found).notes


def test_one_instance_is_not_enough_to_tell() -> None:
    found = compare(run(cells("s", 1.0)), run(cells("s", 9.0)))
    assert found.speeds[0].ratio.value == pytest.approx(9)
    assert found.exit_code == 0
    assert comparison_table(found).rows == [["s", "1", "1", "9", "9", "-", "5 %", ""]]


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=8), st.floats(0.1, 10))
def test_a_common_factor_is_found_exactly(seconds: list[float], factor: float) -> None:
    found = compare(run(cells("s", *seconds)), run(cells("s", *(factor * value for value in seconds))))
    assert found.speeds[0].ratio.value == pytest.approx(factor)
    slower = len(seconds) > 1 and factor > 1.05 * (1 + 1e-9)
    if not math.isclose(factor, 1.05, rel_tol=1e-6):
        assert found.exit_code == int(slower)


def test_sizes_are_compared_one_by_one() -> None:
    """Slower on one size and faster on the other: together nothing would be seen."""
    runs = []
    for factors in ((1.0, 1.0), (2.0, 0.5)):
        rows = [
            {"instance": f"{size}-{n}", "size": size, "cpu_seconds": factor * value, "objective": 1.0}
            for size, factor in zip(("20", "100"), factors, strict=True)
            for n, value in enumerate(BASE)
        ]
        runs.append(made_records(rows[::-1]))
    found = compare(*runs)
    assert [(speed.group, speed.change) for speed in found.speeds] == [(("20",), "slower"), (("100",), "faster")]
    table = comparison_table(found)
    assert table.headings[:2] == ["size", "solver"]
    assert [row[:1] for row in table.rows] == [["20"], [], ["100"]]
    assert "Worse: s on 20: slower, x 2 [2, 2]." in table.notes


def test_times_of_worse_answers_are_not_compared() -> None:
    first = run(cells("s", *BASE), status="feasible")
    worse = run(cells("s", *(0.1 * value for value in BASE)), status="feasible")
    worse["objective"] = [0.5] * 3 + [0.995] * 4
    found = compare(first, worse)
    assert found.speeds[0].pairs == 4
    assert len(found.regressions) == 7


def test_repetitions_count_by_their_median() -> None:
    def repeated(*seconds: float) -> Any:
        return made_records([{"cpu_seconds": value, "repetition": number} for number, value in enumerate(seconds)])

    assert compare(repeated(1.0, 50.0, 2.0), repeated(3.0, 4.0, 99.0)).speeds[0].ratio.value == pytest.approx(2)


@pytest.mark.parametrize(
    ("factor", "spread", "code"), [(1.5, 0.1, 1), (1.15, 0.2, 0), (1.25, 0.2, 1), (1.04, 0.0, 0), (1.15, 0.01, 1)]
)
def test_a_change_must_exceed_the_spread_of_repetitions(factor: float, spread: float, code: int) -> None:
    def repeated(scale: float, wide: float) -> Any:
        rows = [
            {"instance": f"i{number}", "repetition": place, "cpu_seconds": scale * value * (1 + part * wide)}
            for number, value in enumerate(BASE)
            for place, part in enumerate((0.0, 0.5, 1.0))
        ]
        return made_records(rows)

    steady = compare(repeated(1.0, spread), repeated(factor, spread))
    assert steady.exit_code == code
    assert steady.speeds[0].margin == pytest.approx(max(0.05, spread))
    assert not [warning for warning in steady.warnings if "once" in warning or "fewer" in warning]
    once = repeated(1.0, 0.0)
    once = once[once["repetition"] == 0]
    for pair in ((once, repeated(1.0, 0.0)), (repeated(1.0, 0.0), once)):
        assert any("ran once" in warning for warning in compare(*pair).warnings)
    uneven = compare(repeated(1.0, 0.0), repeated(factor, spread))  # the wider of the two runs decides
    assert uneven.speeds[0].margin == pytest.approx(max(0.05, spread))


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ({"status": "optimal"}, {"status": "feasible"}, "solved"),
        ({"status": "optimal"}, {"status": "timeout"}, "solved"),
        ({"status": "feasible"}, {"status": "crash"}, "status"),
        ({"status": "feasible"}, {"status": "relaxed"}, "status"),
        ({"status": "timeout"}, {"status": "optimal", "audit": "the bound is wrong"}, "status"),
        ({"status": "optimal"}, {"status": "optimal", "audit": "the bound is wrong"}, "solved"),
        ({"objective": 10.0, "status": "feasible"}, {"objective": 9.9, "status": "feasible"}, "objective"),
    ],
)
def test_worse_answers_are_regressions_and_the_other_way_improvements(before: Any, after: Any, kind: str) -> None:
    found = compare(one(**before), one(**after))
    assert [(change.kind, change.instance) for change in found.regressions] == [(kind, "a")]
    assert not found.improvements
    back = compare(one(**after), one(**before))
    assert [change.kind for change in back.improvements] == [kind]
    assert back.exit_code == 0


def test_changes_within_rounding_are_none() -> None:
    found = compare(one(objective=1.0), one(objective=1.0 - 1e-9))
    assert not found.regressions
    assert not found.improvements


def test_contradictions_between_solvers_of_a_run_are_a_loss() -> None:
    """`t` still says optimal, but in the second run `s` has found something better."""
    first = made_records([{"solver": "s", "objective": 9.0}, {"solver": "t", "objective": 9.0}])
    second = made_records([{"solver": "s", "objective": 10.0}, {"solver": "t", "objective": 9.0}])
    found = compare(first, second)
    assert [(change.kind, change.label) for change in found.regressions] == [("solved", "t")]
    assert "wrong: 9 is not optimal" in found.regressions[0].text


def test_failed_cells_have_no_times_but_a_status() -> None:
    first = run(cells("s", 1.0, 1.0))
    second = made_records(
        [
            {"solver": "s", "instance": "i0", "cpu_seconds": 1.0, "objective": 1.0},
            {"solver": "s", "instance": "i1", "cpu_seconds": 99.0, "status": "memout", "audit": ""},
        ]
    )
    found = compare(first, second)
    assert found.speeds[0].pairs == 1
    assert [change.text for change in found.regressions] == ["optimal -> memout."]
    nothing = compare(second.iloc[1:], second.iloc[1:])
    assert comparison_table(nothing).rows == [["s", "0", "-", "-", "-", "-", "-", ""]]


def test_a_renamed_label_is_found_by_its_options() -> None:
    found = compare(one(label="old", options={"k": 1}), one(label="new", options={"k": 1}))
    assert (found.speeds[0].label, found.pairs, found.only_first, found.only_second) == ("old", 1, {}, {})
    with pytest.raises(InputError, match="nothing to compare: the first run has 1 cells"):
        compare(one(label="old", options={"k": 1}), one(label="new", options={"k": 2}))


def test_the_same_label_with_other_options_is_warned_of() -> None:
    found = compare(one(options={"k": 1}), one(options={"k": 2}))
    said = "the same label stands for other options in the two runs: s."
    assert said in found.warnings
    assert said not in compare(one(options={"k": 1}), one(options={"k": 1})).warnings


def test_cells_of_one_run_only_are_counted() -> None:
    found = compare(run(cells("s", 1.0, 2.0) | cells("t", 1.0)), run(cells("s", 1.0) | cells("u", 1.0, 2.0, 3.0)))
    assert found.only_first == {"s": 1, "t": 1}
    assert found.only_second == {"u": 3}
    notes = " ".join(comparison_table(found).notes)
    assert "Only in the first run: 1 of s, 1 of t." in notes
    assert "Only in the second run: 3 of u." in notes


def test_tasks_are_never_mixed() -> None:
    with pytest.raises(InputError, match="nothing to compare"):
        compare(one(task="extraction"), one(task="summarization"))


def test_circumstances_that_differ_are_warned_of() -> None:
    here = {"machine": {"processor": "Fast 1", "cores": "2"}}
    there = {"machine": {"processor": "Slow 2", "cores": "2"}, "sessions": [{"load_start": [9.0, 9.0, 9.0]}]}
    first = run(cells("s", 1.0, 1.0), here, node="x")
    second = run(cells("s", 1.0, 1.0), there, node="y", jobs=2, limits={"seconds": 5.0})
    warnings = compare(first, second).warnings
    assert [warning.split("(")[0].strip() for warning in warnings] == [
        "the runs are from different processors",
        "the times of the second run are noisy. The machine was busy when the run began",
        "1 and 2 cells ran at the same time.",
        "cells that ran once do not show how far times can be trusted; set repetitions = 3 or more.",
        "an interval over fewer than 6 instances is little more than their range: s.",
        "time limits differ.",
    ]
    assert "different machines (x; y)" in compare(first, run(cells("s", 1.0), here, node="y")).warnings[0]


def test_the_threshold_is_checked() -> None:
    with pytest.raises(InputError, match="threshold"):
        compare(one(), one(), threshold=-0.1)


def test_long_lists_of_changes_are_cut() -> None:
    names = [f"i{number}" for number in range(14)]
    first = made_records([{"instance": name} for name in names])
    second = made_records([{"instance": name, "status": "error", "audit": ""} for name in names])
    notes = comparison_table(compare(first, second)).notes
    assert sum(note.startswith("Worse: s on ") for note in notes) == 10
    assert "Worse: 4 more." in notes


def write_run(folder: Path, factor: float) -> Path:
    folder.mkdir()
    random = np.random.default_rng(0)
    records = made_records(
        [
            {"instance": f"i{number}", "cpu_seconds": factor * float(seconds), "objective": 1.0}
            for number, seconds in enumerate(random.lognormal(size=9))
        ]
    )
    names = [
        "key",
        "task",
        "instance",
        "instance_digest",
        "solver",
        "label",
        "status",
        "audit",
        "cpu_seconds",
        "objective",
    ]
    lines = [json.dumps({name: record[name] for name in names}) for record in records.to_dict("records")]
    (folder / "records.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def test_the_command_prints_a_table_and_its_code_says_whether_something_got_worse(tmp_path: Path) -> None:
    before, after = write_run(tmp_path / "before", 1.0), write_run(tmp_path / "after", 1.5)
    out = io.StringIO()
    assert run_compare(before, after, Console(file=out, width=200), threshold=0.05) == 1
    assert "s          9" in out.getvalue()
    assert "Worse: s: slower, x 1.5 [1.5, 1.5]." in out.getvalue()
    assert run_compare(after, before, Console(file=out, width=200), threshold=0.05) == 0
    with pytest.raises(InputError, match="no such run"):
        run_compare(before, tmp_path / "none", Console(file=out), threshold=0.05)
