"""Names without end in an edited record: shortened when they are read, so that tables and figures still show the rest."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest

from bench import load_run
from bench.experiments.experiment import LONGEST_LABEL
from bench.output.plots import draw
from bench.output.run_tables import run_table
from bench.records.log import RECORDS
from bench.records.record_checks import LONGEST_NAME, NAMES, checked_record
from tests.support.damaged_runs import write_run

ENDLESS = "x" * 1_000_000


def edited(folder: Path, **changes: Any) -> Path:
    """A run of which some records, all of one solver, have other values."""
    path = write_run(folder) / RECORDS
    records = [json.loads(line) for line in path.read_text().splitlines()]
    for record in records:
        if record["solver"] == "greedy":
            record |= changes
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return folder


def test_labels_of_experiments_are_never_shortened() -> None:
    assert LONGEST_LABEL <= LONGEST_NAME


@pytest.mark.parametrize("name", NAMES)
def test_long_names_are_shortened_and_stay_different(name: str) -> None:
    record = {"key": "a", "status": "optimal", "limits": {"seconds": 1.0, "memory_gb": 1.0}}
    given = ("x" * LONGEST_NAME, "x" * (LONGEST_NAME + 1), ENDLESS, ENDLESS + "y", "")
    found = [checked_record({**record, name: value})[name] for value in given]
    assert (found[0], found[-1]) == (given[0], "")
    assert len(set(found)) == len(given)
    assert [len(value) for value in found[1:4]] == [LONGEST_NAME] * 3
    assert all("\N{HORIZONTAL ELLIPSIS}" in value for value in found[1:4])


def test_names_of_measures_are_shortened() -> None:
    measures = {ENDLESS: 0.5, ENDLESS + "y": 0.25, "ROUGE-2": 0.125}
    found = checked_record({"key": "a", "status": "optimal", "metrics": measures})["metrics"]
    assert list(found.values()) == [0.5, 0.25, 0.125]
    assert max(map(len, found)) == LONGEST_NAME


@pytest.mark.parametrize("kind", ["pareto", "scaling", "convergence", "profile"])
def test_figures_with_a_label_without_end(tmp_path: Path, kind: str) -> None:
    records = load_run(edited(tmp_path / "run", label=ENDLESS, instance=ENDLESS))
    drawn = draw(records, [{"kind": kind}], tmp_path / "plots")
    assert {path.suffix for path in drawn} == {".png", ".svg", ".pdf"}
    png = next(path for path in drawn if path.suffix == ".png").read_bytes()
    assert max(struct.unpack(">II", png[16:24])) < 2500  # pixels


def test_tables_with_a_label_without_end(tmp_path: Path) -> None:
    table = run_table(load_run(edited(tmp_path / "run", label=ENDLESS)))
    assert len(table.rows) == 2
    assert max(len(line) for line in table.csv().splitlines()) < 1000
    assert table.terminal is not None
    assert "median ms" in table.terminal.headings
