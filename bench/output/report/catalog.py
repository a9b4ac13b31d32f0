"""The names of a report, each once: the page refers to them by number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...analysis.groups import in_order
from ...records.fields import STATUSES

if TYPE_CHECKING:
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
