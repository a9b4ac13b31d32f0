"""Training, evaluating and using the parser, on generated sentences and toy treebanks."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from toy_treebank import SMALL, toy_treebank
from typer.testing import CliRunner

from bench.applications.parse import parse_text, read_input, to_conllu
from bench.cli import app
from bench.learning.learners import Decoder
from bench.learning.options import evaluation, training
from bench.learning.parsing.classifiers import jackknifed, train_tagger
from bench.learning.parsing.data import read_sentences
from bench.learning.parsing.parse import parse_sentences
from bench.learning.parsing.training import Evaluation, Training
from problems import get_task
from problems.errors import InputError
from problems.metrics.attachment import official_scores
from problems.models.model_file import write_model
from problems.parsing.model import ParserModel
from problems.parsing.templates import KINDS, PLAIN, TEMPLATES, parser_program
from problems.text.conll import read_treebank
from problems.text.raw import split_text
from problems.text.treebank import Sentence, generated_treebank


@pytest.fixture(scope="module")
def toy_model() -> ParserModel:
    model, figures = Training(order="3", epochs=14, **SMALL).fit(toy_treebank())
    assert figures["loss"] < 1e-3
    return model


@pytest.mark.parametrize("order", ["1", "2", "2+"])
def test_a_separable_treebank_is_fitted_to_zero_loss(order: str) -> None:
    _, figures = Training(order=order, epochs=14, **SMALL).fit(toy_treebank())  # type: ignore[arg-type]
    assert figures["loss"] < 1e-3  # the margins included; it halves with each epoch


def test_the_svm_and_rounded_trees_fit_it_too() -> None:
    for options in ({"learner": "svm", "initial_step": 0.05}, {"relaxed": False}):
        model, _ = Training(order="2", epochs=14, **{**SMALL, **options}).fit(toy_treebank())  # type: ignore[arg-type]
        parsed = parse_sentences(model, toy_treebank(26)[16:], Decoder("ad3"))
        assert parsed.measures(toy_treebank(26)[16:])["UAS"] == 100.0


def test_morphology_tells_what_tags_and_forms_do_not() -> None:
    """Two nouns that only their case tells apart: which one hangs from the other cannot be learned without it."""

    def made(first: int, count: int) -> list[Sentence]:
        found = []
        for number in range(first, first + count):
            words = (f"a{number}", f"b{number}")
            flipped = number % 4 < 2  # in both folds
            cases = ("Case=Nom", "Case=Gen") if flipped else ("Case=Gen", "Case=Nom")
            heads = (0, 1) if flipped else (2, 0)
            labels = ("root", "nmod") if flipped else ("nmod", "root")
            given = (str(number), words, ("NOUN",) * 2, ("N",) * 2, heads, labels)
            found.append(Sentence(*given, lemmas=words, features=cases))
        return found

    scores = {}
    for morphology in (False, True):
        model, _ = Training(order="1", epochs=6, morphology=morphology, **SMALL).fit(made(0, 40))
        scores[morphology] = parse_sentences(model, made(100, 20), Decoder("dp-mst")).measures(made(100, 20))["LAS"]
    assert scores[True] == 100.0
    assert scores[False] < 80.0


def test_orders_can_share_tagger_pruner_and_labels(toy_model: ParserModel) -> None:
    training = Training(order="1", epochs=3, **SMALL)
    shared, _ = training.fit(toy_treebank(), base=toy_model)
    alone, _ = training.fit(toy_treebank())
    assert shared.pruner_weights is toy_model.pruner_weights
    assert (shared.order, alone.order) == ("1", "1")
    assert (shared.part_weights == alone.part_weights).all()


def test_runs_are_averaged_and_each_resumes_from_its_own_checkpoint(toy_model: ParserModel, tmp_path: Path) -> None:
    options = {"order": "2", "epochs": 2, **SMALL, "pruner_folds": 1}  # all of them prune alike
    alone = [Training(seed=seed, **options).fit(toy_treebank(), base=toy_model)[0] for seed in (5, 6)]  # type: ignore[arg-type]
    assert (alone[0].part_weights != alone[1].part_weights).any()
    mean = (alone[0].part_weights.astype(float) + alone[1].part_weights) / 2
    training = Training(seed=5, runs=2, **options)  # type: ignore[arg-type]
    both, figures = training.fit(toy_treebank(), checkpoint=tmp_path / "c", base=toy_model)
    np.testing.assert_array_equal(both.part_weights, mean.astype(np.float32))
    assert both.figures["runs"] == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c", "c-2"]
    (tmp_path / "c-2").unlink()  # interrupted before the second run
    again, resumed = training.fit(toy_treebank(), checkpoint=tmp_path / "c", resume=True, base=toy_model)
    np.testing.assert_array_equal(again.part_weights, both.part_weights)
    assert resumed["loss"] == figures["loss"]


def test_pruners_and_order_1_have_fewer_templates_also_when_read_from_a_file(
    toy_model: ParserModel, tmp_path: Path
) -> None:
    toy_model.write(tmp_path / "model")
    for model in (toy_model, ParserModel.read(tmp_path / "model")):
        assert model.templates == TEMPLATES
        np.testing.assert_array_equal(model.pruner.scorer.program, parser_program(TEMPLATES, first_order=True))
        np.testing.assert_array_equal(model.scorer.program, parser_program(TEMPLATES))
        first = replace(model, order="1")
        np.testing.assert_array_equal(first.scorer.program, first.pruner.scorer.program)
    assert len(parser_program(TEMPLATES, first_order=True)) < len(parser_program(TEMPLATES))


def test_a_model_whose_file_has_one_list_of_arc_templates_uses_it_everywhere(
    toy_model: ParserModel, tmp_path: Path
) -> None:
    """As all files had before."""
    old = replace(toy_model, templates={kind: PLAIN[kind] for kind in KINDS})
    old.write(tmp_path / "model")
    read = ParserModel.read(tmp_path / "model")
    assert read.templates == old.templates
    np.testing.assert_array_equal(read.pruner.scorer.program, parser_program(PLAIN))
    np.testing.assert_array_equal(read.scorer.program, parser_program(PLAIN))


def test_a_fitted_treebank_is_parsed_tagged_and_labelled_without_mistakes(toy_model: ParserModel) -> None:
    gold = toy_treebank(26)[16:]
    untagged = [replace(sentence, coarse=(), fine=()) for sentence in gold]
    parsed = parse_sentences(toy_model, untagged, Decoder("ad3"))
    measures = parsed.measures(gold)
    assert [measures[name] for name in ("UAS", "LAS", "tag accuracy", "exact match", "oracle")] == [100.0] * 5
    assert parsed.sentences == gold
    wrong = [replace(sentence, heads=(3, *sentence.heads[1:]), labels=("x", *sentence.labels[1:])) for sentence in gold]
    assert parsed.measures(wrong)["UAS"] == pytest.approx(100 * 7 / 8)


def test_any_solver_can_train_and_decode() -> None:
    model, figures = Training(order="2", epochs=4, solver="ilp-highs", **SMALL).fit(toy_treebank(12))
    assert figures["loss"] < 0.05
    parsed = parse_sentences(model, toy_treebank(4), Decoder("ilp-highs"))
    assert parsed.measures(toy_treebank(4))["UAS"] == 100.0


def test_a_model_survives_its_file(toy_model: ParserModel, tmp_path: Path) -> None:
    path = tmp_path / "parser.model"
    toy_model.write(path)
    loaded = ParserModel.read(path)
    for name in ("tagger_weights", "pruner_weights", "part_weights", "label_weights"):
        assert (getattr(loaded, name) == getattr(toy_model, name)).all()
    assert loaded.dictionary is not None
    assert toy_model.dictionary is not None
    assert loaded.dictionary.tags == toy_model.dictionary.tags
    assert (loaded.dictionary.longest == toy_model.dictionary.longest).all()
    assert (loaded.order, loaded.tags, loaded.labels) == (toy_model.order, toy_model.tags, toy_model.labels)
    sentence = toy_treebank(1)[0]
    assert loaded.instance(sentence) == toy_model.instance(sentence)
    assert loaded.instance(sentence, "2").order == "2"


def test_files_that_are_no_parser_are_refused_in_one_sentence(toy_model: ParserModel, tmp_path: Path) -> None:
    path = tmp_path / "parser.model"
    toy_model.write(path)
    cut = tmp_path / "cut.model"
    cut.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(InputError, match=r"cut\.model: not a complete model file"):
        ParserModel.read(cut)
    write_model(cut, "parser", {"order": "4"}, {})
    with pytest.raises(InputError, match=r"cut\.model: not a parser model: field 'order' must be one of 1, 2"):
        ParserModel.read(cut)
    with zipfile.ZipFile(path) as archive:
        header = json.loads(archive.read("model.json"))["header"]
    write_model(cut, "parser", header, {name: np.ones(3) for name in ("tagger", "pruner", "parts", "labels")})
    with pytest.raises(InputError, match="array 'tagger' must hold 2\\^bits weights"):
        ParserModel.read(cut)
    write_model(cut, "parser", {**header, "templates": {**header["templates"], "arc": ["hQ"]}}, {})
    with pytest.raises(InputError, match="not a parser model"):
        ParserModel.read(cut)


def test_an_order_above_the_models_is_refused(toy_model: ParserModel) -> None:
    small = replace(toy_model, order="2")
    with pytest.raises(InputError, match="a model of order '2' has no scores for order '3'"):
        small.instance(toy_treebank(1)[0], "3")


def test_training_resumed_from_a_checkpoint_gives_the_same_model(tmp_path: Path) -> None:
    sentences = list(generated_treebank(3, 12))
    whole, _ = Training(order="2", epochs=3, **SMALL).fit(sentences)
    checkpoint = tmp_path / "c"
    Training(order="2", epochs=1, **SMALL).fit(sentences, checkpoint=checkpoint)
    resumed, _ = Training(order="2", epochs=3, **SMALL).fit(sentences, checkpoint=checkpoint, resume=True)
    assert (whole.part_weights == resumed.part_weights).all()


def test_jackknifed_tags_come_from_taggers_that_have_not_seen_the_sentence() -> None:
    """A word that occurs once cannot be tagged by what its own sentence says of it."""
    odd = Sentence("odd", ("zyx",), ("INTJ",), ("UH",), (0,), ("root",))
    sentences = [*toy_treebank(11), odd]
    assert train_tagger(sentences, 16, 5, seed=1).tagged(odd).coarse == ("INTJ",)
    tagged = jackknifed(sentences, folds=4, bits=16, epochs=3, seed=1)
    assert tagged[-1].coarse != ("INTJ",)
    assert [one.name for one in tagged] == [one.name for one in sentences]
    assert tagged[0].coarse == sentences[0].coarse


def test_commands_train_and_evaluate_on_generated_sentences(tmp_path: Path) -> None:
    path = tmp_path / "p.model"
    options = [
        part
        for name, value in {**SMALL, "epochs": 2, "order": "1", "limit": 40}.items()
        for part in ("--option", f"{name}={value}")
    ]
    done = CliRunner().invoke(app, ["train", "parsing", "--out", str(path), *options])
    assert done.exit_code == 0, done.output
    done = CliRunner().invoke(app, ["evaluate", "parsing", str(path), "--option", "limit=10"])
    assert done.exit_code == 0, done.output
    model = ParserModel.read(path)
    assert Evaluation(limit=10, tags="gold").row(model)["UAS"] > 75  # after two epochs on 40 sentences
    row = Evaluation(limit=10, tags="predicted").row(model)
    assert row["UAS"] > 50  # far above chance, though the tagger has seen these 40 sentences only
    assert row["tokens"] == sum(map(len, read_sentences("generated", "", "test", 10, 1)))


def test_generated_splits_have_different_sentences() -> None:
    splits = [read_sentences("generated", "", split, 20, 1) for split in ("train", "dev", "test")]
    texts = [{sentence.words for sentence in split} for split in splits]
    assert not texts[0] & texts[1]
    assert not texts[0] & texts[2]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"order": "4"}, "option 'order' of the training of task 'parsing' must be one of"),
        ({"bits": 40}, "from 8 to 28, not 40"),
        ({"split": "tset"}, "one of train, dev, test"),
        ({"aggressivness": 1.0}, "did you mean 'aggressiveness'"),
    ],
)
def test_wrong_options_are_named(options: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        training("parsing", options)


def test_solver_options_of_an_evaluation_are_json() -> None:
    with pytest.raises(InputError, match="an object in JSON"):
        evaluation("parsing", {"options": "[1"})


def test_bad_corpora_are_said(tmp_path: Path) -> None:
    bad = tmp_path / "bad.conllu"
    bad.write_text("1\ta\t_\tX\tX\t_\tzero\troot\t_\t_\n\n")
    with pytest.raises(InputError, match=r"bad\.conllu, line 1: the head must be a whole number"):
        read_sentences(str(bad), "", "train", None, 1)
    with pytest.raises(InputError, match="option 'corpus' is 'nowhere'"):
        read_sentences("nowhere", "", "train", None, 1)
    with pytest.raises(InputError, match="no sentences to train"):
        Training().fit([])


def test_text_becomes_trees(toy_model: ParserModel, tmp_path: Path) -> None:
    source, path = tmp_path / "in.txt", tmp_path / "p.model"
    source.write_text("The dog saw girls in a park. The cat met girls of a hat.\n")
    toy_model.write(path)
    found = json.loads(parse_text(source, path, form="json"))
    assert [one["heads"] for one in found] == [[2, 3, 0, 3, 7, 7, 3, 3], [2, 3, 0, 3, 7, 7, 4, 3]]
    assert found[0]["labels"][:3] == ["det", "nsubj", "root"]
    out = tmp_path / "out.conllu"
    out.write_text(parse_text(source, toy_model, solver="dp-mst"))
    assert [sentence.words[1] for sentence in read_treebank(out)] == ["dog", "cat"]
    assert parse_text(out, toy_model) == out.read_text()  # CoNLL-U in, with tags: the same trees again
    with pytest.raises(InputError, match="unknown form 'xml'"):
        parse_text(source, toy_model, form="xml")
    source.write_text(" \n")
    with pytest.raises(InputError, match="there is no text in it"):
        read_input(source)
    with pytest.raises(InputError, match="cannot be read"):
        read_input(tmp_path / "missing.txt")


def test_contractions_and_sentences_are_split_as_in_treebanks() -> None:
    found = [sentence.words for sentence in split_text("Dr. Smith didn't come. He's ill!")]
    assert found == [("Dr.", "Smith", "did", "n't", "come", "."), ("He", "'s", "ill", "!")]


def test_a_full_stop_before_a_closing_quote_ends_the_sentence() -> None:
    found = [sentence.words for sentence in split_text('He said "I saw Dr. Smith." Then (he left.) The U.S. won.')]
    assert found == [
        ("He", "said", '"', "I", "saw", "Dr.", "Smith", ".", '"'),
        ("Then", "(", "he", "left", ".", ")"),
        ("The", "U.S.", "won", "."),
    ]


def test_measures_agree_with_the_official_scorer(toy_model: ParserModel, tmp_path: Path) -> None:
    gold = list(generated_treebank(5, 8))
    parsed = parse_sentences(toy_model, gold, Decoder("ad3"))
    files = [tmp_path / "gold.conllu", tmp_path / "system.conllu"]
    for path, sentences in zip(files, (gold, parsed.sentences), strict=True):
        path.write_text(to_conllu(sentences))
    official, measures = official_scores(*files), parsed.measures(gold)
    assert measures["UAS"] == pytest.approx(100 * official["UAS"])
    assert measures["LAS-universal"] == pytest.approx(100 * official["LAS"])
    assert 0 < measures["UAS"] < 100


def test_corpora_take_the_scores_of_a_model(toy_model: ParserModel, tmp_path: Path) -> None:
    folder = tmp_path / "treebanks" / "en_ewt"
    folder.mkdir(parents=True)
    sentences = toy_treebank(3)
    (folder / "en_ewt-ud-test.conllu").write_text(to_conllu(sentences))
    path = tmp_path / "p.model"
    toy_model.write(path)
    instances = list(get_task("parsing").read_corpus("en_ewt", tmp_path, model=path))
    assert instances == [toy_model.instance(sentence) for sentence in sentences]
    assert instances[0].labels == sentences[0].labels
