"""The protocol that chooses constants, on made-up scores; auxiliary data and the pruner."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bench.learning.summarization.auxiliary import (
    Source,
    auxiliary_extracts,
    auxiliary_pairs,
    fit_pruner,
    other_corpora,
    prepared,
)
from bench.learning.summarization.constants import DEFAULT, HIGHEST, LOWEST, choose
from bench.learning.summarization.data import DEVELOPMENT_SEEDS, TEST_SEEDS, generated_topics
from bench.learning.summarization.systems import Settings, fit_system
from problems.summarization.blueprint import blueprint

BITS = 12


def around(best: float):  # type: ignore[no-untyped-def]
    """Scores of two topics that are best at a constant, and the same distance apart everywhere."""
    return lambda constant: [-abs(math.log10(constant / best)), 1.0 - abs(math.log10(constant / best))]


@pytest.mark.parametrize("best", [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0])
def test_the_grid_widens_until_the_best_constant_is_inside(best: float) -> None:
    found = choose(around(best))
    assert found.constant == best
    assert not found.at_end
    assert min(found.means) < best < max(found.means)


def test_an_endless_grid_ends_and_says_so() -> None:
    highest, lowest = choose(lambda constant: [constant]), choose(lambda constant: [-constant])
    assert (highest.constant, highest.at_end) == (HIGHEST, True)
    assert (lowest.constant, lowest.at_end) == (LOWEST, True)
    assert choose(lambda _: [0.0], (7.0,)).constant == 7.0, "one constant leaves nothing to choose"


def test_constants_that_cannot_be_told_apart_are_the_default() -> None:
    assert choose(lambda _: [0.5, 0.5]).constant == DEFAULT
    nearly = choose(lambda constant: [0.5 + 1e-3 * (constant == 100.0), 0.5, 0.5])  # its standard error is as large
    assert nearly.means[100.0] > nearly.means[DEFAULT]
    assert nearly.constant == DEFAULT


def test_one_standard_error_of_paired_differences_decides() -> None:
    topics = np.linspace(0.0, 1.0, 9)
    jitter = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 0.0])
    error = jitter.std(ddof=1) / 3.0

    def scores(gain: float):  # type: ignore[no-untyped-def]
        return lambda constant: topics + (gain + jitter if constant == 1.0 else 0.0) - (constant < 1.0)

    assert choose(scores(0.9 * error)).constant == DEFAULT
    assert choose(scores(1.1 * error)).constant == 1.0


SOURCE = Source("generated", "", None, 5, "tiny", BITS)


def test_auxiliary_data_is_nobody_elses() -> None:
    extracts = auxiliary_extracts(SOURCE, 4)
    names = {each.blueprint.name for each in extracts}
    others = [generated_topics(5, 4, "tiny", start) for start in (0, TEST_SEEDS, DEVELOPMENT_SEEDS)]
    assert 2 <= len(names) <= 4, "a topic whose sentences are all too long for an extract teaches nothing"
    assert len({cluster.name for clusters in others for cluster in clusters} | names) == 12 + len(names)
    assert all(each.task == "extraction" and each.gold.any() for each in extracts)
    pairs = auxiliary_pairs(SOURCE, 9)
    assert len(pairs) == 9
    assert other_corpora(SOURCE._replace(corpus="multiling2011", folder="nowhere")) == []


def test_systems_learn_from_auxiliary_extracts() -> None:
    extracts = auxiliary_extracts(SOURCE, 3)
    settings = Settings(epochs=1, bits=BITS)
    weights = fit_system("extractive", [], [], settings, auxiliary=extracts)
    assert weights.any()
    assert np.array_equal(weights, fit_system("extractive", [], [], settings, auxiliary=extracts))


def test_candidates_of_a_topic_are_not_pruned_by_itself() -> None:
    """With auxiliary extracts one pruner does for all; without them each half of the topics prunes the other."""
    clusters = generated_topics(5, 4, "tiny")
    extracts = auxiliary_extracts(SOURCE, 2)
    made, pruner = prepared(clusters, 25, BITS, 50, extracts)
    assert np.array_equal(pruner, fit_pruner(extracts, BITS))
    assert [each.name for each in made] == [cluster.name for cluster in clusters]
    jackknifed, final = prepared(clusters, 25, BITS, 50, [])
    assert final is not None
    stranger = generated_topics(6, 1, "tiny")[0]
    others, _ = prepared([clusters[0], stranger, clusters[2], stranger], 25, BITS, 50, [])
    same, _ = prepared([clusters[0], clusters[1], clusters[2], stranger], 25, BITS, 50, [])
    assert same[1].sources == jackknifed[1].sources, "pruned by the even ones, whatever the odd ones are"
    assert np.array_equal(same[3].features.scores(final), others[3].features.scores(final))
    plain, _ = prepared(clusters[:1], 25, BITS, 50, [])
    assert plain[0].sources == blueprint(clusters[0], 25, BITS, 50).sources, "one topic has no other half"
