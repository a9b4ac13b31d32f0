"""`dualbench reproduce` itself: two of the smallest pieces in a quick run, twice; bad input; everything (slow)."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bench.cli import app
from bench.reproduction.report import PIECES, chosen
from problems.errors import InputError

SMALL = ("am-figure2", "martins-table1")


def reproduce(*arguments: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["reproduce", *map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


def test_small_pieces_run_and_are_reused(tmp_path: Path) -> None:
    code, printed = reproduce(*SMALL, "--quick", "--jobs", "1", "--out", tmp_path)
    assert code == 0
    assert "Report:" in printed
    page = (tmp_path / "report.html").read_text()
    assert "Table 1 of Martins et al. (2013)" in page
    assert "<del>" in page
    code, printed = reproduce(*SMALL, "--quick", "--jobs", "1", "--out", tmp_path)
    assert code == 0
    assert printed.count("reused, nothing has changed") == 2
    assert "2 of 2 pieces were reused" in printed

    def stable(text: str) -> str:
        return re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d\+00:00)?|\d+\.\d\d", "", text)

    assert stable((tmp_path / "report.html").read_text()) == stable(page)


def test_bad_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUALBENCH_DATA", os.environ["DUALBENCH_DATA"])  # `--data` changes it for this process
    with pytest.raises(InputError, match=r"unknown piece 'am-table': .*am-table3"):
        chosen(["am-table"])
    with pytest.raises(InputError, match="--jobs"):
        reproduce("am-figure2", "--jobs", "0")
    with pytest.raises(InputError, match="no such folder; option '--data'"):
        reproduce("am-figure2", "--data", "/nonexistent")
    with pytest.raises(InputError, match=f"{tmp_path}/treebanks/en_ewt: not there; expected the English Web Treebank"):
        reproduce("martins-figure2", "martins-table1", "--data", tmp_path)
    with pytest.raises(InputError, match="option '--parser'"):
        reproduce("martins-figure2", "--parser", tmp_path / "none")
    with pytest.raises(InputError, match="cannot be written"):
        reproduce("am-figure2", "--out", __file__)  # before anything is run


def test_every_piece_is_listed() -> None:
    result = CliRunner().invoke(app, ["list", "pieces"])
    assert result.exit_code == 0
    for name in PIECES:
        assert name in result.output


@pytest.mark.slow
def test_the_whole_quick_run(tmp_path: Path) -> None:
    code, printed = reproduce("--quick", "--out", tmp_path)
    assert code == 0, printed
    lines = printed.splitlines()
    start = max(place for place, line in enumerate(lines) if line.startswith("piece "))
    assert len(lines) - start <= 24
    page = (tmp_path / "report.html").read_text()
    for piece in PIECES.values():
        assert f'id="{piece.name}"' in page
        assert (tmp_path / "pieces" / piece.name / "table.csv").exists()
    assert "Which solver should I use" in page
    assert (tmp_path / "cover.png").exists()
    code, printed = reproduce("--quick", "--out", tmp_path)
    assert f"{len(PIECES)} of {len(PIECES)} pieces were reused" in printed
