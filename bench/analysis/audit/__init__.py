"""No solver is trusted: structures are scored again, and claims about one instance are held against each other.

A feasible structure that was scored again is a fact; a bound, "optimal" and "infeasible" are claims. A claim that a fact
contradicts is wrong, and we can say whose it is. Two claims that contradict each other leave both in doubt.

A loaded run is audited once, when its result is first asked for; table, plots, report and comparison read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, partial
from typing import Any, NamedTuple

from ...experiments.sources import instances_of
from . import cells, contradictions
from .cells import Finding, Row, groups, has_objective

Instances = Mapping[str, Any]
"""Instances by digest, as far as they can be had."""


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
    return _audit_of(records, instances).result.findings


def instances_for(records: Any) -> Instances:
    """The instances of a loaded run, as its audit has them; none of records that were made otherwise."""
    return _audit_of(records).instances


def judge(records: Any, instances: Instances) -> AuditResult:
    """Hold records against the instances and against each other."""
    rows: list[Row] = records.to_dict("records")
    findings = [*cells.cell_findings(rows)]
    verified = {row["key"] for row in rows if row.get("verified", row["audit"] == "ok") and has_objective(row)}
    refuted: set[str] = set()
    scored: set[str] = set()
    scorer = cells.Scorer()
    for row in rows:
        instance = instances.get(row["instance_digest"])
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
        alone = [*cells.self_contradictions(group)]
        refuted |= {key for finding in alone for key in finding.keys}
        doubts = [*cells.disagreements([row for row in group if row["key"] not in refuted])]
        refuted |= {key for finding in doubts for key in finding.keys}
        findings += [*alone, *doubts]
    verified -= refuted
    for group in groups(rows, "instance_digest"):
        proved = [*contradictions.claims_against_facts(group, verified)]
        doubtful = refuted | {key for finding in proved for key in finding.keys}
        findings += [*proved, *contradictions.claims_against_claims(group, verified, doubtful)]
    findings += contradictions.library_findings(rows, verified)
    findings += contradictions.trace_findings(rows, getattr(records, "traces", None), verified)
    for group in groups(rows, "label", "instance_digest"):
        findings += [*contradictions.repetition_findings(group), *contradictions.mixed_findings(group)]
    findings += [*cells.clock_findings(rows), *cells.untimed_findings(rows)]
    return AuditResult(sorted(findings, key=lambda finding: finding.severity != "error"), verified)


def has_errors(findings: Iterable[Finding]) -> bool:
    """Must the command exit with a code other than 0?"""
    return any(finding.severity == "error" for finding in findings)


def with_audit(records: Any, instances: Instances | None = None) -> Any:
    """A copy whose column `audit` also tells what other solvers and a second scoring say against a cell.

    The new column `verified` keeps what is known of structures: a cell with a wrong bound may still have the best one.
    A loaded run is audited once, with the instances where they can be made; its parts and plots read that result.
    """
    result = _audit_of(records, instances).result
    errors = result.errors
    copy = records.copy(deep=False)
    copy["audit"] = [errors.get(key, said) for key, said in zip(records["key"], records["audit"], strict=True)]
    copy["verified"] = [key in result.verified for key in records["key"]]
    return copy


def _audit_of(records: Any, instances: Instances | None = None) -> _Audit:
    """That of the loaded run, unless instances are given or the records were made otherwise."""
    whole = getattr(records, "whole", None)
    if whole is None or instances is not None:
        return _Audit(records, lambda: instances or {})
    own = _Audit(whole.records, partial(instances_of, whole.records, whole.experiments))
    found: _Audit = whole.kept.setdefault("audit", own)
    return found


class _Audit:
    """Records with their instances by digest, which are made when somebody asks for them, and what is wrong with them."""

    def __init__(self, records: Any, make: Callable[[], Instances]) -> None:
        self._records, self._make = records, make

    @cached_property
    def instances(self) -> Instances:
        return self._make()

    @cached_property
    def result(self) -> AuditResult:
        return judge(self._records, self.instances)
