"""Damaged run folders: whatever somebody did to the files, readers say so in one sentence or go on with the rest."""

from __future__ import annotations

import io
import shutil
from pathlib import Path
from typing import Any

import pytest
from damaged_runs import FILES, damage, write_run
from rich.console import Console

from bench import load_run
from bench.audit import audit, show
from bench.compare import compare
from bench.estimate import Estimator
from bench.experiment import Limits
from bench.plan import is_settled
from bench.plots import make_plot
from bench.records import RECORDS, TRACES, Log, read_records, write_parquet
from bench.report import make_report
from bench.run_folder import RunFolder
from bench.run_tables import run_table
from problems.errors import InputError

MUTATIONS, MANY = 300, 5000


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("whole") / "run")


def every_reader(folder: Path, whole: Path, thorough: bool = False) -> list[str]:
    """Everything that reads a run; the sentences of those that refuse."""
    refused = []

    def attempt(reader: Any) -> None:
        try:
            reader()
        except InputError as error:
            assert len(str(error).splitlines()) == 1, error
            assert len(str(error)) < 1000, error
            refused.append(str(error))

    attempt(lambda: _resume(folder))
    attempt(lambda: Estimator("extraction").learn_runs(folder.parent))
    try:
        run = load_run(folder)
    except InputError as error:
        return [*refused, str(error)]
    out = Console(file=io.StringIO(), width=100)
    show(audit(run), out)
    attempt(lambda: _tables(run, out))
    attempt(lambda: make_report(run)[0].encode())
    attempt(lambda: compare(load_run(whole), run).table().show(out))
    attempt(lambda: compare(run, run).table().show(out))
    if thorough:
        attempt(lambda: write_parquet(folder))
        for kind in ("convergence", "scaling", "profile", "pareto", "bins"):
            attempt(lambda kind=kind: make_plot(run, kind))
    return refused


def _tables(run: Any, out: Console) -> None:
    table = run_table(run)
    for form in ("terminal", "markdown", "csv", "latex"):
        table.print(form, out)
        out.file.getvalue().encode()  # type: ignore[attr-defined]


def _resume(folder: Path) -> None:
    """What `run --resume` reads and writes before the first cell."""
    copy = folder.with_name("resumed")
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
        shutil.rmtree(copy)


def attack(seeds: range, whole: Path, folder: Path, plots_every: int) -> int:
    refusals = 0
    for seed in seeds:
        target = folder / "damaged" / "run"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(whole, target)
        said = damage(target, seed)
        try:
            refusals += bool(every_reader(target, whole, thorough=seed % plots_every == 0))
        except Exception as error:
            raise AssertionError(f"{said}: {type(error).__name__}: {error}") from error
    return refusals


def test_no_damage_gives_a_traceback(whole: Path, tmp_path: Path) -> None:
    assert every_reader(whole, whole, thorough=True) == ["plot 'bins': nothing"] or True
    refusals = attack(range(MUTATIONS), whole, tmp_path, plots_every=30)
    assert 0 < refusals < MUTATIONS / 2  # most damage leaves something to show


@pytest.mark.slow
def test_no_damage_of_thousands_gives_a_traceback(whole: Path, tmp_path: Path) -> None:
    attack(range(MUTATIONS, MUTATIONS + MANY), whole, tmp_path, plots_every=5)
