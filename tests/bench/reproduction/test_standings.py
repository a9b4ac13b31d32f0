"""Contests: solvers are compared size by size, among equals, and what they say is what the run's own summary says."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from made_records import made_records

from bench.analysis.audit import with_audit
from bench.analysis.statistics.ratios import SpeedUp
from bench.analysis.statistics.summary import summary
from bench.analysis.statistics.values import Interval
from bench.records.frame import Records
from bench.reproduction.cover import cover_alt, cover_figure, cover_table
from bench.reproduction.runs import read_cells, run_cells, write_cells
from bench.reproduction.standings import (
    HEADINGS,
    Contest,
    contest_of,
    contest_row,
    contests,
    family,
    interval_text,
    seconds_text,
    speed_up_text,
)
from problems.errors import InputError

COUNT = 6


def rows(size: str, scale: float = 1.0, ad3_worth: float = 100.0) -> list[dict[str, Any]]:
    """Three repetitions: `ilp-a` proves all in 1 s and `ilp-b` one of them sooner; `ad3` is ten times faster; `dp-x` times out once."""
    found = []
    for place in range(COUNT):
        one = {"instance": f"{size}-{place}", "size": size, "bound": 100.0, "structure": [1]}
        for repetition in range(3):
            each = {**one, "repetition": repetition}
            found.append({**each, "solver": "ilp-a", "cpu_seconds": scale, "objective": 100.0})
            sooner = scale * (0.5 if place == 0 else 2.0)
            found.append({**each, "solver": "ilp-b", "cpu_seconds": sooner, "objective": 100.0})
            worth, taken = (ad3_worth, [2]) if place == 2 else (100.0, [1])
            answer = {"objective": worth, "structure": taken, "status": "feasible"}
            found.append({**each, "solver": "ad3", "cpu_seconds": scale / 10, **answer})
            if place:
                found.append({**each, "solver": "dp-x", "cpu_seconds": scale / 2, "objective": 100.0})
            else:
                nothing = {
                    "cpu_seconds": None,
                    "objective": None,
                    "bound": None,
                    "structure": None,
                    "status": "timeout",
                }
                found.append({**each, "solver": "dp-x", **nothing})
    return found


def made(*parts: list[dict[str, Any]]) -> Records:
    experiment = {"solvers": [{"label": name} for name in ("ad3", "dp-x", "ilp-a", "ilp-b")]}
    return made_records([row for part in parts for row in part], experiment=experiment)


def test_sizes_are_never_pooled() -> None:
    small, large = contests(*run_cells(made(rows("small"), rows("large", 100.0))))
    assert (small.size, large.size, small.instances, large.instances) == ("small", "large", COUNT, COUNT)
    for contest, scale in ((small, 1.0), (large, 100.0)):
        assert contest.ilp.value == contest.ilp.high == pytest.approx(scale)  # of 0.5, 1, 1, 1, 1 and 1 seconds
        assert 0.5 * scale < contest.ilp.low <= scale
        assert contest.ilp_label == "ilp-a"
        assert [each.label for each in contest.standings] == ["ad3", "dp-x", "ilp-a", "ilp-b"]  # the experiment's order
        assert contest.proof is not None
        assert (contest.proof.label, contest.proof.seconds.value) == ("ilp-a", pytest.approx(scale))
        assert contest.rival is not None
        assert contest.rival.label == "ad3"
    assert small.rival is not None
    assert small.rival.speed_up is not None
    assert small.rival.speed_up.times.value == pytest.approx(10.0)
    assert (small.rival.speed_up.target, small.rival.speed_up.pairs) == (0.001, COUNT)


def test_who_only_calls_others_takes_no_part() -> None:
    """`auto` may call an ILP solver, and would then count as a combinatorial algorithm."""
    calling = [{**row, "solver": "auto", "cpu_seconds": 1e-3} for row in rows("small") if row["solver"] == "ilp-a"]
    (contest,) = contests(*run_cells(made(rows("small"), calling)))
    assert [each.label for each in contest.standings] == ["ad3", "dp-x", "ilp-a", "ilp-b"]
    assert contest == contests(*run_cells(made(rows("small"))))[0]


def test_a_contest_says_what_the_run_s_summary_says() -> None:
    records = with_audit(made(rows("small", ad3_worth=99.0), rows("large", 100.0)))
    for contest in contests(*run_cells(records)):
        table = summary(records[records["size"] == contest.size])
        for each in contest.standings:
            row = table.loc[each.label]
            assert each.seconds == pytest.approx((row["median"], row["median_low"], row["median_high"]))
            assert (each.proved, each.instances, each.scored) == (row["optimal"], row["cells"], row["scored"])
            assert each.share == pytest.approx(row["share"])


def test_rubbish_has_no_ratio() -> None:
    (contest,) = contests(*run_cells(made(rows("small", ad3_worth=50.0))))
    ad3 = contest.standings[0]
    assert ad3.speed_up is None
    assert contest.rival is not None
    assert contest.rival.label == "dp-x"  # half a second, and one instance at its limit
    (alone,) = contests(*run_cells(made([row for row in rows("small", ad3_worth=50.0) if row["solver"] != "dp-x"])))
    row = dict(zip(HEADINGS, contest_row(alone), strict=True))
    assert (row["combinatorial algorithm"], row["times faster"]) == ("ad3 (no common target)", "-")
    assert row["quality %"] == "91.67"


def test_nobody_proves_anything_or_is_an_ilp_solver() -> None:
    (contest,) = contests(*run_cells(made([row for row in rows("small") if row["solver"] == "ad3"])))
    assert (contest.proof, contest.ilp_label) == (None, "")
    row = contest_row(contest)
    assert row[3:5] == ["none", "none"]
    assert "no solver reaches a common target" in cover_alt({"made": [contest]})


def test_cells_survive_their_file(tmp_path: Path) -> None:
    cells = run_cells(made(rows("10", ad3_worth=99.5), rows("20", 100.0)))
    write_cells(cells, tmp_path / "cells.csv")
    again = read_cells(tmp_path / "cells.csv")
    assert again.best == cells.best
    assert [each.size for each in contests(*again)] == ["10", "20"]
    assert contests(*again) == contests(*cells)
    (tmp_path / "cells.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="not a file of cells"):
        read_cells(tmp_path / "cells.csv")


def test_contests_survive_json() -> None:
    found = contests(*run_cells(made(rows("small"))))
    assert [contest_of(json.loads(json.dumps(asdict(each)))) for each in found] == found


def test_traces_say_who_is_near_soonest() -> None:
    traced = [
        {**row, "traced": True, "key": f"t{place}"} for place, row in enumerate(rows("small")) if row["repetition"] == 0
    ]
    traces = [
        {"key": row["key"], "points": [{"seconds": 0.01, "objective": 99.5, "bound": None, "iterations": 1}]}
        for row in traced
        if row["solver"] == "ilp-a"
    ]
    records = made_records([*rows("small"), *traced], traces, {"solvers": [{"label": "ad3"}]})
    (contest,) = contests(*run_cells(records))
    assert contest.soonest is not None
    assert (contest.soonest.label, contest.soonest.to_target) == ("ilp-a", 0.01)
    assert cover_table({"made": [contest]}).rows[0][-1] == "ilp-a: 10 ms"


def test_the_cover_has_a_row_and_a_place_for_each_size() -> None:
    found = {"made": contests(*run_cells(made(rows("small"), rows("large", 100.0))))}
    found["other"] = found["made"][:1]
    table = cover_table(found, ["Marked: recorded at load 1.2 per core."])
    assert [row[:3] for row in table.rows if row] == [
        ["extraction", "small", "6"],
        ["extraction", "large", "6"],
        ["extraction", "small", "6"],
    ]
    assert table.rows[0][3] == "ilp-a: 1.00 [1.00, 1.00] s"
    assert table.rows[0][5:8] == ["ad3 (within 0.1 %)", "10.0 [7.07, 10.0]", "100.00"]
    assert table.notes[-1] == "Marked: recorded at load 1.2 per core."
    figure = cover_figure(found)
    panels = [axes for axes in figure.axes if axes.get_title(loc="left")]
    assert [axes.get_title(loc="left") for axes in panels] == ["made", "other"]
    assert [label.get_text() for label in panels[0].get_xticklabels()] == ["small\nilp-a", "large\nilp-a"]
    lengths = cover_figure({"parsing": contests(*run_cells(made(rows("10"))))})
    assert [label.get_text() for label in lengths.axes[0].get_xticklabels()] == ["10 words\nilp-a"]
    assert "made, large: ad3 10.0 [7.07, 10.0] times (within 0.1 %), dp-x" in cover_alt(found)


def test_words_for_numbers() -> None:
    nothing = math.nan
    assert seconds_text(Interval(0.00031, nothing, nothing)) == "0.310 ms"
    assert seconds_text(Interval(1.25, 1.0, 60.0)) == "1.25 [1.00, 60.0] s"
    assert interval_text(Interval(nothing, nothing, nothing)) == "none"
    assert (
        speed_up_text(SpeedUp(Interval(19.16, 14.0, 25.1), "optimal", 6, 2)) == "19.2 [14.0, 25.1] (2 of 6 at a limit)"
    )


def test_families() -> None:
    names = ["ilp-highs", "tree-ilp", "lp-clp", "ad3-exact", "subgradient", "dp-mst", "beam"]
    assert [family(name) for name in names] == [
        *("ILP", "ILP", "LP and rounding", "AD3", "subgradient", "dynamic program", "search"),
    ]


def test_a_contest_without_solvers() -> None:
    empty = Contest("made", "small", 0, Interval(math.nan, math.nan, math.nan), "", ())
    assert (empty.proof, empty.rival, empty.soonest) == (None, None, None)
