"""Learned compression: separable pairs are fitted, rivals learn what they can produce, models survive a round trip."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from bench.applications.compress import compress_text
from bench.learning.compression.data import Data, measured
from bench.learning.compression.training import (
    DECODERS,
    OPTIONS,
    CompressionExample,
    Evaluation,
    Training,
    compress,
    nearest_subtree,
    read_any,
)
from bench.learning.learners import Decoder, Mira, most_violated
from bench.learning.loop import SILENT, train
from problems import get_task
from problems.compression.corpora import ParsedPair, file_hash, generated_pairs, parsed_corpus
from problems.compression.features import SYSTEMS, TEMPLATES, HashedParts, split
from problems.compression.labeller import Labeller, threshold_for
from problems.compression.model import CompressionModel, LengthRule
from problems.compression.pairs import read_pairs
from problems.errors import InputError
from problems.kernels import cache as kernel_cache
from problems.models.model_file import read_model
from problems.text.sentence import ParsedSentence

BITS = 16


def decoder(system):
    return Decoder(DECODERS[system], OPTIONS.get((system, DECODERS[system]), {}))


def toy(count: int) -> list[ParsedPair]:
    """Sentences in which adverbs and adjectives are deleted and everything else is kept: any of the models can say that."""
    rng = np.random.default_rng(1)
    pairs = []
    for number in range(count):
        words, tags, heads, labels = [], [], [], []
        nouns = [f"noun{rng.integers(6)}", f"noun{rng.integers(6)}"]
        for noun, label in zip(nouns, ("nsubj", "obj"), strict=True):
            if label == "obj":
                words.append(f"verb{rng.integers(6)}")
                tags.append("V")
                heads.append(0)
                labels.append("root")
                verb = len(words)
                if rng.random() < 0.5:
                    words.append("quickly")
                    tags.append("R")
                    heads.append(verb)
                    labels.append("advmod")
            adjectives = int(rng.integers(0, 3))
            place = len(words) + adjectives + 1
            for _ in range(adjectives):
                words.append(f"adjective{rng.integers(4)}")
                tags.append("J")
                heads.append(place)
                labels.append("amod")
            words.append(noun)
            tags.append("N")
            heads.append(-1)
            labels.append(label)
        heads = [verb if head == -1 else head for head in heads]
        sentence = ParsedSentence(tuple(words), tuple(tags), tuple(heads), tuple(labels))
        kept = tuple(word for word, tag in enumerate(tags, 1) if tag in "NV")
        gold_heads = tuple(heads[word - 1] for word in kept)
        pairs.append(ParsedPair(f"toy-{number}", sentence, kept, gold_heads, tuple(labels[word - 1] for word in kept)))
    return pairs


@pytest.mark.parametrize("templates", TEMPLATES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_separable_problem_is_fitted_to_zero_loss(system, templates):
    pairs = toy(30)
    examples = [CompressionExample(pair, system, BITS, templates) for pair in pairs]
    learner = Mira(1 << BITS, decoder(system), 1.0)
    trained = train(examples, learner, epochs=12, seed=1)
    assert trained.history[0]["loss"] > 0.1
    assert trained.history[-1]["loss"] == pytest.approx(0.0, abs=1e-6)
    rule = LengthRule.fitted(pairs)
    model = CompressionModel(system, BITS, trained.weights["weights"], rule, templates=templates)
    for pair in toy(40)[30:]:
        assert compress(model, pair, DECODERS[system], length=len(pair.kept)) == pair.kept


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_cost_of_the_gold_is_zero_and_of_others_is_not(system):
    for pair in generated_pairs(range(5)):
        example = CompressionExample(pair, system, BITS)
        assert example.cost @ example.gold + example.cost_constant == 0.0
        worst = most_violated(example, decoder(system), np.zeros(len(example.features)))
        assert worst.loss > 0.0


def test_nearest_subtree_is_the_best_of_all():
    checked = 0
    for pair in generated_pairs(range(150)):
        sentence = pair.sentence
        if len(sentence) > 13:
            continue
        checked += 1
        best = 0
        for kept in combinations(range(1, len(sentence) + 1), len(pair.kept)):
            if all(sentence.heads[word - 1] in (0, *kept) for word in kept):
                best = max(best, len(set(kept) & set(pair.kept)))
        found = nearest_subtree(pair)
        assert all(sentence.heads[word - 1] in (0, *found) for word in found)
        assert len(set(found) & set(pair.kept)) == best
    assert checked >= 3


def test_length_rule():
    rule = LengthRule(9.5, 0.06)
    assert [rule.length(words) for words in (1, 5, 20, 100)] == [1, 5, 11, 16]
    assert LengthRule(-3.0, 0.1).length(10) == 1
    pairs = toy(50)
    fitted = LengthRule.fitted(pairs)
    slope, intercept = np.polyfit([len(pair.sentence) for pair in pairs], [len(pair.kept) for pair in pairs], 1)
    assert (fitted.intercept, fitted.slope) == pytest.approx((intercept, slope))
    same = [pair for pair in pairs if len(pair.sentence) == len(pairs[0].sentence)]
    assert LengthRule.fitted(same).length(len(same[0].sentence)) == 3


def test_threshold_meets_the_rate():
    marginals = [np.array([0.9, 0.8, 0.1, 0.2]), np.array([0.7, 0.3])]
    for rate in (0.0, 0.25, 0.5, 0.75, 1.0):
        threshold = threshold_for(marginals, rate)
        kept = np.mean([(each > threshold).mean() for each in marginals])
        assert abs(kept - rate) <= 0.25 / 2


def test_measures_by_parser_and_by_source_tree():
    sentence = ParsedSentence(("a", "b", "c", "d"), ("X",) * 4, (2, 0, 2, 3), ("det", "root", "obj", "mod"))
    pair = ParsedPair("one", sentence, (2, 3, 4), (0, 2, 2), ("root", "obj", "obl"))

    def parse(texts):
        assert texts == [("b", "d")]
        return [ParsedSentence(("b", "d"), ("X", "X"), (0, 1), ("root", "obl"))]

    found = measured([pair, pair], [(2, 4), (2, 3, 4)], parse)
    assert found["relation F1"].tolist() == [pytest.approx(2 / 3), 1.0]
    assert found["unigram F1"].tolist() == [pytest.approx(4 / 5), 1.0]
    assert found["compression rate"].tolist() == [0.5, 0.75]
    assert found["exact match"].tolist() == [0.0, 1.0]
    contracted = measured([pair], [(2, 4)], None)  # d hangs from b, which the gold's d does not
    assert contracted["relation F1"].tolist() == [0.0]


def test_training_on_generated_pairs_evaluation_and_resume(tmp_path):
    options = {"limit": 60, "epochs": 2, "bits": 14, "system": "joint"}
    figures = Training(**options).run(tmp_path / "a.model", False, SILENT)
    assert figures["pairs"] == 54
    assert figures["held out"] == 6
    Training(**options).run(tmp_path / "b.model", False, SILENT)
    one, other = (CompressionModel.read(tmp_path / f"{name}.model") for name in "ab")
    np.testing.assert_array_equal(one.weights, other.weights)
    frame = Evaluation(limit=10, length="gold").run(tmp_path / "a.model", SILENT)
    assert frame.loc[0, "system"] == "joint"
    assert 0.3 < frame.loc[0, "unigram F1"] <= 1.0
    with pytest.raises(InputError, match="'length' is 'free'"):
        Evaluation(limit=2, length="free").run(tmp_path / "a.model", SILENT)


@pytest.fixture
def interrupted(tmp_path, monkeypatch):
    """A training that was stopped after its first epoch: its options, and a model file that has a checkpoint beside it."""
    options = {"limit": 20, "bits": 12, "system": "bigram", "templates": "paper"}
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", lambda *_, **__: None)
        Training(epochs=1, **options).run(tmp_path / "some.model", False, SILENT)
    return options, tmp_path / "some.model"


def test_an_interrupted_training_goes_on(interrupted, tmp_path):
    options, path = interrupted
    Training(epochs=2, **options).run(path, True, SILENT)
    Training(epochs=2, **options).run(tmp_path / "whole.model", False, SILENT)
    resumed, whole = CompressionModel.read(path), CompressionModel.read(tmp_path / "whole.model")
    np.testing.assert_array_equal(resumed.weights, whole.weights)


@pytest.mark.parametrize("other", [{"system": "subtree"}, {"templates": "syntax"}])
def test_a_checkpoint_of_another_system_or_of_other_templates_is_refused(interrupted, other):
    options, path = interrupted
    with pytest.raises(InputError, match="a checkpoint of another training"):
        Training(epochs=2, **options | other).run(path, True, SILENT)


def test_models_keep_their_templates(tmp_path):
    sentence = toy(1)[0].sentence
    for templates in TEMPLATES:
        path = tmp_path / f"{templates}.model"
        Training(limit=20, epochs=1, bits=14, templates=templates).run(path, False, SILENT)
        model = CompressionModel.read(path)
        assert model.templates == templates
        expected = HashedParts(sentence, "joint", 14, templates).scores(model.weights)
        np.testing.assert_array_equal(model.scores(sentence), expected)
    header, arrays = read_model(tmp_path / "paper.model", "compression")
    known = {name: header[name] for name in ("system", "bits", "length", "parser", "parser_hash")}
    assert CompressionModel.of(known, arrays, "before").templates == "paper"  # models of before have no others
    with pytest.raises(InputError, match="field 'templates' is 'more', expected paper or syntax"):
        CompressionModel.of(known | {"templates": "more"}, arrays, "other")


def test_the_labeller_and_its_file(tmp_path):
    pytest.importorskip("pycrfsuite")
    pairs = toy(60)
    Training(system="crf", development=10).fit(Data(pairs), tmp_path / "crf.model", False, SILENT)
    model = read_any(tmp_path / "crf.model")
    assert isinstance(model, Labeller)
    for pair in toy(70)[60:]:
        assert model.labelled(pair.sentence) == pair.kept
        assert model.likeliest(pair.sentence, 3) == pair.kept
        assert model.above(pair.sentence) == pair.kept
    with pytest.raises(InputError, match="a model of the system 'crf'"):
        CompressionModel.read(tmp_path / "crf.model")


def test_bad_models_and_options_are_one_sentence(tmp_path):
    model = CompressionModel("joint", 8, np.ones(256), LengthRule(1.0, 0.5))
    model.write(tmp_path / "good.model")
    back = read_any(tmp_path / "good.model")
    assert isinstance(back, CompressionModel)
    assert (back.system, back.bits, back.rule) == ("joint", 8, LengthRule(1.0, 0.5))
    np.testing.assert_array_equal(back.weights, np.ones(256))
    data = (tmp_path / "good.model").read_bytes()
    (tmp_path / "cut.model").write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match="not a complete model file"):
        read_any(tmp_path / "cut.model")
    CompressionModel("joint", 9, np.ones(256), LengthRule(1.0, 0.5)).write(tmp_path / "wrong.model")
    with pytest.raises(InputError, match=r"256 weights, expected 2\^9"):
        read_any(tmp_path / "wrong.model")
    with pytest.raises(InputError, match="no such file"):
        read_any(tmp_path / "none.model")
    with pytest.raises(InputError, match="option 'bits'"):
        Training(bits=4)
    with pytest.raises(InputError, match="only 3"):
        Data(toy(3)).divided(3)
    own = tmp_path / "pairs.tsv"
    own.write_text("a b c\ta c\n", encoding="utf-8")
    with pytest.raises(InputError, match="option 'parser' must name"):
        Training(corpus=str(own)).run(tmp_path / "x.model", False, SILENT)


CONLLU = """# sent_id = one
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_
2\tmayor\tmayor\tNOUN\tNN\t_\t3\tnsubj\t_\t_
3\tresigned\tresign\tVERB\tVBD\t_\t0\troot\t_\t_
4\tyesterday\tyesterday\tNOUN\tNN\t_\t3\tobl\t_\t_

"""


def test_text_is_compressed(tmp_path):
    model, source = tmp_path / "joint.model", tmp_path / "in.conllu"
    CompressionModel("joint", 10, np.random.default_rng(1).normal(size=1024), LengthRule(0.0, 0.5)).write(model)
    source.write_text(CONLLU, encoding="utf-8")
    assert len(compress_text(source, model).split()) == 2
    (document,) = json.loads(compress_text(source, model, rate=0.75, form="json", solver="dp-exact"))
    assert document["status"] == "optimal"
    assert len(document["kept"]) == len(document["heads"]) == 3
    lines = [line.split("\t") for line in compress_text(source, model, rate=0.75, form="conllu").splitlines()]
    words = [columns for columns in lines if len(columns) == 10]
    assert [columns[1] for columns in words] == [document["words"][word - 1] for word in document["kept"]]
    assert sorted(columns[6] for columns in words).count("0") == 1
    assert len(compress_text(source, model, rate=1.0).split()) == 4
    plain = tmp_path / "in.txt"
    plain.write_text("The mayor resigned.", encoding="utf-8")
    for arguments, message in [
        ({"rate": 0.0}, "must be above 0 and at most 1"),
        ({"form": "xml"}, "unknown form 'xml'"),
        ({"solver": "nothing"}, "unknown solver 'nothing'"),
    ]:
        with pytest.raises(InputError, match=message):
            compress_text(source, model, **arguments)
    with pytest.raises(InputError, match="plain text has no trees"):
        compress_text(plain, model)
    source.write_text(CONLLU.replace("\t3\tnsubj", "\t1\tnsubj"), encoding="utf-8")
    with pytest.raises(InputError, match="sentence 'one' has no tree"):
        compress_text(source, model)


def test_corpora_of_experiments_need_a_model_and_its_trees(tmp_path, monkeypatch):
    home = tmp_path / "compression" / "google_eval"
    home.mkdir(parents=True)
    (home / "sentence_en.txt").write_text("The mayor resigned yesterday .\n", encoding="utf-8")
    (home / "compression_en.txt").write_text("The mayor resigned .\n", encoding="utf-8")
    monkeypatch.setattr(kernel_cache, "cache_directory", lambda: tmp_path / "kernels")
    parser, model, task = tmp_path / "parser.model", tmp_path / "joint.model", get_task("compression")
    parser.write_bytes(b"a parser")
    weights = np.random.default_rng(1).normal(size=1024)
    CompressionModel("joint", 10, weights, LengthRule(3.0, 0.0), "parser.model", file_hash(parser)).write(model)
    with pytest.raises(InputError, match="'model' must name a trained compression model"):
        list(task.read_corpus("google_eval", tmp_path))
    with pytest.raises(InputError, match="are not in the cache folder"):
        list(task.read_corpus("google_eval", tmp_path, model=model))

    def chain(texts):
        return [ParsedSentence(text, text, tuple(range(len(text))), text) for text in texts]

    parsed_corpus(read_pairs("google_eval", tmp_path, "test").pairs, chain, parser)
    (instance,) = task.read_corpus("google_eval", tmp_path, model=model)
    assert (instance.length, instance.gold_kept, instance.gold_heads) == (3, (1, 2, 3, 5), (0, 1, 2, 3))
    np.testing.assert_allclose(
        instance.token_scores, split(CompressionModel.read(model).scores(chain([instance.words])[0]), 5).tokens
    )
