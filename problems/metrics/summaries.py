"""The quality of a summary against its references: ROUGE recall as the papers report it."""

from __future__ import annotations

from collections.abc import Sequence

from .rouge import rouge

SUMMARY_METRICS = ("ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4")


def evaluate_summary(lines: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, float]:
    """ROUGE-1, -2, -L and -SU4 recall with the toolkit's default options; nothing without references."""
    if not references:
        return {}
    scores = rouge(list(lines), [list(reference) for reference in references])
    return {name: values["R"] for name, values in scores.items()}
