"""The audit of a loaded run: made once, when its result is first asked for, and read by table, plots, report and comparison."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

KEPT = "audit"

if TYPE_CHECKING:
    from ...records.frame import Records
    from . import AuditResult


def run_audit(records: Any) -> RunAudit | None:
    """The audit of the run that these records were loaded from; None of records that were made otherwise."""
    whole = getattr(records, "whole", None)
    if whole is None:
        return None
    if KEPT not in whole.kept:
        whole.kept[KEPT] = RunAudit(whole.records, whole.experiments)
    audit: RunAudit = whole.kept[KEPT]
    return audit


class RunAudit:
    """What the audit says of the records as they were loaded; parts of the frame share it."""

    def __init__(self, records: Records, experiments: list[dict[str, Any]]) -> None:
        self._records, self._experiments = records, experiments

    @cached_property
    def instances(self) -> dict[str, Any]:
        """The instances by digest, made again; those that cannot be had are left out."""
        from ...experiments.sources import instances_of

        return instances_of(self._records, self._experiments)

    @cached_property
    def result(self) -> AuditResult:
        from . import judge

        return judge(self._records, self.instances)
