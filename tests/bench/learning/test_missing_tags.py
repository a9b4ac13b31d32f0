"""Tags and morphology that a corpus lacks: what is predicted, what is left open, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from toy_treebank import SMALL, toy_treebank

from bench.applications.parse import parse_text, to_conllu
from bench.learning.loop import Watcher
from bench.learning.parsing.data import read_sentences
from bench.learning.parsing.learners import parser_decoder
from bench.learning.parsing.parse import parse_sentences, parser_of
from bench.learning.parsing.training import Evaluation, Training
from problems.errors import InputError
from problems.parsing.model import ParserModel
from problems.text.conll import read_treebank
from problems.text.tagger import Tagger
from problems.text.treebank import NO_TAG, Sentence, from_conll

PAIRS = [("ADP", "IN"), ("NOUN", "NN"), ("NOUN", "NNS"), ("SCONJ", "IN"), ("VERB", "VB")]
WORDS = ("time", "flies", "like", "an", "arrow")


class Listener(Watcher):
    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, text: str) -> None:
        self.said.append(text)


def random_tagger(seed: int, pairs: list[tuple[str, str]] = PAIRS) -> Tagger:
    return Tagger(pairs, np.random.default_rng(seed).normal(size=1 << 12).astype(np.float32))


@pytest.fixture(scope="module")
def model() -> ParserModel:
    return Training(order="2", epochs=3, **SMALL).fit(toy_treebank())[0]  # type: ignore[arg-type]


def without(sentences: Sequence[Sentence], *halves: str) -> list[Sentence]:
    """Sentences in which columns of tags are open."""
    return [replace(one, **{half: (NO_TAG,) * len(one) for half in halves}) for one in sentences]  # type: ignore[arg-type]


def write(path: Path, sentences: Sequence[Sentence]) -> Path:
    path.write_text(to_conllu(sentences), encoding="utf-8")
    return path


@pytest.mark.parametrize("seed", range(8))
def test_the_missing_half_agrees_with_the_given_one(seed: int) -> None:
    tagger, rng = random_tagger(seed), np.random.default_rng(seed)
    gold = [PAIRS[number] for number in rng.integers(0, len(PAIRS), len(WORDS))]
    given = [tuple(tag if rng.random() < 0.5 else NO_TAG for tag in pair) for pair in gold]
    coarse, fine = zip(*given, strict=True)
    found = tagger.completed(Sentence("s", WORDS, coarse, fine))
    pairs = list(zip(found.coarse, found.fine, strict=True))
    assert set(pairs) <= set(PAIRS)
    for old, new in zip(given, pairs, strict=True):
        assert all(before in (NO_TAG, after) for before, after in zip(old, new, strict=True))


def test_without_any_tag_or_with_open_ones_the_tagger_is_free() -> None:
    tagger = random_tagger(3)
    free = tagger.tagged(Sentence("s", WORDS, (), ()))
    assert len(set(free.fine)) > 1
    assert tagger.completed(Sentence("s", WORDS, (), ())) == free
    assert tagger.completed(without([free], "coarse", "fine")[0]) == free
    whole = Sentence("s", WORDS, ("NOUN",) * 5, ("NN",) * 5)
    assert tagger.completed(whole) is whole
    assert not tagger.lacks_tags(whole)


def test_the_tags_before_a_word_are_the_given_ones() -> None:
    """For random weights, what follows depends on the first word's tag, which is given."""
    given = [Sentence("s", WORDS, (tag, *(NO_TAG,) * 4), (NO_TAG,) * 5) for tag in ("VERB", "ADP")]
    found = [[random_tagger(seed).completed(one) for one in given] for seed in range(8)]
    assert {(first.fine[0], second.fine[0]) for first, second in found} == {("VB", "IN")}
    assert any(first.fine[1:] != second.fine[1:] for first, second in found)


def test_halves_that_the_tagger_does_not_know_are_kept() -> None:
    found = random_tagger(1).completed(Sentence("s", ("a", "b", "c"), ("QQ", NO_TAG, "VERB"), (NO_TAG, "QQ", "QQ")))
    assert (found.coarse[0], found.fine[1:]) == ("QQ", ("QQ", "QQ"))
    assert (found.fine[0] in {fine for _, fine in PAIRS}, found.coarse[1] in {coarse for coarse, _ in PAIRS}) == (
        True,
        True,
    )


def test_a_treebank_without_fine_tags_leaves_them_open() -> None:
    """Also if a few words have one, as in the Danish treebank: `_` is what the model has seen."""
    tagger = random_tagger(2, [("ADV", "ADV"), ("ADV", "Neg"), ("NOUN", "NOUN")])
    open_ones = Sentence("s", ("a", "b"), ("ADV", "NOUN"), (NO_TAG, NO_TAG))
    assert not tagger.lacks_tags(open_ones)
    assert tagger.completed(open_ones).fine == ("ADV", "NOUN")
    assert random_tagger(2, [("ADV", "RB"), ("NOUN", "NOUN")]).lacks_tags(open_ones)


@pytest.mark.parametrize("halves", [("fine",), ("coarse",), ("coarse", "fine")])
def test_parse_fills_both_columns(halves: tuple[str, ...], model: ParserModel, tmp_path: Path) -> None:
    gold = toy_treebank(20)[16:]
    text = parse_text(write(tmp_path / "x.conllu", without(gold, *halves)), model)
    assert text == parse_text(write(tmp_path / "x.conllu", gold), model)


def test_parse_writes_no_fine_tags_that_are_copies(tmp_path: Path) -> None:
    coarse_only = without(toy_treebank(), "fine")
    model, _ = Training(order="1", epochs=2, **SMALL).fit(coarse_only)  # type: ignore[arg-type]
    assert model.tags == [(tag, tag) for tag in ("ADP", "DET", "NOUN", "PUNCT", "VERB")]
    for halves in (("fine",), ("coarse", "fine")):
        text = parse_text(write(tmp_path / "x.conllu", without(toy_treebank(3), *halves)), model)
        (tmp_path / "y.conllu").write_text(text, encoding="utf-8")
        found = list(read_treebank(tmp_path / "y.conllu"))
        assert [one.coarse_tags for one in found] == [one.coarse for one in toy_treebank(3)]
        assert {tag for one in found for tag in one.fine_tags} == {NO_TAG}


def test_a_treebank_with_fine_tags_only_is_learned_and_parsed(tmp_path: Path) -> None:
    fine_only = [
        from_conll(one) for one in read_treebank(write(tmp_path / "t.conll", without(toy_treebank(), "coarse")))
    ]
    model, _ = Training(order="2", epochs=6, **SMALL).fit(fine_only)  # type: ignore[arg-type]
    assert not model.has_universal_tags
    words = model.prepared(fine_only[0])
    assert words.kinds.tolist() == [0, 0, 0, 1, 0, 0, 0, 0, 2]
    parsed = parse_sentences(model, fine_only, parser_decoder("2"))
    assert parsed.measures(fine_only)["UAS"] > 95


def test_evaluate_predicts_missing_tags_and_says_so(model: ParserModel, tmp_path: Path) -> None:
    gold = toy_treebank(20)[16:]
    path = write(tmp_path / "x.conllu", gold)
    tagged, listener = Evaluation(corpus=str(path)).row(model), Listener()
    assert (tagged["tags"], tagged["tag accuracy"]) == ("gold", 100.0)
    write(path, [*without(gold[:3], "coarse", "fine"), *gold[3:]])
    row = Evaluation(corpus=str(path)).row(model, listener)
    assert listener.said == ["3 of 4 sentences lack tags, which are predicted."]
    assert (row["tags"], row["UAS"], row["tag accuracy"]) == ("partly predicted", tagged["UAS"], 100.0)
    write(path, without(gold, "coarse", "fine"))
    assert np.isnan(Evaluation(corpus=str(path)).row(model)["tag accuracy"])  # there is nothing to compare with


def test_training_leaves_out_sentences_without_tags(tmp_path: Path) -> None:
    treebank, listener = toy_treebank(4), Listener()
    path = write(
        tmp_path / "x.conllu",
        [*without(treebank[:1], "coarse", "fine"), *without(treebank[1:2], "fine"), *treebank[2:]],
    )
    found = read_sentences(str(path), "", "train", None, 1, "", listener.say)
    assert [one.name for one in found] == ["toy-1", "toy-2", "toy-3"]
    assert listener.said == [f"{path}: 1 of 4 sentences have words without a tag and are left out of training (toy-0)."]
    assert len(read_sentences(str(path), "", "train", None, 1)) == 4


def test_a_model_with_morphology_asks_for_it(model: ParserModel, tmp_path: Path) -> None:
    plain, rich = toy_treebank(), [replace(one, lemmas=one.words) for one in toy_treebank()]
    settings = Training(order="1", epochs=1, morphology=True, **SMALL)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="option 'morphology' needs sentences with LEMMA or FEATS"):
        settings.fit(plain)
    trained, _ = settings.fit(rich)
    assert (trained.uses_morphology, model.uses_morphology) == (True, False)
    parse_sentences(trained, [*plain, rich[0]], parser_decoder("1"))
    trained.write(tmp_path / "rich.model")
    path = write(tmp_path / "x.conllu", plain)
    for parse in (
        lambda: parse_text(path, trained),
        lambda: Evaluation(corpus=str(path)).row(trained),
        lambda: parser_of(tmp_path / "rich.model")([("a", "b")]),
    ):
        with pytest.raises(InputError, match="the parser has features of LEMMA and FEATS, and no sentence has either"):
            parse()


def test_orders_that_the_model_has_not_are_refused_and_smaller_ones_are_named(
    model: ParserModel, tmp_path: Path
) -> None:
    path, listener = write(tmp_path / "x.conllu", toy_treebank(2)), Listener()
    with pytest.raises(InputError, match="a model of order '2' has no scores for order '3'"):
        Evaluation(corpus=str(path), order="3").row(model)
    with pytest.raises(InputError, match="a model of order '2' has no scores for order '3'"):
        parse_sentences(model, toy_treebank(2), parser_decoder("3"), "3")
    assert Evaluation(corpus=str(path), order="1").row(model, listener)["order"] == "1"
    assert listener.said == ["The model's weights were learned for order 2 and may be poor ones for order 1."]
