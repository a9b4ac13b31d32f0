"""All cells of one instance against each other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...records.fields import NOT_KEPT
from .finding import Finding, Row, exceeds, finding_of, groups, has_objective, number


def claims_against_facts(group: list[Row], verified: set[str]) -> Iterable[Finding]:
    """Bounds, optima and infeasibility that a verified structure of anyone proves wrong."""
    best = max((row for row in group if row["key"] in verified), key=lambda row: row["objective"], default=None)
    if best is None:
        return
    proof = f"{best['label']} has a verified structure worth {best['objective']:.9g}"
    for alike in groups(group, "label"):
        optimum = [row for row in alike if row["status"] == "optimal" and exceeds(best, number(row["objective"]), row)]
        refuted = {row["key"] for row in optimum}
        bound = [row for row in alike if row["key"] not in refuted and exceeds(best, number(row["bound"]), row)]
        infeasible = [row for row in alike if _says_infeasible(row)]
        if optimum:
            yield finding_of("optimum", optimum, f"{optimum[0]['objective']:.9g} is not optimal: {proof}.")
        if bound:
            yield finding_of("bound", bound, f"the bound {bound[0]['bound']:.9g} is wrong: {proof}.")
        if infeasible:
            yield finding_of("infeasible", infeasible, f"the problem is not infeasible: {proof}.")


def claims_against_claims(group: list[Row], verified: set[str], refuted: set[str]) -> Iterable[Finding]:
    """What contradicts an objective that nobody could verify: one of the two is wrong, and nobody can tell which."""
    usable = [row for row in group if row["audit"] in ("ok", "") and row["key"] not in refuted]
    for claims in groups([row for row in usable if has_objective(row) and row["key"] not in verified], "label"):
        claim = max(claims, key=lambda row: row["objective"])
        for others in groups([row for row in usable if row["label"] != claim["label"]], "label"):
            for row in others:
                optimal = row["status"] == "optimal" and exceeds(claim, number(row["objective"]), row)
                if optimal or exceeds(claim, number(row["bound"]), row) or _says_infeasible(row):
                    said = (
                        "is infeasible"
                        if _says_infeasible(row)
                        else f"cannot exceed {number(row['objective'] if optimal else row['bound']):.9g}"
                    )
                    text = (
                        f"{claim['label']} claims {claim['objective']:.9g} without a verified structure, "
                        f"{row['label']} says the problem {said}: one of them is wrong."
                    )
                    yield finding_of("contradiction", [claim, row], text)
                    break


def _says_infeasible(row: Row) -> bool:
    """With a structure, `infeasible` speaks of that structure, not of the problem."""
    return row["status"] == "infeasible" and row["structure"] is None and NOT_KEPT not in row["message"]


def trace_findings(rows: list[Row], traces: Any, verified: set[str]) -> Iterable[Finding]:
    """Bounds in traces that a verified structure proves wrong.

    An answer below an objective of the trace is no contradiction: a later rounding may be worse than an earlier one.
    """
    if traces is None or not len(traces):
        return
    best: dict[str, Row] = {}
    for row in rows:
        if row["key"] in verified:
            known = best.get(row["instance_digest"])
            if known is None or row["objective"] > known["objective"]:
                best[row["instance_digest"]] = row
    lowest = traces.groupby("key")["bound"].min()
    for row in rows:
        fact = best.get(row["instance_digest"])
        bound = number(lowest.get(row["key"]))
        if fact is not None and exceeds(fact, bound, row):
            proof = f"{fact['label']} has a verified structure worth {fact['objective']:.9g}"
            yield finding_of("bound", [row], f"the bound {bound:.9g} in its trace is wrong: {proof}.")
