"""The paper beside ours: agreement by the stated rule, both sides in one table, and what only we have apart."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.reproduction.beside import (
    Beside,
    Cell,
    Column,
    Row,
    agreement,
    cell,
    facts,
    views_of,
)
from bench.reproduction.beside_files import data_table, latex, text_table, write_views
from bench.reproduction.beside_page import view_part, views_part
from bench.reproduction.pieces.sentence_views import OURS, features_table, partition_view
from bench.reproduction.published import FEATURES


def view(quality: float = 11.0, seconds: float = 1.0) -> Beside:
    """The paper: 20 and 2 seconds, 12.4 and 12.3; the reference of ours is 10 seconds and 11."""
    return Beside(
        "Runtimes & more",
        "Table 9, page 1",
        [Column("sec.", "time"), Column("R-2", "quality"), Column("people", "shown")],
        [
            Row("exact", [cell(20.0, 1), cell(12.4), cell(4.0, 1)], [cell(10.0, 1), cell(11.0)], "ours 1"),
            Row("fast", [cell(2.0, 1), cell(12.4, 2, "†")], [cell(seconds, 1), cell(quality)]),
            Row("absent", [cell(3.0, 1), cell(12.0)]),
        ],
        "exact",
        only_ours=[Row("ours <alone>", (), [cell(0.5, 1), cell(11.5)])],
        notes=["a note"],
    )


@pytest.mark.parametrize(
    ("quality", "seconds", "marks"),
    [
        (11.0, 1.0, ["agrees", "agrees"]),  # ten times faster in both
        (11.2, 2.0, ["agrees", "agrees"]),
        (11.5, 2.1, ["near", "near"]),
        (10.0, 0.2, ["differs", "differs"]),
    ],
)
def test_cells_are_held_against_the_reference_of_their_own_side(
    quality: float, seconds: float, marks: list[str]
) -> None:
    found = view(quality, seconds)
    assert found.agreements(found.rows[1])[:2] == marks[::-1]
    assert found.agreements(found.rows[0]) == ["reference", "reference", ""]
    assert found.agreements(found.rows[2]) == ["", "", ""]


@given(st.floats(0.1, 100.0), st.floats(0.1, 100.0), st.floats(0.01, 100.0))
def test_another_unit_changes_nothing(quality: float, seconds: float, unit: float) -> None:
    """A machine that is so many times faster, and texts that are so many times easier: all marks stay."""
    found = view(quality, seconds)
    rows = [row._replace(ours=[Cell(unit * each.value, "") for each in row.ours if each.value]) for row in found.rows]
    other = Beside(**{**vars(found), "rows": rows})
    assert [found.agreements(row) for row in found.rows] == [other.agreements(row) for row in rows]


def test_a_row_of_other_items_is_held_against_the_reference_on_these() -> None:
    """A tenth of the reference's time on the same short sentences, although a hundredth of that on all."""
    found = view(11.0, 0.1)
    short = found.rows[1]._replace(base=[cell(1.0, 1), cell(11.0)])
    changed = replace(found, rows=[found.rows[0], short, found.rows[2]])
    assert found.agreements(found.rows[1])[0] == "differs"
    assert changed.agreements(short)[0] == "agrees"
    again = views_of(json.loads(json.dumps(facts({"beside": changed}))))["beside"]
    assert again.agreements(again.rows[1]) == changed.agreements(short)
    old = found.plain() | {"rows": [row[:4] for row in found.plain()["rows"]]}  # recorded before rows had a base
    assert Beside.of(old) == Beside.of(found.plain())


def test_agreement_by_kind() -> None:
    assert [agreement("rate", 0.68, ours) for ours in (0.70, 0.75, 0.90)] == ["agrees", "near", "differs"]
    assert [agreement("power", 2.0, ours) for ours in (1.0, 2.2, 2.5, 2.7)] == ["agrees", "agrees", "near", "differs"]
    assert agreement("time", 1.0, None) == agreement("shown", 1.0, 1.0) == ""
    assert (agreement("quality", 0.0, 0.0), agreement("quality", 1.0, 0.0)) == ("agrees", "differs")


def test_columns_may_be_the_reference_of_their_row() -> None:
    """Third-order UAS over first-order UAS of the same language."""
    columns = [Column("1: UAS", "quality"), Column("tok", "time"), Column("3: UAS", "quality"), Column("tok", "time")]
    row = Row(
        "Dutch", [cell(80.0), cell(4000.0), cell(84.0), cell(600.0)], [cell(60.0), cell(100.0), cell(63.0), cell(2.0)]
    )
    found = Beside("t", "w", columns, [row], across=2)
    assert found.agreements(row) == ["reference", "reference", "agrees", "differs"]


def test_as_plain_table_and_counts() -> None:
    table = text_table(view())
    assert table.headings[:4] == ["", "paper: sec.", "paper: R-2 (%)", "paper: people"]
    assert table.headings[4:] == ["ours: sec.", "ours: R-2 (%)", "our system"]  # nobody asked people here
    assert table.rows[1] == ["fast", "2.0", "12.40†", "", "1.0 =", "11.00 =", ""]
    assert table.rows[3] == []
    assert table.rows[4][0] == "ours <alone>"
    assert view(10.0).sentence() == "1 cells agree, 0 are near, 1 differ."


def test_as_html() -> None:
    page = view_part(view(11.5, 0.2), "v")
    assert '<td class="number differs">0.2' in page
    assert '<td class="number near">11.50' in page
    assert "1 row that only we have</summary>" in page
    before, after = page.split("<details>")
    assert "ours &lt;alone&gt;" in after
    assert "ours &lt;alone&gt;" not in before
    assert "style=" not in page  # the page's policy allows no attribute of style
    assert page.count("<tr>") == page.count("</tr>")
    for table in re.findall(r"<tbody>(.*?)</tbody>", page):
        assert len({row.count("<t") for row in table.split("<tr>")[1:]}) == 1


def test_columns_without_ours_follow_ours_on_the_page() -> None:
    """So that the two cells of a comparison stand near each other, however wide the published table is."""
    head = re.findall(r'<th scope="col"[^>]*>([^<]*)</th>', view_part(view(), "v"))
    assert head[:6] == ["our system", "sec.", "R-2 (%)", "sec.", "R-2 (%)", "people"]
    groups = re.findall(
        r'<th scope="colgroup" colspan="(\d)">([^<]*)</th>', view_part(view(), "v").split("<details>")[0]
    )
    assert groups == [("2", "paper"), ("2", "ours"), ("1", "paper, not ours")]
    fast = re.search(r'<th scope="row">fast</th>(.*?)</tr>', view_part(view(), "v"))
    assert fast is not None
    assert [text.strip() for text in re.findall(r"<td[^>]*>([^<]*)", fast[1])] == [
        "2.0",
        "12.40†",
        "1.0",
        "11.00",
        "",
        "",
    ]


def test_as_csv() -> None:
    """One value per cell: marks of ours in words, those of the paper as they are, no grouped digits."""
    rows = list(csv.reader(io.StringIO(data_table(view(11.5)).csv())))
    assert rows[0] == [
        *("row", "paper: sec.", "paper: R-2 (%)", "paper: R-2 (%) mark", "paper: people"),
        *("ours: sec.", "ours: sec. agreement", "ours: R-2 (%)", "ours: R-2 (%) agreement", "our system"),
    ]
    assert rows[1] == ["exact", "20.0", "12.40", "", "4.0", "10.0", "reference", "11.00", "reference", "ours 1"]
    assert rows[2] == ["fast", "2.0", "12.40", "†", "", "1.0", "agrees", "11.50", "near", ""]
    assert rows[4][:2] == ["ours <alone>", ""]


def test_csv_of_powers_and_of_grouped_columns() -> None:
    columns = [
        Column("Written F1", "quality"),
        Column("n", "time"),
        Column("Spoken F1", "quality"),
        Column("n", "time"),
    ]
    row = Row("a", [cell(1.0), cell(2.0), cell(3.0), cell(4000.0)], [cell(1.0)])
    found = csv.reader(io.StringIO(data_table(Beside("t", "w", columns, [row])).csv()))
    assert next(found) == [
        *("row", "paper: Written F1", "paper: Written n", "paper: Spoken F1", "paper: Spoken n", "ours: Written F1"),
        "ours: Written F1 agreement",
    ]
    assert next(found)[4] == "4000.00"
    row = Row("a", [Cell(2.0, "O(L^2)")], [Cell(1.9, "L^1.90 [1.80, 2.00]")])
    found = csv.reader(io.StringIO(data_table(Beside("t", "w", [Column("cost", "power")], [row])).csv()))
    assert list(found) == [
        ["row", "paper: cost", *(f"ours: cost, power{end}" for end in ("", " low", " high")), "ours: cost agreement"],
        ["a", "O(L^2)", "1.90", "1.80", "2.00", "agrees"],
    ]  # fmt: skip


def test_as_latex() -> None:
    text = latex(view(10.0))
    assert text.startswith("% In the preamble:\n%   \\usepackage{array,booktabs,longtable}\n")
    assert r"%   \usepackage[table]{xcolor}" in text
    assert r"\cellcolor{red!16}10.00 \ensuremath{\neq}" in text
    assert r"\label{tab:runtimes-more-table-9-page-1}" in text
    assert r"Runtimes \& more" in text
    fast = next(line for line in text.splitlines() if line.startswith("fast"))
    assert fast == r"fast & 2.0 & \cellcolor{green!18}1.0 = & 12.40† & \cellcolor{red!16}10.00 \ensuremath{\neq} &  \\"
    assert r"Our systems by row: exact: ours 1." in text
    alone = next(line for line in text.splitlines() if line.startswith("ours"))
    assert "cellcolor" not in alone


def test_a_wide_table_keeps_ours_beside_the_papers() -> None:
    """Where columns are split over several tables, a column of ours is in the part that has the paper's."""
    columns = [Column(f"measure {place}", "quality") for place in range(12)]
    numbers = [cell(float(place)) for place in range(12)]
    made = latex(
        Beside("t", "w", columns, [Row("reference", numbers, numbers), Row("a", numbers, numbers)], "reference")
    )
    parts = made.split(r"\begin{table}")[1:]
    assert len(parts) > 1
    places = [re.findall(r"(paper|ours):\D*?(\d+)", part.split(r"\midrule")[0].replace("\\\\", " ")) for part in parts]
    assert [name for part in places for name, _ in part] == ["paper", "ours"] * 12
    assert all(
        {place for name, place in part if name == "paper"} == {place for name, place in part if name == "ours"}
        for part in places
    )


def test_only_rows_of_ours_are_not_folded() -> None:
    """The paper's rows have no empty columns of ours then."""
    found = Beside(
        "t", "w", [Column("UAS", "quality"), Column("Tok/sec", "time")],
        [Row("Arabic", [cell(77.2), cell(2481.0, 0)])], only_ours=[Row("generated", (), [cell(88.0), cell(9.0, 0)])],
    )  # fmt: skip
    page = view_part(found, "v")
    assert "<details>" not in page
    groups = [re.findall(r'colspan="(\d)">([^<]*)', table) for table in page.split("<table")[1:]]
    assert groups == [[("2", "paper")], [("2", "ours")]]


def test_every_quality_of_the_papers_has_a_unit() -> None:
    """In the outcomes that are recorded: in the heading or, for counts, in the title."""
    pieces = Path(__file__).parents[3] / "results" / "reproduction" / "pieces"
    views = [
        view
        for path in pieces.glob("*/content.json")
        for view in views_of(json.loads(path.read_text())["facts"]).values()
    ]
    names = {
        name
        for view in views
        for name, column in zip(view.names(), view.columns, strict=True)
        if column.kind not in ("power", "shown")
    }
    assert {"First Ord. UAS (%)", "R-2 (%)", "F_uni (share)"} <= names
    assert [name for name in names if not re.search(r"%|\(share\)|[Ss]ec", name)] == []


def test_why_cells_have_no_mark() -> None:
    wide, narrow = Cell(None, "L^1.0 [0.1, 1.9]"), Cell(1.0, "L^1.0 [0.9, 1.1]")
    columns = [Column(name, "power") for name in "abc"]
    found = Beside("t", "w", columns, [Row("x", [Cell(1.0, "O(L)"), Cell(1.0, "O(L)")], [wide, narrow, narrow])])
    assert "1 of our powers have no mark: their intervals are wider than 1.2" in found.sentence()
    assert "1 of our cells have no mark, because the paper" in found.sentence()
    every = Beside("t", "w", columns, [Row("x", [Cell(1.0, "O(L)")], [wide])])
    assert every.explained()  # also where no cell has a mark
    assert "no mark" not in view().sentence()


def test_the_rule_names_what_the_table_has() -> None:
    assert view().rule() == (
        "Each value is divided by the reference row (·) of its own table. = means that the paper's quotient and ours differ by at most 2 %, "
        "~ by at most 5 %, ≠ by more (times and speeds: factors 2 and 4)."
    )
    powers = Beside("t", "w", [Column("a", "power")], [])
    assert powers.rule().startswith("= means that our power is at most 0.3 above that of the theory")


def test_views_survive_their_files(tmp_path: Path) -> None:
    kept = json.loads(json.dumps(facts({"beside": view()})))
    assert text_table(views_of(kept)["beside"]) == text_table(view())
    write_views(tmp_path, kept)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["beside.csv", "beside.md", "beside.tex"]
    assert (tmp_path / "beside.tex").read_text(encoding="utf-8") == latex(view())


def test_other_tables_are_folded_below_a_view() -> None:
    assert views_part({}, "<table>", "p") == "<table>"
    page = views_part(facts({"beside": view()}), "<table id=all>", "p")
    assert page.index("beside ours") < page.index('download="p-beside.csv"') < page.index("<tbody>")
    assert page.index("beside ours") < page.index("<summary>All of our rows and columns</summary><table id=all>")


def test_features_of_qian_and_liu() -> None:
    """Ours has as many counts as the paper has templates; the tokens' are those that the compiled rows have."""
    import numpy as np

    from problems.compression.features import HashedParts
    from problems.text.sentence import ParsedSentence

    assert {part: len(templates) for part, templates in FEATURES.items()} == {
        part: len(own) for part, own in OURS.items()
    }
    assert len([row for row in features_table().rows if row]) == 21
    sentence = ParsedSentence(("a", "b", "c"), ("A", "B", "C"), (2, 0, 2), ("x", "root", "y"))
    lengths = np.diff(HashedParts(sentence, "joint", 20).rows().starts)
    assert set(lengths[:3]) == {sum(map(int, OURS["unigram x_i"]))}


def test_partition_of_yao() -> None:
    found = partition_view({"pairs": (2000, None, 294)})
    assert [[each.text for each in row.published] for row in found.rows] == [
        ["1,014", "324", "294"],
        ["931", "83", "254"],
    ]
    assert [each.text for each in found.only_ours[0].ours] == ["2,000", "", "294"]
    assert text_table(found).notes == []  # no cell is compared, so that no mark needs an explanation
