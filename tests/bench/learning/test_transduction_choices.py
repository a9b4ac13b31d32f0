"""What transduction training chooses on held-out pairs, its language models, and its decoders."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from bench.learning.compression.data import Data, mean_f1
from bench.learning.learners import Decoder, Mira, StructuredSvm, most_violated
from bench.learning.loop import SILENT, Trained, Watcher
from bench.learning.transduction import development
from bench.learning.transduction.development import Judge, best_training, kept_words
from bench.learning.transduction.examples import DerivationExample, Ngrams, PathExample
from bench.learning.transduction.language import language_models
from bench.learning.transduction.systems import WIDENINGS, Output, Tuned, best_weight, strong_weight
from bench.learning.transduction.training import (
    DECODERS,
    Evaluation,
    LengthDecoder,
    Training,
    jackknifed,
    make_grammar,
    search_errors,
    tuning_figures,
)
from problems.compression.corpora import generated_pairs
from problems.errors import InputError
from problems.language import bigram_table, estimate, trigram_table, write_arpa
from problems.transduction.enumerate import derivations
from problems.transduction.instance import possible_ngrams
from problems.transduction.learned.model import TransductionModel
from problems.transduction.models import Settings

from .test_compression_learning import toy

BITS = 12


@pytest.mark.parametrize(
    ("worth", "best", "on_edge"),
    [
        (lambda weight: -((math.log2(weight) - 1) ** 2), 2.0, False),  # inside
        (lambda weight: -((math.log2(weight) - 4) ** 2), 16.0, False),  # found by going on above
        (lambda weight: -((math.log2(weight) + 2) ** 2), 0.25, False),  # and below
        (lambda weight: weight, 4.0 * 2**WIDENINGS, True),
        (lambda weight: -weight, 1.0 / 2**WIDENINGS, True),
    ],
)
def test_a_grid_is_widened_where_its_edge_is_chosen(
    worth: Callable[[float], float], best: float, on_edge: bool
) -> None:
    found, value, edge = best_weight(worth, (1.0, 2.0, 4.0))
    assert found == pytest.approx(best)
    assert value == pytest.approx(worth(best))
    assert edge == on_edge


def test_strong_ngrams_are_strong_where_next_to_none_were_chosen() -> None:
    assert strong_weight(0.4) == pytest.approx(4.0)
    assert strong_weight(0.003) == 1.0


def test_a_weight_on_the_edge_is_said() -> None:
    said: list[str] = []

    class Listener(Watcher):
        def say(self, text: str) -> None:
            said.append(text)

    tuned = {"bigram": Tuned(Settings(1, 0.1, 0), 0.5, True), "trigram": Tuned(Settings(1, 0.2, 0), 0.6, False)}
    figures = tuning_figures(tuned, Listener())
    assert figures["n-gram weight on the edge, bigram"] == 1.0
    assert "n-gram weight on the edge, trigram" not in figures
    assert said == ["bigram: the chosen weight 0.1 of n-grams is on the edge of the weights that were tried."]


def test_search_errors_are_counted_among_equal_scores() -> None:
    one = [Output((1,), True, 2.0), Output((1,), False, 1.0)]
    other = [Output((1,), True, 2.0), Output((2,), False, 1.5)]
    assert (search_errors(one, [one, other]), search_errors(other, [one, other])) == (1, 0)


# -- language models ---------------------------------------------------------------------------------------------------


def test_normalised_scores_leave_out_the_words_own_probability() -> None:
    model = estimate([("a", "b", "a"), ("b", "c")], 3)
    words = ["b", "a", "x"]
    bigrams, trigrams = bigram_table(model, words, normalised=True), trigram_table(model, words, normalised=True)
    assert bigrams[1, 2] == pytest.approx(model.log_probability("a", ["b"]) - model.log_probability("a"))
    assert trigrams[0, 1, 2] == pytest.approx(model.log_probability("a", ["<s>", "b"]) - model.log_probability("a"))
    assert trigrams[0, 0, 3] == pytest.approx(model.log_probability("x", ["<s>"]) - model.log_probability("x"))
    assert bigrams[2, 1] == trigrams[2, 1, 3] == 0.0


ARPA = """\\data\\
ngram 1=5
ngram 2=1

\\1-grams:
-1.0\t<unk>
-99\t<s>\t-0.5
-1.0\t</s>
-0.5\tBank\t-0.25
-0.75\tclosed\t0

\\2-grams:
-0.125\tBank closed

\\end\\
"""


def test_an_arpa_file_serves_both_orders_and_keeps_its_capitals(tmp_path: Path) -> None:
    path = tmp_path / "small.arpa"
    path.write_text(ARPA)
    models = language_models([], str(path))
    ten = math.log(10.0)
    for model in models.values():
        assert model.cased
        assert model.spelt(["Bank", "x"]) == ["Bank", "x"]
        assert model.log_probability("closed", ["Bank"]) == pytest.approx(-0.125 * ten)
        assert model.log_probability("Bank", ["<s>"]) == pytest.approx((-0.5 - 0.5) * ten)
    table = trigram_table(models["trigram"], ["Bank", "closed"])
    assert table[0, 1, 2] == pytest.approx(-0.125 * ten)
    assert table[1, 2, 3] == pytest.approx(-1.0 * ten)


def test_a_text_is_tokenised_and_lower_cased(tmp_path: Path) -> None:
    path = tmp_path / "news.txt"
    path.write_text("The bank closed.\n\nThe bank opened.\n")
    models = language_models([], str(path))
    same = estimate([("the", "bank", "closed", "."), ("the", "bank", "opened", ".")], 2, {"the", "bank", "."})
    assert models["bigram"].vocabulary == same.vocabulary
    assert models["bigram"].log_probability("bank", ["the"]) == pytest.approx(same.log_probability("bank", ["the"]))
    assert models["trigram"].order == 3
    assert models["trigram"].spelt(["The"]) == ["the"]
    path.write_text(" \n")
    with pytest.raises(InputError, match=r"news\.txt: expected a text"):
        language_models([], str(path))
    with pytest.raises(InputError, match=r"none\.txt: "):
        language_models([], str(tmp_path / "none.txt"))


def test_training_takes_an_arpa_file(tmp_path: Path) -> None:
    pairs = toy(30)
    arpa, out = tmp_path / "lm.arpa.gz", tmp_path / "t.model"
    model = estimate([pair.sentence.words for pair in pairs], 3)
    write_arpa(model, arpa)
    training = Training(epochs=1, bits=BITS, language_model=str(arpa), normalised=False, folds=1)
    training.fit(Data(pairs), out, False, SILENT)
    trained = TransductionModel.read(out)
    assert not trained.normalised
    words = pairs[0].sentence.words
    found, wanted = (
        trained.instance(pairs[0].sentence, "one", "trigram", None).ngram_scores,
        trigram_table(model, words),
    )
    possible = possible_ngrams(len(words), 3)
    np.testing.assert_allclose(found[possible], wanted[possible], atol=1e-9)


# -- examples and decoders ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [0.1, 1.0])
def test_with_ngrams_the_loss_is_that_of_all_derivations(weight: float) -> None:
    """Brute force: cost + rules + n-grams of every derivation of the length, less those of the best one that keeps the gold words."""
    pairs = toy(4)
    grammar = make_grammar(pairs, 1)
    language = language_models(pairs)["trigram"]
    rng = np.random.default_rng(1)
    for pair in pairs:
        example = DerivationExample.of(pair, grammar, BITS, len(pair.kept), Ngrams(language, True, weight))
        assert example.cost @ example.gold + example.cost_constant == pytest.approx(0.0)
        scores = example.features.scores(rng.normal(size=1 << BITS))
        table = trigram_table(language, language.spelt(pair.sentence.words), normalised=True)

        def value(kept: tuple[int, ...], edges: tuple[int, ...], table=table, example=example, scores=scores) -> float:
            path = (0, 0, *kept, len(example.words) + 1)
            ngrams = sum(table[triple] for triple in zip(path, path[1:], path[2:], strict=False))
            return float((example.forest.scores + scores[:-1])[list(edges)].sum() + weight * ngrams)

        right = [edges for kept, edges in derivations(example.forest) if kept == pair.kept]
        gold = max(value(pair.kept, edges) for edges in right)
        assert tuple(example.gold_edges.tolist()) in right
        assert len(right) > 1
        every = [
            value(kept, edges) + len(set(kept) ^ set(pair.kept)) - gold
            for kept, edges in derivations(example.forest)
            if len(kept) == len(pair.kept)
        ]
        assert most_violated(example, LengthDecoder("brute-force"), scores).loss == pytest.approx(max(every))
        for solver, options in (DECODERS["beam"], DECODERS["dual"]):
            assert most_violated(example, LengthDecoder(solver, options), scores).loss <= max(every) + 1e-6


def test_examples_decode_at_their_length_and_judges_read_what_they_keep() -> None:
    pairs = toy(12)
    grammar = make_grammar(pairs, 1)
    weights = np.random.default_rng(2).normal(size=1 << BITS)
    outputs = []
    for pair in pairs:
        example = DerivationExample.of(pair, grammar, BITS, 2)
        outputs.append(kept_words(example, Decoder("dp-transduction"), weights))
        scores = example.features.scores(weights)[:-1] + example.forest.scores
        every = dict.fromkeys(combinations(range(1, len(pair.sentence) + 1), 2), -np.inf)
        for kept, edges in derivations(example.forest):
            if kept in every:
                every[kept] = max(every[kept], float(scores[list(edges)].sum()))
        assert outputs[-1] == max(every, key=every.__getitem__)
        path = kept_words(PathExample.of(pair, BITS, 2), Decoder("dp-bigram"), weights)
        assert len(path) == 2
    examples = [DerivationExample.of(pair, grammar, BITS, 2) for pair in pairs]
    judge = Judge(pairs, examples, Decoder("dp-transduction"))
    assert judge({"weights": weights}) == pytest.approx(mean_f1(pairs, outputs))


def test_a_training_that_harms_is_not_taken(tmp_path: Path) -> None:
    """Examples whose gold is wrong: the weights before the first step are the best, and stay."""
    pairs = toy(30)
    grammar = make_grammar(pairs, 1)
    wrong = [pair._replace(kept=tuple(range(1, len(pair.kept) + 1))) for pair in pairs]
    lengths = [len(pair.kept) for pair in pairs]
    examples = [DerivationExample.of(*each) for each in zip(wrong, [grammar] * 30, [BITS] * 30, lengths, strict=True)]
    held_out = [DerivationExample.of(*each) for each in zip(pairs, [grammar] * 30, [BITS] * 30, lengths, strict=True)]
    decoder = Decoder("dp-transduction")
    chosen = best_training(
        examples,
        Judge(pairs, held_out, decoder),
        lambda step: StructuredSvm(1 << BITS, decoder, 0.0, step),
        (1.0, 10.0),
        epochs=2,
        seed=1,
        checkpoint=tmp_path / "c",
        resume=False,
        watcher=SILENT,
    )
    assert chosen.epoch == 0
    assert not chosen.weights.any()
    assert chosen.score == chosen.untrained
    assert not list(tmp_path.iterdir())


def test_step_sizes_go_on_where_the_last_one_is_the_best(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[float] = []

    def chosen(worth: Callable[[float], float], steps: tuple[float, ...]) -> float:
        """A training whose score depends on its step size alone."""

        def trained(examples: object, learner: Mira, **_: object) -> Trained:
            tried.append(learner.aggressiveness)
            record = {"epoch": 1, "loss": 0.0, "cpu_seconds": 0.0, "development": worth(learner.aggressiveness)}
            return Trained({"weights": np.zeros(1 << BITS)}, [record])

        monkeypatch.setattr(development, "train", trained)
        tried.clear()
        return best_training(
            [],
            lambda _: 0.0,  # type: ignore[arg-type]
            lambda step: Mira(1 << BITS, Decoder("dp-bigram"), step),
            steps,
            epochs=1,
            seed=1,
            checkpoint=tmp_path / "c",
            resume=False,
            watcher=SILENT,
        ).step

    assert chosen(lambda step: step, (1.0, 2.0, 4.0)) == 16.0
    assert tried == [1.0, 2.0, 4.0, 8.0, 16.0]
    assert chosen(lambda step: 1.0 / step, (1.0, 2.0, 4.0)) == 0.25
    assert chosen(lambda step: 9.0 - step if step > 7.0 else step, (1.0, 2.0, 4.0)) == 4.0
    assert tried == [1.0, 2.0, 4.0, 8.0]
    assert chosen(lambda step: 5.0 - abs(step - 2.0), (1.0, 2.0, 4.0)) == 2.0
    assert tried == [1.0, 2.0, 4.0]
    assert chosen(lambda step: step, (1.0,)) == 1.0
    assert tried == [1.0]
    chosen(lambda step: -step, (1.0, 2.0))
    assert tried == [1.0, 2.0]  # no training helps: the weights before the first step stay


def test_a_training_that_helps_is_taken(tmp_path: Path) -> None:
    pairs = toy(40)
    decoder = Decoder("dp-bigram")
    examples = [PathExample.of(pair, BITS, len(pair.kept)) for pair in pairs]
    judge = Judge(pairs[30:], examples[30:], decoder)
    chosen = best_training(
        examples[:30],
        judge,
        lambda step: Mira(1 << BITS, decoder, step),
        (0.1,),
        epochs=5,
        seed=1,
        checkpoint=tmp_path / "c",
        resume=False,
        watcher=SILENT,
    )
    assert chosen.score > chosen.untrained
    assert judge({"weights": chosen.weights}) == chosen.score


def test_a_sentences_own_rules_are_left_out() -> None:
    pairs = generated_pairs(range(10))
    found = jackknifed(pairs, 1, 5)
    assert set(found) == {pair.name for pair in pairs}
    for number, pair in enumerate(pairs):
        others = make_grammar([each for place, each in enumerate(pairs) if place % 5 != number % 5], 1)
        assert found[pair.name].counts == others.counts
    assert jackknifed(pairs, 1, 1) == {}


@pytest.mark.parametrize("decoder", ["beam", "dual"])
def test_training_decodes_with_ngrams(decoder: str, tmp_path: Path) -> None:
    out = tmp_path / "t.model"
    training = Training(epochs=1, bits=BITS, initial_step=0.1, aggressiveness=0.1, decoder=decoder)  # type: ignore[arg-type]
    figures = training.fit(Data(toy(20)), out, False, SILENT)
    assert figures["rules: training CPU seconds"] > 0
    frame = Evaluation(limit=3, factor=10.0, systems="T3+LM (Beam Search); T3+LM, exact").run(out, SILENT)
    beam, exact = frame["search errors"]
    assert exact <= beam


@pytest.mark.parametrize(
    ("option", "value"), [("folds", 0), ("initial_step", 0.0), ("ngram_weight", -1.0), ("length", "x")]
)
def test_options_that_make_no_sense(option: str, value: object) -> None:
    with pytest.raises(InputError, match=f"{option}"):
        Training(**{option: value})  # type: ignore[arg-type]
    assert replace(Training(), folds=2).folds == 2
