"""Steps of the parser's learners: they reduce the loss they saw, and a restored learner repeats them."""

from __future__ import annotations

import numpy as np
import pytest

from bench.learning import learners
from bench.learning.learners import Decoder, Schedule
from bench.learning.parsing.classifiers import LabelExample, LabelLearner
from bench.learning.parsing.learners import ParserLearner, PrunerLearner, Steps, parser_decoder
from problems.parsing.pruning import candidates
from problems.parsing.scoring import Words
from problems.parsing.templates import TEMPLATES, parser_program
from problems.text.treebank import generated_treebank

BITS = 14


@pytest.fixture(scope="module")
def sentences() -> list[Words]:
    return [Words.of(each) for each in generated_treebank(1, 6) if len(each.words) <= 20][:3]


def test_the_pruner_climbs_its_likelihood(sentences: list[Words]) -> None:
    learner = PrunerLearner(parser_program(TEMPLATES), BITS, 0.3, True)
    losses = [[learner.step(each) for each in sentences] for _ in range(6)]
    assert np.mean(losses[0]) > np.mean(losses[2]) > np.mean(losses[5])
    assert np.mean(losses[5]) < 0.5 * np.mean(losses[0])


@pytest.mark.parametrize("adaptive", [False, True])
def test_a_mira_step_removes_the_loss_it_saw(sentences: list[Words], adaptive: bool) -> None:
    """With a large constant one step is enough for its own sentence, and it is as small as that allows."""
    steps = Steps(1e6, adaptive=adaptive)
    learner = ParserLearner(parser_program(TEMPLATES), BITS, "1", Decoder("dp-mst", {}), True, steps)
    example = learner.example(sentences[0], *candidates(len(sentences[0])))
    first = learner.step(example)
    assert first > 0.0
    rest = [learner.step(example) for _ in range(30)]
    assert rest[-1] == pytest.approx(0.0, abs=1e-4)
    before = learner.weights.copy()
    assert learner.step(example) == pytest.approx(0.0, abs=1e-4)
    np.testing.assert_allclose(learner.weights, before, atol=1e-5)


@pytest.mark.parametrize("order", ["2", "3"])
def test_a_step_on_a_fractional_solution_lowers_its_loss(sentences: list[Words], order: str) -> None:
    """The loss is that of the relaxation: with a small step along its subgradient it must fall."""
    decoder = parser_decoder(order, iterations=2000, relaxed=True)  # type: ignore[arg-type]
    learner = ParserLearner(parser_program(TEMPLATES), BITS, order, decoder, True, Steps(1e-4))  # type: ignore[arg-type]
    rng = np.random.default_rng(1)
    learner.weights[:] = 0.3 * rng.normal(size=1 << BITS)
    fractional = 0
    for words in sentences:
        learner.scorer.weights[:] = 0.3 * rng.normal(size=1 << BITS)
        heads, modifiers = candidates(len(words))
        near = np.flatnonzero(
            (np.abs(heads - modifiers) <= 3) | (np.array(words.sentence.heads)[modifiers - 1] == heads)
        )
        example = learner.example(words, heads[near], modifiers[near])
        before = learner.step(example)
        fractional += learner.fractional
        assert learner.step(example) < before
    assert fractional


@pytest.mark.parametrize("regularization", [0.5, 300.0])
def test_the_average_is_the_mean_of_the_weights_after_each_step(sentences: list[Words], regularization: float) -> None:
    """Also where the weights shrink so much that their scale is folded in (300)."""
    steps = Steps(schedule=Schedule(0.0033, regularization))
    learner = ParserLearner(parser_program(TEMPLATES), BITS, "1", Decoder("dp-mst", {}), True, steps)
    examples = [learner.example(words, *candidates(len(words))) for words in sentences]
    seen = []
    for _ in range(4):
        for example in examples:
            learner.step(example)
            seen.append(learner.scale * learner.weights.astype(float))
    assert np.abs(seen[-1]).max() > 0
    np.testing.assert_allclose(learner.averaged()["weights"], np.mean(seen, axis=0), atol=1e-6)


def test_labels_are_learned_on_right_arcs_only(sentences: list[Words]) -> None:
    words = sentences[0]
    labels = sorted(set(words.sentence.labels))
    gold = np.array(words.sentence.heads)
    wrong = np.where(gold == 0, 0, 0)  # every word below the root symbol: only the root's own arc is right
    learner = LabelLearner(labels, parser_program(TEMPLATES), BITS)
    for _ in range(5):
        loss = learner.step(LabelExample(words, wrong))
    assert loss == 0.0
    assert learner.step(LabelExample(words, gold)) > 0.5  # nothing else was learned


def test_a_decoder_makes_its_solver_once(monkeypatch: pytest.MonkeyPatch, sentences: list[Words]) -> None:
    made = []
    real = learners.make_solver
    monkeypatch.setattr(learners, "make_solver", lambda *given: made.append(given) or real(*given))
    decoder = Decoder("dp-mst", {})
    learner = ParserLearner(parser_program(TEMPLATES), BITS, "1", decoder, True, Steps())
    for words in sentences:
        learner.step(learner.example(words, *candidates(len(words))))
    assert len(made) == 1


@pytest.mark.parametrize("kind", ["pruner", "parts"])
def test_a_restored_learner_goes_on_as_if_it_had_not_stopped(sentences: list[Words], kind: str) -> None:
    program = parser_program(TEMPLATES)
    steps, decoder = Steps(adaptive=True), Decoder("dp-mst", {})
    made = {
        "pruner": lambda: PrunerLearner(program, BITS, 0.3, True),
        "parts": lambda: ParserLearner(program, BITS, "1", decoder, True, steps),
    }
    one, other = made[kind](), made[kind]()
    given = sentences
    if isinstance(one, ParserLearner):
        given = [one.example(words, *candidates(len(words))) for words in sentences]
    one.step(given[0])
    numbers, arrays = one.state()
    other.restore(numbers, {name: array.copy() for name, array in arrays.items()})
    assert one.step(given[1]) == other.step(given[1])
    np.testing.assert_array_equal(one.weights, other.weights)
