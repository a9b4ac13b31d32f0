"""Publishing: a folder from a real run, marks, refusals, the index and the README's table."""

from __future__ import annotations

import csv
import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from bench.experiments.experiment import built_in, read_experiment
from bench.records.marks import REPETITIONS, load_per_core, marks, run_facts
from bench.reproduction import publish as module
from bench.reproduction.publish import PUBLISHED, main, publish
from bench.reproduction.report import PIECES, piece_marks
from bench.reproduction.results_index import BEGIN, END, pages, read_folders, with_part, write_index
from bench.reproduction.store import Kept
from bench.runner.runner import prepare
from problems import TASKS
from problems.errors import InputError

EXPERIMENT = """
name = "compare-small"
question = "Which of the two is faster?"
task = "extraction"
repetitions = {repetitions}
plugins = [{plugins}]

[instances]
generate = {{ size = [{sizes}], count = 2, seed = 1 }}

[[solvers]]
name = "greedy"

[[solvers]]
name = "{second}"

[limits]
seconds = 10
memory_gb = 2

[[plots]]
kind = "profile"

[[plots]]
kind = "convergence"
"""
LIAR = '''
from dataclasses import dataclass
from solvers.base import Solution, Solver

@dataclass(kw_only=True)
class Liar(Solver):
    """Calls the empty extract the best one."""

    name = "liar"
    tasks = frozenset({"extraction"})

    def solve(self, instance):
        return Solution("optimal", (), 0.0, bound=0.0)
'''
QUIET = Console(quiet=True)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty results folder with a README beside it; nobody waits for a quiet machine."""
    monkeypatch.setattr(module, "wait_for_quiet", lambda console: None)
    (tmp_path / "results").mkdir()
    (tmp_path / "README.md").write_text(f"# A project\n\n{BEGIN}\nold\n{END}\n\nThe rest.\n")
    return tmp_path


def experiment(tree: Path, second: str = "ilp-glpk", plugins: str = "", sizes: str = '"tiny"') -> Path:
    text = EXPERIMENT.format(second=second, repetitions=1, plugins=plugins, sizes=sizes)
    path = tree / "small.toml"
    path.write_text(text)
    return path


def test_a_run_becomes_a_folder_the_index_and_the_readme(tree: Path) -> None:
    results = tree / "results"
    folder = publish(prepare(experiment(tree)), results, tree / "runs", QUIET)
    assert folder == results / "compare-small"
    names = {path.name for path in folder.iterdir()}
    assert names == {
        *("table.md", "table.csv", "table.tex", "profile.png", "cells.csv", "experiment.toml", "provenance.json")
    }  # nothing was traced: no plot of convergence
    with (folder / "cells.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {(row["solver"], row["size"], row["repetitions"]) for row in rows} == {
        ("greedy", "tiny", "1"),
        ("ilp-glpk", "tiny", "1"),
    }
    assert len(rows) == 4
    assert tomllib.loads((folder / "experiment.toml").read_text())["name"] == "compare-small"
    facts = json.loads((folder / "provenance.json").read_text())
    assert facts["command"] == ["python", "-m", "bench.reproduction.publish", "compare-small"]
    assert facts["question"] == "Which of the two is faster?"
    assert (len(facts["code"]["commit"]), facts["seeds"], facts["repetitions"]) == (40, [1, 2], 1)
    assert len(facts["load"]["before"]) == len(facts["load"]["after"]) == 3
    mark = f"recorded with fewer than {REPETITIONS} repetitions"
    assert f"Marked: {mark}." in (folder / "table.md").read_text()
    written = write_index(results)
    assert written == [results / "README.md", tree / "README.md"]
    index, readme = (path.read_text() for path in written)
    assert (
        "| [compare-small](compare-small) | Which of the two is faster? | `python -m bench.reproduction.publish compare-small` |"
        in index
    )
    assert mark in index
    assert readme.startswith(f"# A project\n\n{BEGIN}\n| experiment |")
    assert readme.endswith(f"{END}\n\nThe rest.\n")
    assert "| [compare-small](results/compare-small/table.md) * | extraction | tiny | 2 | ilp-glpk: " in readme
    assert pages(results) == {path: path.read_text() for path in written}


def test_several_sizes_have_a_table_of_growth(tree: Path) -> None:
    path = experiment(tree, sizes='"tiny", "tac"')
    folder = publish(prepare(path), tree / "results", tree / "runs", QUIET)
    assert "| ilp-glpk | " in (folder / "growth.md").read_text()
    assert not (folder / "growth.csv").exists()


def test_a_run_is_resumed_and_an_old_folder_replaced(tree: Path) -> None:
    results, runs = tree / "results", tree / "runs"
    folder = publish(prepare(experiment(tree)), results, runs, QUIET)
    (folder / "stale.md").write_text("of an earlier version")
    before = (runs / "compare-small" / "records.jsonl").read_text()
    first = json.loads((folder / "provenance.json").read_text())
    publish(prepare(experiment(tree)), results, runs, QUIET)
    assert (runs / "compare-small" / "records.jsonl").read_text() == before
    assert not (folder / "stale.md").exists()
    again = json.loads((folder / "provenance.json").read_text())
    assert (again["started"], again["load"]) == (first["started"], first["load"])  # of the session that ran the cells
    assert sorted(path.name for path in results.iterdir()) == ["compare-small"]


def test_a_run_with_a_wrong_answer_is_not_published(tree: Path) -> None:
    (tree / "liar.py").write_text(LIAR)
    path = experiment(tree, second="liar", plugins='"liar.py"')
    with pytest.raises(InputError, match="the audit found"):
        publish(prepare(path), tree / "results", tree / "runs", QUIET)
    assert not list((tree / "results").iterdir())


def test_the_command(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = ["--results", str(tree / "results"), "--runs", str(tree / "runs")]
    monkeypatch.setattr(module, "built_in", lambda: {"small": experiment(tree)})
    with pytest.raises(InputError, match=r"unknown experiment 'smal': .*small"):
        main(["smal", *options])
    monkeypatch.setattr(module, "PUBLISHED", ())
    assert main(options) == 0
    assert "No experiment has been published yet" in (tree / "README.md").read_text()
    (tree / "README.md").write_text("no comments\n")
    with pytest.raises(InputError, match="no table of results"):
        main(["--index", *options])


def test_a_folder_without_provenance_is_marked(tree: Path) -> None:
    (tree / "results" / "old").mkdir()
    (folder,) = read_folders(tree / "results")
    assert folder.marks == ["recorded on an unknown commit", "recorded at an unknown load"]


def test_the_part_between_the_comments_is_replaced() -> None:
    assert with_part(f"a {BEGIN} x {END} b", "new") == f"a {BEGIN}\nnew\n{END} b"


def facts(before: float = 0.2, after: float = 1.1, **changes: object) -> dict:
    load = {"before": [before, 0, 0], "after": [after, 0, 0], "own": 1}
    code = {"commit": "a" * 40, "dirty": False, "changed": []}
    return {"code": code, "load": load, "machine": {"cores": "2"}, "repetitions": 3, **changes}


def test_marks() -> None:
    assert marks(facts()) == []
    assert load_per_core(facts(after=3.4)) == pytest.approx(1.2)
    assert marks(facts(after=3.4)) == ["recorded at load 1.20 per core"]  # our own cell is not counted
    assert marks(facts(before=1.2)) == ["recorded at load 0.60 per core"]
    assert marks(facts(before=0.5, after=1.5)) == []
    quiet, busy = ({"before": [9.0, 0, 0], "after": [9.0, 0, 0], "others": share} for share in (0.03, 0.3))
    assert marks(facts(load=quiet)) == []  # what was measured counts, not the load that an earlier run left
    assert marks(facts(load=busy)) == ["recorded at load 0.30 per core"]
    assert marks(facts(repetitions=2)) == ["recorded with fewer than 3 repetitions"]
    assert marks(facts(machine={})) == marks(facts(load=None)) == ["recorded at an unknown load"]
    dirty = {"commit": "a" * 40, "dirty": True, "changed": ["a.py", "b.py", "c.py", "d.py"]}
    assert marks(facts(code=dirty)) == ["recorded with uncommitted changes (a.py, b.py, c.py and 1 more)"]
    assert marks(facts(quick=True)) == ["a quick run"]


def test_marks_of_a_piece_name_the_highest_load_of_its_runs_once() -> None:
    runs = [facts(before=load, repetitions=2) for load in (1.1, 1.08)]
    kept = Kept({}, [], [], [], {}, folder=Path(), done={"runs": runs})
    assert piece_marks(PIECES["am-table3"], kept) == [
        "load 0.55 per core",
        "fewer than 3 repetitions",
    ]
    unknown = replace(kept, done={"runs": [*runs, facts(load=None)]})
    assert "an unknown load" in piece_marks(PIECES["am-table3"], unknown)
    assert piece_marks(PIECES["am-table3"], replace(kept, done={"runs": [facts()]})) == []


def session(started: str, before: float, commit: str = "a" * 40, **changes: object) -> dict:
    code = {"commit": commit, "dirty": bool(changes.pop("dirty", False)), "changed": []}
    own = {"started": started, "ended": started, "load_start": [before, 0, 0], "load_end": [0.5, 0, 0], "code": code}
    return {**own, "jobs": 1, "cells": 4, **changes}


def test_a_run_of_several_sessions_is_as_good_as_the_worst_that_counts() -> None:
    sessions = [
        session("2026-01-01", 9.0, dirty=True),
        session("2026-01-02", 1.4),
        session("2026-01-03", 0.1, "b" * 40),
    ]
    known = {"sessions": sessions, "machine": {"cores": "2"}}
    found = run_facts(known, ["2026-01-02T10", "2026-01-03T10", "2026-01-03T11"])
    assert (found["started"], found["code"]["commits"]) == ("2026-01-02", ["a" * 40, "b" * 40])
    assert marks(found) == ["recorded at load 0.70 per core"]
    assert marks(run_facts(known, ["2026-01-03T10"])) == []
    empty = {**known, "sessions": [*sessions, session("2026-01-04", 9.0, cells=0)]}
    assert marks(run_facts(empty, ["2026-01-04"])) == []  # a record of the session before, in the same second
    assert len(marks(run_facts(known, ["2026-01-01T10", "2026-01-03T10"]))) == 2
    killed = {**known, "sessions": [*sessions, session("2026-01-04", 0.1, load_end=None)]}
    assert marks(run_facts(killed, ["2026-01-03T10", "2026-01-04T10"])) == ["recorded at an unknown load"]
    assert len(marks(run_facts({}, []))) == 2


NOT_PUBLISHED = {
    "parsing-calibration": "it looks at the generator, not at times",
    "summarization-systems": "Table 2 of Almeida & Martins has its ROUGE; nothing is timed",
    "extraction-systems": "the same for extracts",
    "summarization-hard": "the library of instances has what it finds: who proves what within a minute, no times",
    **{f"advice-{task}": "the table of `dualbench advise` has its cells" for task in (*TASKS, "graph")},
}
"""Experiments that ask a question and have no folder of their own, each with the reason."""


def test_published_experiments_repeat_their_cells_and_ask_a_question() -> None:
    """Whoever asks a question in an experiment decides whether it is published: none is forgotten."""
    known = {name: read_experiment(path) for name, path in built_in().items()}
    assert {name for name, each in known.items() if each.question} == {*PUBLISHED, *NOT_PUBLISHED}
    assert not [name for name in PUBLISHED if known[name].repetitions < REPETITIONS]


def test_an_experiment_on_real_data_is_left_out_where_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data_folder: Path
) -> None:
    experiment = prepare("multiling-extraction")
    assert module.missing_corpus(experiment) is None
    monkeypatch.setenv("DUALBENCH_DATA", str(tmp_path))
    assert "dualbench data get multiling2011" in str(module.missing_corpus(experiment))
    assert module.missing_corpus(prepare("extraction-race")) is None
