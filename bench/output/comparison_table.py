"""The table of a comparison of two runs."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from ..analysis.comparison import ALL, THRESHOLD, Change, Comparison, Speed, compare
from ..records.log import load_run
from .tables import Table

SHOWN = 10
"""Changes of one direction that are told one by one."""


def run_compare(path_a: str | Path, path_b: str | Path, console: Console, threshold: float = THRESHOLD) -> int:
    """The command `compare`: print the table, return the exit code (1 if something got worse)."""
    runs = [load_run(path_a), load_run(path_b)]
    found = compare(runs[0], runs[1], threshold=threshold, names=(str(path_a), str(path_b)))
    comparison_table(found).show(console)
    return found.exit_code


def comparison_table(found: Comparison) -> Table:
    """One row per size and label, and what got worse or better as notes."""
    headings = [*found.fields, "solver", "cells", "first s", "second s", "ratio", "95 % interval", "margin", ""]
    rows: list[list[str]] = []
    for place, speed in enumerate(found.speeds):
        if place and (speed.label == ALL or speed.group != found.speeds[place - 1].group):
            rows.append([])
        rows.append([*speed.group, *_row(speed)])
    notes = [
        f"First: {found.names[0]}. Second: {found.names[1]}. {found.pairs} cells are in both.",
        f"Median {'CPU' if found.time == 'cpu' else 'wall-clock'} seconds over the instances that ended in both runs with "
        "equally good answers; "
        "the ratio is second / first, its interval a bootstrap over instances.",
        f"Slower or faster: the whole interval lies beyond the margin, which is {100 * found.threshold:g} % or the spread "
        "of the solver's repetitions where that is larger.",
    ]
    for missing, name in ((found.only_first, "first"), (found.only_second, "second")):
        if missing:
            cells = ", ".join(f"{count} of {label}" for label, count in missing.items())
            notes.append(f"Only in the {name} run: {cells}.")
    notes += [f"Warning: {warning}" for warning in found.warnings]
    for changes, word in ((found.regressions, "Worse"), (found.improvements, "Better")):
        notes += [f"{word}: {_sentence(change)}" for change in changes[:SHOWN]]
        if len(changes) > SHOWN:
            notes.append(f"{word}: {len(changes) - SHOWN} more.")
    if not found.regressions:
        notes.append("Nothing got worse.")
    return Table("Comparison of two runs", headings, rows, notes, left=1 + len(found.fields))


def _row(speed: Speed) -> list[str]:
    if not speed.pairs:
        return [speed.label, "0", "-", "-", "-", "-", "-", ""]
    interval = f"[{speed.ratio.low:.3g}, {speed.ratio.high:.3g}]" if speed.ratio.low == speed.ratio.low else "-"
    times = [f"{speed.first:.4g}", f"{speed.second:.4g}", f"{speed.ratio.value:.3g}"]
    return [speed.label, str(speed.pairs), *times, interval, f"{100 * speed.margin:.0f} %", speed.change]


def _sentence(change: Change) -> str:
    where = f" on {change.instance}" if change.instance else ""
    return f"{change.label}{where}: {change.text}"
