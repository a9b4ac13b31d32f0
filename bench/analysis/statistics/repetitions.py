"""Ratios of times on one instance, where repetitions are all that an interval can be taken over.

The runner interleaves rounds: repetition r of two solvers ran side by side, so that drift of the machine cancels in their ratio.
Such an interval is about this instance and this machine; it says nothing of other instances.
"""

from __future__ import annotations

import pandas as pd

from .cells import current, time_column
from .values import Interval, ratio_interval


def repetition_ratio(records: pd.DataFrame, own: str, other: str, time: str = "cpu") -> Interval:
    """The other's time over its own, median over the repetitions that both have of the only instance of these records."""
    frame = current(records)
    if frame["instance_digest"].nunique() > 1:
        raise ValueError("ratios over repetitions are of one instance")
    frame = frame[~frame["traced"].astype(bool)]
    times = frame.pivot(index="repetition", columns="label", values=time_column(time)).astype(float)
    both = times[[own, other]].dropna()
    return ratio_interval(both[other], both[own])
