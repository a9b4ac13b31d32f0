"""What a run shows, in sentences: the fastest solver of each size, by how much, and who failed."""

from __future__ import annotations

import math

from ...analysis.statistics.ratios import SHARE, Target
from ...records.fields import FAILURES
from .catalog import Group, counted, listed, number, present, seconds

DEEDS: dict[Target, tuple[str, str]] = {
    "optimal": ("prove optimality on", "proves"),
    SHARE: (f"come within {100 * SHARE:g} % of the best known objective on", f"comes within {100 * SHARE:g} % of it"),
}
"""Targets that solvers are compared at, and what it is to reach one."""


def headline(group: Group) -> list[str]:
    """Sentences about one size. Solvers that reach a target on more instances come first, then the faster ones."""
    count = group.race.cells["instance_digest"].nunique()
    if not count:
        return ["There is no untraced cell, so that there are no times to compare."]
    ranked = {target: _ranked(group, target) for target in DEEDS}
    sentences = _race(group, "optimal", ranked["optimal"], count)
    if not ranked["optimal"]:
        sentences = [f"No solver proved an optimum on any of the {counted(count, 'instance')}."]
    if [*ranked[SHARE]][:1] != [*ranked["optimal"]][:1]:
        sentences += _race(group, SHARE, ranked[SHARE], count)
    return [*sentences, *_failures(group, count)]


def _ranked(group: Group, target: Target) -> dict[str, int]:
    """Labels and how often they reach the target: most instances first, among equals the smallest shifted geometric mean."""
    times = group.race.times(target)
    found = {str(label): sum(map(math.isfinite, times[label])) for label in times.columns}
    some = [label for label in found if found[label] and present(group.summary[label]["sgm"])]
    return {label: found[label] for label in sorted(some, key=lambda one: (-found[one], group.summary[one]["sgm"]))}


def _race(group: Group, target: Target, ranked: dict[str, int], count: int) -> list[str]:
    if not ranked:
        return []
    verb, does = DEEDS[target]
    first, *others = ranked
    most = ranked[first]
    equals = [label for label in ranked if ranked[label] == most]
    how_many = f"all {counted(count, 'instance')}" if most == count else f"{most:,} of {counted(count, 'instance')}"
    if count == 1:
        how_many = "the only instance"
    took = f"shifted geometric mean {seconds(group.summary[first]['sgm'])}"
    lead = f"Of the {len(equals)} solvers that {verb} {how_many}, {first} is the fastest ({took})."
    if len(equals) == 1:
        lead = f"The only solver to {verb} {how_many} is {first} ({took})."
    if most < count and len(equals) == 1:
        lead = f"Most often, on {how_many}, {first} {does} ({took})."
    return [lead, *([_against(group, target, first, others[0], most - ranked[others[0]])] if others else [])]


def _against(group: Group, target: Target, first: str, second: str, fewer: int) -> str:
    """How many times as long the next one takes, instance by instance."""
    behind = f", which does so on {counted(fewer, 'instance')} fewer," if fewer else ","
    found = group.race.speed_up(first, second, target)
    if found is None:
        return f"The next is {second}{behind.rstrip(',')}: no ratio of their times is among equals."
    times, low, high = found.times
    interval = f", 95 % interval {number(low)} to {number(high)}" if present(low) else ""
    charged = f", {found.charged} of them with a time limit" if found.charged else ""
    said = f"(median of {counted(found.pairs, 'paired ratio')}{charged}{interval})"
    if present(low) and low <= 1 <= high:
        return f"The next, {second}{behind} does not clearly differ: {number(times)} times its time {said}."
    if times < 1:
        inverse = f" (95 % interval {number(1 / high)} to {number(1 / low)})" if present(low) else ""
        return f"The next, {second}{behind} is {number(1 / times)} times as fast in the median{inverse}."
    return f"The next, {second}{behind} takes {number(times)} times as long {said}."


def _failures(group: Group, count: int) -> list[str]:
    missed, untried = [], []
    answered = group.race.cells[group.race.cells["answered"].astype(bool)]["label"].value_counts()
    for label, row in group.summary.items():
        cells = int(row["cells"])
        if cells < count:
            untried.append(f"{label} ({count - cells:,})")
        if cells > answered.get(label, 0):
            kinds = [f"{int(row[status])} {status}" for status in (*FAILURES, "wrong") if row[status]]
            known = f" ({', '.join(kinds)})" if kinds else ""
            missed.append(f"{label} on {cells - answered.get(label, 0):,} of {cells:,}{known}")
    sentences = [f"No valid answer: {listed(missed, most=20)}."] if missed else []
    return [*sentences, *([f"Instances not tried: {listed(untried, most=20)}."] if untried else [])]
