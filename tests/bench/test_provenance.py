"""Provenance: the commit, which code differs from it, the command and the load."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from bench.records.provenance import checkout, command, provenance, write_provenance


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name in ("problems", "solvers", "bench", "results"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file.py").write_text("x = 1\n")
    (tmp_path / "pyproject.toml").write_text("")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "all")
    return tmp_path.resolve()


def test_a_clean_checkout(repository: Path) -> None:
    found = checkout(repository)
    assert len(found["commit"]) == 40
    assert (found["dirty"], found["changed"]) == (False, [])


def test_a_runs_own_output_does_not_make_a_checkout_dirty(repository: Path) -> None:
    (repository / "results" / "table.md").write_text("| a |\n")
    (repository / "results" / "file.py").write_text("x = 2\n")
    (repository / "notes.txt").write_text("mine")
    assert not checkout(repository)["dirty"]


def test_changed_code_is_named(repository: Path) -> None:
    (repository / "bench" / "file.py").write_text("x = 2\n")
    (repository / "solvers" / "new.py").write_text("x = 3\n")
    found = checkout(repository)
    assert found["dirty"]
    assert found["changed"] == ["bench/file.py", "solvers/new.py"]


def test_a_folder_that_is_no_checkout(tmp_path: Path) -> None:
    assert checkout(tmp_path) == {}


def test_facts_end_when_they_are_written(tmp_path: Path) -> None:
    begun = provenance(["greedy"], seeds=[1])
    assert begun["load"]["after"] is None
    write_provenance(tmp_path, begun)
    written = json.loads((tmp_path / "provenance.json").read_text())
    assert written["ended"] >= written["started"]
    assert len(written["load"]["after"]) == 3
    assert (written["seeds"], written["load"]["own"]) == ([1], 1)
    write_provenance(tmp_path, {"ended": None, "load": {"after": None}})  # of a run that was killed: nobody knows
    assert json.loads((tmp_path / "provenance.json").read_text()) == {"ended": None, "load": {"after": None}}


def test_commands_are_those_that_were_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/somewhere/bin/dualbench", "run", "/home/me/mine.toml", "--out", "runs/x"])
    assert command() == ["dualbench", "run", "mine.toml", "--out", "runs/x"]
    monkeypatch.setattr(sys, "argv", ["/code/bench/studies/soak.py", "results/soak"])
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", ModuleSpec("bench.studies.soak", None))
    assert command() == ["python", "-m", "bench.studies.soak", "results/soak"]
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", ModuleSpec("bench.cli.__main__", None))
    assert command() == ["python", "-m", "bench.cli", "results/soak"]
