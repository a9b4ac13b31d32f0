"""The notebook of docs/ runs from its first cell to its last, and is kept without outputs, which depend on the machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

PATH = Path(__file__).parents[2] / "docs" / "tour.ipynb"


def read() -> Any:
    return nbformat.read(PATH, as_version=4)


def test_the_notebook_holds_nothing_of_a_machine() -> None:
    book = read()
    nbformat.validate(book)
    for cell in book.cells:
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)
        assert cell.metadata == {}
    assert book.metadata == {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        "language_info": {"name": "python"},
    }


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cell that fails raises here. What people look at is there: solutions, runs and tables as HTML, figures as images."""
    root = str(PATH.parents[1])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")])))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    book = read()
    NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = {
        cell.source.splitlines()[-1]: output.get("data", {})
        for cell in book.cells
        for output in cell.get("outputs", [])
        if output.output_type in ("execute_result", "display_data")
    }
    assert "optimal" in shown["solution"]["text/html"]
    assert "FactorGraph: 3 variables, 2 factors" in shown["graph"]["text/plain"]
    assert "wins" in shown["run"]["text/html"]
    assert "image/png" in shown['bench.plot(run, "convergence")']
    assert "image/png" in shown['bench.plot(run, "profile")']
