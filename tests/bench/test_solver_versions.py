"""A solver that misbehaves when it is asked for its version cannot be used; nothing else happens to a run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench import run
from bench.experiments.plugins import load_plugin
from bench.records.log import read_json
from bench.records.provenance import LONGEST_REASON, LONGEST_VERSION, solver_version
from bench.runner import solver_versions as asking
from bench.runner.solver_versions import solver_versions

ODD = Path(__file__).parent.parent / "support" / "odd_versions.py"
QUICK = (
    *("plain-version", "version-exits", "version-interrupts", "version-ends", "version-long"),
    *("unavailable-exits", "unavailable-long"),
)


@pytest.fixture(scope="module")
def versions() -> dict[str, str]:
    load_plugin(ODD)
    return solver_versions([*QUICK, "ilp-highs"])


def test_good_ones_are_told(versions: dict[str, str]) -> None:
    assert versions["plain-version"] == f"plain 1.0 ({ODD})"
    assert versions["ilp-highs"] == solver_version("ilp-highs")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("version-exits", "unavailable: SystemExit: 0"),
        ("version-interrupts", "KeyboardInterrupt"),
        ("version-ends", "unavailable: asked for its version, it ended (exit code 0)"),
        ("unavailable-exits", "unavailable: SystemExit: 0"),
        ("unavailable-long", "unavailable: xxx"),
    ],
)
def test_a_solver_that_misbehaves_is_unavailable(versions: dict[str, str], name: str, said: str) -> None:
    assert versions[name].startswith("unavailable: ")
    assert said in versions[name]
    assert len(versions[name]) <= LONGEST_REASON + len("unavailable: ")


def test_a_long_version_is_cut(versions: dict[str, str]) -> None:
    assert versions["version-long"].startswith("1.0 1.0 ")
    assert len(versions["version-long"]) <= LONGEST_VERSION + len(f" ({ODD})")


@pytest.mark.parametrize("name", ["version-sleeps", "unavailable-sleeps"])
def test_a_solver_that_sleeps_is_not_waited_for(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    load_plugin(ODD)
    monkeypatch.setattr(asking, "VERSION_SECONDS", 0.5)
    said = "unavailable: asked for its version, it did not answer within 0.5 s"
    assert solver_versions([name]) == {name: said}


def test_built_in_solvers_need_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "Supervisor", None)
    assert set(solver_versions(["ad3", "ilp-highs", "dp-exact"])) == {"ad3", "ilp-highs", "dp-exact"}


def test_a_run_goes_on_and_records_are_short(tmp_path: Path) -> None:
    names = ["version-exits", "version-long", "ilp-highs"]
    described = {
        "name": "versions",
        "task": "extraction",
        "instances": {"generate": {"size": "tiny", "seeds": [3]}},
        "solvers": [{"name": name} for name in names],
    }
    records = run(described, out=tmp_path / "run", plugins=[ODD])
    statuses = dict(zip(records["solver"], records["status"], strict=True))
    assert statuses == {"version-exits": "skipped", "version-long": "timeout", "ilp-highs": "optimal"}
    assert set(read_json(tmp_path / "run" / "provenance.json")["solvers"]) == set(names)
    assert all(path.stat().st_size < 100_000 for path in (tmp_path / "run").iterdir())


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installed package with these solvers, and a module that ends the program when it is imported."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "odd_versions.py").write_text(ODD.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "exits.py").write_text("raise SystemExit(0)\n", encoding="utf-8")
    metadata = folder / "odd-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(
        "[dualbench.solvers]\nversion-exits = odd_versions:Exits\nversion-ends = odd_versions:Ends\n"
        "import-exits = exits:Solver\n[dualbench.tasks]\ntask-exits = exits:Task\n",
        encoding="utf-8",
    )
    return folder


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (
            ["doctor"],
            ["SystemExit: 0", "it ended (exit code 0)", "solver 'import-exits' of package odd 1.0", "isolation"],
        ),
        (["list", "solvers"], ["cannot be loaded: see `dualbench doctor`", "version-exits", "tree-ilp"]),
        (["list", "tasks"], ["task-exits", "see `dualbench doctor`", "transduction"]),
    ],
)
def test_doctor_and_list_show_all_others(package: Path, command: list[str], said: list[str]) -> None:
    environment = {**os.environ, "COLUMNS": "250", "PYTHONPATH": f"{Path.cwd()}{os.pathsep}{package}"}
    done = subprocess.run(
        [sys.executable, "-m", "bench.cli", *command],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env=environment,
    )
    for text in said:
        assert text in done.stdout
    assert done.stderr == ""
