"""The page's parts as text: everything is there, nothing that came from data is taken as HTML, and the cover's advice is right."""

from __future__ import annotations

import json
from pathlib import Path

import fake_pieces as fake
import pytest
from made_records import made_records

from bench.reproduction import catalog, report
from bench.reproduction.cover import cover_alt, cover_table, seconds
from bench.reproduction.report import write_report
from bench.reproduction.schedule import run_piece
from bench.reproduction.standings import Standing, advice, family, standings
from problems.errors import InputError


def rows() -> list[dict]:
    """Three instances: `ilp-a` proves all in 1 s, `ad3` is ten times faster and loses 2 % on one, `dp-x` times out on one."""
    found = []
    for place in range(3):
        one = {"instance": f"i{place}", "bound": 100.0, "structure": [1]}
        found.append({**one, "solver": "ilp-a", "cpu_seconds": 1.0, "objective": 100.0})
        worth = 98.0 if place == 2 else 100.0
        found.append({**one, "solver": "ad3", "cpu_seconds": 0.1, "objective": worth, "status": "feasible"})
        if place:
            found.append({**one, "solver": "dp-x", "cpu_seconds": 0.5, "objective": 100.0})
        else:
            found.append(
                {**one, "solver": "dp-x", "cpu_seconds": None, "objective": None, "bound": None, "status": "timeout"}
            )
    return found


def test_standings_and_advice() -> None:
    found = {each.label: each for each in standings(made_records(rows()))}
    assert found["ilp-a"] == Standing("ilp-a", "ilp-a", "ILP", 3, 1.0, 2.0, 1.0, 1.0, 0.0, 1.0)
    ad3 = found["ad3"]
    assert (ad3.family, ad3.proved, ad3.median) == ("AD3", 0.0, 0.1)
    assert ad3.ratio == pytest.approx(0.2)  # of 1, 0.5 and 0.5 seconds
    assert ad3.found == pytest.approx(2 / 3)
    assert ad3.loss == pytest.approx(2 / 3)
    assert ad3.to_target == 0.1
    late = found["dp-x"]
    assert (late.proved, late.found) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert late.loss == pytest.approx(100 / 3)
    told = advice("made", list(found.values()))
    assert (told.fastest_found, told.fastest_proved) == (found["ilp-a"], found["ilp-a"])
    assert (told.best_anytime, told.quickest) == (ad3, ad3)
    table = cover_table({"made": list(found.values())})
    assert table.rows == [
        ["made", "ilp-a (1 s)", "ilp-a (1 s)", "ad3 (100 ms)", "ad3 (100 ms)", "0.67 % of the objective"]
    ]
    assert "made: ad3 0.2 times (0% proved), dp-x 1 times (67% proved), ilp-a 2 times (100% proved)" in cover_alt(
        {"made": list(found.values())}
    )


def test_times_below_the_clock_still_have_ratios() -> None:
    quick = [{**row, "cpu_seconds": 0.0} if row["solver"] == "ad3" else row for row in rows()]
    found = {each.label: each.ratio for each in standings(made_records(quick))}
    assert 0 < found["ad3"] < 0.01


def test_nobody_qualifies() -> None:
    lonely = Standing("greedy", "greedy", "search", 2, 0.1, float("nan"), 0.0, 0.5, 3.0, None)
    told = advice("made", [lonely])
    assert told[1:4] == (None, None, None)
    assert cover_table({"made": [lonely]}).rows[0][1:4] == ["none", "none", "none"]
    assert "greedy" not in cover_alt({"made": [lonely]})


def test_families_and_times() -> None:
    names = ["ilp-highs", "tree-ilp", "lp-clp", "ad3-exact", "subgradient", "dp-mst", "beam"]
    assert [family(name) for name in names] == [
        *("ILP", "ILP", "LP and rounding", "AD3", "subgradient", "dynamic program", "search"),
    ]
    assert [seconds(value) for value in (0.00031, 0.045, 1.25, 60.0)] == ["0.31 ms", "45 ms", "1.2 s", "60 s"]


@pytest.fixture
def fake_catalog(monkeypatch: pytest.MonkeyPatch) -> dict:
    pieces = {name: fake.piece(name) for name in ("one", "two")}
    for module in (catalog, report):
        monkeypatch.setattr(module, "PIECES", pieces)
        monkeypatch.setattr(module, "PAPERS", ("A Paper (2000)",))
    return pieces


def test_the_page_has_everything_and_escapes_it(tmp_path: Path, fake_catalog: dict) -> None:
    context = fake.context(tmp_path, quick=True)
    _, kept = run_piece(fake_catalog["one"], context)
    assert kept is not None
    page = write_report({"one": kept}, context).read_text()
    assert "x &lt;i&gt;" in page
    assert "A is &lt;b&gt;faster&lt;/b&gt; than B." in page
    assert "kept <del>gone</del> &lt;b&gt;" in page
    assert "<script" not in page
    assert "A quick run" in page
    assert "have not been run: two." in page
    assert (
        page.count('class="verdict good"')
        == page.count('class="verdict bad"')
        == page.count('class="verdict open"')
        == 1
    )
    facts = json.loads((tmp_path / "provenance.json").read_text())
    assert facts["pieces"]["one"]["key"] == kept.done["key"]
    assert "| one | A is" in (tmp_path / "claims.md").read_text()


def test_texts_can_be_left_out(tmp_path: Path, fake_catalog: dict) -> None:
    from dataclasses import replace

    context = replace(fake.context(tmp_path), texts=False)
    _, kept = run_piece(fake_catalog["one"], context)
    assert kept is not None
    assert "gone" not in write_report({"one": kept}, context).read_text()
    assert not (kept.folder / "texts.json").exists()


def test_a_folder_that_cannot_be_written(tmp_path: Path, fake_catalog: dict) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_report({}, fake.context(tmp_path / "file"))
