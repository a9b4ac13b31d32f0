"""The learned summarizer: golds against brute force, costs against their definitions, training, folds, commands."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hinge import hinge_objective
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from bench.applications.summarize import summarize_folder
from bench.cli import app
from bench.learning.learners import Decoder, Example, most_violated
from bench.learning.loop import SILENT
from bench.learning.multitask import MultiTaskSvm
from bench.learning.options import evaluation, training
from bench.learning.summarization.auxiliary import Source, auxiliary_extracts, auxiliary_pairs, prepared
from bench.learning.summarization.data import (
    DEVELOPMENT_SEEDS,
    blueprints,
    generated_topics,
    pair_examples,
    topic_examples,
    unseen,
)
from bench.learning.summarization.examples import (
    COMPRESSION,
    CompressionExample,
    TopicExamples,
    oracle_extract,
    oracle_summary,
)
from bench.learning.summarization.folds import CorpusSetting, Learning, deal, scored_problems
from bench.learning.summarization.systems import (
    DECODERS,
    LEARNED,
    TRAINING,
    VALIDATION,
    Output,
    Settings,
    baseline,
    bigram_recall,
    choose_regularization,
    decode,
    first_step,
    fit,
    fit_system,
    quality,
)
from bench.learning.summarization.training import Training
from problems import get_task
from problems.errors import InputError
from problems.metrics.rouge import rouge
from problems.metrics.rouge_text import read_text
from problems.summarization.blueprint import Blueprint, blueprint
from problems.summarization.instance import Concept, Summary
from problems.summarization.learning_topics import learning_pairs
from problems.summarization.model import SummarizerModel
from problems.summarization.oracle import compressive_oracle, extractive_oracle, reference_bigrams, without_idle
from problems.text.sentence import Cluster, ParsedSentence
from solvers import get_solver

BITS = 12
EXACT = Decoder("brute-force")


def sentence(text: str) -> ParsedSentence:
    """A chain from left to right in which every word but the first may be deleted with what follows it."""
    words = tuple(text.split())
    return ParsedSentence(
        words, ("NN",) * len(words), tuple(range(len(words))), ("ROOT", *("NMOD",) * (len(words) - 1))
    )


def handmade() -> Blueprint:
    documents = (
        (sentence("rivers flooded Ghent yesterday"), sentence("mayors wept")),
        (sentence("rivers flooded Bruges"), sentence("rain fell hard")),
    )
    references = (("Rivers flooded Ghent.", "Rain fell."), ("Rain fell.",))
    return blueprint(Cluster("handmade", documents, references), 5, BITS)


@pytest.fixture(scope="module")
def topics() -> list[TopicExamples]:
    clusters = generated_topics(1, 4, "small")
    return [topic_examples(blueprint(cluster, 50, BITS, 350)) for cluster in clusters]


@pytest.fixture(scope="module")
def pairs() -> list[CompressionExample]:
    return pair_examples(learning_pairs(1, 40), BITS)


def test_reference_bigrams_count_references() -> None:
    assert reference_bigrams(handmade().references) == {"river flood": 1, "flood ghent": 1, "rain fell": 2}
    assert set(reference_bigrams([["Well-known men."]])) == {"well-known men", "well known", "known men"}


def test_oracles_are_the_best_of_all() -> None:
    made = handmade()
    problem = compressive_oracle(made)
    summaries = get_task("summarization")
    best = max(summaries.objective(problem, each) for each in summaries.structures(problem))
    found = oracle_summary(made)
    assert summaries.objective(problem, found) == pytest.approx(best)
    # five words: rivers flooded Ghent (2 bigrams), rain fell (counts twice); "yesterday" and "hard" go
    assert sorted(made.lines(found)) == ["Rain fell.", "Rivers flooded Ghent."]
    extracts = get_task("extraction")
    extract = oracle_extract(made)
    worth = extractive_oracle(made)
    assert extracts.objective(worth, extract) == max(
        extracts.objective(worth, each) for each in extracts.structures(worth)
    )
    assert [made.extractive.texts[index] for index in extract] == ["Rain fell hard."], "mayors add nothing"


def test_tight_oracles_cover_the_same_and_have_nothing_to_spare(topics: list[TopicExamples]) -> None:
    for topic in topics:
        problem = compressive_oracle(topic.blueprint)
        names = {concept.name: concept for concept in problem.concepts}

        def covered(summary: Summary, names: dict[str, Concept] = names) -> set[str]:
            kept = {(index, word) for index, words in summary for word in words}
            return {
                name
                for name, concept in names.items()
                if any({(where, first), (where, last)} <= kept for where, first, last in concept.tokens)
            }

        tight = topic.oracle_summary
        loose = without_idle(problem, get_solver("ilp-highs").solve(problem).structure)
        assert sum(names[name].score for name in covered(tight)) == sum(names[name].score for name in covered(loose))
        for index, words in tight:
            sentence = problem.sentences[index]
            for word in words:
                if sentence.undeletable[word - 1]:
                    continue
                rest = {
                    other for other in words if word not in ancestors(sentence.heads, other)
                }  # without the phrase below it
                shorter = tuple((i, tuple(sorted(rest)) if i == index else kept) for i, kept in tight)
                assert covered(shorter) < covered(tight), "every phrase that is left covers something"


def ancestors(heads: Sequence[int], word: int) -> set[int]:
    """A word and all words above it."""
    found = set()
    while word:
        found.add(word)
        word = heads[word - 1]
    return found


def test_oracles_need_references() -> None:
    cluster = Cluster("lonely", ((sentence("rain fell hard"),),), ())
    with pytest.raises(InputError, match="lonely: there are no reference summaries"):
        oracle_summary(blueprint(cluster, 5, BITS))


def test_costs_are_their_definitions(topics: list[TopicExamples]) -> None:
    rng = np.random.default_rng(5)
    for topic in topics[:2]:
        concepts = topic.blueprint.concepts
        for example in (topic.summary, topic.extract):
            assert example.cost @ example.gold + example.cost_constant == pytest.approx(0.0, abs=1e-12)
        gold = topic.summary.gold
        kept = {(s, w) for s, words in topic.oracle_summary for w in words}
        intact = [
            (s, w) in kept and not flag
            for s, one in enumerate(topic.blueprint.compressive.sentences)
            for w, flag in enumerate(one.undeletable, 1)
        ]
        for _ in range(5):
            values = (rng.random(len(gold)) < 0.5).astype(float)
            covered = values[:concepts][gold[:concepts] == 1.0]
            wrong = values[concepts:][np.array(intact)]
            expected = 0.5 * (1.0 - covered.mean()) + 0.5 * wrong.sum() / max(sum(intact), 1)
            assert topic.summary.cost @ values + topic.summary.cost_constant == pytest.approx(expected)
            recall = values[:concepts][topic.extract.gold[:concepts] == 1.0].mean()
            values[concepts:] = 0.0
            assert topic.extract.cost @ values + topic.extract.cost_constant == pytest.approx(1.0 - recall)


def test_compression_costs_and_decoding(pairs: list[CompressionExample]) -> None:
    rng = np.random.default_rng(6)
    for example in pairs[:10]:
        assert example.cost @ example.gold == 0.0
        assert example.cost.min() >= 0.0
        assert example.cost.sum() == pytest.approx(1.0) or not example.cost.any()
        scores = rng.normal(size=len(example.gold))
        found = example.decode(EXACT, scores)
        assert scores @ found >= scores @ example.gold - 1e-9


def test_gold_parts_are_those_of_the_oracles(topics: list[TopicExamples]) -> None:
    for topic in topics[:2]:
        extract, summary = topic.gold_lines()
        assert sum(len(line.split()) for line in summary) <= 50
        references = topic.blueprint.references
        assert quality(summary, references)["ROUGE-2"] > quality(extract, references)["ROUGE-2"] - 0.05
        names = [concept.name for concept in topic.blueprint.extractive.concepts]
        stems = {name for name, value in zip(names, topic.extract.gold, strict=False) if value}
        assert stems, "an oracle extract covers something"


def test_training_improves_on_its_own_topics(topics: list[TopicExamples], pairs: list[CompressionExample]) -> None:
    """On training topics systems that learn from oracle summaries beat the unlearned coverage, with a lower hinge than at zero."""
    clusters = generated_topics(1, 2, "small")
    used = topics[:2]

    def recall(outputs: list[Output]) -> float:
        found = [
            bigram_recall(each.lines, topic.blueprint.references) for each, topic in zip(outputs, used, strict=True)
        ]
        return float(np.mean(found))

    counted = [baseline("coverage", cluster, topic.blueprint) for cluster, topic in zip(clusters, used, strict=True)]
    summaries: list[Example] = [topic.summary for topic in used]
    untrained = hinge_objective(np.zeros(1 << BITS), summaries, DECODERS, 0.0)
    for system in ("single-task", "multi-task"):
        weights = fit_system(
            system, used, pairs[:10], Settings(regularization=1.0, epochs=8, initial_step=0.3, bits=BITS)
        )
        assert recall([decode(system, topic.blueprint, weights, VALIDATION) for topic in used]) > recall(counted)
        assert hinge_objective(weights, summaries, DECODERS, 0.0) < untrained
    with pytest.raises(InputError, match="unknown system 'x'"):
        fit_system("x", used, pairs, Settings())


@pytest.mark.slow
def test_learning_beats_hand_set_scores_on_new_topics() -> None:
    """Generated topics have something to learn: two standard errors above the unlearned system, on 30 topics."""
    source = Source("generated", "", None, 77, "small", 16)
    extracts, pairs = auxiliary_extracts(source, 12), auxiliary_pairs(source, 300)
    made, pruner = prepared(generated_topics(77, 8, "small"), 50, 16, 350, extracts)
    clusters = generated_topics(77, 30, "small", DEVELOPMENT_SEEDS)
    tested, plain = blueprints(clusters, 50, 16, 350, pruner), blueprints(clusters, 50, 16, 350)
    unlearned = [baseline("unlearned", *each).lines for each in zip(clusters, plain, strict=True)]
    used = [topic_examples(each) for each in made]
    for system in ("single-task", "multi-task"):
        weights = fit_system(system, used, pairs, Settings(bits=16), auxiliary=extracts)
        learned = [decode(system, each, weights).lines for each in tested]
        gains = np.array(
            [
                bigram_recall(ours, each.references) - bigram_recall(theirs, each.references)
                for ours, theirs, each in zip(learned, unlearned, tested, strict=True)
            ]
        )
        assert gains.mean() > 2.0 * gains.std(ddof=1) / np.sqrt(len(gains)), system


def test_the_first_step_undoes_the_first_loss(topics: list[TopicExamples]) -> None:
    """With one example, a relative step of 1 along its gradient changes its margin by just its loss."""
    example = topics[0].summary
    found = most_violated(example, TRAINING, np.zeros(len(example.gold)))
    step = first_step([example], Settings(initial_step=1.0, bits=BITS))
    assert step * found.squared_norm == pytest.approx(found.loss)
    assert first_step([example], Settings(initial_step=2.0, bits=BITS)) == pytest.approx(2.0 * step)


def test_limits_of_section_4(topics: list[TopicExamples], pairs: list[CompressionExample]) -> None:
    """Without the data of task 1, what the three tasks share is the post-combined model: disjoint features, no coupling."""
    extracts = [topic.extract for topic in topics]
    decoder = Decoder("ad3", {"max_iterations": 50, "rounding": "none"})
    learner = MultiTaskSvm(
        1 << BITS,
        dict.fromkeys(("summarization", "extraction", "compression"), decoder),
        {"summarization": 0.0, "extraction": 1.0, "compression": 1.0},
        dict.fromkeys(("summarization", "extraction", "compression"), 1.0),
        1.0,
        1e-3,
    )
    for example in (*extracts, *(topic.summary for topic in topics), *pairs):
        learner.step(example)
    assert not learner.vectors["summarization"].averaged().any(), "v_1 stays 0"
    shared = learner.vectors["shared"]
    own = learner.vectors["extraction"].current() + learner.vectors["compression"].current()
    assert np.allclose(shared.current(), own), "w is what tasks 2 and 3 learned, put together"
    assert np.abs(own).max() > 0.0


def test_fitting_remembers_models_of_pairs(topics: list[TopicExamples], pairs: list[CompressionExample]) -> None:
    chosen = Settings(epochs=1, bits=BITS)
    fitted: dict[Settings, np.ndarray] = {}
    first = fit_system("post-combined", topics[:2], pairs, chosen, fitted=fitted)
    assert list(fitted) == [chosen]
    assert np.array_equal(fitted[chosen], fit(pairs, chosen)[COMPRESSION])
    assert np.array_equal(first, fit_system("post-combined", topics[:2], pairs, chosen))


def test_no_weight_sees_its_test_topic(monkeypatch: pytest.MonkeyPatch, pairs: list[CompressionExample]) -> None:
    from bench.learning.summarization import folds as folds

    seen: list[set[str]] = []
    fitted, chosen = folds.fit_system, folds.choose_regularization

    def spy_fit(system, training, *rest, **further):  # type: ignore[no-untyped-def]
        seen.append({topic.blueprint.name for topic in training})
        return fitted(system, training, *rest, **further)

    def spy_choose(system, training, *rest, **further):  # type: ignore[no-untyped-def]
        seen.append({topic.blueprint.name for topic in training})
        return chosen(system, training, *rest, **further)

    monkeypatch.setattr(folds, "fit_system", spy_fit)
    monkeypatch.setattr(folds, "choose_regularization", spy_choose)
    clusters = generated_topics(8, 3, "small")
    grid = (1.0, 10.0)
    setting = CorpusSetting("generated", 50, settings=Settings(epochs=1, bits=BITS), inner_epochs=1, grid=grid)
    made = [topic_examples(each) for each in blueprints(clusters, setting.budget, BITS, 150)]
    found = list(scored_problems(clusters, made, Learning(pairs=pairs[:5]), setting))
    names = {cluster.name for cluster in clusters}
    assert len(seen) == 2 * 3 * len(LEARNED)
    learned = [scored for scored in found if scored.system in LEARNED]
    assert len(learned) == 3 * len(LEARNED)
    for scored, (choosing, training_topics) in zip(learned, zip(seen[::2], seen[1::2], strict=True), strict=True):
        assert choosing == training_topics == names - {scored.topic}
        assert scored.regularization in grid
    assert len({scored.problem.name for scored in found}) == len(found), "no problem stands for two systems"


@given(st.lists(st.sampled_from(["the cat", "sat. The cat", "dog-ear", "a", ""]), max_size=4), st.data())
@settings(max_examples=30, deadline=None)
def test_the_quick_recall_is_rouge_2(lines: list[str], data: st.DataObject) -> None:
    texts = st.lists(st.sampled_from(["the cat sat", "cat sat", "the dog ear", "a"]), min_size=1, max_size=3)
    references = data.draw(st.lists(texts, min_size=1, max_size=3))
    assert round(bigram_recall(lines, references), 5) == rouge(lines, references)["ROUGE-2"]["R"]


def test_folds_are_a_partition() -> None:
    parts = deal(51, 5, seed=1)
    assert sorted(itertools.chain.from_iterable(parts)) == list(range(51))
    assert [len(part) for part in parts] == [11, 10, 10, 10, 10]
    assert deal(3, 0, seed=1) == [[0], [1], [2]]
    with pytest.raises(InputError, match="1 topics are too few"):
        deal(1, 0, seed=1)


def test_regularization_is_chosen_by_held_out_topics(
    topics: list[TopicExamples], pairs: list[CompressionExample]
) -> None:
    chosen = Settings(epochs=4, initial_step=1.0, bits=BITS)
    # with 1e6 every step forgets everything that was learned: such a model is worth little on held-out topics
    constant, means, _ = choose_regularization("single-task", topics, pairs, chosen, (1.0, 10.0, 1e6), folds=2)
    assert {1.0, 10.0, 1e6} <= set(means)
    assert means[1.0] > means[1e6]
    assert constant < 1e6
    assert choose_regularization("single-task", topics[:1], pairs, chosen).means == {}
    held = [topics[3].blueprint]
    found = choose_regularization("single-task", topics[:1], pairs, chosen, (1.0, 10.0), development=held)
    assert len(found.means) >= 2, "development topics do for one training topic, too"


def test_commands_train_resume_evaluate_and_export(tmp_path: Path) -> None:
    options = {"limit": 2, "size": "tiny", "pairs": 5, "auxiliary": 2, "epochs": 2, "regularization": 10.0, "bits": 12}
    model = tmp_path / "summarizer.model"
    runner = CliRunner()
    arguments = [part for key, value in options.items() for part in ("--option", f"{key}={value}")]
    done = runner.invoke(app, ["train", "summarization", "--out", str(model), *arguments])
    assert done.exit_code == 0, done.output
    first = SummarizerModel.read(model)
    assert (first.system, first.budget, first.bits, first.regularization) == ("multi-task", 25, 12, 10.0)
    assert first.topics == ("learning-tiny-1000", "learning-tiny-1001")
    assert first.pruner is not None
    again = training("summarization", options).run(model, True, SILENT)
    assert again["topics"] == 2
    assert np.array_equal(SummarizerModel.read(model).weights, first.weights), "a resumed training is the same"
    frame = evaluation("summarization", {"limit": 2, "size": "tiny", "export": str(tmp_path / "out")}).run(
        model, SILENT
    )
    assert list(frame["system"]) == ["coverage", "unlearned", "multi-task"]
    assert frame["ROUGE-2"].between(0, 1).all()
    exported = sorted((tmp_path / "out").iterdir())
    assert len(exported) == 2
    get_task("summarization").load(exported[0])


def test_summarizers_learn_from_fractional_solutions_or_from_rounded_ones(topics: list[TopicExamples]) -> None:
    """The fraction of parts that are neither 0 nor 1, in the outputs that training sees."""
    shares = []
    for relaxed in (True, False):
        decoder = Training(relaxed=relaxed).settings().decoders["summarization"]
        parts = np.concatenate(
            [
                one.decode(decoder, np.random.default_rng(5).normal(size=len(one.gold)) + one.cost)
                for topic in topics
                for one in (topic.summary, topic.extract)
            ]
        )
        shares.append(float(((parts > 1e-3) & (parts < 1 - 1e-3)).mean()))
    assert shares[0] > 0.01
    assert shares[1] == 0.0


def test_a_trained_topic_is_no_test_topic() -> None:
    model = SummarizerModel(
        "extractive", 12, 25, np.zeros(1 << 12), topics=("learning-tiny-1000", "learning-tiny-1001")
    )
    clusters = generated_topics(1, 3, "tiny")
    assert [cluster.name for cluster in unseen(model, clusters)] == ["learning-tiny-1002"]
    with pytest.raises(InputError, match="all 2 topics were seen in training"):
        unseen(model, clusters[:2])


def test_model_files(tmp_path: Path) -> None:
    weights = np.zeros(1 << 12)
    weights[7] = 0.5
    parser = tmp_path / "parsers" / "en.model"
    model = SummarizerModel("single-task", 12, 100, weights, ("a",), 3.0, parser, "abc", pruner=2 * weights)
    model.write(tmp_path / "s.model")
    read = SummarizerModel.read(tmp_path / "s.model")
    assert read.pruner is not None
    assert np.array_equal(read.pruner, 2 * weights)
    assert np.array_equal(read.weights, weights)
    assert (read.system, read.topics, read.parser_fingerprint) == ("single-task", ("a",), "abc")
    assert read.parser_file == parser
    content = (tmp_path / "s.model").read_bytes()
    (tmp_path / "cut.model").write_bytes(content[: len(content) // 2])
    with pytest.raises(InputError, match=r"cut\.model"):
        SummarizerModel.read(tmp_path / "cut.model")
    SummarizerModel("single-task", 11, 100, weights).write(tmp_path / "wrong.model")
    with pytest.raises(
        InputError, match=r"wrong.model: not a summarizer: array 'weights' has \d+ weights, expected 2\^11"
    ):
        SummarizerModel.read(tmp_path / "wrong.model")


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("system", "x", "must be one of extractive"),
        ("budget", -1, "at least 0"),
        ("fold", 3, "from 0 to below 'folds'"),
        ("regularization", -1.0, "at least 0"),
        ("bits", 99, "from 8 to 26"),
        ("corpus", "nytimes", "unknown corpus 'nytimes'"),
        ("corpus", "opinosis", "real text needs a parser"),
        ("size", "huge", "unknown size 'huge'"),
    ],
)
def test_bad_options_are_named(option: str, value: object, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        training("summarization", {option: value}).run(tmp_path / "m", False, SILENT)


def test_folders_are_summarized(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.txt").write_text("Rivers flooded Ghent on Friday.\n\nMayors wept about it all day long.\n", "utf-8")
    (folder / "b.txt").write_text("Rivers flooded Ghent. Nobody\ndrowned.\n", "utf-8")
    (folder / ".hidden").write_bytes(b"\xff")
    found = summarize_folder(folder, 4)
    assert found.text() == "Rivers flooded Ghent."
    assert (found.words, found.system, found.solver, found.status) == (3, "coverage", "ilp-highs", "optimal")
    stored = json.loads(found.json())
    assert stored["summary"][0] == {
        "text": "Rivers flooded Ghent.",
        "document": "b.txt",
        "position": 1,
        "original": "Rivers flooded Ghent.",
    }
    other = summarize_folder(folder, 4, solver="ad3", options={"max_iterations": 500})
    assert (other.text(), other.solver) == (found.text(), "ad3")
    assert read_text([found.text()])[0] == ["rivers", "flooded", "ghent"]
    model = tmp_path / "extracts.model"
    SummarizerModel("extractive", 12, 50, np.full(1 << 12, 0.1)).write(model)
    assert summarize_folder(folder, 9, model).words <= 9
    with pytest.raises(InputError, match="a budget of at least 1 word, not 0"):
        summarize_folder(folder, 0)
    (folder / "c.txt").write_text(" \n.\n", "utf-8")
    with pytest.raises(InputError, match=r"c.txt: the document is empty"):
        summarize_folder(folder, 4)
    with pytest.raises(InputError, match="no such folder"):
        summarize_folder(tmp_path / "nowhere", 4)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="the folder has no files"):
        summarize_folder(tmp_path / "empty", 4)
    SummarizerModel("single-task", 12, 50, np.zeros(1 << 12)).write(model)
    (folder / "c.txt").unlink()
    with pytest.raises(InputError, match="real text needs a parser"):
        summarize_folder(folder, 4, model)
