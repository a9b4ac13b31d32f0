"""Patterns of files find what Python's `glob` finds, but do not search without end."""

from __future__ import annotations

import glob
import os
from pathlib import Path

import pytest

from bench.decoding.corpus import open_corpus
from bench.experiments import instances
from bench.experiments.experiment import read_experiment
from bench.experiments.instances import matching
from problems.errors import InputError


def test_patterns_find_what_glob_finds(tmp_path: Path) -> None:
    for name in ("a.json", "b/a.json", "b/c/d.json", "b/c/e.txt", ".hidden/f.json", "b/.g.json", "[x]/h.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "b" / "itself").symlink_to("itself")
    (tmp_path / "linked").symlink_to("b")
    patterns = (
        "*.json",
        "**/*.json",
        "b/**",
        "b/*/*",
        "*/a.json",
        "a.json",
        ".*/*",
        "b/../*.json",
        "[[]x]/*",
        "none/*",
    )
    for pattern in patterns:
        expected = sorted(set(map(os.path.normpath, glob.glob(str(tmp_path / pattern), recursive=True))))
        assert sorted(set(map(os.path.normpath, matching(pattern, tmp_path)))) == expected, pattern
        assert sorted(set(map(os.path.normpath, matching(str(tmp_path / pattern))))) == expected, pattern
    assert [Path(found).name for found in matching("*.json", tmp_path / "[x]")] == ["h.json"]
    assert matching("nul\0/*", tmp_path) == []
    assert matching("**/" * 5000 + "*.none", tmp_path / "b" / "c") == []


def test_a_pattern_that_finds_no_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instances, "MOST_ENTRIES", 50)
    for number in range(60):
        (tmp_path / f"{number}.txt").touch()
    (tmp_path / "x.toml").write_text(
        'task = "extraction"\n[instances]\nload = "**/*.json"\n[[solvers]]\nname = "greedy"\n'
    )
    with pytest.raises(InputError, match="more than 50 names to look at"):
        read_experiment(tmp_path / "x.toml")
    with pytest.raises(InputError, match="more than 50 names to look at"):
        list(open_corpus(str(tmp_path / "*.json"), "extraction").entries())
