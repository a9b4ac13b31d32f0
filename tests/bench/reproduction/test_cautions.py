"""What a piece says of its times, and numbers as the page shows them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import fake_pieces as fake
import pytest

from bench.output.tables import Table
from bench.reproduction.cautions import piece_marks
from bench.reproduction.page import table_part, thousands
from bench.reproduction.store import Kept


def run(others: float, repetitions: int) -> dict:
    return {"code": {"commit": "abc"}, "load": {"others": others}, "repetitions": repetitions}


def kept(*runs: dict) -> Kept:
    return Kept(folder=Path(), done={"runs": list(runs), **run(0.0, 3)})


def test_each_reason_is_named_once_and_the_highest_load_only() -> None:
    piece = fake.piece("one")
    assert piece_marks(piece, kept(run(0.54, 3), run(0.55, 1), run(0.3, 1))) == [
        "load 0.55 per core",
        "fewer than 3 repetitions",
    ]
    assert piece_marks(piece, kept(run(0.1, 3))) == []
    changed = {**run(0.0, 3), "code": {"commit": "abc", "dirty": True, "changed": ["a.py"]}}
    assert piece_marks(piece, kept(changed)) == ["uncommitted changes (a.py)"]


def test_a_piece_without_times_has_no_reason() -> None:
    assert piece_marks(replace(fake.piece("one"), timed=False), kept(run(0.5, 1))) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [("1394", "1,394"), ("127500", "127,500"), ("1394.5", "1,394.5"), ("999", "999"), ("0.12345", "0.12345"), ("1529 [807, 5982] @1%", "1,529 [807, 5,982] @1%"), ("10^4000", "10^4000"), ("AD3-1000 in 2013: 4063 and 709", "AD3-1000 in 2013: 4,063 and 709")],
)  # fmt: skip
def test_thousands_are_grouped(text: str, shown: str) -> None:
    assert thousands(text) == shown
    page = table_part(Table("T", ["a", "b"], [["1394", text]], [])).replace("\N{NO-BREAK SPACE}", " ")
    assert '<th scope="row">1394</th>' in page  # a name
    assert f'<td class="number">{shown}</td>' in page
