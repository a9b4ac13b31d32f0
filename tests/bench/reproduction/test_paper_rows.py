"""Which rows of a table come first: those of the paper, or of the solvers that the cover names."""

from __future__ import annotations

from pathlib import Path

import pytest
from read_page import read_page

from bench.analysis.statistics.ratios import SpeedUp
from bench.analysis.statistics.values import Interval
from bench.output.tables import Table
from bench.reproduction.page import table_part
from bench.reproduction.paper_rows import PATTERNS, first_rows
from bench.reproduction.standings import Contest, Standing
from bench.reproduction.store import read_outcome

RECORDED = Path(__file__).parents[3] / "results" / "reproduction" / "pieces"


def test_rows_with_numbers_of_the_paper_come_first() -> None:
    rows = [["a", "1", "2"], ["b", "1", ""], [], ["c", "1", "3"], ["d", "1", ""], ["e", "1", ""]]
    table = Table("T", ["system", "ours", "paper: ms"], rows, [])
    assert first_rows("any", table) == [0, 3]
    few = Table("T", ["system", "ours", "paper: ms"], rows[:4], [])
    assert first_rows("any", few) == [0, 1, 3]  # one row is not worth folding
    ours = Table("T", ["system", "ours", "ms"], rows, [])
    assert first_rows("any", ours) == [0, 1, 3, 4, 5]


def test_a_comparison_shows_whom_the_cover_names_at_each_size() -> None:
    def standing(label: str, family: str, seconds: float, speed_up: SpeedUp | None = None) -> Standing:
        return Standing(label, family, 6, Interval(seconds, seconds, seconds), 6, 100.0, 6, speed_up, seconds)

    faster = SpeedUp(Interval(2.0, 1.5, 3.0), "optimal", 6, 0)
    small = (standing("ad3", "AD3", 1.0, faster), standing("ilp-a", "ILP", 2.0), standing("ilp-b", "ILP", 3.0))
    large = (standing("ad3", "AD3", 9.0), standing("dp", "dynamic program", 1.0, faster), standing("ilp-b", "ILP", 2.0))
    contests = [
        Contest("t", "small", 6, Interval(2.0, 2.0, 2.0), "ilp-a", small),
        Contest("t", "large", 6, Interval(2.0, 2.0, 2.0), "ilp-b", large),
    ]
    solvers = ("ad3*", "dp", "ilp-a", "ilp-b")
    rows = [[size, solver, "1"] for size in ("small", "large") for solver in solvers]
    table = Table("T", ["size", "solver", "median ms"], rows, [], left=2)
    assert [rows[place][:2] for place in first_rows("compare", table, contests)] == [
        *(["small", "ad3*"], ["small", "ilp-a"]),
        *(["large", "dp"], ["large", "ilp-b"]),
    ]


@pytest.mark.parametrize("piece", PATTERNS)
def test_the_patterns_name_rows_of_the_recorded_tables(piece: str) -> None:
    table = read_outcome(RECORDED / piece).tables["table"]
    every = [place for place, row in enumerate(table.rows) if row]
    chosen = first_rows(piece, table)
    assert 0 < len(chosen) < len(every)
    assert {place for place in every if table.rows[place][0].startswith("paper: ")} <= set(chosen)


def test_all_rows_are_on_the_page_once_and_in_the_csv() -> None:
    rows = [["a", "1.5 [1, 2]"], ["b", "2"], [], ["c", "3"], ["d", "4"]]
    page = read_page(table_part(Table("T", ["solver", "ms"], rows, []), first=[0, 3], name="x"))
    shown, folded = page.all("table")
    assert [row.one("th").text for row in shown.one("tbody").all("tr")] == ["a", "c"]
    assert [row.attributes.get("class") for row in shown.one("tbody").all("tr")] == [None, "apart"]
    assert [row.one("th").text for row in folded.one("tbody").all("tr")] == ["b", "d"]
    assert page.one("details").one("summary").text == "2 more rows: b; d"
    link = page.one("a", kind="csv")
    assert link.attributes["download"] == "x.csv"
    import base64

    data = base64.b64decode(link.attributes["href"].partition("base64,")[2]).decode()
    assert data == "solver,ms,ms low,ms high\na,1.5,1,2\nb,2,,\nc,3,,\nd,4,,\n"
