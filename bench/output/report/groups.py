"""What the page may put into one number: the cells of one task and one size, with their statistics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...analysis.statistics import Race, best_known, reduce_cells, summary
from ...experiments.presentation import baselines
from .catalog import Catalog

if TYPE_CHECKING:
    from ...records.frame import Records


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
                rows: dict[Any, Any] = summary(own, time, baselines(layout), layout.get("target", "auto")).to_dict(
                    "index"
                )
                yield Group(f"{place}|{number}", task, size, own, race, rows)
