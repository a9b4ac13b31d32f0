"""run, table, plot, report, compare and audit at the command line, as a person would use them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FAULTY = Path(__file__).parent.parent / "support" / "faulty_solvers.py"
EXPERIMENT = """\
title = "Two solvers"
task = "extraction"
trace = true
repetitions = 2
metrics = ["ROUGE-2"]
[instances]
generate = { size = "tiny", seeds = [3, 4] }
[[solvers]]
name = "ilp-highs"
[[solvers]]
name = "greedy"
[limits]
seconds = 20
memory_gb = 4
[table]
columns = ["optimal", "median", "xbest", "objective", "ROUGE-2"]
[[plots]]
kind = "profile"
"""


def dualbench(*arguments: object, code: int = 0, where: Path | None = None) -> str:
    """What a command prints, both streams; its exit code is checked."""
    command = [sys.executable, "-m", "bench.cli", *map(str, arguments)]
    environment = {**os.environ, "COLUMNS": "100"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, cwd=where, env=environment)
    printed = done.stdout + done.stderr
    assert done.returncode == code, printed
    assert "Traceback" not in printed
    return printed


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an experiment that has been run."""
    folder = tmp_path_factory.mktemp("work")
    (folder / "mine.toml").write_text(EXPERIMENT)
    printed = dualbench("run", "mine.toml", where=folder)
    assert "Two solvers" in printed
    assert "runs/mine" in printed
    return folder


def test_a_run_leaves_its_table_and_plots(work: Path) -> None:
    run = work / "runs" / "mine"
    found = {path.name for path in run.iterdir()}
    assert {"records.jsonl", "records.parquet", "traces.jsonl", "experiment.toml", "table.md", "table.tex"} <= found
    assert {path.name for path in (run / "plots").iterdir()} == {"profile.png", "profile.svg", "profile.pdf"}
    assert (run / "experiment.toml").read_text() == EXPERIMENT


def test_a_second_run_is_refused_and_a_resumed_one_does_nothing(work: Path) -> None:
    before = (work / "runs" / "mine" / "records.jsonl").read_bytes()
    assert "add --resume" in dualbench("run", "mine.toml", where=work, code=2)
    assert "nothing was left to run" in dualbench("run", "mine.toml", "--resume", where=work)
    assert (work / "runs" / "mine" / "records.jsonl").read_bytes() == before


def test_a_dry_run_estimates_from_earlier_records_and_writes_nothing(work: Path) -> None:
    printed = dualbench("run", "mine.toml", "--dry-run", "--out", "runs/other", where=work)
    assert "from 10 earlier records" in printed  # 2 solvers, 2 instances, 2 repetitions; one of them traced as well
    assert not (work / "runs" / "other").exists()
    row = next(line.split() for line in printed.splitlines() if line.startswith("greedy"))
    assert row[1:4] == ["4", "0", "4"]
    resumed = dualbench("run", "mine.toml", "--dry-run", "--resume", where=work)
    row = next(line.split() for line in resumed.splitlines() if line.startswith("ilp-highs"))
    assert row[1:4] == ["6", "6", "0"]


def test_a_dry_run_without_earlier_records_says_at_most(work: Path, tmp_path: Path) -> None:
    printed = dualbench("run", work / "mine.toml", "--dry-run", "--timeout", 9, where=tmp_path)
    assert "at most 54 s" in printed  # six cells of ilp-highs


@pytest.mark.parametrize(("form", "said"), [("markdown", "| solver |"), ("csv", "solver,"), ("latex", "\\toprule")])
def test_tables_in_every_format(work: Path, form: str, said: str) -> None:
    printed = dualbench("table", "runs/mine", "--format", form, where=work)
    assert said in printed
    assert "greedy" in printed


def test_tables_with_other_columns(work: Path) -> None:
    printed = dualbench("table", "runs/mine", "--columns", "median,xbaseline", "--baseline", "greedy", where=work)
    assert "xbase" in printed
    assert "ROUGE" not in printed


def test_tables_for_a_target_and_of_growth(work: Path) -> None:
    asked = ["--columns", "xbaseline,ttt", "--baseline", "gre*", "--baseline", "ilp-highs", "--target", "0.5"]
    printed = dualbench("table", "runs/mine", "--format", "markdown", *asked, where=work)
    assert "| solver | x gre* | x ilp-highs | ttt ms |" in printed
    assert "@50%" in printed
    assert "within 50 % of the best known" in printed
    grown = dualbench("table", "runs/mine", "--growth", where=work)
    assert "Growth of time with size" in grown
    assert "exponent" in grown


def test_plots_of_another_kind(work: Path, tmp_path: Path) -> None:
    printed = dualbench("plot", "runs/mine", "--kind", "convergence", "--out", tmp_path, where=work)
    assert str(tmp_path / "convergence.svg") in printed.split()
    assert (tmp_path / "convergence.pdf").read_bytes().startswith(b"%PDF")


def test_the_report_is_one_file(work: Path, tmp_path: Path) -> None:
    dualbench("report", "runs/mine", "--out", tmp_path / "page.html", where=work)
    page = (tmp_path / "page.html").read_text()
    assert "Two solvers" in page
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_comparing_a_run_with_itself_and_with_a_worse_one(work: Path) -> None:
    assert "Nothing got worse" in dualbench("compare", "runs/mine", "runs/mine", where=work)
    worse = work / "runs" / "worse"
    shutil.copytree(work / "runs" / "mine", worse)
    records = [json.loads(line) for line in (worse / "records.jsonl").read_text().splitlines()]
    for record in records:
        if record["solver"] == "greedy":
            record["objective"] -= 1.0
    (worse / "records.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    assert "greedy" in dualbench("compare", "runs/mine", "runs/worse", where=work, code=1)
    audited = dualbench("audit", "runs/worse", where=work, code=1)
    assert "greedy" in audited
    shutil.rmtree(worse)


def test_a_lie_is_found_by_the_run_itself(tmp_path: Path) -> None:
    (tmp_path / "lie.toml").write_text(
        'task = "extraction"\n[instances]\ngenerate = { size = "tiny", seeds = [3] }\n'
        '[[solvers]]\nname = "liar"\n[[solvers]]\nname = "ilp-highs"\n[[plots]]\nkind = "profile"\n'
    )
    printed = dualbench("run", "lie.toml", "--plugin", FAULTY, where=tmp_path, code=1)
    assert "liar" in printed
    assert "bound" in printed
    table = dualbench("table", "runs/lie", "--columns", "optimal", where=tmp_path)
    rows = {line.split()[0]: line.split()[1] for line in table.splitlines() if line.startswith(("liar", "ilp"))}
    assert rows == {"liar*": "0/1", "ilp-highs": "1/1"}
    assert "ilp-highs" in dualbench("audit", "runs/lie", "--plugin", FAULTY, where=tmp_path, code=1)


def test_damage_is_told_and_the_rest_is_shown(work: Path) -> None:
    folder = shutil.copytree(work / "runs" / "mine", work / "runs" / "damaged")
    lines = (folder / "records.jsonl").read_text().splitlines()
    (folder / "records.jsonl").write_text("\n".join([*lines[:2], lines[2][:50], *lines[3:]]) + "\n")
    (folder / "provenance.json").write_text("[]")
    told = (
        "warning: runs/damaged/records.jsonl, line 3: not valid JSON",
        "provenance.json: expected an object, not []",
    )
    for arguments in (["table"], ["table", "--format", "csv"], ["plot"], ["report"], ["audit"]):
        printed = dualbench(*arguments, "runs/damaged", where=work, code=int(arguments == ["audit"]))
        assert all(part in printed for part in told)
        assert arguments == ["audit"] or "greedy" in printed or "runs/damaged/" in printed
    assert "line 3: not valid JSON" in (folder / "report.html").read_text()
    resumed = dualbench("run", "mine.toml", "--resume", "--out", "runs/damaged", where=work)
    assert told[0] in resumed
    kept = (folder / "records.jsonl").read_text().splitlines()
    assert kept[: len(lines)] == [*lines[:2], lines[2][:50], *lines[3:]]
    assert len(kept) == len(lines) + 1  # only that cell was run again
    assert json.loads(kept[-1])["key"] == json.loads(lines[2])["key"]
    assert (folder / "provenance.json.damaged-1").read_text() == "[]"
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["run", "nowhere.toml"], "nowhere.toml: no such file"),
        (["run", "frist-look"], "unknown experiment 'frist-look': did you mean 'first-look'?"),
        (["run", "mine.toml", "--timeout", "-1"], "option '--timeout' must be above 0, not -1.0."),
        (["run", "mine.toml", "--memory", "0"], "option '--memory' must be above 0, not 0.0."),
        (["run", "mine.toml", "--jobs", "0"], "option '--jobs' must be between 1 and"),
        (["run", "mine.toml", "--plugin", "nowhere.py"], "nowhere.py: no such plug-in file."),
        (["table", "nowhere"], "nowhere: no such run (expected a folder with records.jsonl)."),
        (["table", "."], ".: no run here (expected a file records.jsonl)."),
        (["table", "runs/mine", "--columns", "medain"], "unknown column 'medain' of a table: did you mean 'median'?"),
        (["table", "runs/mine", "--format", "latx"], "did you mean 'latex'?"),
        (["table", "runs/mine", "--baseline", "gredy"], "did you mean 'greedy'?"),
        (["table", "runs/mine", "--target", "2"], "'target' of a table must be 'auto', 'optimal', 'any' or a share"),
        (["plot", "runs/mine", "--kind", "profil"], "unknown plot 'profil': did you mean 'profile'?"),
        (["plot", "runs/mine", "--kind", "bins"], "length"),
        (["compare", "runs/mine", "nowhere"], "nowhere: no such run"),
        (["report", "runs/mine", "--out", "/proc/page.html"], "cannot be written"),
        (["report", "runs/mine", "--out", "mine.toml/page.html"], "mine.toml/page.html: cannot be written"),
        (["plot", "runs/mine", "--out", "mine.toml/plots"], "cannot be written (Not a directory)."),
        (["table", "mine.toml"], "mine.toml: no such run (expected a folder with records.jsonl)."),
    ],
)
def test_bad_input_gets_one_sentence(work: Path, arguments: list[str], sentence: str) -> None:
    printed = dualbench(*arguments, where=work, code=2)
    assert sentence in " ".join(printed.split())
    assert printed.startswith("dualbench: ")
    assert len(printed.strip().splitlines()) == 1
