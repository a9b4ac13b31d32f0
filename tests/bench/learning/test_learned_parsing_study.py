"""The study of learned parsing on a few generated sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.studies.learned_parsing import Setting, gains, learned_rows, table


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("study")


def test_rows_are_measured_once_and_kept(folder: Path) -> None:
    settings = [Setting("few", "generated", orders=("1", "2"), epochs=1, limit=15, bits=16)]
    frame = learned_rows(settings, models=folder, cells=folder / "cells.jsonl")
    assert frame["order"].tolist() == ["1", "2"]
    assert sorted(path.name for path in folder.glob("*.model")) == ["few-1.model", "few-2.model"]
    written = (folder / "cells.jsonl").read_bytes()
    again = learned_rows(settings, models=folder, cells=folder / "cells.jsonl")
    assert (folder / "cells.jsonl").read_bytes() == written
    assert again["UAS"].tolist() == frame["UAS"].tolist()
    for _, row in frame.iterrows():
        right, words = map(sum, zip(*row["correct"], strict=True))
        assert (words, 100 * right / words) == (row["tokens"], pytest.approx(row["UAS"]))
    said = gains(frame)
    assert len(said) == 1
    assert said[0].startswith("few: order 2 above 1 by")
    shown = table(frame)
    assert [row[3] for row in shown.rows] == ["1", "2"]
    assert {len(row) for row in shown.rows} == {len(shown.headings)}
