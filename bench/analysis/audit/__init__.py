"""No solver is trusted: structures are scored again, and claims about one instance are held against each other.

A feasible structure that was scored again is a fact; a bound, "optimal" and "infeasible" are claims. A claim that a fact
contradicts is wrong, and we can say whose it is. Two claims that contradict each other leave both in doubt.

A loaded run is audited once, when its result is first asked for; table, plots, report and comparison read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from ...experiments.sources import instances_of
from ...records.frame import Records
from .cells import (
    Finding,
    Row,
    Scorer,
    cell_findings,
    clock_findings,
    disagreements,
    groups,
    has_objective,
    self_contradictions,
    untimed_findings,
)
from .contradictions import (
    claims_against_claims,
    claims_against_facts,
    library_findings,
    mixed_findings,
    repetition_findings,
    trace_findings,
)

Instances = Mapping[str, Any] | Callable[[str], Any]
"""Instances by digest; None or a missing key where an instance cannot be had."""


class AuditResult(NamedTuple):
    """Everything that is wrong, errors first, and the keys of cells whose structure is feasible and worth its objective."""

    findings: list[Finding]
    verified: set[str]

    @property
    def errors(self) -> dict[str, str]:
        """By key, the first thing that is wrong with a cell."""
        blamed = [f for f in self.findings if f.severity == "error" and f.kind != "doubt"]
        return {key: finding.text for finding in reversed(blamed) for key in finding.keys}


def audit(records: Any, instances: Instances | None = None) -> list[Finding]:
    """Everything that is wrong with these records, errors first."""
    return _result(records, instances).findings


def instances_for(records: Any) -> Mapping[str, Any]:
    """The instances of a loaded run, as its audit has them; none of records that were made otherwise."""
    own = run_audit(records)
    return own.instances if own is not None else {}


def _result(records: Any, instances: Instances | None) -> AuditResult:
    """The one of the loaded run, unless instances are given or the records were made otherwise."""
    own = run_audit(records)
    return own.result if own is not None and instances is None else judge(records, instances)


def judge(records: Any, instances: Instances | None) -> AuditResult:
    """Hold records against the instances and against each other."""
    rows: list[Row] = records.to_dict("records")
    findings = [*cell_findings(rows)]
    verified = {row["key"] for row in rows if row.get("verified", row["audit"] == "ok") and has_objective(row)}
    refuted: set[str] = set()
    scored: set[str] = set()
    scorer = Scorer()
    for row in rows:
        instance = _instance(instances, row)
        if instance is None:
            continue
        scored.add(row["key"])
        again = scorer.findings(row, instance)
        findings += again
        if again:
            refuted.add(row["key"])
        elif has_objective(row):
            verified.add(row["key"])
    unscored = [row for row in rows if row["key"] not in scored and "verified" not in row]
    for group in groups(unscored, "instance_digest"):
        alone = [*self_contradictions(group)]
        refuted |= {key for finding in alone for key in finding.keys}
        doubts = [*disagreements([row for row in group if row["key"] not in refuted])]
        refuted |= {key for finding in doubts for key in finding.keys}
        findings += [*alone, *doubts]
    verified -= refuted
    for group in groups(rows, "instance_digest"):
        proved = [*claims_against_facts(group, verified)]
        doubtful = refuted | {key for finding in proved for key in finding.keys}
        findings += [*proved, *claims_against_claims(group, verified, doubtful)]
    findings += library_findings(rows, verified)
    findings += trace_findings(rows, getattr(records, "traces", None), verified)
    for group in groups(rows, "label", "instance_digest"):
        findings += [*repetition_findings(group), *mixed_findings(group)]
    findings += [*clock_findings(rows), *untimed_findings(rows)]
    return AuditResult(sorted(findings, key=lambda finding: finding.severity != "error"), verified)


def has_errors(findings: Iterable[Finding]) -> bool:
    """Must the command exit with a code other than 0?"""
    return any(finding.severity == "error" for finding in findings)


def with_audit(records: Any, instances: Instances | None = None) -> Any:
    """A copy whose column `audit` also tells what other solvers and a second scoring say against a cell.

    The new column `verified` keeps what is known of structures: a cell with a wrong bound may still have the best one.
    A loaded run is audited once, with the instances where they can be made; its parts and plots read that result.
    """
    result = _result(records, instances)
    errors = result.errors
    copy = records.copy(deep=False)
    copy["audit"] = [errors.get(key, said) for key, said in zip(records["key"], records["audit"], strict=True)]
    copy["verified"] = [key in result.verified for key in records["key"]]
    return copy


def _instance(instances: Instances | None, row: Row) -> Any:
    if instances is None:
        return None
    digest = row["instance_digest"]
    return instances(digest) if callable(instances) else instances.get(digest)


__all__ = ["AuditResult", "Finding", "audit", "has_errors", "instances_for", "judge", "with_audit"]


KEPT = "audit"


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
        return instances_of(self._records, self._experiments)

    @cached_property
    def result(self) -> AuditResult:
        return judge(self._records, self.instances)
