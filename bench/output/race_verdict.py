"""Who won a race, in sentences: for each size the fastest of those that answer best, and how the others compare.

Ratios are those of `bench.analysis.statistics.ratios`: among answers of the same quality, instance by instance, never over sizes.
A single instance has no interval over instances; it is taken over repetitions, and the last line says so.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ..analysis.audit import with_audit
from ..analysis.statistics.ratios import SHARE, Target
from ..analysis.statistics.repetitions import repetition_ratio
from ..analysis.statistics.values import Interval
from ..records.fields import FAILURES
from ..records.frame import Records
from .report.catalog import Group, catalog_of, counted, groups_of, listed, number, present, seconds
from .table_columns import percent

OVER_REPETITIONS = "With one instance, intervals (95 %) are over repetitions: they speak of this instance only."
OVER_INSTANCES = "Intervals (95 %) are over instances."
FEW = "Of fewer than 6 values, an interval is little more than their range."
FEWEST = 6


class Ratio(NamedTuple):
    """How many times as fast the winner is, at which quality; `charged` of `pairs` have a time limit in place of a time."""

    times: Interval
    target: Target
    pairs: int
    charged: int

    @property
    def unclear(self) -> bool:
        return present(self.times.low) and self.times.low <= 1 <= self.times.high

    @property
    def inverse(self) -> Ratio:
        value, low, high = self.times
        return self._replace(times=Interval(1 / value, 1 / high, 1 / low))

    def __str__(self) -> str:
        value, low, high = self.times
        interval = f" [{number(low)}, {number(high)}]" if present(low) else ""
        return f"{number(value)}{interval} times as fast"


def verdicts(records: Records) -> list[str]:
    """Lines for a terminal: the winner of each size, then every other solver against it."""
    if records.empty:
        return ["Nothing was recorded, so nobody won."]
    checked = with_audit(records)
    groups = list(groups_of(checked, catalog_of(checked), "cpu"))
    lines: list[str] = []
    for group in groups:
        first, *others = _verdict(group)
        lines += [f"{group.size}: {first}" if len(groups) > 1 else first, *others]
    return [*lines, *_intervals(groups)]


def _intervals(groups: list[Group]) -> list[str]:
    """What the intervals are taken over, and whether there is little to take them over."""
    counts = [int(group.race.cells["instance_digest"].nunique()) for group in groups]
    rounds = [
        int(group.race.cells["repetitions"].max()) for group, count in zip(groups, counts, strict=True) if count == 1
    ]
    said = [OVER_INSTANCES] if any(count > 1 for count in counts) else []
    said += [OVER_REPETITIONS] if rounds else []
    few = any(1 < count < FEWEST for count in counts) or any(1 < many < FEWEST for many in rounds)
    return [*said, *([FEW] if few else [])]


def _verdict(group: Group) -> list[str]:
    count = group.race.cells["instance_digest"].nunique()
    if not count:
        return ["there is no untraced cell, so nobody won."]
    targets: tuple[Target, ...] = ("optimal", SHARE)
    ranked = {target: _ranked(group, target) for target in targets}
    target = next((target for target in targets if ranked[target]), None)
    if target is None:
        return ["nobody won: no solver has a valid answer."]
    first = ranked[target][0]
    ratios = {label: ratio_to(group, first, label) for label in group.summary if label != first}
    lines = [
        _winner(group, target, first, count, [label for label, found in ratios.items() if found and found.unclear])
    ]
    order = sorted(ratios, key=lambda label: found.times.value if (found := ratios[label]) else math.inf)
    lines += [f"  {_against(group, label, ratios[label])}" for label in order]
    quick = ranked[SHARE][0]
    if quick != first and _often(group, SHARE, quick) == _often(group, SHARE, first):
        found = ratio_to(group, quick, first, SHARE)
        if found is not None and found.times.value > 1 and not found.unclear:
            lines.append(f"Without a proof, {quick} is {found}{_at(SHARE)}{_basis(group, found)}.")
    return lines


def ratio_to(group: Group, own: str, other: str, target: Target | None = None) -> Ratio | None:
    """`Race.speed_up`, with an interval over repetitions where there is one instance."""
    found = group.race.speed_up(own, other, target or "auto")
    if found is None:
        return None
    if group.records["instance_digest"].nunique() == 1 and not found.charged:
        return Ratio(repetition_ratio(group.records, own, other), *found[1:])
    return Ratio(*found)


def _often(group: Group, target: Target, label: str) -> int:
    """On how many instances a solver reaches a target."""
    return sum(map(math.isfinite, group.race.times(target)[label])) if label in group.race.solvers else 0


def _ranked(group: Group, target: Target) -> list[str]:
    """Labels that reach the target: on most instances first, among equals by their shifted geometric mean."""
    labels = [label for label in group.summary if _often(group, target, label) and present(group.summary[label]["sgm"])]
    return sorted(labels, key=lambda label: (-_often(group, target, label), group.summary[label]["sgm"]))


def _winner(group: Group, target: Target, first: str, count: int, close: list[str]) -> str:
    reached = _often(group, target, first)
    where = f"all {count} instances" if reached == count else f"{reached} of {counted(count, 'instance')}"
    where = "the instance" if count == 1 else where
    deed = "proved optimal" if target == "optimal" else f"solved{_at(target)}"
    lead = f" without a clear lead over {listed(close)}" if close else ""
    return f"{first} wins{lead}: {where} {deed}, {_median(group.summary[first])}."


def _median(row: dict[str, Any]) -> str:
    ends = row["median_low"], row["median_high"]
    interval = f" [{seconds(ends[0])}, {seconds(ends[1])}]" if all(map(present, ends)) else ""
    return f"median {seconds(row['median'])}{interval} of CPU time"


def _at(target: Target) -> str:
    return "" if target == "optimal" else f" to within {100 * float(target):g} % of the best known objective"


def _against(group: Group, label: str, found: Ratio | None) -> str:
    """What the winner is to one other solver: a ratio among equals, or why there is none."""
    if found is None:
        return f"no ratio to {label}: {_why_none(group, label)}"
    said = f"{_at(found.target)}{_basis(group, found)}"
    return f"{label} is {found.inverse}{said}" if found.times.value < 1 else f"{found} as {label}{said}"


def _basis(group: Group, found: Ratio) -> str:
    """On how many instances a ratio rests where it is not all, and where times are limits."""
    instances = group.race.cells["instance_digest"].nunique()
    said = [f"on {found.pairs} of {counted(instances, 'instance')}"] if found.pairs < instances else []
    said += [f"{found.charged} of {found.pairs} pairs count a time limit"] if found.charged else []
    return f" ({'; '.join(said)})" if said else ""


def _why_none(group: Group, label: str) -> str:
    row = group.summary[label]
    failed = [f"{int(row[status])} {status}" for status in (*FAILURES, "wrong") if row[status]]
    reasons = [f"{', '.join(failed)} of {counted(int(row['cells']), 'instance')}"] if failed else []
    if row["relaxed"]:
        reasons.append(f"no feasible structure on {counted(int(row['relaxed']), 'instance')}")
    if present(row["share"]) and row["share"] < 100:
        reasons.append(f"its answers are worth {percent(row['share'])} % of the best known objective")
    return "; ".join(reasons) or "it did not answer with the same quality"
