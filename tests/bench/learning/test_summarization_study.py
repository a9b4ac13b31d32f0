"""The study behind Tables 2 and 3, on a few generated topics; the trained parser as the summarizer's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bench.applications.summarize import summarize_folder
from bench.learning.loop import Silent
from bench.learning.options import training
from bench.learning.summarization.data import topics_of, training_pairs
from bench.learning.summarization.folds import DECODINGS, EXTRACTIVE, ORACLES, UNLEARNED, Plan
from bench.learning.summarization.parser import read_parser
from bench.learning.summarization.systems import LEARNED, Settings
from bench.studies.learned_summarization import (
    claims_table,
    decoders_table,
    difference,
    rows,
    systems_table,
    write_tables,
)
from problems.errors import InputError
from problems.summarization.model import SummarizerModel


@pytest.mark.slow
def test_every_system_and_decoder_has_its_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.studies.learned_summarization.GENERATED_PAIRS", 20)
    plan = Plan(50, folds=2, settings=Settings(epochs=1, bits=12), inner_epochs=1, grid=(10.0,), candidate_words=200)
    frame = rows("generated", limit=3, plan=plan)
    second = frame[frame["table"] == 2]
    assert set(second["system"]) == {*UNLEARNED, *LEARNED, *ORACLES}
    assert (second.groupby("system")["topic"].nunique() == 3).all()
    third = frame[frame["table"] == 3]
    assert set(third["system"]) == {*DECODINGS, EXTRACTIVE}
    exact = third[third["system"] == "ILP Exact"].set_index("topic")
    assert (exact["status"] == "optimal").all()
    for decoder in DECODINGS:
        found = third[third["system"] == decoder].set_index("topic")
        assert (found["objective"] <= exact["objective"] + 1e-6).all()
    oracle = second[second["system"] == "oracle summary"]["ROUGE-2"].mean()
    assert oracle >= second[second["system"] == "coverage"]["ROUGE-2"].mean()

    table = systems_table(frame)
    by_name = {row[0]: row for row in table.rows}
    mean = second[second["system"] == "multi-task"]["ROUGE-2"].mean()
    assert by_name["multi-task"][1] == f"{100 * mean:.2f}"
    assert by_name["multi-task"][-2:] == ["12.30", "15.18"]
    one = difference(frame, "generated", "multi-task", "extractive", "ROUGE-2")
    other = second[second["system"] == "extractive"]["ROUGE-2"].mean()
    assert one.difference == pytest.approx(mean - other)
    assert len(claims_table(frame).rows) == 5
    assert [row[1] for row in decoders_table(frame).rows] == [*DECODINGS, EXTRACTIVE]
    frame.to_csv(tmp_path / "rows-generated.csv", index=False)
    write_tables(tmp_path)
    assert (tmp_path / "table.md").read_text(encoding="utf-8") == table.markdown(), "the same from the stored rows"


def test_unknown_settings_are_named() -> None:
    with pytest.raises(InputError, match="unknown setting 'tac'"):
        rows("tac")
    with pytest.raises(InputError, match="real text needs a parser"):
        rows("opinosis-25")


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("parser") / "parser.model"
    options = {"limit": 20, "order": "1", "epochs": 1, "classifier_epochs": 1, "pruner_epochs": 1}
    training("parsing", {**options, "bits": 14, "classifier_bits": 14}).run(path, False, Silent())
    return path


def test_a_trained_parser_makes_trees_of_text(parser: Path, tmp_path: Path) -> None:
    trees = read_parser(str(parser))
    first, empty, third = trees.parse(["The river flooded Ghent, they said.", " ", "It's over. Nobody left."])
    assert first.words == ("The", "river", "flooded", "Ghent", ",", "they", "said", ".")
    assert len(first.tags) == len(first.heads) == len(first.labels) == 8
    assert first.heads.count(0) == 1
    assert empty.words == ()
    assert third.words == tuple(trees.tokens("It's over. Nobody left.")), "one tree, though it could be two sentences"
    assert trees.fingerprint == read_parser(str(parser)).fingerprint

    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.txt").write_text("The river flooded Ghent on Friday. The old mayor wept.", "utf-8")
    (folder / "b.txt").write_text("The river flooded Ghent. It will rain.", "utf-8")
    model = tmp_path / "s.model"
    SummarizerModel("single-task", 12, 20, np.full(1 << 12, 0.1), (), 1.0, parser, trees.fingerprint).write(model)
    found = summarize_folder(folder, 8, model)
    assert 1 <= found.words <= 8
    assert (found.system, found.solver) == ("single-task", "ad3")
    exact = summarize_folder(folder, 8, model, solver="ilp-highs")
    assert exact.status == "optimal"
    assert exact.objective >= found.objective - 1e-9


@pytest.mark.slow
def test_real_corpora_are_parsed_and_paired(parser: Path, data_folder: Path) -> None:
    trees = read_parser(str(parser))
    topics = topics_of("opinosis", str(data_folder), trees, 1, 1, "small")
    assert topics[0].name.startswith("opinosis-")
    assert topics[0].references
    pairs = training_pairs("opinosis", str(data_folder), trees, 20, 1, 12)
    assert all(pair.task == "compression" for pair in pairs)
