"""The table of Almeida & Martins: arithmetic on made-up cells, and runs on two small instances, good and bad."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from bench import load_run
from bench.output.tables import Table
from bench.published import SUMMARIZATION_RUNTIMES
from bench.records.fields import FIELDS
from bench.reproduction import summarization_runs as table3
from bench.reproduction.summarization_runs import Cell, cell_of
from bench.reproduction.summarization_table import EXTRACTIVE, ILP, LP, build_table
from problems.errors import InputError


def cell(system: str, solver: str, rounding: str, instance: str, objective: float, seconds: float, status: str) -> Cell:
    return Cell(system, solver, rounding, instance, status, False, objective, 10.0, 0.001, seconds, 0.002, 30.0)


RECORD = {
    **FIELDS,
    "task": "summarization",
    "solver": "lp-highs",
    "instance": "a",
    "status": "feasible",
    "options": {"rounding": "paper"},
    "metrics": {"ROUGE-2": 0.31},
    "objective": 4.0,
    "bound": 5.0,
    "build_seconds": 0.1,
    "solve_seconds": 0.2,
    "round_seconds": 0.3,
}


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
        Cell(ILP, "ilp-cbc", "", "a", "skipped", message="no such program"),
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
    assert any("exact ilp-cbc: skipped on 1 of 1 (no such program)" in note for note in notes)
    assert any("lp-glop, paper: no solution on 1 of 1 (stopped at the time limit)" in note for note in notes)
    assert not any("nan" in value for row in rows.values() for value in row)


def test_table_is_readable_in_80_columns() -> None:
    """The widest that cells get: names in full, a minute in milliseconds, two digits of instances."""
    cells = []
    for experiment in table3.SummarizationRuntimes().experiments(quick=False):
        for spec in experiment.solvers:
            record = {**RECORD, "task": experiment.task, "solver": spec.name, "options": spec.options}
            wide = {
                "status": "optimal",
                "objective": 8.0,
                "build_seconds": 0.1234,
                "solve_seconds": 60.0,
                "round_seconds": 0.1234,
            }
            cells += [cell_of({**record, **wide, "instance": str(name)}) for name in range(10)]
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


@pytest.mark.parametrize(
    ("changes", "row"),
    [
        ({}, (LP, "lp-highs", "paper")),
        ({"solver": "ilp-glpk", "options": {}}, (ILP, "ilp-glpk", "")),
        ({"solver": "ad3-exact", "options": {"rounding": None}}, (ILP, "ad3-exact", "")),
        ({"solver": "ad3", "options": {"rounding": "search", "max_iterations": 200}}, ("AD3-200", "ad3", "search")),
        ({"task": "extraction", "solver": "ilp-glpk", "options": {}}, (EXTRACTIVE, "ilp-glpk", "")),
    ],
)
def test_records_find_their_row(changes: dict[str, Any], row: tuple[str, str, str]) -> None:
    cell = cell_of({**RECORD, **changes})
    assert cell.row == row
    assert (cell.rouge_2, cell.seconds) == (pytest.approx(31.0), pytest.approx(0.6))


def test_a_killed_solver_has_no_time() -> None:
    parts = dict.fromkeys(("build_seconds", "solve_seconds", "round_seconds", "objective", "bound"))
    cell = cell_of({**RECORD, **parts, "status": "timeout", "metrics": {}, "message": "killed at the time limit"})
    assert (cell.seconds, cell.rouge_2, cell.objective) == (None, None, None)


@pytest.mark.slow
def test_reproduce_runs_end_to_end_and_goes_on_where_it_was_left(tmp_path: Path) -> None:
    def start() -> str:
        console = Console(record=True, width=100, file=io.StringIO())
        table3.SummarizationRuntimes(size="tiny").run(console, quick=True, folder=tmp_path)
        return console.export_text()

    printed = start()
    records = load_run(tmp_path / "summarization-runtimes")
    # two instances; five exact solvers, branch and bound; both roundings of six relaxations and of AD3's three rows
    assert len(records) == 2 * (5 + 1 + 2 * 6 + 2 * 3)
    assert len(load_run(tmp_path / "extraction-runtimes")) == 2 * 5
    exact = records[records["solver"].str.startswith("ilp-") | (records["solver"] == "ad3-exact")]
    assert set(exact["status"]) == {"optimal"}
    for name, optimum in exact.groupby("instance")["objective"].max().items():
        assert (records[records["instance"] == name]["objective"] <= optimum + 1e-6).all()
    assert "paper: exact" in printed
    assert "| decoder |" in (tmp_path / "table.md").read_text()
    before = (tmp_path / "summarization-runtimes" / "records.jsonl").read_bytes()
    assert "paper: exact" in start()
    assert (tmp_path / "summarization-runtimes" / "records.jsonl").read_bytes() == before


def test_folders_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        table3.SummarizationRuntimes(size="tiny").run(Console(file=io.StringIO()), quick=True, folder=tmp_path / "file")
