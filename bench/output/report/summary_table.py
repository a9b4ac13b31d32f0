"""The summary as an HTML table: one row per solver and group, the numbers as `bench.analysis.statistics.summary` gives them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ...records.fields import FAILURES
from ..escaping import html_text
from .catalog import Catalog
from .groups import Group, Summary
from .numbers import NONE, number, present
from .parts import table_part

TIME_NAMES = {"cpu": "CPU time, measured by the harness", "wall": "wall-clock time"}


class Column(NamedTuple):
    """`field` of the summary; `proved`: of the one where only a proof solves; `best`: which end is marked in bold."""

    head: str
    field: str
    proved: bool = False
    interval: bool = False
    best: Callable[[Iterable[float]], float] | None = None
    digits: int = 3
    whole: bool = False


COLUMNS = (
    Column("Instances", "cells", whole=True),
    Column("Optimal", "optimal", best=max, whole=True),
    Column("Feasible", "feasible", whole=True),
    Column("Relaxed", "relaxed", whole=True),
    Column("Infeasible", "infeasible", whole=True),
    Column("Failed", "failed", whole=True),
    Column("Wrong", "wrong", whole=True),
    Column("Median (s)", "median", interval=True, best=min),
    Column("Mean (s)", "mean", best=min),
    Column("SGM (s)", "sgm", best=min),
    Column("PAR10 (s)", "par10", best=min),
    Column("PAR10, proof (s)", "par10", proved=True, best=min),
    Column("Wins", "wins", best=max, whole=True),
    Column("Wins, proof", "wins", proved=True, best=max, whole=True),
    Column("Times faster than best other", "times_faster", interval=True),
    Column("Objective (%)", "share", best=max, digits=5),
    Column("Gap (%)", "gap"),
    Column("Integral (%)", "integral"),
    Column("Memory (MB)", "memory"),
)
ALWAYS = {"cells", "optimal", "failed"}


def summary_part(groups: list[Group], catalog: Catalog, time: str) -> str:
    """The table of all groups (the script shows those that the filters choose) and what its columns mean."""
    tables = {group.key: (_with_failed(group.answered), group.proved) for group in groups}
    metrics = list(
        dict.fromkeys(
            n for table, _ in tables.values() for row in table.values() for n in row if n.startswith("metrics.")
        )
    )
    columns = [*COLUMNS, *(Column(name.removeprefix("metrics."), name, digits=4) for name in metrics)]
    columns = [one for one in columns if one.field in ALWAYS or any(_said(tables[group.key], one) for group in groups)]
    many = len(catalog.tasks) > 1
    rows = [row for group in groups for row in _rows(group, tables[group.key], columns, catalog, many)]
    heads = ["Solver", *(["Task"] if many else []), *(column.head for column in columns)]
    numeric = set(range(2 if many else 1, len(heads)))
    return table_part("Summary by solver", heads, rows, numeric) + _notes(groups, time)


def _with_failed(table: Summary) -> Summary:
    return {
        label: {
            **row,
            "failed": sum(row[status] for status in FAILURES),
            "gap": 100 * row["gap"],
            "times_faster": 1 / row["ratio_best"],
            "times_faster_low": 1 / row["ratio_best_high"],
            "times_faster_high": 1 / row["ratio_best_low"],
        }
        for label, row in table.items()
    }


def _said(tables: tuple[Summary, Summary], column: Column) -> bool:
    """Does the column say anything? One of zeros or without any number does not."""
    table = tables[column.proved]
    return any(present(row.get(column.field)) and row[column.field] != 0 for row in table.values())


def _rows(
    group: Group, tables: tuple[Summary, Summary], columns: list[Column], catalog: Catalog, many: bool
) -> Iterable[str]:
    best = {column: _best(tables[column.proved], column) for column in columns}
    size = "" if group.size is None else catalog.sizes.index(group.size)
    for label in sorted(group.answered, key=catalog.labels.index):
        place = catalog.labels.index(label)
        cells = "".join(_cell(tables[column.proved][label], column, best[column]) for column in columns)
        hidden = "" if group.size is None else " hidden"
        task = f"<td>{html_text(group.task)}</td>" if many else ""
        yield (
            f'<tr data-of-task="{catalog.tasks.index(group.task)}" data-of-size="{size}" data-total '
            f'data-of-label="{place}"{hidden}><th scope="row">{html_text(label)}</th>{task}{cells}</tr>'
        )


def _best(table: Summary, column: Column) -> float | None:
    values = [float(row[column.field]) for row in table.values() if present(row.get(column.field))]
    return column.best(values) if column.best is not None and len(values) > 1 else None


def _cell(row: dict[str, Any], column: Column, best: float | None) -> str:
    value = float(row.get(column.field, math.nan))
    if not present(value):
        return f'<td class="number" data-v="">{NONE}</td>'
    kind = "number bad" if column.field in ("failed", "wrong") and value else "number"
    kind += " best" if best is not None and value == best else ""
    text = number(int(value) if column.whole and value == int(value) else value, column.digits)
    low, high = (row.get(f"{column.field}_{end}") for end in ("low", "high")) if column.interval else (None, None)
    if present(low) and present(high):
        text += f' <span class="interval">[{number(low)}, {number(high)}]</span>'
    return f'<td class="{kind}" data-v="{value!r}">{text}</td>'


def _notes(groups: list[Group], time: str) -> str:
    limits = sorted({float(limit) for group in groups for limit in group.cells["limit"].dropna()})
    limit = f" The limit was {' or '.join(f'{value:g}' for value in limits)} s." if limits else ""
    texts = [
        f"{TIME_NAMES[time]}; the median over untraced repetitions stands for an instance.{limit} A cell that failed in any "
        "repetition has failed.",
        "Median (with its 95 % bootstrap interval over instances), mean and SGM (geometric mean shifted by 10 ms) count a "
        "cell that did not end at its limit; PAR10 counts an instance without a valid answer (proof: not proved optimal) "
        "at ten times its limit.",
        "Wins: instances on which the solver was the fastest with a valid answer (proof: with a proof); ties within 1 % are "
        "shared, and only instances that every solver tried count. Times faster than best other: the time of the fastest "
        "other solver of each instance over its own, median; below 1 is slower. Objective: mean of the objective in % of the best that any "
        "solver found; it and quality measures such as ROUGE are over the instances that the solver answered. Wins and ratios are against all solvers of this run, hidden ones too. Bold: the best of its column.",
    ]
    return "".join(f'<p class="note">{html_text(text)}</p>' for text in texts)
