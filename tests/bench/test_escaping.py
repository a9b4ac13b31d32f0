"""Hostile labels, names and messages: no format that is written takes a part of them as a command."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_records import made_records
from markdown_it import MarkdownIt
from read_page import page_data, read_page
from rich.console import Console

from bench.output.escaping import csv_text, latex_text, markdown_text, plain_text
from bench.output.plots import make_plot, save
from bench.output.report import make_report
from bench.output.run_tables import run_table
from bench.output.tables import Table
from problems.errors import InputError

HOSTILE = (
    *(
        "</script><script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<!-- x",
        "&lt;b&gt;",
        "[x](javascript:alert(1))",
    ),
    *(
        "=1+1",
        "+1+1",
        "-2+3+cmd|' /C calc'!A0",
        "@SUM(1)",
        "\t=1",
        "\r=1",
        " =1",
        "\uff1d1",
        "a|b",
        "a\\|b",
        "`a|b`",
        "a\nb",
    ),
    *(
        "\x1b[31mred",
        "\x00",
        "\x7f",
        "\x9b1m",
        "\u202egnp",
        "\ud800",
        "$\\frac$",
        "$x",
        "_hidden",
        "\\input{/etc/passwd}",
        "%",
        "^^M",
        "",
    ),
)
LABELS = [text for text in HOSTILE if text != "\ud800"]  # no frame can hold it; reading a run replaces it
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
texts = st.one_of(
    st.sampled_from(HOSTILE), st.text(st.sampled_from("=+-@|<>/!&;#`[]()\\ab1\x00\x1b\n\t $_"), max_size=12)
)
parser = MarkdownIt("commonmark", {"html": True}).enable("table")


def a_table(text: str) -> Table:
    return Table(text, ["solver", text], [[text, "1"], ["b", "-2.5"]], [text])


@given(texts)
def test_no_format_has_control_characters(text: str) -> None:
    table = a_table(text)
    out = io.StringIO()
    table.show(Console(file=out, width=80, color_system=None))
    for written in (table.markdown(), table.csv(), table.latex(), out.getvalue()):
        assert not CONTROL.search(written)
        written.encode()
    assert len(plain_text(text).splitlines()) <= 1


@given(texts)
def test_markdown_has_no_html_and_no_other_cells(text: str) -> None:
    tokens = parser.parse(a_table(text).markdown())
    inline = [child for token in tokens for child in token.children or []]
    assert not [token for token in [*tokens, *inline] if token.type.startswith(("html", "link", "image", "code"))]
    assert sum(token.type == "td_open" for token in tokens) == 4
    shown = parser.render(f"x{markdown_text(text)}x")
    assert not re.search(r"<(?!/?(p|em|strong)>)", shown.replace("\n", ""))


@given(texts)
def test_csv_has_no_formula(text: str) -> None:
    rows = list(csv.reader(io.StringIO(a_table(text).csv())))
    assert [len(row) for row in rows] == [2, 2, 2]
    for cell in (rows[0][1], rows[1][0]):
        assert not cell.strip().startswith(tuple("=@\uff1d\uff0b\uff0d\uff20"))
        assert not cell.startswith(("+", "-")) or re.fullmatch(r"[+-][\d.]+|-", cell)


@pytest.mark.parametrize("number", ["-1", "-0.5", "+3", "-1e-7", "-1.2 [-1.5, -0.9]", "-", "1", "<0.000001", ">99.99"])
def test_csv_keeps_numbers(number: str) -> None:
    assert csv_text(number) == number


@given(texts)
def test_latex_has_no_commands_of_others(text: str) -> None:
    bare = re.sub(r"\\text[a-z]+\{\}|\\[_%&#${}]|\{\}", "", latex_text(text))
    assert not set(bare) & set("\\{}_%&#$~^<>|`")


def hostile_rows() -> list[dict[str, object]]:
    base = {
        "objective": 5.0,
        "bound": 5.0,
        "cpu_seconds": 1.0,
        "wall_seconds": 1.0,
        "instance_size": 7,
        "structure": [0],
    }
    rows = [
        base | {"solver": text, "instance": f"{place} {text}", "message": text, "size": text, "node": "box"}
        for place, text in enumerate(LABELS)
    ]
    return rows + [row | {"status": "crash", "audit": "", "objective": None, "repetition": 1} for row in rows]


def test_the_report_shows_hostile_texts_and_runs_none() -> None:
    records = made_records(hostile_rows(), experiment={"title": HOSTILE[0], "name": HOSTILE[1]})
    page, _ = make_report(records)
    assert (
        page.count("<script")
        == page.count("</script>")
        == make_report(made_records([{"solver": "s"}]))[0].count("<script")
    )
    assert "<img" not in page
    tree = read_page(page)
    assert set(page_data(tree)["labels"]) == set(map(plain_text, LABELS))
    assert set(page_data(tree)["messages"]) >= set(map(plain_text, LABELS))


def test_tables_of_hostile_labels() -> None:
    table = run_table(made_records(hostile_rows()), {"columns": ["optimal", "failed"], "by": "none"})
    assert len(table.rows) == len(LABELS)
    assert len(list(csv.reader(io.StringIO(table.csv())))) == len(LABELS) + 1
    tokens = parser.parse(table.markdown())
    assert sum(token.type == "tr_open" for token in tokens) == len(LABELS) + 1


def test_plots_of_hostile_labels(tmp_path: Path) -> None:
    rows = [row | {"instance": "a"} for row in hostile_rows() if "status" not in row]
    panels = make_plot(made_records(rows), "profile")  # sizes are titles
    assert len(panels.axes) == 4
    ElementTree.parse(save(panels, tmp_path / "panels", ["svg"])[0])
    figure = make_plot(made_records([row | {"size": ""} for row in rows]), "profile")
    (legend,) = figure.legends
    assert len(legend.get_texts()) == len(LABELS)
    (png, svg) = save(figure, tmp_path / "plot", ["png", "svg"])
    assert png.stat().st_size
    ElementTree.parse(svg)  # well-formed


@pytest.mark.parametrize("where", ["file/below", "/proc/nothing"])
def test_folders_that_cannot_be_written_are_one_sentence(tmp_path: Path, where: str) -> None:
    from bench.output.report import write_report

    (tmp_path / "file").write_text("")
    folder = tmp_path / where
    records = made_records([{"solver": "s", "cpu_seconds": 1.0, "objective": 1.0}])
    for write in (
        lambda: a_table("x").write(folder),
        lambda: write_report(records, folder / "report.html"),
        lambda: save(make_plot(records, "profile"), folder / "plot"),
    ):
        with pytest.raises(InputError, match=r"cannot be written \([A-Z][a-z ]+\)\.$"):
            write()
