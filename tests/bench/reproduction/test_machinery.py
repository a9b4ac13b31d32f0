"""Reuse, resumption, failures, lanes and the summary, with tiny pieces that count how often they are made."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import fake_pieces as fake
import pytest

from bench.records.provenance import ROOT
from bench.reproduction import models, schedule
from bench.reproduction import piece as piece_module
from bench.reproduction.claims import counted
from bench.reproduction.command import summary_lines
from bench.reproduction.imported import _content, _uses, imported, sources_digest
from bench.reproduction.real_data import Corpus
from bench.reproduction.report import PIECES
from bench.reproduction.schedule import Event, outcomes, run_piece, run_pieces
from bench.reproduction.store import Kept, read_outcome, reusable, write_outcome
from problems.errors import InputError


def states(events: dict[str, Event]) -> dict[str, str]:
    return {name: event.state for name, event in events.items()}


def test_a_piece_leaves_tables_figures_claims_and_is_reused(tmp_path: Path) -> None:
    one, context = fake.piece("drawn"), fake.context(tmp_path)
    event, kept = run_piece(one, context)
    assert event.state == "finished"
    assert kept is not None
    names = {path.name for path in kept.folder.iterdir()}
    assert names == {
        *("table.md", "table.csv", "table.tex", "line.png", "line.svg"),
        *("claims.json", "content.json", "texts.json", "done.json"),
    }
    assert [claim["ruling"][0] for claim in json.loads((kept.folder / "claims.json").read_text())] == [
        "reproduced",
        "not reproduced",
        "not testable",
    ]
    again, same = run_piece(one, context)
    assert again.state == "reused"
    assert same is not None
    assert (same.tables, same.claims, same.passages) == (kept.tables, kept.claims, kept.passages)
    assert fake.made(context, "drawn") == 1


def test_other_settings_code_or_files_make_it_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, context = fake.piece("drawn"), fake.context(tmp_path)
    run_piece(one, context)
    (context.folder("drawn") / "line.png").unlink()
    assert reusable(context.folder("drawn"), one.key(context)) is None
    other = fake.piece("other")
    quick = fake.context(tmp_path, quick=True)
    assert run_piece(other, quick)[0].state == "finished"
    assert run_piece(other, context)[0].state == "finished"  # the quick one has given way
    monkeypatch.setattr(piece_module, "sources_digest", lambda module: "another version")
    assert run_piece(other, context)[0].state == "finished"
    assert fake.made(context, "other") == 3
    assert other.key(replace(context, repetitions=1)) != other.key(context)


SOURCES = {
    "bench/__init__.py": "def run():\n    from .other import x\n",
    "bench/pieces.py": "from .table import title\nif TYPE_CHECKING:\n    from .other import T\nRUN = 'an-experiment'\ndef make():\n    from solvers import registry\n",
    "bench/table.py": '"""What it is."""\ntitle = "old"  # a comment\nSTYLE = "plain.mplstyle"\n',
    "bench/plain.mplstyle": "font.size: 9\n",
    "bench/other.py": "import numpy\n",
    "bench/experiments/an-experiment.toml": "repetitions = 3\n",
    "bench/experiments/another.toml": "repetitions = 3\n",
    "solvers/__init__.py": "",
    "solvers/registry.py": "SOLVERS = {'ad3': 'solvers.ad3:Ad3'}\n",
    "solvers/ad3.py": "class Ad3:\n    eta = 1\n",
    "solvers/unused.py": "x = 1\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in SOURCES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def digest(root: Path) -> str:
    for cached in (sources_digest, _content, _uses):
        cached.cache_clear()
    return sources_digest("bench.pieces", root=root)


@pytest.mark.parametrize(
    "name", [name for name in SOURCES if SOURCES[name] and "other" not in name and "unused" not in name]
)
def test_an_edit_of_what_a_piece_imports_makes_it_anew(tree: Path, name: str) -> None:
    """Also of what it imports inside of a function, and of what registries, figures and experiments name."""
    before = digest(tree)
    added = "\nnew = 1\n"
    (tree / name).write_text(SOURCES[name] + added)
    assert (digest(tree) != before) == ("another" not in name)


@pytest.mark.parametrize("name", ["bench/other.py", "solvers/unused.py"])
def test_an_edit_of_anything_else_does_not(tree: Path, name: str) -> None:
    """Nor of what its package offers in a function, or what only type checkers import."""
    before = digest(tree)
    (tree / name).write_text("y = 2\n")
    assert digest(tree) == before


def test_a_module_that_calls_its_package_depends_on_what_this_imports(tree: Path) -> None:
    (tree / "bench/pieces.py").write_text("from bench import run\n")
    before = digest(tree)
    (tree / "bench/other.py").write_text("x = 2\n")
    assert digest(tree) != before


def test_comments_and_docstrings_change_nothing(tree: Path) -> None:
    before = digest(tree)
    (tree / "bench/table.py").write_text('"""Another text."""\n\n# more\ntitle = "old"\nSTYLE = "plain.mplstyle"\n')
    assert digest(tree) == before
    (tree / "bench/table.py").write_text('title = "new"\nSTYLE = "plain.mplstyle"\n')
    assert digest(tree) != before


def test_pieces_depend_on_what_they_show_and_solve_with() -> None:
    """Of our own pieces: the module of a table, a solver that only a registry names, and the experiment."""
    found = {path.relative_to(ROOT).as_posix() for path in imported((PIECES["am-table3"].module,))}
    assert {"bench/reproduction/pieces/runtime_table.py", "bench/output/tables.py", "solvers/linear/highs.py"} <= found
    assert {"bench/experiments/summarization-runtimes.toml", "bench/output/plots/dualbench.mplstyle"} <= found
    assert not {path for path in found if path.startswith(("bench/cli/", "bench/decoding/", "bench/conformance/"))}


def test_trained_models_do_not_depend_on_how_results_are_shown_or_judged() -> None:
    found = {path.relative_to(ROOT).as_posix() for path in imported((models.__name__,))}
    assert {"bench/learning/parsing/training.py", "solvers/ad3.py", "problems/parsing/model.py"} <= found
    rooms = ("bench/output/", "bench/runner/", "bench/records/", "bench/reproduction/pieces/", "bench/experiments/")
    assert not {path for path in found if path.startswith(rooms)}
    own = {path.removeprefix("bench/reproduction/") for path in found if path.startswith("bench/reproduction/")}
    assert own == {"__init__.py", "context.py", "imported.py", "models.py", "real_data.py"}


def test_a_failing_piece_does_not_stop_the_others(tmp_path: Path) -> None:
    context = fake.context(tmp_path)
    (tmp_path / "bad.fail").write_text("")
    seen: list[Event] = []
    events = run_pieces([fake.piece("bad"), fake.piece("good")], context, 1, seen.append)
    assert states(events) == {"bad": "failed", "good": "finished"}
    assert events["bad"].message == "it was told to fail."
    assert [event.state for event in seen] == ["started", "failed", "started", "finished"]
    assert set(outcomes([fake.piece("bad"), fake.piece("good")], context)) == {"good"}


def test_what_a_piece_took_includes_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the counter of the live view does."""

    def slowly(*arguments: Any) -> Kept:
        time.sleep(0.3)
        return write_outcome(*arguments)

    monkeypatch.setattr(schedule, "write_outcome", slowly)
    context = fake.context(tmp_path)
    events = run_pieces([fake.piece("one", timed=False)], context, 1, lambda event: None)
    assert events["one"].seconds >= 0.3
    assert events["one"].seconds - read_outcome(context.folder("one")).done["seconds"] >= 0.2


def test_an_interrupted_run_goes_on_and_ends_the_same(tmp_path: Path) -> None:
    pieces = [fake.piece(name) for name in ("first", "second", "third")]
    stopped, whole = fake.context(tmp_path / "stopped"), fake.context(tmp_path / "whole")
    stopped.out.mkdir()
    (stopped.out / "second.stop").write_text("")
    with pytest.raises(KeyboardInterrupt):
        run_pieces(pieces, stopped, 1, lambda event: None)
    (stopped.out / "second.stop").unlink()
    assert states(run_pieces(pieces, stopped, 1, lambda event: None)) == {
        "first": "reused",
        "second": "finished",
        "third": "finished",
    }
    run_pieces(pieces, whole, 1, lambda event: None)
    for name in ("first", "second", "third"):
        for file in ("content.json", "claims.json", "table.md", "texts.json"):
            texts = [(each.folder(name) / file).read_text() for each in (stopped, whole)]
            texts = [re.sub(r'"pid": \d+', "", text) for text in texts]
            assert texts[0] == texts[1]


def test_a_torn_folder_is_made_anew(tmp_path: Path) -> None:
    one, context = fake.piece("one"), fake.context(tmp_path)
    run_piece(one, context)
    (context.folder("one") / "done.json").write_text("{")
    assert run_piece(one, context)[0].state == "finished"
    (context.folder("one") / "content.json").write_text("{}")
    with pytest.raises(InputError, match="delete it"):
        read_outcome(context.folder("one"))


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_timed_piece_has_a_process_of_its_own(tmp_path: Path, jobs: int) -> None:
    context = fake.context(tmp_path)
    (tmp_path / "bad.fail").write_text("")
    pieces = [fake.piece(name) for name in ("one", "two")]
    pieces += [fake.piece("beside", timed=False), fake.piece("bad", timed=False)]
    events = run_pieces(pieces, context, jobs, lambda event: None)
    assert states(events) == {"one": "finished", "two": "finished", "beside": "finished", "bad": "failed"}
    processes = {read_outcome(context.folder(name)).facts["pid"] for name in ("one", "two")}
    assert len(processes - {os.getpid(), read_outcome(context.folder("beside")).facts["pid"]}) == 2
    if hasattr(os, "sched_getaffinity"):
        assert len(os.sched_getaffinity(0)) == len(os.sched_getaffinity(os.getppid()))  # given back


@pytest.mark.parametrize("jobs", [1, 2])
def test_lanes_of_a_brief_run_share_pieces_each_in_a_process_of_its_own(tmp_path: Path, jobs: int) -> None:
    context = replace(fake.context(tmp_path), brief=True)
    pieces = [fake.piece(name, timed=False) for name in ("one", "two", "three")]
    events = run_pieces(pieces, context, jobs, lambda event: None)
    assert states(events) == dict.fromkeys(("one", "two", "three"), "finished")
    kept = [read_outcome(context.folder(piece.name)) for piece in pieces]
    assert len({each.facts["pid"] for each in kept} - {os.getpid()}) == 3
    assert [each.done["key"] for each in kept] == [piece.key(context) for piece in pieces]


def test_a_missing_corpus_is_named_with_its_place(tmp_path: Path) -> None:
    one = fake.piece(
        "one", corpora=(Corpus("treebanks/xx/dev.conllu", "the development part of treebank xx (CoNLL-U)"),)
    )
    context = fake.context(tmp_path / "out", data=tmp_path)
    event, kept = run_piece(one, context)
    assert (event.state, kept) == ("missing", None)
    assert event.message == (
        f"{tmp_path}/treebanks/xx/dev.conllu: not there; expected the development part of treebank xx (CoNLL-U), "
        "for one (About one); get it with `dualbench data get xx`, or name the folder of the corpora with --data or DUALBENCH_DATA."
    )
    (tmp_path / "treebanks/xx").mkdir(parents=True)
    (tmp_path / "treebanks/xx/dev.conllu").write_text("")
    assert run_piece(one, context)[0].state == "finished"
    (tmp_path / "treebanks/xx/dev.conllu").write_text("changed")
    assert run_piece(one, context)[0].state == "finished"
    assert run_piece(one, context)[0].state == "reused"


def test_a_piece_on_generated_sentences_only_is_left_out_with_real_data(tmp_path: Path) -> None:
    one = replace(fake.piece("one"), real=False)
    event, kept = run_piece(one, fake.context(tmp_path / "out", data=tmp_path))
    assert (event.state, kept) == ("left out", None)
    lines = summary_lines([one], {"one": event}, {}, tmp_path / "report.html", 1.0)
    assert "left out: it measures generated sentences only" in lines[1]


def test_the_summary_fits_one_screen(tmp_path: Path) -> None:
    from bench.reproduction.report import PIECES

    _, kept = run_piece(fake.piece("one"), fake.context(tmp_path))
    assert kept is not None
    pieces = list(PIECES.values())
    events = {name: Event(name, "finished", 5000.0) for name in PIECES}
    events["am-table3"] = Event("am-table3", "failed", message="x" * 200)
    events["yao-table4"] = Event("yao-table4", "reused")
    lines = summary_lines(pieces, events, dict.fromkeys(PIECES, kept), tmp_path / "report.html", 900.0)
    assert len(lines) <= 23
    assert all(len(line) <= 80 for line in lines[:-1])
    assert lines[-1].endswith("report.html")
    count = len(PIECES)
    assert lines[-4] == f"{3 * count} claims: {count} reproduced, 0 weaker, {count} not reproduced,"
    assert lines[-3] == f"0 opposite, 0 undecided, {count} not testable."
    assert "1 of" in lines[-2]
    assert counted(kept.claims)["reproduced"] == 1


def test_lanes_stop_with_an_interrupted_piece(tmp_path: Path) -> None:
    context = fake.context(tmp_path)
    (tmp_path / "one.stop").write_text("")
    pieces = [fake.piece("one"), *(fake.piece(name, timed=False) for name in ("beside", "more"))]
    with pytest.raises(KeyboardInterrupt):
        run_pieces(pieces, context, 2, lambda event: None)
    assert not multiprocessing.active_children()
