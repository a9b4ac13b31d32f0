"""A brief reproduction: what it leaves out of each experiment, what it must keep, and that the page says so."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
from fake_pieces import claim
from made_records import made_records
from rich.console import Console

from bench.experiments.experiment import Experiment, read_experiment
from bench.experiments.presentation import baselines, named_by
from bench.output.tables import Table
from bench.records.frame import Records
from bench.reproduction import runs
from bench.reproduction.brief import LEFT_OUT, shortened
from bench.reproduction.cautions import left_out
from bench.reproduction.command import LONGEST, reproduce, side_by_side
from bench.reproduction.context import Context
from bench.reproduction.piece import Outcome
from bench.reproduction.pieces import compression_systems, runtime_claims, runtime_table, transduction_systems
from bench.reproduction.pieces.bound_claims import AD3, PUBLISHED, SUBGRADIENT
from bench.reproduction.pieces.comparison import ALGORITHM, TASKS, smaller
from bench.reproduction.report import PIECES, _warnings
from bench.reproduction.runs import audited_run, run_experiment
from bench.reproduction.store import write_outcome
from bench.runner.runner import prepare
from problems.errors import InputError

NEEDED = {  # labels that claims ask for by name
    "summarization-runtimes": (
        *(runtime_table.DEFAULT_GLPK, runtime_table.GLPK, "ad3-5000, paper", "ad3-1000, paper", "ad3-200, paper"),
        *("lp-glpk, paper", "lp-highs*, paper", runtime_claims.FASTER, runtime_claims.SEARCHED, "ilp-*, reduced"),
    ),
    "extraction-runtimes": (runtime_table.DEFAULT_GLPK, "ilp-*, reduced"),
    "parsing-orders": ("ad3", "dp-mst", "dp-eisner*", "lp-*"),
    "compression-systems": (
        *(compression_systems.APPROXIMATE, compression_systems.EXACT, compression_systems.FAST_APPROXIMATE),
        *(compression_systems.FAST_EXACT, compression_systems.PUBLISHED_SUBTREE, compression_systems.SUBTREE),
        *(compression_systems.BIGRAMS, compression_systems.CRF, compression_systems.GUROBI),
        f"{compression_systems.BASELINE}: *",
    ),
    "compression-lagrangian": ("as published", "exact, as published"),
    "transduction-systems": (
        *(transduction_systems.BEAM, transduction_systems.LM_SYSTEM, transduction_systems.DISCRIMINATIVE_SYSTEM),
        *(transduction_systems.PURE, transduction_systems.DISCRIMINATIVE, transduction_systems.RERANKER),
    ),
    "compare-summarization": ("ad3", "subgradient", "ilp-*"),
    "summarization-bounds": (AD3, PUBLISHED, f"{SUBGRADIENT}*", "lp-*"),
    "compare-extraction": ("ad3", "greedy", "ilp-*"),
    "compare-parsing": ("ad3", "ilp-*"),
    "compare-compression": ("dp-exact", "ad3", "ilp-*"),
    "compare-transduction": ("beam*", ALGORITHM, "ilp-*"),
}
COUNTS = {"summarization-runtimes": 48, "extraction-runtimes": 48, "compression-systems": 15 + 3 + 50 + 15}
COUNTS |= {"parsing-orders": 4 * 60 + 5 * 8 + 2 * 16}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_claims_ask_for_stays(name: str) -> None:
    whole = read_experiment(name)
    brief, said = shortened(whole)
    labels = {spec.label: spec.name for spec in brief.solvers}
    assert [pattern for pattern in NEEDED[name] if not any(fnmatchcase(label, pattern) for label in labels)] == []
    assert all(named_by(pattern, labels) for pattern in baselines(whole.table))
    every = [spec.label for spec in whole.solvers]
    assert all(any(fnmatchcase(label, pattern) for label in every) for pattern in LEFT_OUT[name].labels)
    gone = [label for label in every if label not in labels]
    assert all(label in said for label in gone)
    assert said
    assert brief.source.count == COUNTS.get(name, brief.source.count)
    assert brief.source.sizes == whole.source.sizes
    assert brief.limits == whole.limits


def test_other_experiments_are_run_whole() -> None:
    whole = read_experiment("parsing-lengths")
    assert shortened(whole) == (whole, "")


def test_instances_that_are_left_out_are_counted() -> None:
    assert shortened(read_experiment("compression-lagrangian"))[1] == "160 of 240 instances"
    _, said = shortened(smaller(TASKS["parsing"], read_experiment("compare-parsing")))
    assert said == ""


def test_a_run_tells_what_was_left_out_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[Experiment] = []

    def recorded(experiment: Experiment, *_: object) -> Records:
        ran.append(experiment)
        cell = {"size": "tac", "objective": 1.0, "cpu_seconds": 0.1, "structure": [1], "instance": "c0"}
        return made_records([{**cell, "solver": "crf", "label": "crf"}], experiment={"name": "runtimes"})

    monkeypatch.setattr(runs, "audited_run", recorded)
    brief, whole = Context(tmp_path, repetitions=1, brief=True), Context(tmp_path)
    for context in (brief, whole):
        run_experiment("extraction-runtimes", context)
    assert brief.runs[0]["left_out"] == "rows 'ilp-glpk, tuned', 'ilp-cpsat, reduced', 'ilp-xpress, reduced'"
    assert "left_out" not in whole.runs[0]
    assert len(ran[0].solvers) == len(ran[1].solvers) - 3
    assert brief.settings() != Context(tmp_path, repetitions=1).settings()


def test_the_page_says_what_is_left_out(tmp_path: Path) -> None:
    context = Context(tmp_path)
    run = {"experiment": "parsing-orders", "repetitions": 1, "left_out": "rows lp-clp"}
    done: dict[str, Any] = {"key": "", "quick": False, "data": False, "seconds": 1.0, "runs": [run]}
    outcome = Outcome({"table": Table("t", ["a"], [["1"]], [])}, claims=[claim()])
    whole = write_outcome(context.folder("b"), outcome, {**done, "runs": []})
    brief = write_outcome(context.folder("a"), outcome, {**done, "brief": True})
    assert left_out(brief) == ["Left out of parsing-orders in this brief run: rows lp-clp."]
    assert left_out(whole) == []
    assert "A brief run" in _warnings({"martins-table2": brief}, context)
    assert "A brief run" not in _warnings({"martins-table2": whole}, context)


def test_all_lanes_share_the_pieces_of_a_brief_run() -> None:
    found = side_by_side(list(PIECES.values()))
    assert not any(piece.timed for piece in found)
    assert tuple(piece.name for piece in found[: len(LONGEST)]) == LONGEST
    assert sorted(piece.name for piece in found) == sorted(PIECES)


EXPERIMENT = {
    "name": "shared",
    "task": "extraction",
    "instances": {"generate": {"size": "tiny", "count": 2, "seed": 1}},
    "solvers": [{"name": "greedy"}],
}


def test_a_run_that_two_pieces_show_has_one_page(tmp_path: Path) -> None:
    experiment, console, page = prepare(EXPERIMENT), Console(quiet=True), tmp_path / "report.html"
    audited_run(experiment, tmp_path, console)
    first = page.stat().st_mtime_ns
    assert len(audited_run(experiment, tmp_path, console)) == 2
    assert page.stat().st_mtime_ns == first
    audited_run(prepare({**EXPERIMENT, "repetitions": 2}), tmp_path, console)
    assert page.stat().st_mtime_ns > first


def test_a_brief_run_has_one_repetition(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"quick": False, "data": None, "out": tmp_path, "jobs": 1, "texts": True, "parser": None}
    with pytest.raises(InputError, match="'--repetitions 3': a brief run measures each cell once"):
        reproduce([], **asked, console=Console(quiet=True), brief=True, repetitions=3)
    assert not list(tmp_path.iterdir())
