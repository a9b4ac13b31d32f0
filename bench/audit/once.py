"""The audit of a loaded run: made once, when its result is first asked for, and read by table, plots, report and comparison."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from .finding import Finding

if TYPE_CHECKING:
    from ..frames import Records
    from . import Verdict


class RunAudit:
    """What the audit says of the records as they were loaded; parts of the frame share it."""

    def __init__(self, records: Records, experiments: list[dict[str, Any]]) -> None:
        self._records, self._experiments = records, experiments

    @cached_property
    def instances(self) -> dict[str, Any]:
        """The instances by digest, made again; those that cannot be had are left out."""
        from ..sources import instances_of

        return instances_of(self._records, self._experiments)

    @cached_property
    def verdict(self) -> Verdict:
        from . import judge

        return judge(self._records, self.instances)

    @property
    def findings(self) -> list[Finding]:
        return self.verdict.findings
