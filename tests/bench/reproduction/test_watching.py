"""How far a reproduction is: time left from earlier runs and this one, cells from the folders of runs, and the quick pass."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from fake_pieces import claim, made, piece
from rich.console import Console

from bench.output.tables import Table
from bench.records.provenance import ROOT
from bench.reproduction import command, watching
from bench.reproduction.context import Context
from bench.reproduction.piece import Outcome
from bench.reproduction.report import _warnings
from bench.reproduction.schedule import Event
from bench.reproduction.store import Kept, write_outcome
from bench.reproduction.watching import Cells, RunsWatch, TimeLeft, Watch, usual_seconds


def ended(name: str, seconds: float) -> Event:
    return Event(name, "finished", seconds)


def test_time_left_follows_the_pace_of_this_machine() -> None:
    pieces = [piece("a"), piece("b"), piece("c")]
    left = TimeLeft(pieces, {"a": 10.0, "b": 20.0, "c": 30.0}, lanes=1)
    assert left.seconds({}) == pytest.approx(60.0)
    assert left.seconds({"a": 4.0}) == pytest.approx(56.0)
    assert left.seconds({"a": 400.0}) == pytest.approx(50.0)
    left.ended(ended("a", 20.0))  # twice as slow as before
    assert left.seconds({}) == pytest.approx(100.0)
    left.ended(Event("b", "reused", 20.0))
    assert left.seconds({}) == pytest.approx(60.0)


def test_time_left_without_earlier_runs_comes_from_this_one() -> None:
    left = TimeLeft([piece("a"), piece("b"), piece("c")], {}, lanes=1)
    assert left.seconds({}) is None
    left.ended(ended("a", 8.0))
    assert left.seconds({"b": 3.0}) == pytest.approx(13.0)


def test_timed_pieces_follow_one_another_and_others_share_lanes() -> None:
    pieces = [piece("timed", timed=True), piece("x", timed=False), piece("y", timed=False)]
    assert TimeLeft(pieces, {"timed": 50.0, "x": 10.0, "y": 10.0}, lanes=2).seconds({}) == pytest.approx(50.0)
    assert TimeLeft(pieces, {"timed": 10.0, "x": 50.0, "y": 40.0}, lanes=2).seconds({}) == pytest.approx(50.0)


def test_cells_that_are_left_count_where_a_piece_takes_longer_than_before() -> None:
    left = TimeLeft([piece("a"), piece("b")], {"a": 10.0, "b": 20.0}, lanes=1)
    assert left.seconds({"a": 300.0}) == pytest.approx(20.0)
    assert left.seconds({"a": 300.0}, Cells("r", 50, 150, 0, 200.0).seconds_left) == pytest.approx(420.0)
    assert Cells("r", 60, 150, 50, 20.0).seconds_left == pytest.approx(180.0)
    assert Cells("r", 50, 150, 50, 20.0).seconds_left == 0.0
    assert Cells("r", 1, 72, 0, 60.0).seconds_left == 0.0  # the first cell waited for compilation and for its worker


def write(
    context: Context, name: str, seconds: float, quick: bool = False, runs: Sequence[dict[str, int]] = ()
) -> Kept:
    outcome = Outcome({"table": Table("t", ["a"], [["1"]], [])}, claims=[claim()])
    done = {"key": "", "quick": quick, "data": context.data is not None, "seconds": seconds, "runs": list(runs)}
    return write_outcome(context.folder(name), outcome, done)


def test_usual_times_are_those_of_the_same_kind_of_run(tmp_path: Path) -> None:
    recorded, mine = Context(tmp_path / "recorded"), Context(tmp_path / "mine")
    pieces = [piece(name) for name in ("a", "b", "c")]
    write(recorded, "a", 10.0)
    write(recorded, "b", 20.0)
    write(mine, "b", 25.0)
    write(mine, "c", 1.0, quick=True)
    assert usual_seconds(pieces, mine, [recorded.out]) == {"a": 10.0, "b": 25.0}
    assert usual_seconds(pieces, Context(mine.out, quick=True), [recorded.out]) == {"c": 1.0}
    real = Context(tmp_path / "real", data=tmp_path)
    assert usual_seconds(pieces, Context(mine.out, data=tmp_path), [recorded.out]) == {}
    write(real, "a", 90.0)
    both = [recorded.out, real.out]
    assert usual_seconds(pieces, Context(mine.out, data=tmp_path), both) == {"a": 90.0}
    assert usual_seconds(pieces, mine, both) == {"a": 10.0, "b": 25.0}


def test_a_brief_run_tells_nothing_of_a_whole_one(tmp_path: Path) -> None:
    mine, done = Context(tmp_path), {"key": "", "quick": False, "data": False, "seconds": 5.0, "brief": True}
    write_outcome(mine.folder("a"), Outcome({"table": Table("t", ["a"], [["1"]], [])}), done)
    assert usual_seconds([piece("a")], mine, [tmp_path / "none"]) == {}
    assert usual_seconds([piece("a")], Context(tmp_path, brief=True), [tmp_path / "none"]) == {"a": 5.0}


def test_fewer_repetitions_take_less_of_the_usual_time(tmp_path: Path) -> None:
    recorded, pieces = Context(tmp_path / "recorded"), [piece("a"), piece("b")]
    write(recorded, "a", 10.0, runs=[{"repetitions": 3}, {"repetitions": 1}])
    write(recorded, "b", 10.0)  # without runs of the runner
    found = [usual_seconds(pieces, Context(tmp_path / "mine", repetitions=each), [recorded.out]) for each in (1, 3, 9)]
    assert found == [{"a": 5.0, "b": 10.0}, {"a": 10.0, "b": 10.0}, {"a": 10.0, "b": 10.0}]


def begin(folder: Path, cells: list[str], **records: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "experiment.json").write_text(json.dumps({"cells": cells, **records}))
    return folder / "records.jsonl"


def test_cells_are_counted_while_they_are_recorded(tmp_path: Path) -> None:
    begin(tmp_path / "old", ["x", "y"]).write_text("")
    watch = RunsWatch(tmp_path, lambda: 0.0)
    assert watch.cells() == []
    log = begin(tmp_path / "new", ["a", "b", "c"])
    assert watch.cells() == [Cells("new", 0, 3)]
    log.write_bytes(b'{"key": "a", "n": 1}\n{"key": "other"}\n{"key": "a"}\n{"key": "b"')
    assert watch.cells() == [Cells("new", 1, 3)]
    with log.open("ab") as file:
        file.write(b', "status": "optimal"}\n')
    assert watch.cells() == [Cells("new", 2, 3)]
    with log.open("ab") as file:
        file.write(b'{"key": "c"}\n')
    assert watch.cells() == []
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "experiment.json").write_text("nonsense")
    assert watch.cells() == []


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_line_says_how_far_the_whole_is(tmp_path: Path) -> None:
    context, clock = Context(tmp_path), Clock()
    for name in ("a", "b"):
        write(context, name, 100.0)
    begin(tmp_path / "runs" / "r", ["k"])
    text = io.StringIO()
    watch = Watch(Console(file=text, width=80), [piece("a"), piece("b")], context, clock=clock)
    assert watch.line() == "0 of 2 pieces, 0 s since the start, about 3 min left"
    watch(Event("a", "started"))
    begin(tmp_path / "runs" / "r2", ["k", "l"]).write_bytes(b'{"key": "k"}\n')
    clock.now = 50.0
    assert watch.line() == (
        "0 of 2 pieces, 50 s since the start, about 2 min left; a for 50 s; r2: 1 of 2 cells"
    )  # fmt: skip
    watch(ended("a", 50.0))
    assert watch.line().startswith("1 of 2 pieces, 50 s since the start, about 50 s left")
    assert "a: made in 50 s (50 s since the start, 1 of 2 left)" in text.getvalue()


def test_the_whole_begins_before_its_first_piece(tmp_path: Path) -> None:
    """Kernels are compiled before, and Python has to start."""
    clock = Clock()
    clock.now = 112.0
    watch = Watch(Console(file=io.StringIO()), [piece("a")], Context(tmp_path), clock=clock, start=2.0)
    assert watch.line().startswith("0 of 1 pieces, 2 min since the start")
    assert watch.elapsed == 110.0


def test_a_process_knows_when_it_began() -> None:
    said = (
        "import time; time.sleep(0.5); from bench.runner.processes import started; print(time.monotonic() - started())"
    )
    begun = time.monotonic()
    done = subprocess.run([sys.executable, "-c", said], check=True, capture_output=True, text=True, cwd=ROOT)
    assert 0.4 <= float(done.stdout) <= time.monotonic() - begun + 1.0


def test_without_a_terminal_there_is_a_line_a_minute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "LINE_EVERY_SECONDS", 0.01)
    text = io.StringIO()
    watch = Watch(Console(file=text, width=80), [piece("a")], Context(tmp_path))
    with watch:
        for _ in range(1000):
            if "0 of 1 pieces" in text.getvalue():
                break
            watch._end.wait(0.01)
    assert "0 of 1 pieces" in text.getvalue()
    watch._thread.join(5)
    assert not watch._thread.is_alive()


def test_in_a_terminal_there_is_one_live_view(tmp_path: Path) -> None:
    text = io.StringIO()
    console = Console(file=text, width=100, force_terminal=True)
    with Watch(console, [piece("a"), piece("b")], Context(tmp_path)) as watch:
        watch(Event("a", "started"))
        watch._live.refresh()
    assert "0 of 2 pieces" in text.getvalue()
    assert "a for 0 s" in text.getvalue()


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> list[list[tuple[str, bool]]]:
    """A reproduction of two pieces; what each report has, and whether it is quick."""
    pieces = {name: piece(name, timed=False) for name in ("one", "two")}
    pages: list[list[tuple[str, bool]]] = []

    def write_report(kept: Mapping[str, Kept], context: Context) -> Path:
        pages.append([(name, bool(each.done["quick"])) for name, each in kept.items()])
        return context.out / "report.html"

    monkeypatch.setattr(command, "PIECES", pieces)
    monkeypatch.setattr(command, "chosen", lambda names: list(pieces.values()))
    monkeypatch.setattr(command, "write_report", write_report)
    return pages


def run(out: Path, **options: Any) -> tuple[int, str]:
    given: dict[str, Any] = {"quick": False, "data": None, "jobs": 1, "texts": True, "parser": None, **options}
    text = io.StringIO()
    return command.reproduce(None, out=out, console=Console(file=text, width=200), **given), text.getvalue()


def test_a_quick_report_comes_first_and_is_replaced_piece_by_piece(
    two: list[list[tuple[str, bool]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[int] = []
    monkeypatch.setattr(command, "REPORT_EVERY_SECONDS", -1.0)
    monkeypatch.setattr(command, "open_page", lambda path: shown.append(len(two)) or True)
    code, said = run(tmp_path, anytime=True, opened=True)
    assert code == 0
    assert two == [
        [("one", True), ("two", True)],
        [("one", False), ("two", True)],
        [("one", False), ("two", False)],
        [("one", False), ("two", False)],
    ]
    assert shown == [1]  # once, after the quick pass
    assert "The quick report:" in said
    assert said.index("The quick report:") < said.index("Report: ")
    assert [made(Context(tmp_path), name) for name in ("one", "two")] == [2, 2]


def test_the_report_is_not_written_again_at_once(two: list[list[tuple[str, bool]]], tmp_path: Path) -> None:
    run(tmp_path, anytime=True)
    assert two == [[("one", True), ("two", True)], [("one", False), ("two", False)]]


def test_a_brief_run_shares_lanes_and_says_so(two: list[list[tuple[str, bool]]], tmp_path: Path) -> None:
    run(tmp_path, anytime=True, brief=True)
    done = [json.loads((tmp_path / "pieces" / name / "done.json").read_text()) for name in ("one", "two")]
    assert [each["brief"] for each in done] == [True, True]
    assert not [each for each in done if each["quick"]]


def test_a_full_version_is_never_replaced_by_a_quick_one(two: list[list[tuple[str, bool]]], tmp_path: Path) -> None:
    write(Context(tmp_path), "one", 5.0)  # of other code
    run(tmp_path, anytime=True)
    assert two[0] == [("one", False), ("two", True)]
    two.clear()
    run(tmp_path, anytime=True)
    assert two == [[("one", False), ("two", False)]]


def test_without_anytime_there_is_one_pass(two: list[list[tuple[str, bool]]], tmp_path: Path) -> None:
    run(tmp_path)
    assert two == [[("one", False), ("two", False)]]


def test_the_page_says_which_pieces_are_quick(tmp_path: Path) -> None:
    context = Context(tmp_path)
    kept = {"am-table2": write(context, "a", 1.0, quick=True), "am-table3": write(context, "b", 1.0)}
    assert "Quick versions so far: am-table2. They are made of a few small instances." in _warnings(kept, context)
    del kept["am-table3"]
    assert "A quick run: a few small instances." in _warnings(kept, context)


def test_no_text_browser_takes_over_a_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[str] = []
    monkeypatch.setattr(command.webbrowser, "open", lambda address: opened.append(address) or True)
    monkeypatch.setattr(command.sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not command.open_page(tmp_path / "report.html")
    monkeypatch.setenv("DISPLAY", ":0")
    assert command.open_page(tmp_path / "report.html")
    assert opened == [(tmp_path / "report.html").as_uri()]
