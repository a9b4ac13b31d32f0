"""The columns a table of a run may have: what they are called, how a row of `bench.analysis.statistics.summary` fills them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..records.fields import FAILURES

Row = Mapping[str, Any]
LETTERS = {"timeout": "t", "memout": "m", "crash": "c", "error": "e", "skipped": "s", "wrong": "w"}
LIMITED = {"limited": "l"}  # stopped at the time limit, with an answer


@dataclass(frozen=True)
class Column:
    """`text(row, scale)` is a cell; times are multiplied by the scale. `said` explains the heading in a note."""

    heading: str
    text: Callable[[Row, float], str]
    said: str = ""
    times: tuple[str, ...] = ()  # the fields that are seconds


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
    """Counts of what went wrong, such as `2t 1c`."""
    counts = [(int(row[kind]), letter) for kind, letter in (LETTERS | LIMITED).items() if row[kind] == row[kind]]
    return " ".join(f"{count}{letter}" for count, letter in counts if count)


def count(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.0f}"


def _median(row: Row, scale: float) -> str:
    value, low, high = (row[name] * scale for name in ("median", "median_low", "median_high"))
    if math.isnan(low):
        return digits(value)
    places = decimals(value)
    return f"{value:.{places}f} [{low:.{places}f}, {high:.{places}f}]"


def _seconds(name: str, said: str = "", heading: str = "") -> Column:
    return Column(heading or name, lambda row, scale: digits(row[name] * scale), said, (name,))


def _faster(name: str, heading: str, said: str) -> Column:
    return Column(heading, lambda row, _: digits(1 / row[name]), said)


COLUMNS: dict[str, Column] = {
    "label": Column("solver", lambda row, _: str(row["label"])),
    "cells": Column("cells", lambda row, _: count(row["cells"])),
    "optimal": Column(
        "opt.", lambda row, _: f"{count(row['optimal'])}/{count(row['cells'])}".strip("/"), "opt.: proved optimal"
    ),
    "feasible": Column("feas.", lambda row, _: count(row["feasible"]), "feas.: feasible, not proved optimal"),
    "failed": Column("failed", lambda row, _: failures(row)),
    "build": _seconds("build", "build, solve, round: means of what the solver said"),
    "solve": _seconds("solve", "build, solve, round: means of what the solver said"),
    "round": _seconds("round", "build, solve, round: means of what the solver said"),
    "mean": _seconds("mean"),
    "median": Column("median", _median, "median: with 95 % bootstrap interval over instances", ("median",)),
    "sgm": _seconds("sgm", "sgm: shifted geometric mean (shift 0.01 s)"),
    "par10": _seconds("par10", "PAR10: mean, an unsolved cell counts 10 limits", "PAR10"),
    "wins": Column(
        "wins",
        lambda row, _: f"{row['wins']:.3g}" if row["wins"] == row["wins"] else "",
        "wins: fastest; ties (1 %) share",
    ),
    "xbaseline": _faster("ratio_baseline", "xbase", "xbase: times faster than {baseline}, median over instances"),
    "xbest": _faster(
        "ratio_best", "xbest", "xbest: times faster than the fastest other solver of each instance, median"
    ),
    "objective": Column(
        "obj. %", lambda row, _: percent(row["share"]), "obj. %: mean share of the best known objective"
    ),
    "gap": Column("gap %", lambda row, _: digits(100 * row["gap"]), "gap %: mean of the solver's own gap"),
    "integral": Column("int. %", lambda row, _: count(row["integral"]), "int. %: integral relaxations"),
    "memory": Column("MB", lambda row, _: count(row["memory"]), "MB: largest peak memory"),
}


def metric_column(name: str) -> Column:
    """The mean of a quality measure; empty where no record has it."""
    return Column(name, lambda row, _: digits(row.get(f"metrics.{name}", math.nan)))


def troubled(row: Row) -> int:
    """How many cells of a row failed, are wrong, or have a time that cannot be."""
    return sum(int(row[kind]) for kind in (*FAILURES, "wrong", "untimed") if row[kind] == row[kind])
