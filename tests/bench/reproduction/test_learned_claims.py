"""Claims about learned systems from measurements made by hand, and how they are put together from the studies' values."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bench.reproduction.catalog import PIECES
from bench.reproduction.claims import FAILS, HOLDS, UNTESTABLE
from bench.reproduction.piece import Context
from bench.reproduction.pieces import learned_pairs
from bench.reproduction.pieces.learned_parsers import Learned, learned_claims, learned_table
from bench.reproduction.pieces.learned_summaries import published_table, system_claims
from bench.studies import learned_compression


def frame(multi: float = 0.13, topics: int = 6, settings: tuple[str, ...] = ("generated",)) -> pd.DataFrame:
    means = {"extractive": 0.10, "post-combined": 0.10, "single-task": 0.12, "multi-task": multi}
    rows = [
        {"setting": setting, "table": 2, "system": system, "topic": str(topic), "ROUGE-2": mean + topic / 1000}
        for setting in settings
        for system, mean in means.items()
        for topic in range(topics)
    ]
    return pd.DataFrame(rows)


def test_summaries() -> None:
    claims = system_claims(frame())
    assert [claim.verdict for claim in claims] == [HOLDS, HOLDS, HOLDS, HOLDS, UNTESTABLE]
    assert claims[0].published == "ROUGE-2 12.30 against 11.88"
    assert claims[0].ours == "ROUGE-2 13.25 against 12.25"
    assert "difference +1.00 [+1.00, +1.00] over 6 items" in claims[0].why
    assert [claim.verdict for claim in system_claims(frame(multi=0.12))][:2] == [FAILS, HOLDS]
    assert {claim.verdict for claim in system_claims(frame(topics=4))} == {UNTESTABLE}
    names = [claim.name for claim in system_claims(frame(settings=("a", "b")))]
    assert len(names) == len(set(names)) == 9


def test_table_2_as_published_has_the_human_columns() -> None:
    rows = {row[0]: row[1:] for row in published_table().rows}
    assert rows["Multi-task"] == ["12.30", "15.18", "42.6", "4.2"]
    assert rows["WL'12"] == ["11.37", "14.47", "", ""]


def learned(treebank: str, correct: dict[str, float], third_speed: float = 1000.0) -> list[Learned]:
    speeds = {"1": 5000.0, "2": 2500.0, "3": third_speed}
    return [
        Learned(treebank, order, 100, 6, value, value - 2, speeds[order], tuple(value + k for k in range(6)))
        for order, value in correct.items()
    ]


def test_parsers() -> None:
    found = learned("en_ewt", {"1": 80.0, "2": 82.0, "3": 83.0}) + learned(
        "pt_bosque", {"1": 79.0, "2": 81.0, "3": 81.0}
    )
    claims = {claim.name: claim for claim in learned_claims(found)}
    assert (claims["learned-order-2-gains"].verdict, claims["learned-order-2-gains"].ratio) == (HOLDS, "2 of 2")
    assert (claims["learned-order-3-gains"].verdict, claims["learned-order-3-gains"].ratio) == (FAILS, "1 of 2")
    assert claims["learned-order-3-gains"].published == "11 of 14 treebanks"
    assert (claims["learned-third-order-speed"].verdict, claims["learned-third-order-speed"].ratio) == (HOLDS, "5.00x")
    slow = learned("generated", {"1": 80.0, "2": 82.0, "3": 83.0}, third_speed=800.0)
    assert learned_claims(slow)[2].verdict == FAILS
    rows = [row for row in learned_table(found).rows if row]
    assert rows[2][8:] == ["English", "93.22", "785", "0.25"]
    assert rows[3][8:10] == ["Portuguese", "91.14"]
    assert learned_table(slow).rows[0][8:10] == ["PTB section 22", "91.38"]


def test_times_are_compared_on_the_sentences_that_the_ilp_had() -> None:
    order = np.random.default_rng(learned_compression.PART_SEED).permutation(100)
    assert learned_pairs.same_part(100, 7) == sorted(order[:7].tolist())
    results = learned_pairs.compressed({"unigram F1": np.array([0.5, 0.7]), "seconds": np.array([0.1, 0.2])})
    assert [each.measures["unigram F1"] for each in results] == [0.5, 0.7]
    assert [each.seconds for each in results] == [0.1, 0.2]


@pytest.mark.parametrize("name", [name for name, piece in PIECES.items() if piece.real])
def test_every_piece_names_what_it_misses(name: str, tmp_path: Path) -> None:
    sentence = PIECES[name].missing(Context(tmp_path, data=tmp_path))
    assert sentence is not None
    assert str(tmp_path) in sentence
    assert "; expected the " in sentence
    assert sentence.endswith(f"for {name} ({PIECES[name].title}).")
