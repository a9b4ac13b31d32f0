"""Is one solver really better than another? Paired tests over instances, corrected for how many were made."""

from __future__ import annotations

import warnings
from typing import Any, Literal, NamedTuple

import numpy as np

from problems.errors import InputError, nearest

from .values import Floats

FEWEST = 6
"""Of fewer differences not even the most extreme outcome of a signed-rank test is significant at 5 % (2 / 2^5 > 0.05)."""


class PairedResult(NamedTuple):
    """A test's statistic and p-value, and a remark where they need one."""

    statistic: float
    p: float
    reason: str


def paired_test(differences: Any, test: Literal["wilcoxon", "t"] = "wilcoxon") -> PairedResult:
    """Two-sided test of paired differences. Equal pairs are no evidence: p = 1 if all are, NaN if nothing can be said.

    Wilcoxon's test leaves zero differences out (as Wilcoxon did).
    """
    if test not in ("wilcoxon", "t"):
        raise InputError(f"unknown test {test!r}: {nearest(test, ('wilcoxon', 't'))}")
    values = np.asarray(differences, dtype=np.float64)
    values = values[np.isfinite(values)]
    if not len(values):
        return PairedResult(np.nan, np.nan, "no instance in common")
    if not values.any():
        return PairedResult(np.nan, 1.0, "all pairs are equal")
    return _wilcoxon(values) if test == "wilcoxon" else _t_test(values)


def _wilcoxon(values: Floats) -> PairedResult:
    from scipy.stats import wilcoxon

    values = values[values != 0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scipy warns of what `reason` says
        found = wilcoxon(values)
    few = f"only {len(values)} pairs differ: cannot be significant at 5 %" if len(values) < FEWEST else ""
    return PairedResult(float(found.statistic), min(1.0, float(found.pvalue)), few)


def _t_test(values: Floats) -> PairedResult:
    from scipy.stats import ttest_1samp

    if len(values) < 2:
        return PairedResult(np.nan, np.nan, "only one instance in common")
    if np.ptp(values) <= 1e-12 * np.abs(values).max():
        return PairedResult(np.nan, np.nan, "all differences are the same, so their spread is unknown")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = ttest_1samp(values, 0.0)
    few = f"only {len(values)} instances" if len(values) < FEWEST else ""
    return PairedResult(float(found.statistic), float(found.pvalue), few)


def holm(p_values: Any) -> Floats:
    """Holm's (1979) step-down correction. A test without a result still counts as one that was made."""
    values = np.asarray(p_values, dtype=np.float64)
    if not len(values):
        return values
    from statsmodels.stats.multitest import multipletests

    missing = np.isnan(values)
    corrected = multipletests(np.where(missing, 1.0, values), method="holm")[1]
    return np.where(missing, np.nan, corrected)
