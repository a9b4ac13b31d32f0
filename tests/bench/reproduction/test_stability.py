"""Two runs of the same claim, simulated: verdicts that are decided contradict each other at most at the nominal rate.

Records lie near a threshold, where a rule without an interval would turn every second time. Items are drawn anew in each run, and all
times of a run share the error of its machine's state.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from bench.analysis.statistics.ratios import SpeedUp
from bench.analysis.statistics.values import ratio_interval
from bench.reproduction import evidence
from bench.reproduction.claims import Claim, holm_corrected
from bench.reproduction.evidence import RERUN, Evidence, few, paired_bootstrap, proportion, share
from bench.reproduction.verdicts import (
    DECIDED,
    LEVEL,
    Ruling,
    at_least,
    at_most,
    better,
    effect,
    faster,
    higher,
    kept,
    most,
)

RUNS = 250
Draw = Callable[[np.random.Generator], Ruling]


def speeds(true: float, items: int, spread: float = 0.5) -> Draw:
    """A speed-up that is published as 10 times: 5 are enough."""

    def draw(rng: np.random.Generator) -> Ruling:
        ratios = true * np.exp(spread * rng.standard_normal(items) + RERUN * rng.standard_normal())
        return faster(10.0, SpeedUp(ratio_interval(ratios, np.ones(items)), "any", items, 0))

    return draw


def means(true: float, items: int, rule: Callable[[Evidence], Ruling]) -> Draw:
    """A quotient of two systems' means over the same topics."""

    def draw(rng: np.random.Generator) -> Ruling:
        topics = rng.uniform(0.05, 0.4, items)
        first = true * topics * np.exp(0.2 * rng.standard_normal(items))
        return rule(share(first.tolist(), topics.tolist()))

    return draw


def shares(true: float, items: int) -> Draw:
    return lambda rng: effect(proportion(int(rng.binomial(items, true)), items), 0.5, 0.9)


def majorities(true: float, treebanks: int) -> Draw:
    """Gains on most of several treebanks; each gains with this probability."""
    return lambda rng: most(np.where(rng.random(treebanks) < true, 1.0, -1.0).tolist())


def differences(true: float, items: int) -> Draw:
    def draw(rng: np.random.Generator) -> Ruling:
        other = rng.uniform(0.0, 1.0, items)
        first = other + true + 0.3 * rng.standard_normal(items)
        return higher(paired_bootstrap(first.tolist(), other.tolist(), samples=250))

    return draw


def powers(true: float, sentences: int) -> Draw:
    """Exponents over lengths from 20 to 50, each with its Student interval and the error of a recording."""

    def draw(rng: np.random.Generator) -> Ruling:
        error = 0.5 / math.sqrt(sentences)
        found = true + error * rng.standard_normal() + RERUN / math.log(2.5) * rng.standard_normal()
        law = Evidence(found, found - 1.96 * error, found + 1.96 * error, sentences)
        return at_most(law.widened(spread=RERUN / math.log(2.5)), 4.3)

    return draw


def kept_quality(found: Evidence) -> Ruling:
    return kept(0.99, found)


def better_quality(found: Evidence) -> Ruling:
    return better(1.10, found)


CASES = {
    "speed-up on the threshold": speeds(5.0, 48),
    "speed-up just above it": speeds(5.6, 48),
    "speed-up just below it": speeds(4.5, 12),
    "speed-up of nothing": speeds(1.0, 18),
    "kept quality on its limit": means(0.98 / math.exp(0.02), 48, kept_quality),
    "kept quality of few topics": means(0.98 / math.exp(0.02), 8, kept_quality),
    "a gain of half": means(1.05 / math.exp(0.02), 48, better_quality),
    "a share of 90 %": shares(0.9, 60),
    "a share of a half": shares(0.5, 15),
    "gains on half of ten treebanks": majorities(0.5, 10),
    "gains on four fifths of fourteen": majorities(0.8, 14),
    "no difference": differences(0.0, 12),
    "a small difference": differences(0.1, 60),
    "a power on its limit": powers(4.3, 48),
}


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer resamples: what they estimate is the same."""
    monkeypatch.setattr(evidence, "SAMPLES", 250)


def contradictions(draw: Draw, seed: int) -> float:
    """The share of pairs of runs of which both are decided, and differently."""
    rng = np.random.default_rng(seed)
    verdicts = [draw(rng).verdict for _ in range(RUNS)]
    decided = {verdict: verdicts.count(verdict) / RUNS for verdict in DECIDED}
    return sum(decided.values()) ** 2 - sum(value**2 for value in decided.values())


@pytest.mark.parametrize("name", CASES)
def test_a_second_run_contradicts_the_first_at_most_at_the_nominal_rate(name: str) -> None:
    assert contradictions(CASES[name], len(name)) <= LEVEL


def test_rules_without_the_error_of_a_recording_turn() -> None:
    """What the rule guards against: the machine's state shifts all ratios of a run, and no number of items averages it out."""

    def naive(rng: np.random.Generator) -> Ruling:
        ratios = 5.0 * np.exp(0.1 * rng.standard_normal(400) + RERUN * rng.standard_normal())
        times = ratio_interval(ratios, np.ones(400))
        return at_least(Evidence(*times, 400, factor=True), 5.0)

    assert contradictions(naive, 1) > 4 * LEVEL
    assert contradictions(speeds(5.0, 400, 0.1), 1) <= LEVEL


def test_few_items_have_wider_intervals() -> None:
    """Student's factor and the bootstrap's bias: nearly nothing with many items, more than half as wide again with five."""
    assert few(5) == pytest.approx(math.sqrt(5 / 4) * 2.776445 / 1.959964, rel=1e-5)
    assert few(1000) == pytest.approx(1.0, abs=0.005)
    assert few(1) == 1.0


@pytest.mark.parametrize("items", [5, 8, 20])
def test_intervals_of_few_items_hold_the_truth_as_often_as_they_say(items: int) -> None:
    rng, held = np.random.default_rng(items), 0
    for _ in range(RUNS):
        other = rng.uniform(0.5, 1.5, items)
        found = share((1.2 * other + 0.2 * rng.standard_normal(items)).tolist(), other.tolist())
        held += found.low <= 1.2 <= found.high
    assert held / RUNS > 0.92


def test_a_family_of_three_claims_that_just_do_not_hold() -> None:
    """Holm's correction within a table: that any of three claims on its threshold is decided is no more likely than of one."""
    rng, tables = np.random.default_rng(5), 60
    wrong = 0
    for _ in range(tables):
        claims = [Claim(str(number), "", "", "", ruling=powers(4.3, 24)(rng)) for number in range(3)]
        wrong += any(claim.verdict in DECIDED for claim in holm_corrected(claims))
    assert wrong / tables <= LEVEL + 0.05
