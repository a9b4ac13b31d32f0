"""Learned transduction: parts against the models they stand for, separable pairs, and a model's round trip."""

from __future__ import annotations

import numpy as np
import pytest

from bench.learning.compression.data import Data
from bench.learning.learners import Decoder, StructuredSvm, most_violated
from bench.learning.loop import SILENT, train
from bench.learning.transduction.examples import DerivationExample, PathExample, any_words, edge_features
from bench.learning.transduction.training import Evaluation, Training, make_grammar
from problems.compression.corpora import generated_pairs
from problems.errors import InputError
from problems.transduction.dependencies import constituency, shallow
from problems.transduction.derive import pack
from problems.transduction.discriminative import Discriminative
from problems.transduction.enumerate import derivations
from problems.transduction.instance import yield_of
from problems.transduction.learned.bigrams import BigramParts, HashedDiscriminative
from problems.transduction.learned.grammar_file import from_plain, to_plain
from problems.transduction.learned.model import TransductionModel, tree_of
from problems.transduction.trees import heads_of

from .test_compression_learning import toy

BITS = 14


def test_bigram_parts_are_the_table_and_the_counts():
    rng = np.random.default_rng(3)
    for pair in generated_pairs(range(6)):
        tree = tree_of(pair.sentence)
        parts, weights = BigramParts(tree, BITS), rng.normal(size=1 << BITS)
        example = PathExample(pair, parts)
        places, values = parts.combine(example.gold)
        assert weights[places] @ values == pytest.approx(parts.scores(weights) @ example.gold)
        model = HashedDiscriminative(BITS, weights)
        counted = np.concatenate(Discriminative.counts(model, parts.facts, pair.kept))
        assert weights[places] @ values == pytest.approx(weights[counted].sum())


def test_mcdonalds_templates_by_hand():
    """(he, closed) of "he quickly closed it": two words that are head and modifier, with a dropped adverb."""
    words, tags = ("he", "quickly", "closed", "it"), ("P", "R", "V", "P")
    tree = constituency(words, tags, (3, 3, 0, 3), ("nsubj", "adv", "root", "obj"), marked=True, binary=True)
    parts = BigramParts(tree, BITS)

    def slots(*features: tuple[str, ...]) -> set[int]:
        return {HashedDiscriminative(BITS).number(*feature) for feature in features}

    found = set(np.concatenate(parts.features_of(1, 3)).tolist())
    assert found == slots(
        ("pair", "nsubj/P", "V^", "1"),
        ("neighbours", "nsubj/P", "V^", ""),
        ("before", "<s>", "nsubj/P", "V^"),
        ("behind", "nsubj/P", "V^", "obj/P"),
        ("gap", "nsubj/P", "adv/R", "adv/R", "V^"),
        ("relation", "modifier", "nsubj/P", "V^"),
        ("tag", "adv/R"),
        ("word", "adv/R", "quickly"),
        ("tag and before", "nsubj/P", "adv/R"),
        ("tag and behind", "adv/R", "V^"),
        ("tags around", "nsubj/P", "adv/R", "V^"),
        ("modifiers", "adv/R", ""),
        ("constituent", "adv/R", "VP^", ""),
        ("first word", "adv/R", "quickly"),
        ("neighbours of constituent", "adv/R", "", "VP^"),
        ("size", "adv/R", "1"),
    )
    near = set(np.concatenate(parts.features_of(3, 4)).tolist())
    assert slots(("relation", "head", "V^", "obj/P"), ("neighbours", "V^", "obj/P", "in the source")) <= near


def test_any_words_has_one_derivation_per_choice():
    found = [kept for kept, _ in derivations(any_words(4))]
    assert len(found) == len(set(found)) == 15


def test_gold_derivations_keep_the_gold_words_and_cost_nothing():
    pairs = generated_pairs(range(20))
    grammar = make_grammar(pairs, 1)
    for pair in pairs:
        example = DerivationExample.of(pair, grammar, BITS)
        assert yield_of(example.forest, tuple(example.gold_edges.tolist())) == pair.kept
        assert example.cost @ example.gold + example.cost_constant == pytest.approx(0.0)
        scores = np.zeros(len(example.gold))
        found = example.decode(Decoder("dp-transduction"), scores + example.cost)
        kept = set(yield_of(example.forest, tuple(np.flatnonzero(found[:-1]).tolist())) or ())
        wrong = len(kept ^ set(pair.kept))
        gap = example.forest.scores @ (found - example.gold)[:-1]
        assert most_violated(example, Decoder("dp-transduction"), scores).loss == pytest.approx(wrong + gap)


@pytest.mark.parametrize("solver", ["dp-transduction", "dp-bigram"])
def test_a_separable_problem_is_fitted_to_zero_loss(solver):
    pairs = toy(25)
    if solver == "dp-bigram":
        examples = [PathExample.of(pair, BITS) for pair in pairs]
    else:
        grammar = make_grammar([], None)  # that knows nothing, so that everything has to be learned
        examples = [DerivationExample.of(pair, grammar, BITS) for pair in pairs]
    learner = StructuredSvm(1 << BITS, Decoder(solver), 0.0, 0.2)
    trained = train(examples, learner, epochs=30, seed=1)
    assert trained.history[0]["loss"] > 0.1
    assert trained.history[-1]["loss"] == pytest.approx(0.0, abs=1e-6)


def test_marked_trees_give_the_heads_back():
    for pair in generated_pairs(range(30)):
        assert heads_of(tree_of(pair.sentence)) == pair.sentence.heads


def test_deep_trees_are_made_shallow():
    count = 3000
    heads = tuple(range(count))
    words = tuple(f"w{number}" for number in range(count))
    tree = constituency(words, ("X",) * count, heads, ("dep",) * count)
    assert tree.words() == words
    assert str(tree).count("(") > count
    assert shallow((0, 1, 2, 3), deepest=2) == (0, 1, 1, 1)
    assert shallow((0, 1, 2, 3), deepest=4) == (0, 1, 2, 3)
    assert shallow((2, 3, 0, 3), deepest=3) == (2, 3, 0, 3)


def test_grammars_survive_their_plain_form():
    pairs = generated_pairs(range(15))
    grammar = make_grammar(pairs, 1)
    back = from_plain(to_plain(grammar))
    for pair in pairs:
        one, other = (DerivationExample.of(pair, each, BITS) for each in (grammar, back))
        np.testing.assert_array_equal(one.forest.scores, other.forest.scores)
    assert len(back) == len(grammar)
    assert len(make_grammar(pairs, 2)) < len(grammar)


def test_training_evaluation_and_files(tmp_path):
    path = tmp_path / "t.model"
    figures = Training(epochs=1, bits=12).fit(Data(toy(40)), path, False, SILENT)
    assert figures["pairs"] == 36
    for part in ("rules", "bigrams"):
        assert figures[f"{part}: development F1"] >= figures[f"{part}: development F1 untrained"]
    model = TransductionModel.read(path)
    pair = toy(41)[40]
    first, second = (
        model.instance(pair.sentence, "one", system, 3, pair.kept) for system in ("trigram", "discriminative")
    )
    model.write(tmp_path / "again.model")
    again = TransductionModel.read(tmp_path / "again.model")
    assert again.instance(pair.sentence, "one", "trigram", 3, pair.kept) == first
    assert again.instance(pair.sentence, "one", "discriminative", 3, pair.kept) == second
    with pytest.raises(InputError, match="unknown system 'pigram'"):
        model.instance(pair.sentence, "one", "pigram", None)
    frame = Evaluation(limit=3).run(path, SILENT)
    assert list(frame["system"])[8:] == ["T3, untrained", "T3 without rules, untrained"]
    assert (frame["relation F1, low"] <= frame["relation F1"]).all()
    assert (frame["relation F1"] <= frame["relation F1, high"]).all()
    rules = frame[frame["system"] == "Pure Tree-Transduction"].iloc[0]
    assert list(rules[["against rules", "against rules, low", "against rules, high"]]) == [0.0, 0.0, 0.0]
    assert frame["against rules"].to_numpy() == pytest.approx(frame["relation F1"] - rules["relation F1"])
    assert (frame["rate"] == frame["rate"][0]).all()
    data = path.read_bytes()
    (tmp_path / "cut.model").write_bytes(data[:-100])
    with pytest.raises(InputError, match="not a complete model file"):
        TransductionModel.read(tmp_path / "cut.model")
    with pytest.raises(InputError, match="option 'systems'"):
        Evaluation(systems="T3")
    with pytest.raises(InputError, match="no settings for 'T3 without rules': train it anew"):
        Evaluation(limit=1, systems="T3 without rules").run(path, SILENT)


def test_variants_decode_what_they_are_named_after(tmp_path):
    """Untrained: the grammar's own scores. Without rules: those of a grammar that never had any, and weights of its own training."""
    pairs = toy(40)
    path = tmp_path / "t.model"
    Training(epochs=1, bits=12, ablation=True).fit(Data(pairs), path, False, SILENT)
    model, sentence = TransductionModel.read(path), pairs[3].sentence
    assert {"trigram, strong", "rules alone, untrained", "no rules", "no rules, untrained"} <= set(model.settings)

    def scores(system: str) -> list[float]:
        return model.instance(sentence, "one", system, None).forest.scores.tolist()

    assert model.bare is not None
    for system, least, weights in (
        ("rules alone", 1, model.rules),
        ("rules alone, untrained", 1, None),
        ("no rules", None, model.bare),
        ("no rules, untrained", None, None),
    ):
        grammar = make_grammar(pairs[:36], least)
        forest, edges = pack(grammar, tree_of(sentence, "one"), "one")
        gains = np.zeros(len(edges)) if weights is None else edge_features(edges, 12).scores(weights)
        np.testing.assert_allclose(scores(system), forest.scores + gains)
    tuned, strong = model.settings["trigram"], model.settings["trigram, strong"]
    assert strong.ngram_weight == pytest.approx(max(10 * tuned.ngram_weight, 1.0))
    frame = Evaluation(limit=2, systems="strong LM (Beam Search); strong LM, exact; T3 without rules").run(path, SILENT)
    assert list(frame["system"]) == ["T3 without rules", "strong LM (Beam Search)", "strong LM, exact"]
    assert frame["search errors"].iloc[-1] == 0


def test_the_gold_is_the_best_derivation_of_the_gold_words_under_the_weights():
    pairs = toy(12)
    grammar, rng = make_grammar(pairs, 1), np.random.default_rng(5)
    changed = 0
    for pair in pairs:
        example = DerivationExample.of(pair, grammar, BITS)
        assert example.gold_under(np.zeros(len(example.gold))).tolist() == example.gold.tolist()
        scores = example.features.scores(rng.normal(size=1 << BITS))
        edge_scores = scores[:-1] + example.forest.scores
        found = example.gold_under(scores)
        best = max(edge_scores[list(edges)].sum() for kept, edges in derivations(example.forest) if kept == pair.kept)
        assert edge_scores @ found[:-1] == pytest.approx(best)
        assert yield_of(example.forest, tuple(np.flatnonzero(found[:-1]).tolist())) == pair.kept
        changed += found.tolist() != example.gold.tolist()
    assert changed  # other weights, other rules
