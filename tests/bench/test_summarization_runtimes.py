"""The table of Almeida & Martins: arithmetic on made-up cells, and a run on two small instances."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console

from bench import summarization_runtimes as table3
from bench.published import SUMMARIZATION_RUNTIMES
from bench.summarization_runtimes import EXTRACTIVE, ILP, LP, Cell, build_table
from bench.tables import Table
from problems import get_task


def cell(system: str, solver: str, rounding: str, instance: str, objective: float, seconds: float, status: str) -> Cell:
    return Cell(system, solver, rounding, instance, status, False, objective, 10.0, 0.001, seconds, 0.002, 30.0)


CELLS = [
    cell(ILP, "ilp-glpk", "", "a", 8.0, 3.997, "optimal"),
    cell(ILP, "ilp-cpsat", "", "a", 8.0, 0.997, "optimal"),
    cell(LP, "lp-highs", "paper", "a", 4.0, 0.097, "feasible"),
    cell(EXTRACTIVE, "ilp-glpk", "", "a", 6.0, 0.197, "optimal"),
]


def test_table_has_ratios_to_glpk_and_to_the_fastest_exact_solver() -> None:
    rows = {row[0]: row for row in build_table(CELLS).rows if row}
    glpk, relaxed = rows["exact ilp-glpk"], rows["LP lp-highs, paper"]
    assert glpk[4:8] == ["4000", "1.00", "0.25", "100.00"]
    assert relaxed[1:8] == ["1.0", "97", "2.0", "100", "40.00", "10.00", "50.00"]
    assert relaxed[8] == "0/1"
    assert rows["extractive ilp-glpk"][7] == "100.00"  # against the extractive optimum
    assert rows["LP paper (GLPK)"][4:6] == ["2265", "4.59"]


def test_published_numbers_are_those_of_the_paper() -> None:
    assert SUMMARIZATION_RUNTIMES["ILP Exact"] == (10.394, 12.40)
    assert SUMMARIZATION_RUNTIMES["AD3-1000"] == (0.406, 12.30)


def test_tables_in_markdown_and_csv() -> None:
    table = Table("T", ["a", "b"], [["x|y", "1"], [], ["z", "2"]], ["note"])
    assert table.markdown() == "# T\n\n| a | b |\n| --- | ---: |\n| x\\|y | 1 |\n| z | 2 |\n\n- note\n"
    assert table.csv() == "a,b\nx|y,1\nz,2\n"


def test_reproduce_runs_end_to_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("summarization", "extraction"):
        task = get_task(name)
        tiny = task.generate
        monkeypatch.setattr(task, "generate", lambda seed, size=None, tiny=tiny: tiny(seed, "tiny"))
    console = Console(record=True, width=100)
    table3.SummarizationRuntimes().run(console, quick=True, folder=tmp_path / "out")
    cells = [json.loads(line) for line in (tmp_path / "out" / "cells.jsonl").read_text().splitlines()]
    jobs = 2 * len(table3.EXACT) + 2 * len(table3.RELAXED)  # both tasks; both roundings
    assert len(cells) == 2 * jobs
    for name in {cell["instance"] for cell in cells}:
        exact = {round(c["objective"], 6) for c in cells if c["instance"] == name and c["system"] == ILP}
        assert len(exact) == 1
        assert all(c["objective"] <= max(exact) + 1e-6 for c in cells if c["instance"] == name and c["system"] == LP)
    assert "paper (GLPK)" in console.export_text()
    assert "| decoder |" in (tmp_path / "out" / "table.md").read_text()
    assert json.loads((tmp_path / "out" / "provenance.json").read_text())["Python"]
