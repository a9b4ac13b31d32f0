"""Is one solver really better than another? Paired tests over instances, corrected for how many were made."""

from __future__ import annotations

import itertools
import warnings
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from problems.errors import InputError, nearest

from .values import Floats

FEWEST = 6
"""Of fewer differences not even the most extreme outcome of a signed-rank test is significant at 5 % (2 / 2^5 > 0.05)."""


class Outcome(NamedTuple):
    """A test's statistic and p-value, and a remark where they need one."""

    statistic: float
    p: float
    reason: str


def paired_test(differences: Any, test: Literal["wilcoxon", "t"] = "wilcoxon") -> Outcome:
    """Two-sided test of paired differences. Equal pairs are no evidence: p = 1 if all are, NaN if nothing can be said.

    Wilcoxon's test leaves zero differences out (as Wilcoxon did).
    """
    if test not in ("wilcoxon", "t"):
        raise InputError(f"unknown test {test!r}: {nearest(test, ('wilcoxon', 't'))}")
    values = np.asarray(differences, dtype=np.float64)
    values = values[np.isfinite(values)]
    if not len(values):
        return Outcome(np.nan, np.nan, "no instance in common")
    if not values.any():
        return Outcome(np.nan, 1.0, "all pairs are equal")
    return _wilcoxon(values) if test == "wilcoxon" else _t_test(values)


def _wilcoxon(values: Floats) -> Outcome:
    from scipy.stats import wilcoxon

    values = values[values != 0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scipy warns of what `reason` says
        found = wilcoxon(values)
    few = f"only {len(values)} pairs differ: cannot be significant at 5 %" if len(values) < FEWEST else ""
    return Outcome(float(found.statistic), min(1.0, float(found.pvalue)), few)


def _t_test(values: Floats) -> Outcome:
    from scipy.stats import ttest_1samp

    if len(values) < 2:
        return Outcome(np.nan, np.nan, "only one instance in common")
    if np.ptp(values) <= 1e-12 * np.abs(values).max():
        return Outcome(np.nan, np.nan, "all differences are the same, so their spread is unknown")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = ttest_1samp(values, 0.0)
    few = f"only {len(values)} instances" if len(values) < FEWEST else ""
    return Outcome(float(found.statistic), float(found.pvalue), few)


def holm(p_values: Any) -> Floats:
    """Holm's (1979) step-down correction. A test without a result still counts as one that was made."""
    values = np.asarray(p_values, dtype=np.float64)
    if not len(values):
        return values
    from statsmodels.stats.multitest import multipletests

    missing = np.isnan(values)
    corrected = multipletests(np.where(missing, 1.0, values), method="holm")[1]
    return np.where(missing, np.nan, corrected)


def paired_tests(
    table: pd.DataFrame,
    baseline: str | None = None,
    test: Literal["wilcoxon", "t"] = "wilcoxon",
    logarithms: bool = False,
) -> pd.DataFrame:
    """Every pair of columns (labels) of a table with one row per instance, or every label against the baseline.

    `logarithms` compares ratios instead of differences, as is right for times. `difference` is the median of
    first - second (or of their ratio). Rows where one of the two is missing or infinite are left out.
    """
    labels = [str(label) for label in table.columns]
    if baseline is not None and baseline not in labels:
        raise InputError(f"unknown baseline {baseline!r}: {nearest(baseline, labels)}")
    pairs = (
        list(itertools.combinations(labels, 2))
        if baseline is None
        else [(label, baseline) for label in labels if label != baseline]
    )
    rows = []
    for first, second in pairs:
        one, other = table[first].to_numpy(dtype=np.float64), table[second].to_numpy(dtype=np.float64)
        usable = np.isfinite(one) & np.isfinite(other)
        if logarithms:
            usable &= (one > 0) & (other > 0)
        one, other = one[usable], other[usable]
        differences = np.log(one) - np.log(other) if logarithms else one - other
        outcome = paired_test(differences, test)
        middle = float(np.median(differences)) if len(differences) else np.nan
        rows.append(
            {
                "first": first,
                "second": second,
                "instances": len(differences),
                "difference": float(np.exp(middle)) if logarithms else middle,
                **outcome._asdict(),
            }
        )
    frame = pd.DataFrame(rows, columns=["first", "second", "instances", "difference", "statistic", "p", "reason"])
    frame.insert(6, "p_holm", holm(frame["p"]))
    return frame
