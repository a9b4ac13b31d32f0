"""No solver is trusted: structures are scored again, and claims about one instance are held against each other.

A feasible structure that was scored again is a fact; a bound, "optimal" and "infeasible" are claims. A claim that a fact
contradicts is wrong, and we can say whose it is. Two claims that contradict each other leave both in doubt.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from .claims import claims_against_claims, claims_against_facts, trace_findings
from .finding import Finding, Row, groups, has_objective
from .one_cell import cell_findings, clock_findings, score_again, tuples
from .repetitions import mixed_findings, repetition_findings

Instances = Mapping[str, Any] | Callable[[str], Any]
"""Instances by digest; None or a missing key where an instance cannot be had."""
EXAMPLES = 3


def audit(records: Any, instances: Instances | None = None) -> list[Finding]:
    """Everything that is wrong with these records, errors first."""
    return _audit(records, instances)[0]


def _audit(records: Any, instances: Instances | None) -> tuple[list[Finding], set[str]]:
    """The findings, and the keys of all cells whose structure is known to be feasible and worth its objective."""
    rows: list[Row] = records.to_dict("records")
    findings = [*cell_findings(rows)]
    verified = {row["key"] for row in rows if row.get("verified", row["audit"] == "ok") and has_objective(row)}
    refuted: set[str] = set()
    for row in rows:
        instance = _instance(instances, row)
        if instance is None or row["structure"] is None:
            continue
        again = score_again(row, instance)
        findings += again
        if again:
            refuted.add(row["key"])
        elif has_objective(row):
            verified.add(row["key"])
    verified -= refuted
    for group in groups(rows, "instance_digest"):
        proved = [*claims_against_facts(group, verified)]
        doubtful = refuted | {key for finding in proved for key in finding.keys}
        findings += [*proved, *claims_against_claims(group, verified, doubtful)]
    findings += trace_findings(rows, getattr(records, "traces", None), verified)
    for group in groups(rows, "label", "instance_digest"):
        findings += [*repetition_findings(group), *mixed_findings(group)]
    findings += clock_findings(rows)
    return sorted(findings, key=lambda finding: finding.severity != "error"), verified


def has_errors(findings: Iterable[Finding]) -> bool:
    """Must the command exit with a code other than 0?"""
    return any(finding.severity == "error" for finding in findings)


def with_audit(records: Any, instances: Instances | None = None) -> Any:
    """A copy whose column `audit` also tells what other solvers and a second scoring say against a cell.

    The new column `verified` keeps what is known of structures: a cell with a wrong bound may still have the best one.
    """
    findings, verified = _audit(records, instances)
    errors: dict[str, str] = {}
    for finding in findings:
        if finding.severity == "error":
            for key in finding.keys:
                errors.setdefault(key, finding.text)
    copy = records.copy()
    copy["audit"] = [errors.get(key, said) for key, said in zip(records["key"], records["audit"], strict=True)]
    copy["verified"] = [key in verified for key in records["key"]]
    return copy


def show(findings: Iterable[Finding], console: Console) -> None:
    """Print findings, errors in red; of many alike only the first few and their number."""
    alike: dict[tuple[str, str, tuple[str, ...]], list[Finding]] = defaultdict(list)
    for finding in findings:
        alike[finding.severity, finding.kind, finding.labels].append(finding)
    for (severity, _, _), group in sorted(alike.items(), key=lambda item: item[0][0]):
        style = "bold red" if severity == "error" else "yellow"
        for finding in group[:EXAMPLES]:
            said = f"{severity}: {finding.instance}: {', '.join(finding.labels)}: {finding.text}"
            console.print(Text(said, style=style), soft_wrap=True)
        if len(group) > EXAMPLES:
            console.print(
                Text(f"{severity}: ... and {len(group) - EXAMPLES} more like this.", style=style), soft_wrap=True
            )


def _instance(instances: Instances | None, row: Row) -> Any:
    if instances is None:
        return None
    digest = row["instance_digest"]
    return instances(digest) if callable(instances) else instances.get(digest)


__all__ = ["Finding", "audit", "has_errors", "show", "tuples", "with_audit"]
