"""The problems behind Table 2, of a few generated topics; the trained parser as the summarizer's."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.applications.summarize import summarize_folder
from bench.learning.loop import SILENT
from bench.learning.options import training
from bench.learning.summarization.auxiliary import Source, auxiliary_pairs, other_corpora
from bench.learning.summarization.data import read_parser, topics_of
from bench.learning.summarization.folds import FACTS, ORACLES, SETTINGS, generated, write_problems
from bench.learning.summarization.systems import EXTRACTS, LEARNED, UNLEARNED, Settings
from problems import get_task
from problems.errors import InputError
from problems.summarization.compression_corpus import turk_pairs
from problems.summarization.model import SummarizerModel


@pytest.mark.slow
def test_every_topic_is_written_as_each_system_scores_it(tmp_path: Path) -> None:
    setting = generated("tiny", 3, 6)
    changed = replace(setting, settings=Settings(epochs=1, bits=12), inner_epochs=1, grid=(10.0,), pairs=20)
    write_problems(tmp_path, changed)
    facts = json.loads((tmp_path / FACTS).read_text())
    names = {path.stem for path in (tmp_path / "multi-task").glob("*.json")}
    assert len(names) == 6
    for system in (*UNLEARNED, *LEARNED):
        task = get_task("extraction" if system in EXTRACTS else "summarization")
        problems = [task.load(path) for path in sorted((tmp_path / system).glob("*.json"))]
        assert {problem.name for problem in problems} == {f"{name}, {system}" for name in names}
        assert all(problem.references for problem in problems)
    assert facts["pairs"] == 20
    assert 0 < facts["auxiliary topics"] <= 6  # those whose sentences are all longer than 25 words have no extract
    assert [constant for *_, constant in facts["constants"]] == [10.0] * 6 * len(LEARNED)
    golds = {(row["system"], row["topic"]): row["ROUGE-2"] for row in facts["golds"]}
    assert set(golds) == {(system, name) for system in ORACLES for name in names}
    assert sum(golds.values()) > 0.0


def test_real_text_needs_a_parser(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="real text needs a parser"):
        write_problems(tmp_path, SETTINGS["opinosis-25"])


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("parser") / "parser.model"
    options = {"limit": 20, "order": "1", "epochs": 1, "classifier_epochs": 1, "pruner_epochs": 1}
    training("parsing", {**options, "bits": 14, "classifier_bits": 14}).run(path, False, SILENT)
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
    source = Source("opinosis", str(data_folder), trees, 1, "small", 12)
    assert other_corpora(source) == ["multiling2011"]
    pairs = auxiliary_pairs(source, 20)
    turk = turk_pairs(data_folder, trees, 20)
    assert {pair.name.split("-")[0] for pair in turk} == {"turk"}
    assert all(pair.task == "compression" for pair in pairs)
