"""What a comparison of two runs found, and the table that says it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from .tables import Table

if TYPE_CHECKING:
    from .statistics import Interval

SHOWN = 10
"""Changes of one direction that are told one by one."""


class Change(NamedTuple):
    """Something that differs beyond noise and rounding: `time` of a label or of all, or `objective`, `status`, `solved` of a cell."""

    kind: str
    label: str
    instance: str  # "" where it speaks of all instances
    text: str


class Speed(NamedTuple):
    """The times of one label in both runs over the instances where both ended, and the ratio second / first."""

    label: str
    pairs: int
    first: float  # median seconds
    second: float
    ratio: Interval
    margin: float  # the relative change that counts: the threshold, or the spread of repetitions where that is larger
    verdict: str  # "slower", "faster" or ""


@dataclass(frozen=True)
class Comparison:
    """What changed from the first run to the second."""

    names: tuple[str, str]
    time: str
    threshold: float
    speeds: list[Speed]
    regressions: list[Change]
    improvements: list[Change]
    pairs: int
    only_first: dict[str, int] = field(default_factory=dict)  # cells by label
    only_second: dict[str, int] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """1 if and only if something got worse."""
        return int(bool(self.regressions))

    def table(self) -> Table:
        """One row per label, and what got worse or better as notes."""
        headings = ["solver", "cells", "first s", "second s", "ratio", "95 % interval", "margin", ""]
        rows = [_row(speed) for speed in self.speeds]
        if len(rows) > 1:
            rows.insert(-1, [])
        notes = [
            f"First: {self.names[0]}. Second: {self.names[1]}. {self.pairs} cells are in both.",
            f"Median {'CPU' if self.time == 'cpu' else 'wall-clock'} seconds over the instances that ended in both runs; "
            "the ratio is second / first, its interval a bootstrap over instances.",
            f"Slower or faster: the whole interval lies beyond the margin, which is {100 * self.threshold:g} % or the spread "
            "of the solver's repetitions where that is larger.",
        ]
        for missing, name in ((self.only_first, "first"), (self.only_second, "second")):
            if missing:
                cells = ", ".join(f"{count} of {label}" for label, count in missing.items())
                notes.append(f"Only in the {name} run: {cells}.")
        notes += [f"Warning: {warning}" for warning in self.warnings]
        for changes, word in ((self.regressions, "Worse"), (self.improvements, "Better")):
            notes += [f"{word}: {_said(change)}" for change in changes[:SHOWN]]
            if len(changes) > SHOWN:
                notes.append(f"{word}: {len(changes) - SHOWN} more.")
        if not self.regressions:
            notes.append("Nothing got worse.")
        return Table("Comparison of two runs", headings, rows, notes)


def _row(speed: Speed) -> list[str]:
    if not speed.pairs:
        return [speed.label, "0", "-", "-", "-", "-", "-", ""]
    interval = f"[{speed.ratio.low:.3g}, {speed.ratio.high:.3g}]" if speed.ratio.low == speed.ratio.low else "-"
    times = [f"{speed.first:.4g}", f"{speed.second:.4g}", f"{speed.ratio.value:.3g}"]
    return [speed.label, str(speed.pairs), *times, interval, f"{100 * speed.margin:.0f} %", speed.verdict]


def _said(change: Change) -> str:
    where = f" on {change.instance}" if change.instance else ""
    return f"{change.label}{where}: {change.text}"
