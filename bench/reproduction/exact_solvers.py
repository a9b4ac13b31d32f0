"""The fastest exact solver of each task and size, over all that were tried, and how far behind it the best of each other kind is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

import pandas as pd

from ..analysis.statistics.ratios import Race
from .standings import Contest, Standing, contests, interval_text, seconds_text

RACES = ("summarization-race", "extraction-race", "parsing-race", "compression-race", "transduction-solvers")
"""The experiments in which every exact solver runs."""
KINDS = {
    "commercial ILP": ("*lp-gurobi", "*lp-xpress"),
    "open ILP": ("ilp-*", "lp-*", "tree-ilp*"),
    "WCSP, MaxSAT": ("wcsp-*", "maxsat-*"),
    "combinatorial": ("*",),
}
"""Patterns of names; a solver is of the first kind that fits."""
HEADINGS = ["task", "size", "instances", "limit", "fastest exact solver", *KINDS]
NOTES = [
    "Median CPU time with its 95 % bootstrap interval over instances, of the solver that proves the most optima, then of the fastest.",
    "Other columns: of each kind the solver that proves the most, then the fastest, and how many times longer than the fastest exact solver it takes "
    "(median of the instances' ratios where at least one of the two proved the optimum, with its interval; a time limit that stopped one counts as its time, so that the "
    "ratio is then a bound); in brackets the optima that it proved, if not all. An LP that ends with integers has proved its optimum.",
    "A dash: none of the kind was tried at this size. skipped: none can say the problem, or its licence ends before.",
]


def kind_of(solver: str) -> str:
    return next(kind for kind, patterns in KINDS.items() if any(fnmatchcase(solver, each) for each in patterns))


def exact_rows(cells: pd.DataFrame, best: Mapping[str, float]) -> Iterator[list[str]]:
    """Rows below `HEADINGS`, one for each task and size with a proof."""
    for contest in contests(cells, best):
        if contest.proof is not None:
            part = cells[(cells["task"] == contest.task) & (cells["size"] == contest.size)]
            yield _row(contest, contest.proof, part, Race(part, best))


def _row(contest: Contest, first: Standing, cells: pd.DataFrame, race: Race) -> list[str]:
    fastest = f"{first.label}{first.share_proved}: {seconds_text(first.seconds)}"
    limits = ", ".join(f"{limit:g} s" for limit in sorted(set(cells["limit"])))
    start = [contest.task, contest.size, str(contest.instances), limits, fastest]
    of_kind: dict[str, list[Standing]] = {kind: [] for kind in KINDS}
    for each in contest.standings:
        of_kind[kind_of(race.solvers[each.label])].append(each)
    tried = set(cells["label"][cells["status"] != "skipped"])
    return [*start, *(_place(first, group, tried, race) for group in of_kind.values())]


def _place(first: Standing, group: list[Standing], tried: set[str], race: Race) -> str:
    """The best of a kind beside the fastest of all."""
    if first in group:
        return "the fastest"
    able = [each for each in group if each.label in tried]
    if not able:
        return "skipped" if group else "-"
    champion = min(able, key=lambda each: (-each.proved, each.seconds.value))
    if not champion.proved:
        return f"none: 0 of {champion.instances}"
    found = race.speed_up(first.label, champion.label, "optimal", everywhere=False)
    times = "" if found is None else f": {interval_text(found.times)}"
    return f"{champion.label}{champion.share_proved}{times}"
