"""The rule that chooses constants of training, on made-up scores with known answers, and its topics."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bench.learning.summarization.folds import SETTINGS
from bench.learning.summarization.systems import LEARNED
from bench.studies.summarization_tuning import (
    DEFAULT,
    HIGHEST,
    QUICK,
    SEED,
    SIZE,
    Choice,
    Material,
    Scores,
    Trials,
    best_choice,
    best_constants,
    grid,
    widened,
    worth,
)
from problems.summarization.part_features import CONCEPT_VALUE


def test_a_pair_is_worth_the_mean_of_the_systems_best() -> None:
    scores = {"a": {0.1: 0.2, 1.0: 0.4}, "b": {0.1: 0.3, 1.0: 0.1}}
    assert worth(scores) == 0.35
    assert best_constants(scores) == {"a": 1.0, "b": 0.1}
    assert best_constants({"a": {0.1: 0.2, 1.0: 0.2, 10.0: 0.1}}) == {"a": 1.0}, "the strongest among equals"


def test_the_default_wins_among_equals_only() -> None:
    same: Scores = {"a": {1.0: 0.5}}
    other = Choice(9.0, 9.0)
    assert best_choice({other: same, DEFAULT: same}) == DEFAULT
    assert best_choice({other: {"a": {1.0: 0.6}}, DEFAULT: same}) == other


def test_constants_are_added_until_the_best_is_inside() -> None:
    asked: list[list[float]] = []

    def run(constants: Sequence[float]) -> Scores:
        asked.append(sorted(constants))
        return {
            "a": {constant: -abs(constant - 100.0) for constant in constants},
            "b": {constant: -abs(constant - 0.1) for constant in constants},
        }

    scores = widened(run, (0.1, 1.0, 10.0))
    assert asked == [[0.1, 1.0, 10.0], [0.01, 0.1, 1.0, 10.0, 100.0], [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]]
    assert grid(scores) == [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]
    endless = widened(lambda constants: {"a": {constant: constant for constant in constants}}, (1.0, 10.0))
    assert max(endless["a"]) == HIGHEST


def test_topics_are_those_of_no_table() -> None:
    material = Material(QUICK)
    names = {cluster.name for cluster in (*material.training, *material.held)}
    assert len(names) == QUICK.training + QUICK.held
    assert SETTINGS["generated"].settings.seed != SEED
    assert all(name.startswith(f"learning-{SIZE}-{SEED}") for name in names)
    examples, held = material.topics(1.0)
    default, _ = material.topics(CONCEPT_VALUE)
    concepts = examples[0].blueprint.concepts
    one, other = examples[0].blueprint.features, default[0].blueprint.features
    weights = np.ones(1 << QUICK.bits)
    assert np.allclose(other.scores(weights)[:concepts], CONCEPT_VALUE * one.scores(weights)[:concepts])
    assert np.array_equal(other.scores(weights)[concepts:], one.scores(weights)[concepts:])
    assert len(held) == QUICK.held
    trials = Trials(material)
    scores = trials.run(Choice(1.0, 1.0), (1.0,))
    assert set(scores) == set(LEARNED)
    assert all(0.0 <= found[1.0] <= 1.0 for found in scores.values())
