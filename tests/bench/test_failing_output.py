"""Output that cannot be written stops no run: every record is made, and there is no traceback."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from io import UnsupportedOperation
from pathlib import Path
from typing import IO, Any, cast

import pytest
from rich.console import Console

from bench.cli.arguments import UnfailingStream
from bench.experiments.experiment import SolverSpec
from bench.experiments.plan import Cell, Instance
from bench.records.fields import FIELDS
from bench.records.log import RECORDS
from bench.runner.estimate import Estimator
from bench.runner.progress import RunProgress

EXPERIMENT = """
title = "Überschrift ─ 漢"
task = "extraction"
repetitions = 2
[instances]
generate = { size = "tiny", seeds = [3, 4] }
[[solvers]]
name = "greedy"
"""
CELLS = 4
COMMAND = """
import io
import os
import sys
import bench.runner.progress
from bench.cli import main
bench.runner.progress.LINE_EVERY_SECONDS = -1.0  # a line for each cell
class FullDisk(io.RawIOBase):
    def writable(self):
        return True
    def fileno(self):
        return 1
    def write(self, data):
        if not os.path.samestat(os.fstat(1), os.stat(os.devnull)):
            raise OSError(28, "No space left on device")
        return len(data)
if sys.argv.pop() == "full":
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(FullDisk()), encoding="utf-8")
main()
"""


class Failing:
    """A stream whose writes fail."""

    encoding = "utf-8"

    def __init__(self, error: OSError, terminal: bool = False) -> None:
        self.error, self.terminal, self.writes = error, terminal, 0

    def write(self, text: str) -> int:
        self.writes += 1
        raise self.error

    def flush(self) -> None:
        raise self.error

    def fileno(self) -> int:
        raise UnsupportedOperation("fileno")

    def isatty(self) -> bool:
        return self.terminal


def run(folder: Path, stdout: Any, how: str, out: str = "run", **environment: str) -> subprocess.CompletedProcess[str]:
    (folder / "mine.toml").write_text(EXPERIMENT, encoding="utf-8")
    command = [sys.executable, "-c", COMMAND, "run", "mine.toml", "--out", out, how]
    return subprocess.run(
        command,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        check=False,
        cwd=folder,
        env={**os.environ, **environment},
    )


def assert_complete(folder: Path) -> None:
    assert (folder / RECORDS).read_bytes().count(b"\n") == CELLS
    assert (folder / "records.parquet").exists()
    assert (folder / "table.md").exists()


def test_a_reader_that_has_gone_stops_no_run(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = run(tmp_path, write, "pipe")
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")
    assert_complete(tmp_path / "run")


def test_a_full_disk_below_the_output_is_told_at_the_end(tmp_path: Path) -> None:
    done = run(tmp_path, subprocess.PIPE, "full")
    said = "dualbench: standard output cannot be written (No space left on device).\n"
    assert (done.returncode, done.stderr) == (1, said)
    assert_complete(tmp_path / "run")


def test_a_locale_without_the_characters_stops_no_run(tmp_path: Path) -> None:
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = run(tmp_path, subprocess.PIPE, "pipe", "gé", **locale)
    assert (done.returncode, done.stderr) == (0, "")
    assert "in gé." in done.stdout
    assert_complete(tmp_path / "gé")


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("number", [errno.EPIPE, errno.EIO, errno.ENOSPC])
def test_progress_goes_on_unseen(number: int, terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.runner.progress.LINE_EVERY_SECONDS", -1.0)
    monkeypatch.setattr("sys.stdout", Failing(OSError(number, "failing")))
    spec = SolverSpec("s", "s", {})
    cells = [Cell(str(n), Instance(str(n), str(n), "", 1, 1), spec, {}, "1", 0, False) for n in range(3)]
    stream = Failing(OSError(number, "failing"), terminal)
    progress = RunProgress(Console(file=cast(IO[str], stream)), cells, 1, Estimator("extraction"))
    with progress:
        progress.prepare("Compiling")
        for cell in cells:
            progress(cell, {**FIELDS, "status": "optimal", "wall_seconds": 1.0})
    assert progress.summary() == "3 optimal"
    assert stream.writes


def test_a_stream_that_failed_is_not_tried_again() -> None:
    failing = Failing(OSError(errno.EIO, "Input/output error"))
    stream = UnfailingStream(lambda: cast(IO[str], failing))
    for _ in range(3):
        assert stream.write("text") == 4
        stream.flush()
    assert failing.writes == 1
    assert stream.error is failing.error


def test_no_stream_at_all() -> None:
    stream = UnfailingStream(lambda: None)
    assert stream.write("text") == 4
    stream.flush()
    assert stream.error is None


def test_characters_that_a_terminal_does_not_have(tmp_path: Path) -> None:
    with open(tmp_path / "ascii", "w", encoding="ascii") as file:
        UnfailingStream(lambda: file).write("gé \udcc3 ─\n")
    assert (tmp_path / "ascii").read_text(encoding="ascii") == "g\\xe9 \\udcc3 \\u2500\n"
