"""What a measure of quality is printed in: shares of one as per cent, so that every table has the same unit, and a heading that says so."""

from __future__ import annotations

SHARES = frozenset(
    (
        "UAS",
        "ROUGE-1",
        "ROUGE-2",
        "ROUGE-L",
        "ROUGE-SU4",
        "compression rate",
        "unigram F1",
        "relation F1",
        "exact match",
    )
)
"""Measures that records keep as a share of one; all others are printed as they are."""
PRINTED = {"UAS": "%", "ROUGE-2": "%", "R-2": "%", "R-SU4": "%", "Pyr": "%", "LQ": "1 to 5"}
PRINTED |= dict.fromkeys(("C Rate", "F_uni", "RASP"), "share of 1")
"""Units that the papers' own headings leave out, by the last words of a heading."""


def with_unit(heading: str) -> str:
    """A paper's heading with the unit of its column, where it is known and not there yet."""
    unit = next((unit for name, unit in PRINTED.items() if f" {heading}".endswith(f" {name}")), "")
    return f"{heading} ({unit})" if unit else heading
