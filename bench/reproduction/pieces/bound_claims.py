"""Footnote 10 of Almeida & Martins (2013): AD3 against the subgradient method, by the time to a bound."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from ...analysis.statistics.bounds import WITHIN, times_to_bound
from ...analysis.statistics.cells import reduce_cells
from ...analysis.statistics.ratios import SpeedUp
from ...analysis.statistics.values import ratio_interval
from ...records.frame import Records
from ..claims import Claim, speed
from ..evidence import quickness
from ..verdicts import effect

BOUNDS = "summarization-bounds"
AD3, PUBLISHED, SUBGRADIENT = "ad3 to 0.1 %", "ad3, as published, to 0.1 %", "subgradient "
"""Labels of this experiment; the subgradient method's begin so, one for each step size."""
SUBSTANTIAL = 2.0  # times faster, where the paper prints no number


def ad3_against_subgradient(records: Records) -> Claim:
    """Seconds until the bound is within 0.1 % of the relaxation's optimum. The first size decides, which is newswire."""
    claim = Claim(
        "ad3-faster-than-subgradient",
        "Almeida & Martins, footnote 10",
        "Within dual decomposition, AD3 is substantially faster than the subgradient algorithm.",
        "no numbers are printed",
    )
    sizes = list(dict.fromkeys(records["size"]))
    found = {size: race for size in sizes if (race := _Race.of(records[records["size"] == size])) is not None}
    if not sizes or sizes[0] not in found:
        return claim
    first = found[sizes[0]]
    rule = f"substantially: from {SUBSTANTIAL:g}x on; above 1x: weaker"
    ruling, today = (effect(quickness(each), 1.0, SUBSTANTIAL, rule) for each in (first.published, first.ours))
    said = [f"{speed(race.published)} as published, {speed(race.ours)} by our AD3" for race in found.values()]
    parts = [f"size {size}: {text}" for size, text in zip(found, said, strict=True)]
    return replace(
        claim,
        ours="; ".join(parts) if len(parts) > 1 else said[0],
        ratio=speed(first.published),
        ruling=ruling,
        today=today,
        why=f"Time to a bound within {WITHIN:.1%} of the relaxation's optimum, {first.instances} instances of size {sizes[0]}, against "
        f"the best of the subgradient method's step sizes for each. On {first.behind} of them no step size gets there before its "
        "last iteration; its longest run is its time then, which is too little.",
    )


class _Race:
    """AD3 as published and ours, each against the best step size of the subgradient method on each instance."""

    def __init__(self, times: pd.DataFrame, cells: pd.DataFrame, steps: list[str]) -> None:
        best, runs = times[steps].min(axis=1), cells[cells["label"].isin(steps)]
        whole = (runs["build"] + runs["solve"]).groupby(runs["instance_digest"]).max().reindex(times.index)
        limit = float(cells["limit"].max())
        self.published, self.ours = (sooner(times[label], best, whole, limit) for label in (PUBLISHED, AD3))
        self.instances, self.behind = len(times), int((~np.isfinite(best)).sum())

    @classmethod
    def of(cls, records: pd.DataFrame) -> _Race | None:
        times = times_to_bound(records).pivot(index="instance_digest", columns="label", values="seconds")
        steps = [str(label) for label in times.columns if str(label).startswith(SUBGRADIENT)]
        if times.empty or not steps or not {AD3, PUBLISHED} <= set(times.columns):
            return None
        return cls(times, reduce_cells(records), steps)


def sooner(own: pd.Series, other: pd.Series, whole: pd.Series, limit: float) -> SpeedUp | None:
    """How many times sooner the first is at its target. Where it never is, the time limit is its time; where the other never is,
    its whole run. Instances on which neither gets there tell nothing."""
    mine, theirs = own.where(np.isfinite(own), limit), other.where(np.isfinite(other), whole)
    usable = (np.isfinite(own) | np.isfinite(other)) & theirs.notna()
    if not usable.any():
        return None
    charged = usable & ~(np.isfinite(own) & np.isfinite(other))
    return SpeedUp(ratio_interval(theirs[usable], mine[usable]), WITHIN, int(usable.sum()), int(charged.sum()))
