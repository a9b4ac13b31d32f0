"""What a run says of a quantity: its value with a 95 % interval over items (sentences, topics, clusters), never a bare number."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, hypot, inf, isfinite, isnan, log, nan, sqrt
from typing import NamedTuple

import numpy as np
from scipy.stats import binomtest
from scipy.stats import t as student

from problems.errors import InputError

from ..analysis.growth import LEAST_RANGE, fit_power_law
from ..analysis.statistics.ratios import SpeedUp

SAMPLES = 10_000  # of a bootstrap
CHUNK = 1_000_000  # resampled numbers at a time
FLAT = 1e-9  # of a value: an interval that is narrower has no width, but for rounding
NORMAL = 1.959964  # standard errors on either side of a 95 % interval
RERUN = 0.06  # standard deviation of the logarithm of a quotient of times between two recordings of the same cells
"""Measured: 436 quotients of two solvers' times on a size, in five experiments that were recorded twice on an idle machine
(without AD3 on extraction, which had become faster). The logarithms of their medians moved by 0.079 (root mean square), 0.056 for each recording; 0.06 is above that."""


class Evidence(NamedTuple):
    """A quantity with its 95 % interval over items. A `factor` is a quotient, whose errors are relative."""

    value: float
    low: float
    high: float
    items: int
    factor: bool = False

    def z(self, threshold: float) -> float:
        """By how many standard errors the value differs from a threshold; beyond 1.96 exactly where the interval excludes it.

        The standard error is that of the interval's side on which the threshold lies.
        """
        value, low, high, at = (_log(each) if self.factor else each for each in (*self[:3], threshold))
        distance, side = abs(value - at), value - low if at < value else high - value
        if isnan(distance) or distance == 0.0:
            return 0.0
        return NORMAL * distance / side if side > 0.0 else inf

    @property
    def flat(self) -> bool:
        """Whether the interval has no width: all items say the same, and nothing is known of how much others may differ."""
        return self.high - self.low <= FLAT * max(abs(self.low), abs(self.high))

    @property
    def same_answers(self) -> bool:
        """Whether both of what is compared have the same value on every item."""
        return self.flat and abs(self.value - (1.0 if self.factor else 0.0)) <= FLAT

    def widened(self, factor: float = 1.0, spread: float = 0.0) -> Evidence:
        """With sides that are so many times as long, and another independent error of this standard deviation (relative, of a factor)."""
        value, low, high = (_log(each) if self.factor else each for each in self[:3])
        if not (isfinite(value) and isfinite(low) and isfinite(high)):
            return self
        below, above = (hypot(factor * side, NORMAL * spread) for side in (value - low, high - value))
        ends = (value - below, value + above)
        return (
            self._replace(low=exp(ends[0]), high=exp(ends[1]))
            if self.factor
            else self._replace(low=ends[0], high=ends[1])
        )

    def of_times(self) -> Evidence:
        """Of a quotient of times: with the error that a second recording of the same cells would show."""
        return self.widened(spread=RERUN)


def few(items: int) -> float:
    """How many times longer an interval of few items has to be: the bootstrap's standard error is too small, and not Student's."""
    return sqrt(items / (items - 1)) * float(student.ppf(0.975, items - 1)) / NORMAL if items > 1 else 1.0


def _log(value: float) -> float:
    return log(value) if value > 0.0 else -inf if value == 0.0 else nan


def quickness(found: SpeedUp | None) -> Evidence | None:
    """A speed-up as evidence. Its interval is that of a second recording, wider than the one over instances alone."""
    if found is None:
        return None
    median = Evidence(found.times.value, found.times.low, found.times.high, found.pairs, factor=True)
    return median.widened(few(found.pairs)).of_times()


def share(first: Sequence[float], second: Sequence[float], seed: int = 1) -> Evidence:
    """The first's mean over the second's, by a paired bootstrap over items."""
    one, other = np.asarray(first, float), np.asarray(second, float)
    if not len(one):
        return Evidence(nan, nan, nan, 0, True)
    rng, rows = np.random.default_rng(seed), max(1, CHUNK // len(one))
    found = []
    with np.errstate(divide="ignore", invalid="ignore"):
        for start in range(0, SAMPLES, rows):
            chosen = rng.integers(len(one), size=(min(rows, SAMPLES - start), len(one)))
            found.append(one[chosen].mean(axis=1) / other[chosen].mean(axis=1))
        whole = float(one.mean() / other.mean())
    ratios = np.concatenate(found)
    low, high = np.nanpercentile(ratios, [2.5, 97.5]) if np.isfinite(ratios).any() else (nan, nan)
    return Evidence(whole, float(low), float(high), len(one), True).widened(few(len(one)))


def proportion(hits: int, items: int) -> Evidence:
    """A share of items with its exact interval (Clopper & Pearson), which never holds the truth less often than it says."""
    if not items:
        return Evidence(nan, nan, nan, 0)
    ends = binomtest(hits, items).proportion_ci(method="exact")
    return Evidence(hits / items, float(ends.low), float(ends.high), items)


def power(lengths: Sequence[float], seconds: Sequence[float]) -> Evidence | None:
    """The power of the length in the time, with the error of a second recording; None where lengths are too much alike."""
    sizes, times = np.asarray(lengths, float), np.asarray(seconds, float)
    law = fit_power_law(sizes, times)
    if law is None or sizes.max() < LEAST_RANGE * sizes.min():
        return None
    spread = RERUN / log(float(sizes.max() / sizes.min()))
    return Evidence(law.exponent, law.low, law.high, len(sizes)).widened(spread=spread)


class Difference(NamedTuple):
    """first - second with its 95 % interval; `p` is the two-sided bootstrap probability of a difference of the other sign."""

    difference: float
    low: float
    high: float
    p: float
    items: int


def paired_bootstrap(
    first: Sequence[float], second: Sequence[float], samples: int = SAMPLES, seed: int = 1
) -> Difference:
    """Percentile bootstrap of mean(first) - mean(second) over test items (sentences or topics), the same ones drawn for both."""
    if len(first) != len(second) or not len(first):
        raise InputError(
            f"a paired bootstrap needs the same items of both systems, not {len(first)} and {len(second)}."
        )
    values = np.asarray(first, float) - np.asarray(second, float)
    rng, rows = np.random.default_rng(seed), max(1, CHUNK // len(values))
    parts = [min(rows, samples - start) for start in range(0, samples, rows)]
    found = np.concatenate([values[rng.integers(len(values), size=(part, len(values)))].mean(axis=1) for part in parts])
    low, high = np.percentile(found, [2.5, 97.5])
    wide = Evidence(float(values.mean()), float(low), float(high), len(values)).widened(few(len(values)))
    tails = min((found <= 0).mean(), (found >= 0).mean())
    return Difference(*wide[:3], min(1.0, 2.0 * float(tails)), len(values))
