"""Cells against each other and against the library: claims about one instance, repetitions that differ, labels that stand for different
things, and instances whose optimum is known.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from problems.library import PREFIX, Known, by_digest

from ...records.fields import NOT_KEPT
from .cells import Finding, Row, exceeds, finding_of, groups, has_objective, magnitude, number


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
    facts = groups([row for row in rows if row["key"] in verified], "instance_digest")
    best = {group[0]["instance_digest"]: max(group, key=lambda row: row["objective"]) for group in facts}
    lowest = traces.groupby("key")["bound"].min()
    for row in rows:
        fact = best.get(row["instance_digest"])
        bound = number(lowest.get(row["key"]))
        if fact is not None and exceeds(fact, bound, row):
            proof = f"{fact['label']} has a verified structure worth {fact['objective']:.9g}"
            yield finding_of("bound", [row], f"the bound {bound:.9g} in its trace is wrong: {proof}.")


def repetition_findings(group: list[Row]) -> Iterable[Finding]:
    """Repetitions that ended differently although no limit had a hand in it."""
    free = [row for row in group if not _limited(row)]
    if len({row["repetition"] for row in free}) < 2:
        return
    statuses = sorted({str(row["status"]) for row in free})
    if len(statuses) > 1:
        yield finding_of("repetitions", free, f"repetitions ended as {' and as '.join(statuses)}.", "warning")
    values = [row for row in free if has_objective(row)]
    if values:
        low, high = (choose(values, key=lambda row: row["objective"]) for choose in (min, max))
        if exceeds(high, low["objective"], low):
            text = f"repetitions gave objectives from {low['objective']:.9g} to {high['objective']:.9g}."
            yield finding_of("repetitions", values, text, "warning")


def _limited(row: Row) -> bool:
    """Could a limit, of the harness or of the solver itself, have decided how this cell ended?"""
    if row["limit_hit"] or row["status"] in ("timeout", "memout", "skipped"):
        return True
    return row["status"] != "optimal" and any("limit" in name and value for name, value in row["options"].items())


def mixed_findings(group: list[Row]) -> Iterable[Finding]:
    """One label that stands for different solvers: another version, or other options."""
    versions = sorted({str(row["solver_version"]) for row in group})
    if len(versions) > 1:
        text = f"cells of different versions share this label: {', '.join(versions)}."
        yield finding_of("mixed", group, text, "warning")
    if len({json.dumps([row["solver"], _settings(row)], sort_keys=True, default=str) for row in group}) > 1:
        yield finding_of("mixed", group, "cells of different solvers or options share this label.", "warning")


def _settings(row: Row) -> dict[str, Any]:
    """The options, without the value of a target that is each instance's own."""
    options: dict[str, Any] = dict(row["options"])
    if options.get("bound_target") is not None:
        options["bound_target"] = "set"
    return options


def library_findings(rows: list[Row], verified: set[str]) -> Iterable[Finding]:
    """Proofs and bounds that the library's value refutes, and structures that are worth more than it says is possible."""
    known_by = by_digest()
    for row in rows:
        known = known_by.get(row["instance_digest"])
        if known is not None:
            yield from _against(row, known, row["key"] in verified)


def _against(row: Row, known: Known, is_verified: bool) -> Iterable[Finding]:
    best: Row = {"objective": known.objective, "magnitude": magnitude(row)}
    fact = f"{PREFIX}{known.name} has a structure worth {known.objective:.9g}"
    if row["status"] == "optimal" and exceeds(best, number(row["objective"]), row):
        yield finding_of("optimum", [row], f"{row['objective']:.9g} is not optimal: {fact}.")
    elif exceeds(best, number(row["bound"]), row):
        yield finding_of("bound", [row], f"the bound {row['bound']:.9g} is wrong: {fact}.")
    if not is_verified:
        return
    if known.is_proved and exceeds(row, known.objective, row):
        proved = " and ".join(known.proved_by[:2])
        text = f"worth {row['objective']:.9g}, more than the optimum {known.objective:.9g} that {proved} proved of {PREFIX}{known.name}."
        yield finding_of("library", [row], text)
    elif exceeds(row, known.objective, row):
        text = f"worth {row['objective']:.9g}: better than the best known value {known.objective:.9g} of {PREFIX}{known.name}."
        yield finding_of("library", [row], text, "warning")
