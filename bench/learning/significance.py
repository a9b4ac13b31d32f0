"""Does one system really beat another? The interval of their difference, by a paired bootstrap over test items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from problems.errors import InputError
from problems.linear_program import Floats

SAMPLES = 10_000
CHUNK = 1_000_000  # resampled numbers at a time


class Difference(NamedTuple):
    """first - second with its 95 % interval; `p` is the two-sided bootstrap probability of a difference of the other sign."""

    difference: float
    low: float
    high: float
    p: float
    items: int


def mean(counts: Floats) -> Floats:
    """Of resampled scores, shape (samples, items, 1): their mean."""
    return counts[..., 0].mean(axis=1)


def ratio(counts: Floats) -> Floats:
    """Of resampled pairs (numerator, denominator): the ratio of sums, as in corpus-level accuracy."""
    sums = counts.sum(axis=1)
    return sums[:, 0] / sums[:, 1]


def f_score(counts: Floats) -> Floats:
    """Of resampled triples (common, predicted, gold): corpus-level F1."""
    sums = counts.sum(axis=1)
    return 2.0 * sums[:, 0] / np.maximum(sums[:, 1] + sums[:, 2], 1e-300)


def paired_bootstrap(
    first: Any,
    second: Any,
    statistic: Callable[[Floats], Floats] = mean,
    samples: int = SAMPLES,
    seed: int = 1,
) -> Difference:
    """Percentile bootstrap of statistic(first) - statistic(second); the same items are drawn for both.

    Both are arrays with one row per item (test sentence or topic): a score, or the counts that the statistic sums up.
    """
    one, other = (np.asarray(values, dtype=np.float64) for values in (first, second))
    one, other = (values[:, None] if values.ndim == 1 else values for values in (one, other))
    if one.shape != other.shape or not len(one):
        raise InputError(f"a paired bootstrap needs the same items of both systems, not {len(one)} and {len(other)}.")
    rng = np.random.default_rng(seed)
    found = []
    rows = max(1, CHUNK // one.size)
    for start in range(0, samples, rows):
        chosen = rng.integers(len(one), size=(min(rows, samples - start), len(one)))
        found.append(statistic(one[chosen]) - statistic(other[chosen]))
    differences = np.concatenate(found)
    low, high = np.percentile(differences, [2.5, 97.5])
    tails = min((differences <= 0).mean(), (differences >= 0).mean())
    whole = float((statistic(one[None]) - statistic(other[None]))[0])
    return Difference(whole, float(low), float(high), min(1.0, 2.0 * float(tails)), len(one))
