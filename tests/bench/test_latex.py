"""LaTeX tables: they fit an article, as TeX itself says where it is installed, and no cell is lost."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.output.latex_columns import LINE, columns_of, text_width
from bench.output.tables import Table
from bench.reproduction.beside_files import write_views
from bench.reproduction.claims import claims_table
from bench.reproduction.cover import contests_by_task, cover_table
from bench.reproduction.report import PIECES
from bench.reproduction.store import read_outcome

RECORDED = Path(__file__).parents[2] / "results" / "reproduction" / "pieces"
NASTY = Table(
    "A title with a word_that_is_never_broken_and_goes_on & on, 100 %",
    ["solver", "opt.", "x#", "a heading of many words", "what was said"],
    [
        ["[red]a_1[/red]", "1 & 2", "$3", "0.124 [0.120, 0.135] @0.1%", "long " * 60],
        [],
        ["*b", "{x}~^", "50 %", "-", "/a/path/that/nobody/would/ever/want/to/break/but/which/must/be"],
        ["\N{CJK UNIFIED IDEOGRAPH-4E2D}", "\N{INFINITY}", "\N{DAGGER}", "<1>", "\N{GREEK SMALL LETTER ALPHA} caf\N{LATIN SMALL LETTER E WITH ACUTE}"],
    ],
    ["Note with 5 % & more_less.", "A second one, " + "x" * 40],
)  # fmt: skip
LONG = Table("Long", ["solver", "seconds"], [[f"solver {place}", str(place)] for place in range(120)], ["n"])


def test_a_part_never_exceeds_the_line_and_the_names_of_rows_are_in_each() -> None:
    headings = ["size", "solver", *(f"a number {place}" for place in range(12))]
    rows = [["tac", "ilp-gurobi, reduced", *["0.0899 [0.0768, 0.104]"] * 12]]
    parts = columns_of(headings, rows, 2)
    assert len(parts) > 2
    for part in parts:
        assert [column.place for column in part[:2]] == [0, 1]
        assert sum(column.width + 8 for column in part) <= LINE
    assert [column.place for part in parts for column in part[2:]] == list(range(2, 14))


def test_what_fits_is_one_tabular_and_what_is_long_breaks_over_pages() -> None:
    assert Table("T", ["a", "b"], [["x", "1"]], []).latex().count(r"\begin{tabular}{lr}") == 1
    made = LONG.latex()
    assert made.count(r"\begin{longtable}{lr}") == 1
    assert made.count(r"\label{tab:long}") == 1


def test_parts_without_names_of_rows_are_numbered() -> None:
    headings = [f"text {place}" for place in range(9)]
    table = Table("T", headings, [[f"some words of cell {place} " * 3 for place in range(9)]] * 2, [], left=9)
    made = table.latex()
    assert made.count("no. &") == made.count(r"\caption") > 1
    assert made.count(r"\label{tab:t-2}") == 1


cells = st.text(st.sampled_from("abc 123.[],-"), max_size=30).map(lambda text: " ".join(text.split()))


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, 9).flatmap(
        lambda width: st.lists(st.lists(cells, min_size=width, max_size=width), min_size=1, max_size=4)
    )
)
def test_no_cell_is_lost(rows: list[list[str]]) -> None:
    made = Table("T", [f"h{place}" for place in range(len(rows[0]))], rows, []).latex()
    plain = made.replace(r"\allowbreak{}", "").replace("{}", "")
    for row in rows:
        for text in row:
            assert text in plain


def test_wider_texts_are_wider() -> None:
    assert text_width("iiii") < text_width("aaaa") < text_width("MMMM")
    assert text_width("\N{CJK UNIFIED IDEOGRAPH-4E2D}") >= text_width("M")


def test_joined_columns_stay_in_the_part_of_the_one_before() -> None:
    headings = ["row", *(f"a number {place}" for place in range(12))]
    parts = columns_of(headings, [["x", *["0.0899 [0.0768, 0.104]"] * 12]], 1, joined=range(2, 13, 2))
    assert len(parts) > 1
    assert all(len(part) % 2 == 1 for part in parts)
    assert [column.place for part in parts for column in part[1:]] == list(range(1, 13))


def written(folder: Path) -> list[Path]:
    """Every LaTeX file of a reproduction, from the recorded outcomes as the code of today writes them."""
    kept = {each.name: read_outcome(each) for each in sorted(RECORDED.iterdir()) if each.name in PIECES}
    assert kept
    claims_table((name, claim) for name, each in kept.items() for claim in each.claims).write(folder, stem="claims")
    cover_table(contests_by_task(kept), []).write(folder, stem="cover")
    for name, each in kept.items():
        for stem, table in each.tables.items():
            table.write(folder / name, stem=stem)
        write_views(folder / name, each.facts)
    NASTY.write(folder, stem="nasty")
    LONG.write(folder, stem="long")
    return sorted(folder.rglob("*.tex"))


@pytest.mark.parametrize("size", ["10pt", "12pt"])
def test_tex_sets_every_file_without_overfull_boxes(size: str, tmp_path: Path) -> None:
    """With the packages that the files themselves name, and no others."""
    compiler = shutil.which("pdflatex")
    if not compiler:
        pytest.skip("no pdflatex found: install the Debian package texlive-latex-recommended")
    files = written(tmp_path / "files")
    assert len([path for path in files if path.stem.startswith("beside")]) >= 8
    texts = [path.read_text(encoding="utf-8") for path in files]
    labels = re.findall(r"\\label\{(.*?)\}", "".join(texts))
    assert len(labels) == len({*labels}) >= len(files)
    packages = sorted({line for text in texts for line in re.findall(r"^%   (\\usepackage.*)", text, re.MULTILINE)})
    body = "".join(rf"\input{{{path}}}\clearpage" for path in files)
    head = rf"\documentclass[{size}]{{article}}{''.join(packages)}\begin{{document}}"
    (tmp_path / "t.tex").write_text(f"{head}\n{body}\n\\end{{document}}\n", encoding="utf-8")
    subprocess.run(
        [compiler, "-interaction=nonstopmode", "t.tex"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    log = (tmp_path / "t.log").read_text(encoding="utf-8", errors="replace")
    assert "Output written on t.pdf" in log
    trouble = r"^! .*|^Overfull \\hbox.*|.*Float too large.*|.*(?:undefined|Missing character).*"
    assert re.findall(trouble, log, re.MULTILINE) == []
