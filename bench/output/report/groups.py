"""What the page can show together: one task, all its sizes or one of them, with the statistics of both kinds of success."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...analysis.statistics import reduce_cells, summary
from .catalog import Catalog

if TYPE_CHECKING:
    import pandas as pd

    from ...records.frame import Records


Summary = dict[str, dict[str, Any]]
"""The rows of `bench.analysis.statistics.summary` by label."""


@dataclass(frozen=True)
class Group:
    """`size` None is all sizes of the task. `answered` and `proved` are summaries: any valid answer, or a proof, solves."""

    key: str
    task: str
    size: str | None
    records: Records
    cells: pd.DataFrame
    answered: Summary
    proved: Summary


def groups_of(records: Records, catalog: Catalog, time: str) -> Iterator[Group]:
    """Each task as a whole, followed by its sizes where it has several."""
    cells = reduce_cells(records, time)
    for place, task in enumerate(catalog.tasks):
        own: Records = records[records["task"] == task]
        present = set(own["size"])
        sizes = [size for size in catalog.sizes if size in present]
        yield _group(str(place), task, None, own, cells, time)
        if len(catalog.sizes) > 1:
            for size in sizes:
                yield _group(f"{place}|{catalog.sizes.index(size)}", task, size, own[own["size"] == size], cells, time)


def _group(key: str, task: str, size: str | None, own: Records, cells: pd.DataFrame, time: str) -> Group:
    chosen = cells[(cells["task"] == task) & ((cells["size"] == size) | (size is None))]
    return Group(key, task, size, own, chosen, summarized(own, time), summarized(own, time, solved={"optimal"}))


def summarized(records: Records, time: str, **options: Any) -> Summary:
    """The summary as plain rows."""
    rows: dict[Any, Any] = summary(records, time, **options).to_dict("index")
    return {str(label): row for label, row in rows.items()}
