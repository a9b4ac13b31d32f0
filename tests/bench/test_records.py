"""Records: whole lines or none, on disk when they say so, and the same in every form."""

from __future__ import annotations

import errno
import io
import json
import os
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_records import same_cells

from bench import load_run
from bench.experiments.experiment import MOST_CELLS
from bench.records.damage import LARGEST, Damage
from bench.records.fields import FIELDS
from bench.records.log import PARQUET, RECORDS, TRACES, Log, read_lines, read_records, write_parquet
from problems.errors import InputError


def append(folder: Path, *records: dict[str, Any]) -> None:
    folder.mkdir(exist_ok=True)
    with Log(folder / RECORDS) as log:
        for record in records:
            log.append({**FIELDS, "status": "optimal", **record})


def test_a_later_record_of_a_cell_supersedes(tmp_path: Path) -> None:
    append(
        tmp_path, {"key": "a", "status": "timeout"}, {"key": "b", "status": "error"}, {"key": "a", "status": "optimal"}
    )
    found = read_records(tmp_path)
    assert {key: record["status"] for key, record in found.items()} == {"a": "optimal", "b": "error"}
    assert list(load_run(tmp_path)["key"]) == ["a", "b"]


@given(st.binary(max_size=40).filter(lambda tail: b"\n" not in tail))
def test_a_torn_line_is_no_record_and_is_cut_off(tmp_path_factory: pytest.TempPathFactory, tail: bytes) -> None:
    folder = tmp_path_factory.mktemp("torn")
    append(folder, {"key": "a"})
    path = folder / RECORDS
    with path.open("ab") as file:
        file.write(tail)
    assert list(read_records(folder)) == ["a"]
    append(folder, {"key": "b"})
    assert [record["key"] for record in read_lines(path)] == ["a", "b"]
    assert path.read_bytes().count(b"\n") == 2


def test_a_torn_line_longer_than_a_block_is_cut_off(tmp_path: Path) -> None:
    append(tmp_path, {"key": "a"})
    with (tmp_path / RECORDS).open("ab") as file:
        file.write(b"x" * 200_000)
    append(tmp_path, {"key": "b"})
    assert list(read_records(tmp_path)) == ["a", "b"]


def test_a_file_of_one_torn_line_becomes_empty(tmp_path: Path) -> None:
    (tmp_path / RECORDS).write_bytes(b'{"key": "a"')
    append(tmp_path)
    assert read_records(tmp_path) == {}


def test_a_broken_line_in_the_middle_is_named_and_hides_no_other(tmp_path: Path) -> None:
    (tmp_path / RECORDS).write_text('{"key": "a", "status": "optimal"}\nnonsense\n{"key": "b", "status": "crash"}\n')
    damage: list[Damage] = []
    assert list(read_records(tmp_path, damage)) == ["a", "b"]
    assert list(map(str, damage)) == [f"{tmp_path / RECORDS}, line 2: not valid JSON (column 1); it is left out."]
    assert load_run(tmp_path).damage == damage


def test_a_whole_line_without_its_end_is_kept(tmp_path: Path) -> None:
    path = tmp_path / RECORDS
    path.write_text('{"key": "a", "status": "optimal"}')
    assert list(read_records(tmp_path)) == ["a"]
    append(tmp_path, {"key": "b"})
    assert list(read_records(tmp_path)) == ["a", "b"]


def test_a_run_without_a_single_good_line_is_none(tmp_path: Path) -> None:
    (tmp_path / RECORDS).write_text("nonsense\n[]\n")
    with pytest.raises(InputError, match=r"none of its 2 lines is a record \(line 1: not valid JSON \(column 1\)\)\."):
        load_run(tmp_path)


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append(tmp_path, {"key": "a"})
    before = (tmp_path / RECORDS).read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match=r"records.jsonl: cannot be written \(No space left on device\)"):
        append(tmp_path, {"key": "b"})
    assert (tmp_path / RECORDS).read_bytes() == before


def test_a_write_that_is_cut_short_leaves_no_torn_line(tmp_path: Path) -> None:
    """A limit on file sizes stands in for a disk that fills up within a line."""
    append(tmp_path, {"key": "a"})
    size = (tmp_path / RECORDS).stat().st_size
    pid = os.fork()
    if pid == 0:
        import resource
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, size + 100))
        try:
            append(tmp_path, {"key": "b"})
        except InputError:
            os._exit(42)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 42
    assert (tmp_path / RECORDS).stat().st_size == size


def test_runs_merge_and_carry_their_traces(tmp_path: Path) -> None:
    append(tmp_path / "one", {"key": "a", "label": "x", "metrics": {"R": 0.5}}, {"key": "b", "label": "y"})
    append(tmp_path / "two", {"key": "b", "label": "z"}, {"key": "c", "options": {"eta": 2.0}})
    with Log(tmp_path / "two" / TRACES) as log:
        log.append({"key": "b", "points": [{"seconds": 0.5, "bound": None, "objective": 3.0}]})
    merged = load_run(tmp_path / "one", tmp_path / "two")
    assert dict(zip(merged["key"], merged["label"], strict=True)) == {"a": "x", "b": "z", "c": ""}
    assert merged["metrics.R"].tolist()[0] == 0.5
    assert merged["options.eta"].tolist()[2] == 2.0
    (point,) = merged.traces.to_dict("records")
    assert (point["label"], point["objective"]) == ("z", 3.0)
    assert pd.isna(point["bound"])


def test_records_of_an_earlier_plan_are_left_out(tmp_path: Path) -> None:
    append(tmp_path, {"key": "old"}, {"key": "new"})
    (tmp_path / "experiment.json").write_text(json.dumps({"cells": ["new", "future"]}))
    assert list(load_run(tmp_path)["key"]) == ["new"]
    assert list(load_run(tmp_path, everything=True)["key"]) == ["old", "new"]


def test_parquet_in_a_folder_whose_name_is_no_utf_8(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"g\xe9")
    folder.mkdir()
    append(folder, {**FIELDS, "key": "a", "status": "feasible"})
    write_parquet(folder)
    assert len(pd.read_parquet(io.BytesIO((folder / PARQUET).read_bytes()))) == 1


def test_parquet_holds_the_same(tmp_path: Path) -> None:
    first = {
        "key": "a",
        "objective": 1.5,
        "integral": True,
        "metrics": {"R": 0.5},
        "structure": [[1, [2]]],
        "options": {"k": 1},
    }
    append(tmp_path, first, {"key": "b", "status": "crash", "options": {"k": None}})
    write_parquet(tmp_path)
    copy = pd.read_parquet(tmp_path / "records.parquet")
    assert list(copy["key"]) == ["a", "b"]
    assert copy["objective"][0] == 1.5
    assert pd.isna(copy["objective"][1])
    assert json.loads(copy["structure"][0]) == [[1, [2]]]
    assert copy["integral"].tolist()[0] is True
    assert copy["metrics.R"][0] == 0.5


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("status", "great", "field 'status' is 'great': expected one of optimal"),
        ("objective", "much", "field 'objective' must be a number, not 'much'"),
        ("options", "none", "field 'options' must be an object, not 'none'"),
        ("metrics", None, "field 'metrics' must be an object, not None"),
        ("label", 3, "field 'label' must be a text, not 3"),
        ("limit_hit", "time", "field 'limits' must have 'seconds' and 'memory_gb'"),
    ],
)
def test_edited_records_are_left_out_and_told_with_their_line(
    tmp_path: Path, field: str, value: Any, sentence: str
) -> None:
    append(tmp_path, {"key": "a", "status": "optimal"}, {"key": "b", "status": "optimal", field: value})
    run = load_run(tmp_path)
    assert list(run["key"]) == ["a"]
    (damage,) = run.damage
    assert f"records.jsonl, line 2: {sentence}" in str(damage)


def test_same_cells_looks_at_everything_but_circumstances() -> None:
    one = {**FIELDS, "key": "a", "objective": 1.0}
    assert same_cells([one], [{**one, "cpu_seconds": 3.0, "started": "later", "peak_memory_mb": 7.0}])
    assert not same_cells([one], [{**one, "objective": 1.1}])
    assert not same_cells([one], [])


def test_what_is_no_run_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with pytest.raises(InputError, match="no such run"):
        load_run(folder)
    folder.mkdir()
    with pytest.raises(InputError, match=r"no run here \(expected a file records.jsonl\)"):
        load_run(folder)


def test_the_experiment_of_the_largest_run_can_be_read() -> None:
    """A million cells, and as many seeds of 19 digits, as `experiment.json` has them."""
    cells, seed = "0" * 20, 2**63 - 1
    few = {"instances": {"generate": {"seeds": [seed] * 1000}}, "cells": [cells] * 1000}
    assert len(json.dumps(few, indent=1)) / 1000 * MOST_CELLS < LARGEST
