"""The regret of `auto` as a table."""

from __future__ import annotations

from collections.abc import Iterable

from ..analysis.regret import ALL, Regret
from .table_columns import digits
from .tables import Table

HEADINGS = [
    "task",
    "target",
    "size",
    "instances",
    "missed",
    "auto ms",
    "virtual best ms",
    "ratio",
    "single best",
    "its ratio",
]


def regret_table(found: Iterable[Regret]) -> Table:
    """A row per target and size; the row of all sizes is what is judged."""
    rows: list[list[str]] = []
    for each in found:
        interval = f" [{digits(each.ratio.low)}, {digits(each.ratio.high)}]" if each.ratio.low == each.ratio.low else ""
        counts = [str(each.instances), str(each.missed or "")]
        times = [digits(1e3 * each.seconds), digits(1e3 * each.best), f"{digits(each.ratio.value)}{interval}"]
        rows.append([each.task, each.target, each.size, *counts, *times, each.single, digits(each.single_ratio)])
        rows += [[]] if each.size == ALL else []
    notes = [
        "Ratio: the total time of `auto` over that of the virtual best, the fastest solver of each instance that met the target; "
        "95 % bootstrap intervals over instances.",
        "Missed: instances on which `auto` missed the target and another solver did not. No answer, or no proof where one is asked "
        "for, counts as the time limit; an answer that loses too much is not part of the ratio. Single best: the one solver with "
        "the least total time on the same instances among those that miss no more.",
    ]
    return Table("The regret of auto", HEADINGS, rows, notes, left=3)
