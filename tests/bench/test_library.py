"""The library of instances with known optima: made from runs, checked by audits, exported and solved by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bench import load_run, run
from bench.analysis.audit import audit
from bench.cli import app
from bench.experiments.experiment import read_experiment
from bench.experiments.sources import digest
from bench.reproduction import library as maker
from problems import TASKS, get_task, library
from problems.errors import InputError
from problems.library import Known


def known(name: str = "a", objective: float = 1.0, proved: tuple[str, ...] = ("x", "y"), seconds: float = 0.5) -> Known:
    return Known(name, "extraction", "tiny", 1, "d", objective, objective, proved, seconds if proved else None)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in which two solvers prove every optimum."""
    path = tmp_path_factory.mktemp("library") / "run"
    experiment = {
        "task": "extraction",
        "instances": {"generate": {"size": "tiny", "seeds": [101, 102]}},
        "solvers": [{"name": "ilp-highs"}, {"name": "ilp-cpsat"}, {"name": "greedy"}],
    }
    run(experiment, out=path)
    return path


@pytest.fixture
def small(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Known]:
    """The library of that run instead of ours."""
    maker.main([str(folder), "--out", str(tmp_path / "library.csv")])
    monkeypatch.setattr(library, "FILE", tmp_path / "library.csv")
    for cached in (library.library, library.by_digest):
        cached.cache_clear()
        monkeypatch.setattr(library, cached.__name__, cached)
    yield library.library()
    for cached in (library.library, library.by_digest):
        cached.cache_clear()


def test_a_run_makes_entries_with_both_proofs(small: dict[str, Known]) -> None:
    assert list(small) == ["extraction-tiny-101", "extraction-tiny-102"]
    entry = small["extraction-tiny-101"]
    instance = get_task("extraction").generate(101, "tiny")
    assert entry.digest == digest(get_task("extraction"), instance) == digest(get_task("extraction"), entry.make())
    assert set(entry.proved_by) == {"ilp-highs", "ilp-cpsat"}
    assert entry.objective == entry.bound
    assert (entry.is_proved, entry.difficulty) == (True, "easy")


def test_the_audit_holds_runs_against_it(small: dict[str, Known], folder: Path) -> None:
    records = load_run(folder)
    assert not [finding for finding in audit(records, {}) if finding.kind == "library"]
    first = small["extraction-tiny-101"]
    lower = first._replace(objective=first.objective - 1.0)
    higher = first._replace(objective=first.objective + 1.0)
    proved = [first.proved_by, first.proved_by[:1]]
    for replaced, kinds in ((lower, ["library"]), (higher, ["optimum"])):
        library.by_digest().update({first.digest: replaced})
        found = [finding for finding in audit(records, {}) if finding.kind in ("library", "optimum", "bound")]
        assert {finding.kind for finding in found} == set(kinds)
        assert all(finding.severity == "error" for finding in found)
        assert {label for finding in found for label in finding.labels} <= {"ilp-highs", "ilp-cpsat"} | {"greedy"}
    library.by_digest().update({first.digest: lower._replace(proved_by=proved[1])})  # nobody proved it twice
    found = [finding for finding in audit(records, {}) if finding.kind == "library"]
    assert {finding.severity for finding in found} == {"warning"}


def test_instances_are_solved_loaded_and_exported_by_name(small: dict[str, Known], tmp_path: Path) -> None:
    runner = CliRunner()
    solved = runner.invoke(app, ["solve", "library:extraction-tiny-102", "--solver", "ilp-glpk"])
    assert f"objective  {small['extraction-tiny-102'].objective:.6f}" in solved.stdout
    listed = runner.invoke(app, ["list", "library"])
    assert "extraction-tiny-101" in listed.stdout
    for form in ("json", "mps"):
        out = tmp_path / f"x.{form}"
        done = runner.invoke(app, ["export", "library:extraction-tiny-101", "--format", form, "--out", str(out)])
        assert done.exit_code == 0
        assert out.stat().st_size > 100
    assert get_task("extraction").load(tmp_path / "x.json") == small["extraction-tiny-101"].make()
    given: dict[str, Any] = {"task": "extraction", "solvers": [{"name": "greedy"}]}
    source = read_experiment({**given, "instances": {"load": "library:extraction-*"}}).source
    assert [item.make().name for item in source.items()] == ["tiny-101", "tiny-102"]
    with pytest.raises(InputError, match="finds no instance 'library:parsing-"):
        read_experiment({**given, "instances": {"load": "library:parsing-*"}})
    with pytest.raises(InputError, match="has no instance 'extraction-tiny-10': did you mean 'extraction-tiny-10"):
        library.known_as("library:extraction-tiny-10")


def test_of_two_runs_the_proof_counts_then_the_faster_one_then_the_better_value() -> None:
    slow, fast, open_, better = (
        known(seconds=2.0),
        known(seconds=0.1),
        known(proved=()),
        known(objective=2.0, proved=()),
    )
    assert maker.merged([slow, fast, open_]) == {"a": fast}
    assert maker.merged([open_, better]) == {"a": better}
    assert [known(seconds=s).difficulty for s in (0.9, 9.0, 59.0, 600.0)] == ["easy", "medium", "hard", "hard"]
    assert known(proved=("x",)).difficulty == "open"
    assert known(proved=("ilp-highs", "lp-highs-ipm")).difficulty == "open"  # one library
    assert known(proved=("ad3", "ad3-exact")).difficulty == "open"
    assert known(proved=("ad3", "lp-highs")).is_proved


def assert_made_today(entry: Known) -> None:
    """A generator that changed its instances would leave the library with optima of others."""
    assert digest(get_task(entry.task), entry.make()) == entry.digest, entry.name
    assert entry.objective <= entry.bound + 1e-9 * abs(entry.bound)


def test_an_entry_of_every_size_is_what_its_generator_makes_today() -> None:
    one = {(entry.task, entry.size): entry for entry in library.library().values() if entry.size != "zipf-10000"}
    assert len(one) > 15
    for entry in one.values():
        assert_made_today(entry)


@pytest.mark.slow
def test_every_entry_is_what_its_generator_makes_today() -> None:
    for entry in library.library().values():
        assert_made_today(entry)


def test_there_are_enough_instances_of_every_task_and_some_that_nobody_has_proved() -> None:
    entries = library.library().values()
    assert {entry.task for entry in entries} == set(TASKS)
    assert sum(entry.is_proved for entry in entries) >= 200
    unproved = [entry for entry in entries if entry.difficulty == "open"]
    assert unproved
    assert all(entry.objective < entry.bound for entry in unproved)
