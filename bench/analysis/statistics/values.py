"""Averages, intervals and tests of plain numbers: what a column of a table says about many instances.

Is one solver really better than another? Paired tests over instances say so, corrected for how many were made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from problems.errors import InputError

Floats = NDArray[np.float64]
Values = Sequence[float] | Floats | Any

SHIFT = 0.01
"""Seconds added before the logarithm. Decoding takes milliseconds to minutes: 10 ms is what no table should resolve,
and the 1 s or 10 s usual for integer programs would make all fast solvers look the same."""
SHORTEST = 1e-6
"""Seconds below which times count as this much, so that ratios exist."""
RESAMPLES = 9999
MEAN_CHUNK = 1 << 20  # values that are drawn at a time


class Interval(NamedTuple):
    """An estimate and its confidence interval; the ends are NaN where there is too little to tell."""

    value: float
    low: float
    high: float


NOTHING = Interval(np.nan, np.nan, np.nan)


def known(values: Values) -> Floats:
    """The values that are not missing."""
    array = np.asarray(values, dtype=np.float64).ravel()
    return array[~np.isnan(array)]


def mean(values: Values) -> float:
    """The arithmetic mean; NaN of nothing."""
    array = known(values)
    return float(array.mean()) if len(array) else np.nan


def median(values: Values) -> float:
    """The median; NaN of nothing."""
    array = known(values)
    return float(np.median(array)) if len(array) else np.nan


def shifted_geometric_mean(values: Values, shift: float = SHIFT) -> float:
    """exp(mean(log(values + shift))) - shift: dominated neither by the longest cells nor by the shortest."""
    array = known(values)
    if not len(array):
        return np.nan
    if shift < 0 or (array + shift <= 0).any():
        raise InputError(f"a shifted geometric mean needs values above minus the shift of {shift}.")
    return float(np.exp(np.log(array + shift).mean()) - shift)


def median_interval(
    values: Values, confidence: float = 0.95, resamples: int = RESAMPLES, seed: int = 0, logarithms: bool = False
) -> Interval:
    """The median and its percentile bootstrap interval over instances; the order of the values does not matter.

    A resample's median needs no resample: the middle order statistics of n uniform draws are Beta distributed, and
    draw u picks the value of rank floor(n u). Of fewer than two values there is no interval; of fewer than six it is
    little more than their range. `logarithms`: averages of two middle values are geometric, so that the median of
    ratios is the inverse of the median of the inverse ratios.
    """
    if not 0 < confidence < 1:
        raise InputError(f"a confidence must lie between 0 and 1, not {confidence}.")
    array = np.sort(known(values))
    count = len(array)
    if logarithms:
        array = np.log(np.maximum(array, np.finfo(np.float64).tiny))
    if not count:
        return NOTHING
    said = float(np.median(array))
    ends = [np.nan, np.nan]
    if count > 1:
        medians = _resampled_medians(array, resamples, np.random.default_rng(seed))
        ends = [float(end) for end in np.quantile(medians, [(1 - confidence) / 2, (1 + confidence) / 2])]
    if logarithms:
        said, ends = float(np.exp(said)), [float(np.exp(end)) for end in ends]
    return Interval(said, *ends)


def mean_interval(values: Values, resamples: int = RESAMPLES, confidence: float = 0.95, seed: int = 0) -> Interval:
    """The mean with a percentile bootstrap interval; of paired differences it is their interval. No ends for fewer than two values."""
    array = known(values)
    if len(array) < 2:
        return Interval(mean(array), np.nan, np.nan)
    random, rows = np.random.default_rng(seed), max(1, MEAN_CHUNK // len(array))
    parts = [min(rows, resamples - start) for start in range(0, resamples, rows)]
    means = np.concatenate([array[random.integers(len(array), size=(part, len(array)))].mean(axis=1) for part in parts])
    tail = 50.0 * (1.0 - confidence)
    low, high = np.percentile(means, [tail, 100.0 - tail])
    return Interval(mean(array), float(low), float(high))


def _resampled_medians(ordered: Floats, resamples: int, random: np.random.Generator) -> Floats:
    count = len(ordered)
    middle = (count + 1) // 2  # the rank, from 1, of the (lower) median
    lower = random.beta(middle, count + 1 - middle, resamples)
    first = ordered[_rank(lower, count)]
    if count % 2:
        return first
    upper = lower + (1 - lower) * random.beta(1, count - middle, resamples)
    return (first + ordered[_rank(upper, count)]) / 2


def _rank(draws: Floats, count: int) -> NDArray[np.int64]:
    return np.minimum((draws * count).astype(np.int64), count - 1)


def ratio_interval(numerators: Values, denominators: Values, **options: Any) -> Interval:
    """The median of paired ratios of times with its bootstrap interval; pairs with a missing time are left out."""
    above = np.maximum(np.asarray(numerators, dtype=np.float64), SHORTEST)
    below = np.maximum(np.asarray(denominators, dtype=np.float64), SHORTEST)
    return median_interval(above / below, logarithms=True, **options)


def par10(seconds: Values, solved: Values, limits: Values) -> float:
    """The mean time where an unsolved cell counts ten times its limit; NaN where such a limit is not known."""
    charged = np.where(np.asarray(solved, dtype=bool), np.asarray(seconds, float), 10 * np.asarray(limits, float))
    return float(charged.mean()) if len(charged) else np.nan


def paired_test(differences: Any) -> float:
    """The p-value of a two-sided paired t-test. Equal pairs are no evidence: 1 if all are; NaN if nothing can be said."""
    from scipy.stats import ttest_1samp

    values = np.asarray(differences, dtype=np.float64)
    values = values[np.isfinite(values)]
    if len(values) and not values.any():
        return 1.0
    if len(values) < 2 or np.ptp(values) <= 1e-12 * np.abs(values).max():  # the spread is unknown
        return np.nan
    return float(ttest_1samp(values, 0.0).pvalue)


def holm(p_values: Any) -> Floats:
    """Holm's (1979) step-down correction. A test without a result still counts as one that was made."""
    values = np.asarray(p_values, dtype=np.float64)
    missing = np.isnan(values)
    order = np.argsort(np.where(missing, 1.0, values), kind="stable")
    steps = np.arange(len(values), 0, -1) * np.where(missing, 1.0, values)[order]
    corrected = np.empty(len(values))
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return np.where(missing, np.nan, corrected)
