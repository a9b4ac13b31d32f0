"""What the parts of a page share: its names, each once, to which it refers by number; the cells of one task and one size with their
statistics, which are what may be put into one number; and numbers as a reader wants them, with three significant digits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from ...analysis.groups import in_order
from ...analysis.statistics.cells import best_known, reduce_cells
from ...analysis.statistics.ratios import Race
from ...analysis.statistics.summary import summary
from ...experiments.presentation import baselines
from ...records.fields import STATUSES
from ...records.frame import Records


@dataclass(frozen=True)
class Catalog:
    """Tasks, solver labels and instances in order of appearance; sizes and statuses in their usual order."""

    tasks: list[str]
    sizes: list[str]
    labels: list[str]
    instances: list[str]
    statuses: list[str]
    messages: list[str]  # texts of the solvers and of the audit; the first is empty


def catalog_of(records: Records) -> Catalog:
    """The names that occur in these records."""
    planned = list(dict.fromkeys(solver.get("label", "") for solver in records.experiment.get("solvers", [])))
    found = list(dict.fromkeys(records["label"]))
    return Catalog(
        tasks=list(dict.fromkeys(records["task"])),
        sizes=in_order(records["size"]),
        labels=[label for label in planned if label in found] + [label for label in found if label not in planned],
        instances=list(dict.fromkeys(records["instance"])),
        statuses=sorted(dict.fromkeys(records["status"]), key=lambda status: (*STATUSES, status).index(status)),
        messages=list(dict.fromkeys(["", *records["message"], *records["audit"]])),
    )


Summary = dict[str, dict[str, Any]]
"""The rows of `bench.analysis.statistics.summary` by label."""


@dataclass(frozen=True)
class Group:
    """One size of a task. Times to a target are the race's."""

    key: str
    task: str
    size: str
    records: Records
    race: Race
    summary: Summary


def groups_of(records: Records, catalog: Catalog, time: str) -> Iterator[Group]:
    """The sizes of each task, with the baselines and the target of the experiment's table."""
    layout = records.experiment.get("table") or {}
    best = best_known(records)
    for place, task in enumerate(catalog.tasks):
        for number, size in enumerate(catalog.sizes):
            own: Records = records[(records["task"] == task) & (records["size"] == size)]
            if len(own):
                race = Race(reduce_cells(own, time), best)
                rows = summary(own, time, baselines(layout), layout.get("target", "auto"))
                yield Group(f"{place}|{number}", task, size, own, race, cast(Summary, rows.to_dict("index")))


NONE = "\N{EN DASH}"


def present(value: float | None) -> bool:
    """Is there a number?"""
    return value is not None and math.isfinite(value)


def number(value: float | None, digits: int = 3) -> str:
    """A number with so many significant digits (an `int` is exact and has no decimals)."""
    if value is None or math.isnan(value):
        return NONE
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if value == 0:
        return "0"
    size = abs(value)
    if size < 1e-4 or size >= 1e7:
        mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
        return f"{mantissa}e{int(exponent)}"
    decimals = max(0, digits - 1 - math.floor(math.log10(size)))
    return f"{value:,.{0 if isinstance(value, int) else decimals}f}"


def seconds(value: float | None) -> str:
    """A time with its unit."""
    if value is None or not math.isfinite(value):
        return number(value)
    return f"{number(value * 1000)} ms" if value < 1 else f"{number(value)} s"


def counted(count: int, noun: str) -> str:
    """`1 cell`, `2 cells`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def listed(names: list[str], most: int = 6) -> str:
    """Names in a sentence; a long list is cut and says so."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
