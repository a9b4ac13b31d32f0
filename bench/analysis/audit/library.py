"""Cells of instances whose optimum the library knows."""

from __future__ import annotations

from collections.abc import Iterable

from problems.library import PREFIX, Known, by_digest

from .finding import Finding, Row, exceeds, finding_of, magnitude, number


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
