"""`bench` in Python and in notebooks: race, table, plot, verdict, what a run shows, and the types that it exports."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from made_records import made_records
from matplotlib.figure import Figure

import bench
from bench.output.run_tables import run_table
from bench.output.tables import Table
from bench.records.frame import Records

ROOT = Path(__file__).parents[2]


def rows(label: str, times: list[float], size: str = "s", **more: Any) -> list[dict[str, Any]]:
    facts = {
        "label": label,
        "solver": label,
        "size": size,
        "objective": 10.0,
        "bound": 10.0,
        "peak_memory_mb": 5.0,
        **more,
    }
    return [{**facts, "instance": f"{size}{number}", "cpu_seconds": time} for number, time in enumerate(times)]  # fmt: skip


@pytest.fixture(scope="module")
def raced(tmp_path_factory: pytest.TempPathFactory) -> Records:
    folder = tmp_path_factory.mktemp("api") / "run"
    return bench.race(
        "extraction:tiny", solvers=["ilp-glpk", "greedy"], count=2, repetitions=1, seconds=20, trace=True, out=folder
    )


def test_a_race_returns_its_records(raced: Records) -> None:
    assert set(raced["label"]) == {"ilp-glpk", "greedy"}
    assert raced.experiment["trace"]
    assert bench.load_run(raced.folder)["key"].tolist() == raced["key"].tolist()
    assert any("wins" in line for line in bench.verdict(raced))
    assert bench.verdict(raced.folder) == bench.verdict(raced)


def test_plots_are_figures(raced: Records) -> None:
    assert isinstance(bench.plot(raced, "profile"), Figure)
    assert isinstance(bench.plot(raced.folder, "pareto", average="median"), Figure)
    with pytest.raises(ValueError, match="did you mean 'profile'"):
        bench.plot(raced, "profil")


def test_a_table_is_a_frame_of_numbers(raced: Records) -> None:
    """The same numbers as the printed table, in seconds."""
    frame = bench.table(raced)
    printed = run_table(raced)
    assert frame.index.tolist() == [row[0] for row in printed.rows]
    assert frame.loc["ilp-glpk", "optimal"] == 2
    shown = float(printed.rows[0][printed.headings.index("median ms")].split()[0])
    assert frame["median_seconds"].iloc[0] * 1000 == pytest.approx(shown, rel=0.006)
    assert (frame["median_seconds_low"] <= frame["median_seconds"]).all()
    assert frame["objective_percent"].max() == pytest.approx(100.0)


def test_sizes_are_apart_and_ratios_have_ends_and_targets() -> None:
    fast = [*rows("a", [1.0, 1.0], "small"), *rows("a", [2.0, 2.0], "large")]
    slow = [*rows("b", [3.0, 3.0], "small"), *rows("b", [8.0, 8.0], "large", status="feasible", objective=5.0)]
    frame = bench.table(made_records([*fast, *slow]), columns=["xbaseline", "failed", "million"], baseline="b")
    assert frame.index.names == ["size", "solver"]
    assert frame.loc[("small", "a"), "x b"] == pytest.approx(3.0)
    assert frame.loc[("small", "a"), ["x b_low", "x b_high"]].tolist() == pytest.approx([3.0, 3.0])
    assert frame.loc[("small", "a"), "x b_target"] == "optimal"
    assert math.isnan(frame.loc[("large", "a"), "x b"])
    assert frame.loc[("small", "a"), "timeout"] == 0
    assert frame.loc[("small", "a"), "hours_per_million"] == pytest.approx(1e6 / 3600)


def test_a_run_shows_its_table_and_parts_of_it_their_rows(raced: Records) -> None:
    page = raced._repr_html_()
    assert page is not None
    assert "<table>" in page
    assert "wins" in page
    assert str(raced.folder) in page
    part = raced[raced["label"] == "greedy"]._repr_html_()
    assert part is not None
    assert 'class="dataframe"' in part
    assert 'class="dataframe"' in str(made_records([])._repr_html_())


def test_a_table_in_a_notebook_is_escaped() -> None:
    page = Table("<b>", ["a", "<i>"], [["x", "<script>"], [], ["y", "&"]], ["<u>"])._repr_html_()
    for tag in ("<b>", "<i>", "<script>", "<u>"):
        assert tag not in page
    assert page.count("<tr>") == 3


def test_type_checkers_see_what_is_returned(tmp_path: Path) -> None:
    for package in ("bench", "problems", "solvers"):
        assert (ROOT / package / "py.typed").exists()
    (tmp_path / "user.py").write_text(
        "import bench\n"
        "reveal_type(bench.table('runs/mine'))\n"
        "reveal_type(bench.plot('runs/mine', 'profile'))\n"
        "reveal_type(bench.load_run('runs/mine').folder)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), str(tmp_path / "user.py")],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    for revealed in ("DataFrame", "matplotlib.figure.Figure", "pathlib"):
        assert revealed in done.stdout, done.stdout


def test_the_frame_of_a_table_has_no_text_among_its_numbers(raced: Records) -> None:
    frame = bench.table(raced)
    texts = [name for name in frame.columns if not pd.api.types.is_numeric_dtype(frame[name])]
    assert all(name.endswith("_target") for name in texts)
