"""Steps of the parser's learners: they reduce the loss they saw, and a restored learner repeats them."""

from __future__ import annotations

import numpy as np
import pytest

from bench.learning.learners import Decoder
from bench.learning.parsing.learners import ParserLearner, PrunerLearner
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


def test_a_mira_step_removes_the_loss_it_saw(sentences: list[Words]) -> None:
    """With a large constant one step is enough for its own sentence, and it is as small as that allows."""
    learner = ParserLearner(parser_program(TEMPLATES), BITS, "1", 1e6, Decoder("dp-mst", {}), True)
    example = learner.example(sentences[0], *candidates(len(sentences[0])))
    first = learner.step(example)
    assert first > 0.0
    rest = [learner.step(example) for _ in range(30)]
    assert rest[-1] == pytest.approx(0.0, abs=1e-4)
    before = learner.weights.copy()
    assert learner.step(example) == pytest.approx(0.0, abs=1e-4)
    np.testing.assert_allclose(learner.weights, before, atol=1e-5)


def test_a_restored_learner_goes_on_as_if_it_had_not_stopped(sentences: list[Words]) -> None:
    program = parser_program(TEMPLATES)
    one, other = (PrunerLearner(program, BITS, 0.3, True) for _ in range(2))
    one.step(sentences[0])
    numbers, arrays = one.state()
    other.restore(numbers, {name: array.copy() for name, array in arrays.items()})
    assert one.step(sentences[1]) == other.step(sentences[1])
    np.testing.assert_array_equal(one.weights, other.weights)
