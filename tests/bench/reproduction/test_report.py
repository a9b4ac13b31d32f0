"""The page's parts as text: everything is there, nothing that came from data is taken as HTML."""

from __future__ import annotations

import json
from pathlib import Path

import fake_pieces as fake
import pytest

from bench.reproduction import report
from bench.reproduction.report import write_report
from bench.reproduction.schedule import run_piece
from problems.errors import InputError


@pytest.fixture
def fake_catalog(monkeypatch: pytest.MonkeyPatch) -> dict:
    pieces = {name: fake.piece(name) for name in ("one", "two")}
    monkeypatch.setattr(report, "PIECES", pieces)
    monkeypatch.setattr(report, "PAPERS", ("A Paper (2000)",))
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


def test_the_cover_is_drawn_again_only_if_it_shows_something_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def save(figure: object, path: Path, formats: object) -> None:
        drawn.append(path.name)
        path.with_suffix(".png").touch()

    monkeypatch.setattr(report, "save", save)
    monkeypatch.setattr(report, "cover_figure", lambda found, narrow=False: None)
    for found in ({"parsing": []}, {"parsing": []}, {"parsing": [], "compression": []}):
        report._draw_cover(found, tmp_path)
    assert drawn == ["cover", "cover-narrow"] * 2
    (tmp_path / "cover.png").unlink()
    report._draw_cover(found, tmp_path)
    assert len(drawn) == 6
