"""Provenance: the commit, which code differs from it, the command and the load."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import metadata
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest

from bench.records.marks import marks
from bench.records.provenance import (
    Recording,
    checkout,
    code_name,
    code_state,
    command,
    package_digest,
    write_provenance,
)
from bench.runner import job


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


def test_an_installed_package_is_known_by_its_version_and_sources(tmp_path: Path) -> None:
    for package in ("problems", "solvers", "bench"):
        (tmp_path / package / "deep").mkdir(parents=True)
        (tmp_path / package / "deep" / "file.py").write_text("x = 1\n")
    found = code_state(tmp_path)
    assert found == {"version": metadata.version("dualbench"), "sources": found["sources"]}
    assert re.fullmatch("[0-9a-f]{20}", found["sources"])
    (tmp_path / "bench" / "notes.txt").write_text("mine")
    package_digest.cache_clear()
    assert code_state(tmp_path) == found
    (tmp_path / "bench" / "deep" / "file.py").write_text("x = 2\n")
    package_digest.cache_clear()
    assert code_state(tmp_path)["sources"] != found["sources"]
    assert code_name(found, 10) == f"version {found['version']}, sources {found['sources'][:10]}"
    assert "recorded on an unknown commit" not in marks({"code": found})
    assert "recorded on an unknown commit" in marks({"code": {}})


def test_a_checkout_is_known_by_its_commit(repository: Path) -> None:
    found = code_state(repository)
    assert found == checkout(repository)
    assert code_name(found) == f"commit {found['commit']}"
    assert code_name({**found, "dirty": True}, 4) == f"commit {found['commit'][:4]} with uncommitted changes"
    assert code_name({}) == ""


def test_a_recording_ends_with_what_other_programs_took(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Others:
        def share(self) -> float:
            return 0.3

    monkeypatch.setattr("bench.records.provenance.OtherPrograms", Others)
    write_provenance(tmp_path, Recording(["greedy"], seeds=[1]).ended())
    written = json.loads((tmp_path / "provenance.json").read_text())
    assert written["ended"] >= written["started"]
    assert (written["seeds"], list(written["solvers"])) == ([1], ["greedy"])
    assert len(written["load"]["before"]) == len(written["load"]["after"]) == 3
    assert "recorded at load 0.30 per core" in marks(written)


def test_commands_are_those_that_were_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/somewhere/bin/dualbench", "run", "/home/me/mine.toml", "--out", "runs/x"])
    assert command() == ["dualbench", "run", "mine.toml", "--out", "runs/x"]
    monkeypatch.setattr(sys, "argv", ["/code/bench/studies/soak.py", "results/soak"])
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", ModuleSpec("bench.studies.soak", None))
    assert command() == ["python", "-m", "bench.studies.soak", "results/soak"]
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", ModuleSpec("bench.cli.__main__", None))
    assert command() == ["python", "-m", "bench.cli", "results/soak"]


def test_a_record_starts_when_its_cell_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not when it ends, after the solver has run."""
    happened: list[str] = []

    def noted(what: str, answer: Any) -> Any:
        happened.append(what)
        return answer

    monkeypatch.setattr(job, "now", lambda: noted("asked for the time", "a time"))
    monkeypatch.setattr(job.Job, "_facts", lambda *_: noted("solved", {}))
    monkeypatch.setattr(job, "make_record", lambda session, slot, cell, facts, started: {"started": started})
    one = object.__new__(job.Job)
    one.session, one.number = None, 0  # type: ignore[assignment]
    assert one.run(None, b"")[0] == {"started": "a time"}  # type: ignore[arg-type]
    assert happened == ["asked for the time", "solved"]
