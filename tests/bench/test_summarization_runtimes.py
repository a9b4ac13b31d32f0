"""The table of Almeida & Martins: arithmetic on made-up cells, and runs on two small instances, good and bad."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from bench import summarization_runtimes as table3
from bench.published import SUMMARIZATION_RUNTIMES
from bench.summarization_runtimes import Cell
from bench.summarization_table import EXTRACTIVE, ILP, LP, build_table
from bench.tables import Table
from problems import get_task
from problems.errors import InputError
from solvers.linear.cbc import Cbc
from solvers.linear.glpk import GlpkInteger
from solvers.linear.highs import HighsSimplex


def cell(system: str, solver: str, rounding: str, instance: str, objective: float, seconds: float, status: str) -> Cell:
    return Cell(system, solver, rounding, instance, status, False, objective, 10.0, 0.001, seconds, 0.002, 30.0)


CELLS = [
    cell(ILP, "ilp-glpk", "", "a", 8.0, 3.997, "optimal"),
    cell(ILP, "ilp-cpsat", "", "a", 8.0, 0.997, "optimal"),
    cell(LP, "lp-highs", "paper", "a", 4.0, 0.097, "feasible"),
    cell(EXTRACTIVE, "ilp-glpk", "", "a", 6.0, 0.197, "optimal"),
    cell(EXTRACTIVE, "ilp-cpsat", "", "a", 6.0, 0.397, "optimal"),
]


def rows_of(cells: list[Cell]) -> dict[str, list[str]]:
    return {row[0]: row for row in build_table(cells, 60.0).rows if row}


def test_table_has_ratios_to_glpk_and_to_the_fastest_exact_solver() -> None:
    rows = rows_of(CELLS)
    assert rows["exact ilp-glpk"][4:8] == ["4000", "1.00", "0.25", "100.00"]
    assert rows["lp-highs, paper"][1:8] == ["1.0", "97", "2.0", "100", "40.0", "10.0", "50.00"]
    assert rows["lp-highs, paper"][8] == "0/1"
    assert rows["paper: LP"][4:6] == ["2265", "4.59"]


def test_ad3_rows_stand_beside_the_papers() -> None:
    more = [
        cell("AD3-1000", "ad3", "search", "a", 7.0, 0.047, "feasible"),
        cell(ILP, "ad3-exact", "", "a", 8.0, 0.497, "optimal"),
    ]
    rows = rows_of([*CELLS, *more])
    assert rows["ad3-1000, search"][4:8] == ["50", "80.0", "20.0", "87.50"]
    assert rows["paper: AD3-1000"][4:6] == ["406", "25.6"]
    # branch and bound on AD3 has a row, but the fastest ILP solver is an off-the-shelf one
    assert rows["exact ad3-exact"][4:7] == ["500", "8.00", "2.00"]
    assert rows["exact ilp-cpsat"][6] == "1.00"


def test_extractive_rows_are_compared_with_extractive_ones() -> None:
    rows = rows_of(CELLS)
    assert rows["extractive ilp-glpk"][4:8] == ["200", "1.00", "1.00", "100.00"]
    assert rows["extractive ilp-cpsat"][4:8] == ["400", "0.50", "0.50", "100.00"]
    assert rows["paper: extractive"][4:6] == ["265", "1.00"]


def test_cells_without_a_solution_leave_no_hole_in_the_table() -> None:
    failed = [
        Cell(ILP, "ilp-glpk", "", "a", "error", message="RuntimeError: no licence"),
        Cell(ILP, "ilp-cbc", "", "a", "unavailable", message="no such program"),
        Cell(
            LP,
            "lp-glop",
            "paper",
            "a",
            "relaxed",
            None,
            None,
            10.0,
            0.001,
            60.0,
            0.0,
            None,
            "stopped at the time limit",
        ),
    ]
    rows = rows_of([*CELLS[1:], *failed])
    assert rows["exact ilp-glpk*"][1:] == ["", "", "", "none", "", "", "", "0/1", ""]
    assert rows["exact ilp-cbc*"][4] == "none"
    assert rows["lp-glop, paper*"][1:] == ["1.0", "60000", "0.0", "60001", "", "0.02", "", "0/1", ""]
    assert rows["lp-highs, paper"][5:7] == ["", "10.0"]  # there is no GLPK to compare with
    notes = build_table([*CELLS[1:], *failed], 60.0).notes
    assert "* exact ilp-glpk: error on 1 of 1 (RuntimeError: no licence); means are over the others." in notes
    assert any("exact ilp-cbc: unavailable on 1 of 1 (no such program)" in note for note in notes)
    assert any("lp-glop, paper: no solution on 1 of 1 (stopped at the time limit)" in note for note in notes)
    assert not any("nan" in value for row in rows.values() for value in row)


def test_table_is_readable_in_80_columns() -> None:
    """The widest that cells get: names in full, a minute in milliseconds, two digits of instances."""
    cells = []
    for job in table3.JOBS:
        for rounding in job.roundings:
            for name in range(10):
                cells.append(
                    Cell(job.system, job.solver, rounding, str(name), "optimal", False, 8, 9, 0.1234, 60, 0.1234, 12.4)
                )
    cells.append(Cell(EXTRACTIVE, "ilp-cpsat", "", "x", "error", message="why"))
    cells.append(Cell(LP, "lp-highs-ipm", "search", "x", "error", message="why"))
    table = build_table(cells, 60.0)
    console = Console(width=80, file=io.StringIO(), record=True)
    table.show(console)
    lines = console.export_text().splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[1].split() == " ".join(table.headings).split()
    for row in table.rows:
        assert not row or any(line.split() == " ".join(row).split() for line in lines), row


def test_published_numbers_are_those_of_the_paper() -> None:
    """All six rows of Table 3: seconds and ROUGE-2."""
    assert SUMMARIZATION_RUNTIMES == {
        "ILP Exact": (10.394, 12.40),
        "LP-Relax.": (2.265, 12.38),
        "AD3-5000": (0.952, 12.38),
        "AD3-1000": (0.406, 12.30),
        "AD3-200": (0.159, 12.15),
        "Extractive (ILP)": (0.265, 11.16),
    }


def test_tables_in_markdown_and_csv() -> None:
    table = Table("T", ["a", "b"], [["x|y", "1"], [], ["z", "2"]], ["note"])
    assert table.markdown() == "# T\n\n| a | b |\n| --- | ---: |\n| x\\|y | 1 |\n| z | 2 |\n\n- note\n"
    assert table.csv() == "a,b\nx|y,1\nz,2\n"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], tuple[list[dict[str, Any]], str]]:
    """The experiment on tiny instances: its cells and what it printed."""
    for name in ("summarization", "extraction"):
        task = get_task(name)
        tiny = task.generate
        monkeypatch.setattr(task, "generate", lambda seed, size=None, tiny=tiny: tiny(seed, "tiny"))

    def start(folder: Path) -> tuple[list[dict[str, Any]], str]:
        def refuse(text: str) -> None:
            raise AssertionError(f"{text} is not JSON")

        console = Console(record=True, width=100, file=io.StringIO())
        table3.SummarizationRuntimes().run(console, quick=True, folder=folder)
        lines = (folder / "cells.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line, parse_constant=refuse) for line in lines], console.export_text()

    return start


# two instances; exact solvers on both tasks, branch and bound on one; both roundings of relaxations and of AD3's three rows
NUMBER_OF_CELLS = 2 * (2 * len(table3.EXACT) + 1 + 2 * len(table3.RELAXED) + 2 * 3)


def test_reproduce_runs_end_to_end(run: Callable[..., Any], tmp_path: Path) -> None:
    folder = tmp_path / "out"
    cells, printed = run(folder)
    assert len(cells) == NUMBER_OF_CELLS
    for name in {cell["instance"] for cell in cells}:
        exact = {round(c["objective"], 6) for c in cells if c["instance"] == name and c["system"] == ILP}
        assert len(exact) == 1
        assert all(c["objective"] <= max(exact) + 1e-6 for c in cells if c["instance"] == name and c["system"] == LP)
    assert "paper: exact" in printed
    assert "| decoder |" in (folder / "table.md").read_text()
    facts = json.loads((folder / "provenance.json").read_text())
    assert facts["machine"]["Python"]
    assert facts["seeds"] == [101, 102]
    assert facts["limits"]["seconds"] == 60.0
    assert set(facts["solvers"]) == {*table3.EXACT, *table3.RELAXED, "ad3", "ad3-exact"}
    assert facts["solvers"]["ilp-glpk"].startswith("GLPK")
    assert facts["command"]
    assert set(facts["code"]) in ({"commit", "dirty"}, set())

    before = (folder / "cells.jsonl").read_text()
    _, printed = run(folder)
    assert (folder / "cells.jsonl").read_text() == before
    assert len((tmp_path / "out-2" / "cells.jsonl").read_text().splitlines()) == NUMBER_OF_CELLS
    assert "out-2" in "".join(printed.split())
    assert "holdsanearlierrun" in "".join(printed.split())


def test_bad_solvers_do_not_stop_the_table(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no licence")

    monkeypatch.setattr(GlpkInteger, "unavailable", classmethod(lambda cls: "GLPK is missing"))
    monkeypatch.setattr(Cbc, "run", fail)
    real = HighsSimplex.optimize

    def stopped(self: HighsSimplex, program: Any) -> Any:
        outcome = real(self, program)
        outcome.status, outcome.values, outcome.bound = "stopped", None, float("inf")
        return outcome

    monkeypatch.setattr(HighsSimplex, "optimize", stopped)
    cells, printed = run(tmp_path / "out")
    assert len(cells) == NUMBER_OF_CELLS
    by_solver = {(c["system"], c["solver"], c["rounding"]): c for c in cells}
    assert by_solver[ILP, "ilp-glpk", ""]["status"] == "unavailable"
    assert by_solver[ILP, "ilp-glpk", ""]["message"] == "GLPK is missing"
    assert by_solver[EXTRACTIVE, "ilp-cbc", ""]["status"] == "error"
    assert by_solver[EXTRACTIVE, "ilp-cbc", ""]["message"] == "RuntimeError: no licence"
    for rounding in ("paper", "search"):
        late = by_solver[LP, "lp-highs", rounding]
        assert (late["status"], late["objective"], late["bound"], late["rouge_2"]) == ("timeout", None, None, None)
    for label in ("exact ilp-glpk*", "exact ilp-cbc*", "extractive ilp-glpk*", "lp-highs, paper*", "lp-highs, search*"):
        assert label in printed
    assert "RuntimeError: no licence" in " ".join(printed.split())
    assert " nan" not in printed
    facts = json.loads((tmp_path / "out" / "provenance.json").read_text())
    assert facts["solvers"]["ilp-glpk"] == "unavailable: GLPK is missing"


def test_only_rounding_counts_as_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checking and scoring a rounded solution are the harness's own work."""
    import time

    from solvers import get_solver

    task = get_task("summarization")
    instance = task.generate(0, "tiny")
    solution = get_solver("lp-highs").solve(instance)
    real = table3.judge

    def slow(*arguments: Any) -> Any:
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass
        return real(*arguments)

    monkeypatch.setattr(table3, "judge", slow)
    job = table3.Job("summarization", LP, "lp-highs")
    cells = list(table3._cells_of(job, task, instance, solution))
    assert [cell.rounding for cell in cells] == ["paper", "search"]
    assert all(cell.round_seconds is not None and cell.round_seconds < 0.15 for cell in cells)


def test_folders_that_cannot_be_written(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        run(tmp_path / "file" / "out")
    (tmp_path / "out" / "table.md").mkdir(parents=True)
    with pytest.raises(InputError, match="cannot be written"):
        run(tmp_path / "out")
