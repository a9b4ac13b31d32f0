"""Figures of the report: colours of the page, two in a row where both can be read."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

from bench.output.plots.looks import PALETTE
from bench.reproduction.pictures import pictures_part
from bench.reproduction.piece import Shown

LIGHT, DARK = PALETTE[0]
WIDE, NARROW, TALL = (691, 600), (460, 400), (691, 1024)


def page(folder: Path, *sizes: tuple[int, int], points: int = 2) -> str:
    shown = []
    for number, (width, height) in enumerate(sizes):
        path = "M 0 0 \nL 1 0 \nL 2 0 \n" + "L 9 9 \nL 9 1 \n" * points
        text = f'<svg width="{width}pt" height="{height}pt"><path d="{path}" style="stroke: {LIGHT.lower()}"/></svg>'
        (folder / f"f{number}.svg").write_text(text, encoding="utf-8")
        shown.append(Shown(f"f{number}", f"figure {number}", "words"))
    return pictures_part(folder, shown)


@pytest.mark.parametrize(
    ("sizes", "classes"),
    [
        ([NARROW, NARROW], ["", ""]),
        ([WIDE, NARROW], ["across", "across"]),  # nothing stands beside the narrow one
        ([WIDE, WIDE, NARROW, NARROW], ["across", "across", "", ""]),
        ([NARROW, NARROW, NARROW], ["", "", "across"]),
        ([TALL], ["across tall"]),
    ],
)
def test_two_narrow_figures_share_a_row(sizes: list[tuple[int, int]], classes: list[str], tmp_path: Path) -> None:
    made = page(tmp_path, *sizes)
    found = re.findall(r'<figure(?: class="([a-z ]*)")?>', made)
    assert found == classes
    assert re.findall(r"<figcaption>(.*?)<", made) == [f"figure {number}" for number in range(len(sizes))]


def test_large_drawings_keep_their_colours_on_dark_pages(tmp_path: Path) -> None:
    """They are no pictures of pixels, whose colours a page could only invert."""
    made = page(tmp_path, WIDE, points=20_000)  # some 300 kB
    assert "image/png" not in made
    data = re.search(r"data:image/svg\+xml;base64,([^\"]*)", made)
    assert data is not None
    drawing = base64.b64decode(data[1]).decode()
    assert f"stroke: {DARK} !important" in drawing


def test_no_figures_no_box(tmp_path: Path) -> None:
    assert pictures_part(tmp_path, []) == ""
