"""The noise verdict from made records and provenance."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_records import made_records

from bench.analysis.noise import label_spreads, noise


def run(times: dict[str, list[float]], **provenance: Any) -> Any:
    rows = [
        {"instance": name, "cpu_seconds": seconds, "repetition": number}
        for name, repeated in times.items()
        for number, seconds in enumerate(repeated)
    ]
    return made_records(rows, provenance=provenance)


def loads(start: float, end: float | None, cores: str = "4") -> dict[str, Any]:
    session = {"load_start": [start, 0.0, 0.0], "load_end": None if end is None else [end, 0.0, 0.0]}
    return {"machine": {"cores": cores}, "sessions": [session]}


def test_the_spread_is_that_of_the_median_cell() -> None:
    found = noise(run({"a": [1.0, 1.02], "b": [2.0, 2.0, 2.1], "c": [1.0, 9.0], "d": [5.0]}))
    assert found.spread == pytest.approx(0.05)
    assert (found.level, found.cells) == ("quiet", 3)
    assert noise(run({"a": [1.0, 1.1], "b": [1.0, 1.3]})).spread == pytest.approx(0.2)


def test_spreads_by_label() -> None:
    records = run({"a": [1.0, 1.1], "b": [1.0, 1.3], "c": [2.0, 8.0]}).assign(label=["s", "s", "s", "s", "t", "t"])
    assert label_spreads(records) == {"s": pytest.approx(0.2), "t": pytest.approx(3.0)}
    assert label_spreads(run({"a": [1.0]})) == {}


def test_differing_repetitions_are_noisy() -> None:
    found = noise(run({"a": [1.0, 1.5]}))
    assert found.level == "noisy"
    assert "differ by 50 %" in found.sentence
    assert "more repetitions" in found.sentence


def test_without_repetitions_nothing_is_known_and_it_says_what_to_do() -> None:
    found = noise(run({"a": [1.0], "b": [2.0]}))
    assert (found.level, found.spread, found.cells) == ("unknown", None, 0)
    assert "repetitions = 3" in found.sentence
    assert noise(made_records([])).level == "unknown"


def test_traced_and_failed_repetitions_do_not_count() -> None:
    rows = [
        {"cpu_seconds": 1.0},
        {"cpu_seconds": 9.0, "repetition": 1, "traced": True},
        {"cpu_seconds": 60.0, "repetition": 2, "status": "timeout"},
        {"cpu_seconds": None, "repetition": 3},
    ]
    assert noise(made_records(rows)).level == "unknown"


@pytest.mark.parametrize(
    ("start", "end", "verdict", "words"),
    [
        (0.1, 1.0, "quiet", "nothing needs"),
        (3.4, 1.0, "quiet", "nothing needs"),
        (3.6, 1.0, "noisy", "busy when the run began"),
        (0.0, 4.6, "noisy", "load 4.60 at the end"),
        (0.0, None, "quiet", "nothing needs"),
    ],
)
def test_load_beyond_the_cores_is_noisy(start: float, end: float | None, verdict: str, words: str) -> None:
    found = noise(run({"a": [1.0, 1.0]}, **loads(start, end)))
    assert found.level == verdict
    assert words in found.sentence
    assert (found.load_start, found.load_end, found.cores) == (start, end, 4)


def test_a_busy_machine_is_noisy_even_without_repetitions() -> None:
    assert noise(run({"a": [1.0]}, **loads(8.0, 8.0))).level == "noisy"


def test_unknown_cores_leave_the_load_unjudged() -> None:
    assert noise(run({"a": [1.0, 1.0]}, **loads(8.0, 8.0, cores="unknown"))).level == "quiet"


def test_jobs_that_share_the_machine_are_said() -> None:
    records = run({"a": [1.0, 1.0]}, **loads(0.0, 2.0))
    shared = noise(records.assign(jobs=2))
    assert (shared.level, shared.jobs) == ("quiet", 2)
    assert "Up to 2 cells ran at the same time" in shared.sentence
    assert "at the same time" not in noise(records).sentence
    crowded = noise(records.assign(jobs=6))
    assert crowded.level == "noisy"
    assert "--jobs 3 or less" in crowded.sentence


@given(st.dictionaries(st.sampled_from("abcdef"), st.lists(st.floats(1e-3, 10), min_size=2, max_size=4), min_size=1))
def test_the_spread_counted_one_by_one(times: dict[str, list[float]]) -> None:
    spreads = sorted(max(values) / min(values) - 1 for values in times.values())
    middle = (spreads[(len(spreads) - 1) // 2] + spreads[len(spreads) // 2]) / 2
    found = noise(run(times))
    assert found.spread is not None
    assert math.isclose(found.spread, middle, rel_tol=1e-9, abs_tol=1e-12)
    assert found.level == ("noisy" if found.spread > 0.10 else "quiet")
