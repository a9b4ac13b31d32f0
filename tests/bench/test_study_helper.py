"""What all studies share: arguments, folders, tables and provenance."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.output.tables import Table
from bench.studies.study import Study

STUDY = Study("some-study", "How long is a piece of string?", ("greedy",), {"seeds": [1, 2]})


def one_row(title: str = "String") -> Table:
    return Table(title, ["what", "how long"], [["string", "1"]], ["A note."])


def test_a_table_and_its_provenance(tmp_path: Path) -> None:
    def measure(folder: Path, quick: bool) -> Table:
        assert (folder, quick) == (tmp_path / "out", False)
        return one_row()

    STUDY.main(measure, [str(tmp_path / "out")])
    facts = json.loads((tmp_path / "out" / "provenance.json").read_text())
    assert (facts["question"], facts["seeds"]) == (STUDY.question, [1, 2])
    assert set(facts["load"]) == {"before", "after", "others"}
    assert set(facts["solvers"]) == {"greedy"}
    assert facts["command"]
    assert facts["code"]["commit"]
    text = (tmp_path / "out" / "table.md").read_text()
    assert "| string | 1 |" in text
    assert "- A note." in text
    assert (tmp_path / "out" / "table.csv").exists()


def test_options_are_typed_and_told(tmp_path: Path) -> None:
    given: dict[str, Any] = {}

    def measure(folder: Path, **options: Any) -> dict[str, Table]:
        given.update(options)
        return {"one": one_row("One"), "two": one_row("Two")}

    STUDY.main(measure, [str(tmp_path), "--most-words", "7", "--deep"], most_words=3, deep=False, model=Path)
    assert given == {"quick": False, "most_words": 7, "deep": True, "model": None}
    assert {path.name for path in tmp_path.glob("*.md")} == {"one.md", "two.md"}
    assert json.loads((tmp_path / "provenance.json").read_text())["most_words"] == 7


def test_a_quick_run_is_marked_and_leaves_results_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    STUDY.main(lambda folder, quick: one_row(), ["--quick"])
    assert "Marked: a quick run." in (tmp_path / "runs" / "some-study" / "table.md").read_text()
    assert not (tmp_path / "results").exists()


def test_a_study_that_fails_leaves_no_table(tmp_path: Path) -> None:
    def measure(folder: Path, quick: bool) -> Table:
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        STUDY.main(measure, [str(tmp_path)])
    assert not list(tmp_path.iterdir())
