"""Damaged run folders: whatever somebody did to the files, readers say so in one sentence or go on with the rest."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from damaged_runs import FILES, damage, write_run
from rich.console import Console

from bench import load_run
from bench.analysis.audit import audit
from bench.analysis.comparison import compare
from bench.analysis.statistics.summary import summary
from bench.experiments.experiment import Limits
from bench.experiments.plan import is_settled
from bench.output.comparison_table import comparison_table
from bench.output.findings import show
from bench.output.plots import make_plot
from bench.output.report import make_report
from bench.output.run_tables import run_table
from bench.records import run_folder
from bench.records.log import RECORDS, TRACES, read_records, write_parquet
from bench.records.run_folder import RunFolder
from bench.runner.estimate import Estimator
from problems.errors import InputError

MUTATIONS, MANY, READ_BY_ALL = 150, 1000, 40
PLOTS = ("convergence", "scaling", "profile", "pareto", "bins")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("whole") / "run")


@pytest.fixture(autouse=True)
def _no_facts_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take longer to find than all readers together."""
    for name in ("code_state", "libraries", "machine"):
        monkeypatch.setattr(run_folder, name, lambda *_: {})


def attempt(reader: Callable[[], object]) -> str:
    """The sentence with which a reader refuses, or nothing; no other exception is caught."""
    try:
        reader()
    except InputError as error:
        said = str(error)
        assert len(said.splitlines()) == 1, said
        assert len(said) < 1000, said
        return said
    return ""


def every_reader(folder: Path, whole: Path, turn: int | None = None) -> list[str]:
    """Everything that reads a run (of the last ones only one where it is a certain one's turn); what refuses, says why."""
    refused = [attempt(lambda: _resume(folder)), attempt(lambda: Estimator("extraction").learn_runs(folder.parent))]
    try:
        run = load_run(folder)
    except InputError as error:
        return [*refused, str(error)]
    out = Console(file=io.StringIO(), width=100)
    show(audit(run), out)
    readers: list[Callable[[], object]] = [
        lambda: _tables(run, out),
        lambda: make_report(run)[0].encode(),
        lambda: comparison_table(compare(load_run(whole), run)).show(out),
        lambda: write_parquet(folder),
        lambda: (
            [attempt(partial(make_plot, run, kind)) for kind in PLOTS] if turn is None else make_plot(run, "profile")
        ),
    ]
    chosen = readers if turn is None else [readers[int("00001222333333444444"[turn % 20])]]  # the report takes longest
    return [said for said in [*refused, *map(attempt, chosen)] if said]


def _tables(run: Any, out: Console) -> None:
    table = run_table(run)
    for form in ("terminal", "markdown", "csv", "latex"):
        table.print(form, out)
        out.file.getvalue().encode()  # type: ignore[attr-defined]


def _resume(folder: Path) -> None:
    """What `run --resume` reads and writes before the first cell."""
    copy = folder.parent.with_name("resumed") / folder.name
    shutil.copytree(folder, copy)
    try:
        before = {name: (copy / name).read_bytes() for name in FILES}
        good = read_records(copy)
        with RunFolder(copy, resume=True) as opened:
            assert opened.known.keys() == good.keys()
            for record in opened.known.values():
                is_settled(record, Limits(seconds=20.0, memory_gb=4.0))
            opened.begin({"name": "made", "task": "extraction"}, "", [], {"session": {"nodes": {}}})
            opened.end(0, interrupted=False)
        for name in (RECORDS, TRACES):  # only the torn end of a log may go
            kept = (copy / name).read_bytes()
            assert kept in (before[name], before[name] + b"\n", before[name][: before[name].rfind(b"\n") + 1])
    finally:
        shutil.rmtree(copy.parent)


def attack(seeds: range, whole: Path, folder: Path, all_readers: bool) -> int:
    """Damage a copy of the run in as many ways; how many of them made some reader refuse."""
    refusals = 0
    for seed in seeds:
        target = folder / "damaged" / "run"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(whole, target)
        said = damage(target, seed)
        try:
            refusals += bool(every_reader(target, whole, None if all_readers else seed))
        except Exception as error:
            raise AssertionError(f"{said}: {type(error).__name__}: {error}") from error
    return refusals


def test_an_undamaged_run_is_read_by_all(whole: Path) -> None:
    assert every_reader(whole, whole) == []
    assert load_run(whole).damage == []
    assert audit(load_run(whole)) == []


def test_no_damage_gives_a_traceback(whole: Path, tmp_path: Path) -> None:
    refusals = attack(range(MUTATIONS), whole, tmp_path, all_readers=False)
    assert 0 < refusals < MUTATIONS / 2  # most damage leaves something to show


@pytest.mark.slow
def test_no_damage_of_thousands_gives_a_traceback(whole: Path, tmp_path: Path) -> None:
    attack(range(MUTATIONS, MUTATIONS + MANY), whole, tmp_path, all_readers=False)
    attack(range(READ_BY_ALL), whole, tmp_path, all_readers=True)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b'{"key": "a", "status": "optimal", "iterations": ' + b"9" * 5000 + b"}", "a number of 5000 digits"),
        (b'{"key": "a", "structure": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested more than 100 levels deep"),
        (b'{"key": "a", "status": "optimal", "label": "\xff"}', "not UTF-8 (byte 45)"),
        (b'{"key": "a", "status": "optimal", "status": "error"}', "the field 'status' is there twice"),
        (b'{"key": "a", "status": "optimal", "objective": "NaN"}', "field 'objective' must be a number, not 'NaN'"),
        (
            b'{"key": "a", "status": "optimal", "iterations": null}',
            "field 'iterations' must be a whole number, not None",
        ),
        (b'{"key": "a", "status": "optimal", "label": "a\x00b"}', "not valid JSON"),
        (b'{"key": "a", "status": "optimal", "metrics": {"R": "x"}}', "field 'metrics' must hold numbers"),
        (b"[]", "expected an object with the field 'key'"),
    ],
)
def test_a_bad_line_is_told_and_hides_no_other(whole: Path, tmp_path: Path, line: bytes, sentence: str) -> None:
    folder = shutil.copytree(whole, tmp_path / "run")
    first, rest = (folder / RECORDS).read_bytes().split(b"\n", 1)
    (folder / RECORDS).write_bytes(first + b"\r\n" + line + b"\n\n" + rest)
    run = load_run(folder)
    assert list(run["key"]) == list(load_run(whole)["key"])
    (found,) = run.damage
    assert (found.path, found.line) == (folder / RECORDS, 2)
    assert sentence in str(found)
    assert any(note.startswith(f"Warning: {folder / RECORDS}, line 2") for note in run_table(run).notes)
    assert "records.jsonl, line 2" in make_report(run)[0]
    assert any("line 2" in warning for warning in compare(load_run(whole), run).warnings)


@pytest.mark.parametrize("seconds", [-1167.8, 0.0, 1e300, float("nan"), float("inf")])
def test_a_time_that_cannot_be_is_marked_and_left_out(whole: Path, tmp_path: Path, seconds: float) -> None:
    folder = shutil.copytree(whole, tmp_path / "run")
    records = [json.loads(line) for line in (folder / RECORDS).read_text().splitlines()]
    for record in records:
        if record["label"] == "greedy" and record["instance"] == records[0]["instance"]:
            record["cpu_seconds"] = seconds
    (folder / RECORDS).write_text("".join(json.dumps(record) + "\n" for record in records))
    run = load_run(folder)
    assert run.damage == []
    assert len(run) == len(records)
    before, after = summary(load_run(whole)), summary(run, target="any")
    assert after["untimed"].to_dict() == {"ilp-highs": 0, "greedy": 1}
    own = load_run(whole)
    own = own[(own["label"] == "greedy") & (own["instance"] != records[0]["instance"]) & ~own["traced"]]
    assert after.loc["greedy", "mean"] == pytest.approx(own["cpu_seconds"].mean())
    assert after.loc["greedy", "par10"] == pytest.approx(own["cpu_seconds"].mean())
    assert after.loc["ilp-highs", "median"] == before.loc["ilp-highs", "median"]
    table = run_table(run)
    assert [row[0] for row in table.rows] == ["ilp-highs", "greedy*"]
    assert any("* greedy: a time that cannot be on 1 of 2" in note for note in table.notes)
    assert [f.severity for f in audit(run)] == ["warning"] * 3
    assert "which cannot be: left out of times" in make_report(run)[0]


def test_numbers_that_cannot_be_cost_their_cell_and_no_other(whole: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(whole, tmp_path / "run")
    records = [json.loads(line) for line in (folder / RECORDS).read_text().splitlines()]
    records[0] |= {"bound": 1.7e308, "iterations": 10**30, "metrics": {"ROUGE-2": float("inf")}}
    (folder / RECORDS).write_text("".join(json.dumps(record) + "\n" for record in records))
    run = load_run(folder)
    assert run["audit"].tolist()[0] == "bound is 1.7e+308, iterations is 1e+30, ROUGE-2 is inf, which cannot be."
    assert set(run["audit"].tolist()[1:]) == {"ok"}
    assert {key for f in audit(run) if f.severity == "error" for key in f.keys} == {records[0]["key"]}


@pytest.mark.parametrize("name", ["provenance.json", "experiment.json"])
@pytest.mark.parametrize("text", ["[]", "null", "nonsense", '{"sessions": 3, "cells": 3, "solvers": 3, "table": 3}'])
def test_documents_beside_the_records_may_be_damaged(whole: Path, tmp_path: Path, name: str, text: str) -> None:
    folder = shutil.copytree(whole, tmp_path / "run")
    (folder / name).write_text(text)
    run = load_run(folder)
    assert len(run) == len(load_run(whole))
    assert run.damage
    assert {found.path for found in run.damage} == {folder / name}
    assert run_table(run).rows
    _resume(folder)
    with RunFolder(folder, resume=True) as opened:
        opened.begin({"name": "made", "task": "extraction"}, "", [], {"session": {"nodes": {}}})
    assert (folder / f"{name}.damaged-1").read_text() == text  # nothing is lost
    assert opened.damage == run.damage


def test_a_cell_whose_line_is_bad_is_run_again_and_its_line_stays(whole: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(whole, tmp_path / "run")
    lines = (folder / RECORDS).read_bytes().split(b"\n")
    key = json.loads(lines[4])["key"]
    lines[4] = lines[4][:-20]
    (folder / RECORDS).write_bytes(b"\n".join(lines))
    with RunFolder(folder, resume=True) as opened:
        assert key not in opened.known
        assert len(opened.known) == len(lines) - 2
        opened.records.append({"key": key, "status": "crash"})
    assert (folder / RECORDS).read_bytes().startswith(b"\n".join(lines))
    assert load_run(folder).set_index("key")["status"][key] == "crash"
