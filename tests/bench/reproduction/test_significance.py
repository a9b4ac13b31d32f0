"""The paired bootstrap against known distributions."""

from __future__ import annotations

import numpy as np
import pytest

from bench.reproduction.evidence import few, paired_bootstrap
from problems.errors import InputError


def test_the_interval_is_that_of_a_mean() -> None:
    rng = np.random.default_rng(1)
    second = rng.normal(size=400)
    first = second + 0.1 + rng.normal(scale=0.5, size=400)
    found = paired_bootstrap(first, second)
    difference = first - second
    spread = 1.96 * difference.std() / 20.0
    assert found.difference == pytest.approx(difference.mean())
    assert found.low == pytest.approx(difference.mean() - spread, abs=0.006)
    assert found.high == pytest.approx(difference.mean() + spread, abs=0.006)
    opposite = paired_bootstrap(second, first)
    assert opposite.high < 0.0 < found.low
    assert opposite.p < 0.05


def test_equal_systems_do_not_differ() -> None:
    values = np.arange(10.0)
    found = paired_bootstrap(values, values)
    assert found == (0.0, 0.0, 0.0, 1.0, 10)


def test_the_false_alarm_rate_is_what_it_says() -> None:
    rng = np.random.default_rng(2)
    alarms = 0
    for trial in range(200):
        first, second = rng.normal(size=(2, 50))
        found = paired_bootstrap(first, second, samples=400, seed=trial)
        alarms += found.low > 0.0 or found.high < 0.0
    assert 2 <= alarms <= 24  # 5 % of 200, and the small sample's excess


def test_both_systems_have_the_same_items_drawn() -> None:
    found = paired_bootstrap([1.0, 3.0], [1.0, 2.0])
    assert found.difference == pytest.approx(0.5)
    reach = 0.5 * few(2)  # only the first item drawn (0), only the second (1), and the factor of two items
    assert (found.low, found.high) == pytest.approx((0.5 - reach, 0.5 + reach))


def test_systems_of_different_items_are_refused() -> None:
    with pytest.raises(InputError, match="the same items"):
        paired_bootstrap([1.0], [1.0, 2.0])
