"""Expected times: for each candidate a power law, fitted to the recorded instances nearest in size.

A measure counts by its logarithm. The law that holds at an instance is a least-squares fit in which recorded instances weigh by how near
they are (`nearness`), so that small instances, whose time is overhead, do not bend what is said of large ones. Its exponents are
pulled towards those of the law over all sizes, and these towards a sum of 1, which decides where there are few points. A time at a limit is a lower bound: it
is replaced by what the fit expects beyond the limit, and the fit made again (Schmee & Hahn 1979).
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BANDWIDTH = 0.35  # of log size: instances 1.4 times as large, or as small, still weigh 60 %
FAR = 0.02  # what all others weigh
EXPONENT_SPREAD = 1.0  # how far the sum of all exponents may be from 1, and single ones from one another
KINDS_SPREAD = 1.0  # of log seconds, between kinds of instances of one size: what a difference between few sizes may also come from
USUAL_SPREAD = 0.25  # of log seconds around the law, where nothing is recorded; counts like `PRIOR_CELLS` cells
PRIOR_CELLS = 2.0
ROUNDS = 3  # of replacing censored times
QUANTILE = 1.645  # of a 90 % interval
SHORTEST = 1e-7  # seconds


class Laws(NamedTuple):
    """What is expected of each candidate at one instance: log seconds, and how far they may be off."""

    log_seconds: Floats
    residuals: Floats  # (N, C): of the recorded log seconds, 0 where there are none
    spread: Floats  # of single instances around the law
    error: Floats  # standard error of a prediction: that of the law, and the spread
    reach: Floats  # half the width of the 90 % interval


class Recorded:
    """The times of C candidates on N instances with D measures: `places` (N, D) are logarithms; NaN where there is no time."""

    def __init__(self, places: Floats, seconds: Floats, censored: NDArray[np.bool_]) -> None:
        self.places = places
        self.there = ~np.isnan(seconds)
        self.times = np.where(self.there, np.log(np.maximum(np.nan_to_num(seconds), SHORTEST)), 0.0)
        self.exponents: Floats = self._overall()
        self._replace_censored(censored & self.there)

    def distances(self, place: Floats) -> Floats:
        """Of each recorded instance, in log size: the root mean square over measures."""
        return np.sqrt(((self.places - place) ** 2).mean(axis=1))

    def laws(self, place: Floats, weights: Floats | None = None, unlike: float = 0.0) -> Laws:
        """The fit at a place: its intercept there is the prediction. `weights` are those of `nearness`.

        `unlike` is how far, in log seconds, an instance may be off because it is of another kind than the recorded ones.
        """
        heavy = nearness(self.distances(place), self.there) if weights is None else weights  # (N, C)
        rows, coefficients, inverse = self._fitted(place, heavy, self.exponents)
        residuals = np.where(self.there, self.times - rows @ coefficients.T, 0.0)
        mass = heavy.sum(axis=0)
        variance = (PRIOR_CELLS * USUAL_SPREAD**2 + (heavy * residuals**2).sum(axis=0)) / (PRIOR_CELLS + mass)
        cells = 1.0 / np.maximum(mass, 1e-6)
        slopes = np.clip(inverse[:, 0, 0] - cells, 0.0, 1e6) * KINDS_SPREAD**2  # what exponents may do on the way here
        error = np.sqrt(variance * (1.0 + np.minimum(cells, 1e6)) + slopes + unlike**2)
        freedom = PRIOR_CELLS + mass
        reach = error * (QUANTILE + (QUANTILE**3 + QUANTILE) / (4.0 * freedom))  # Student's t, to first order
        return Laws(coefficients[:, 0], residuals, np.sqrt(variance), error, reach)

    def _overall(self) -> Floats:
        """Coefficients of the law that fits all recorded sizes alike, pulled towards exponents with a sum of 1."""
        measures = self.places.shape[1]
        usual = np.full((self.there.shape[1], measures + 1), 1.0 / measures)
        return self._fitted(self.places.mean(axis=0), self.there.astype(np.float64), usual)[1]

    def _fitted(self, place: Floats, heavy: Floats, usual: Floats) -> tuple[Floats, Floats, Floats]:
        """Weighted least squares around a place: the rows, coefficients (C, D + 1) and the inverse of the normal equations."""
        count, measures = self.places.shape
        rows = np.empty((count, measures + 1))
        rows[:, 0] = 1.0
        np.subtract(self.places, place, out=rows[:, 1:])
        prior = _prior(measures)
        normal = np.einsum("nc,nij->cij", heavy, rows[:, :, None] * rows[:, None, :])
        inverse = np.linalg.inv(normal + prior)
        right = (heavy * self.times).T @ rows + usual @ prior
        return rows, (inverse @ right[:, :, None])[:, :, 0], inverse

    def _replace_censored(self, censored: NDArray[np.bool_]) -> None:
        """Times beyond a limit become their expectation under the law and its spread, given that they are beyond.

        The first round goes by the times that are known, so that growth below the limit goes on beyond it.
        """
        limits, there = self.times.copy(), self.there
        if not censored.any():
            return
        self.there = there & (~censored | ~(there & ~censored).any(axis=0))
        self.exponents = self._overall()
        for _ in range(ROUNDS):
            expected = self.times.copy()
            for instance in np.flatnonzero(censored.any(axis=1)):
                laws = self.laws(self.places[instance])
                for candidate in np.flatnonzero(censored[instance]):
                    at, spread = float(laws.log_seconds[candidate]), float(laws.spread[candidate])
                    expected[instance, candidate] = beyond(float(limits[instance, candidate]), at, spread)
            self.times, self.there = expected, there
            self.exponents = self._overall()


@cache
def _prior(measures: int) -> Floats:
    """How much coefficients are held: the intercept not at all, exponents in their sum and, less, among one another.

    Measures of recorded instances grow together, so that little is known of what one of them does alone.
    """
    common = np.full((measures, measures), 1.0 / measures)
    precision = np.zeros((measures + 1, measures + 1))
    precision[1:, 1:] = (KINDS_SPREAD / EXPONENT_SPREAD) ** 2 * (measures * common + np.eye(measures) - common)
    precision[0, 0] = 1e-9
    return precision


def nearness(distances: Floats, there: NDArray[np.bool_], bandwidth: float = BANDWIDTH) -> Floats:
    """The weight of each recorded cell, 0 where there is none; where all of a candidate are far away, its nearest count most."""
    least = np.where(there, distances[:, None], np.inf).min(axis=0)
    further = np.where(there, distances[:, None] - np.where(np.isfinite(least), least, 0.0), 0.0)
    return np.where(there, np.maximum(np.exp(-0.5 * (further / bandwidth) ** 2), FAR), 0.0)


def beyond(limit: float, mean: float, spread: float) -> float:
    """The expectation of a normal variable that is known to exceed a limit; never below it."""
    score = (limit - mean) / spread
    if score > 8.0:  # far in the tail, where the excess is about spread / score
        return limit + spread / score
    density = math.exp(-0.5 * score**2) / math.sqrt(2.0 * math.pi)
    tail = 0.5 * math.erfc(score / math.sqrt(2.0))
    return max(limit, mean + spread * density / tail)
