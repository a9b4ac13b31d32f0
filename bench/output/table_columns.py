"""The columns a table of a run may have: what they are called, how a row of `bench.analysis.statistics.summary` fills them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..analysis.statistics.ratios import SpeedUp, Target
from ..experiments.presentation import ratio_name
from ..records.fields import FAILURES
from .units import SHARES, heading_of, scale_of

Row = Mapping[str, Any]
TROUBLES = (*FAILURES, "wrong", "limited")  # the last one: stopped at the time limit, with an answer
MILLION, HOUR = 1e6, 3600.0


def digits(value: float) -> str:
    """Three significant digits, never an exponent; nothing where there is no value."""
    if math.isnan(value):
        return ""
    return "<0.000001" if 0 < value < 5e-7 else f"{value:.{decimals(value)}f}"


def decimals(value: float) -> int:
    """How many decimals show three significant digits, at most six."""
    if value == 0 or math.isinf(value):
        return 0
    rounded = min(float(f"{abs(value):.2e}"), 1e308)  # 9.999 has the digits of 10.0
    return min(6, max(0, 2 - math.floor(math.log10(rounded) + 1e-9)))


def percent(value: float) -> str:
    """Two decimals; what only rounds to 100 is not called 100."""
    if math.isnan(value):
        return ""
    return ">99.99" if 99.995 <= value < 100 else f"{value:.2f}"


def failures(row: Row) -> str:
    """Counts of what went wrong, such as `2 timeout, 1 crash`."""
    return ", ".join(f"{int(row[kind])} {kind}" for kind in TROUBLES if row[kind] == row[kind] and row[kind])


def count(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.0f}"


def with_interval(value: float, low: float, high: float) -> str:
    """A value and the ends of its interval, where there are any."""
    return digits(value) if math.isnan(low) else f"{digits(value)} [{digits(low)}, {digits(high)}]"


def at_target(target: Target) -> str:
    """What a number is told at: nothing for a proof, else `@1%` (within 1 % of the best known) or `@any`."""
    return "" if target == "optimal" else " @any" if target == "any" else f" @{100 * target:g}%"


def times_faster(found: SpeedUp | float | None) -> str:
    """A speed-up with its interval and target; a dash where there is none among equals, nothing without a rival."""
    if found is None:
        return "-"
    return "" if isinstance(found, float) else with_interval(*found.times) + at_target(found.target)


@dataclass(frozen=True)
class Column:
    """A `field` of a row under a heading, which `said` explains in a note."""

    heading: str
    field: str
    said: str = ""
    kind: Literal["", "time", "ratio"] = ""
    form: Callable[[float], str] = digits
    at: bool = False  # it depends on the table's target, which is told
    best: Callable[[Iterable[float]], float] | None = None  # which end is the better one
    special: Callable[[Row, float], str] | None = None  # a text of more than the field

    def named(self, unit: str) -> str:
        """The heading, with the unit of times."""
        return f"{self.heading} {unit}" if self.kind == "time" else self.heading

    def text(self, row: Row, scale: float) -> str:
        """A cell; times are multiplied by the scale."""
        if self.special is not None:
            return self.special(row, scale)
        value = row.get(self.field, math.nan)
        if self.kind == "ratio":
            return times_faster(value)
        if math.isnan(value) or math.isinf(value):
            return "-" if value == math.inf else ""
        return self.form(value * scale if self.kind == "time" else value) + (
            at_target(row["target"]) if self.at else ""
        )


def ratio_column(heading: str, pattern: str) -> Column:
    """Speed-ups over a baseline, or with the pattern `*` over all other solvers."""
    said = "the fastest other solver on each instance" if pattern == "*" else pattern
    if any(sign in pattern[1:] for sign in "*?["):
        said = f"the fastest of {pattern} on each instance"
    return Column(heading, ratio_name(pattern), f"{heading}: times faster than {said}", "ratio")


def metric_column(name: str) -> Column:
    """The mean of a measure of quality; shares of one as per cent."""
    if name not in SHARES:
        return Column(name, f"metrics.{name}")
    return Column(heading_of(name), f"metrics.{name}", form=lambda value: percent(scale_of(name) * value))


def _median(row: Row, scale: float) -> str:
    return with_interval(*(row[name] * scale for name in ("median", "median_low", "median_high")))


def _optimal(row: Row, _: float) -> str:
    return f"{count(row['optimal'])}/{count(row['cells'])}".strip("/")


PARTS = "build, solve, round: means of what the solver said"
COST = "h/million: core-hours for a million instances like these, from the mean"
TTT = "ttt: median time to an answer within {within} % of the best known, from traces"
PRIMAL = "primal: mean of seconds x gap to the best known until the limit, from traces"
_COLUMNS = (
    Column("solver", "label", special=lambda row, _: str(row["label"])),
    Column("cells", "cells", form=count),
    Column("opt.", "optimal", "opt.: proved optimal", best=max, special=_optimal),
    Column("feas.", "feasible", "feas.: feasible, not proved optimal", form=count),
    Column("failed", "failed", special=lambda row, _: failures(row)),
    *(Column(name, name, PARTS, "time") for name in ("build", "solve", "round")),
    Column("mean", "mean", "", "time"),
    Column("h/million", "million", COST, special=lambda row, _: digits(row["mean"] * MILLION / HOUR)),
    Column("median", "median", "median: with 95 % bootstrap interval over instances", "time", special=_median),
    Column("sgm", "sgm", "sgm: shifted geometric mean (shift 0.01 s)", "time"),
    Column("PAR10", "par10", "PAR10: mean, a cell that misses the target counts 10 limits", "time", at=True, best=min),
    Column("wins", "wins", "wins: fastest to the target; ties (1 %) share", form="{:.3g}".format, at=True, best=max),
    Column("ttt", "ttt", TTT, "time", best=min),
    Column("primal", "primal", PRIMAL, "time", best=min),
    Column("obj. %", "share", "obj. %: mean share of the best known objective", form=percent, best=max),
    Column("gap %", "gap", "gap %: mean of the solver's own gap", form=lambda gap: digits(100 * gap)),
    Column("int. %", "integral", "int. %: integral relaxations", form=count),
    Column("MB", "memory", "MB: largest peak memory", form=count),
)
COLUMNS: dict[str, Column] = {
    **{{"share": "objective"}.get(column.field, column.field): column for column in _COLUMNS},
    "xbest": ratio_column("xbest", "*"),
}


def columns_named(names: Iterable[str], baselines: list[str]) -> dict[str, Column]:
    """The solver and these columns; `xbaseline` is one for each baseline, a name that is no column's is a quality measure's: its mean."""
    found = {"label": COLUMNS["label"]}
    for name in names:
        if name == "xbaseline":
            for pattern in baselines:
                heading = "xbase" if len(baselines) == 1 else f"x {pattern}"
                found[f"{name} {pattern}"] = ratio_column(heading, pattern)
        else:
            found[name] = COLUMNS.get(name) or metric_column(name)
    return found


def troubled(row: Row) -> int:
    """How many cells of a row failed, are wrong, or have a time that cannot be."""
    return sum(int(row[kind]) for kind in (*FAILURES, "wrong", "untimed") if row[kind] == row[kind])
