"""What the audit finds, and how it reads a record."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Literal

from solvers.base import tolerance

Row = dict[str, Any]


@dataclass(frozen=True)
class Finding:
    """Something that is wrong (`error`) or odd (`warning`). `keys` are the cells that cannot be relied on for it."""

    kind: str  # cell structure objective bound optimum infeasible contradiction doubt library; trace repetitions mixed clock
    instance: str
    labels: tuple[str, ...]
    text: str
    severity: Literal["error", "warning"] = "error"
    keys: tuple[str, ...] = ()


def finding_of(kind: str, rows: list[Row], text: str, severity: Literal["error", "warning"] = "error") -> Finding:
    """A finding about these rows of one instance."""
    labels = tuple(dict.fromkeys(str(row["label"]) for row in rows))
    return Finding(kind, str(rows[0]["instance"]), labels, text, severity, tuple(str(row["key"]) for row in rows))


def groups(rows: list[Row], *names: str) -> list[list[Row]]:
    """The rows that agree in these fields, in order of appearance."""
    found: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in rows:
        found[tuple(row[name] for name in names)].append(row)
    return list(found.values())


def number(value: Any) -> float:
    """A field's number; NaN where it is missing."""
    return math.nan if value is None else float(value)


def magnitude(row: Row) -> float:
    """The sum of absolute scores that rounding errors are relative to; 0 where it is not known."""
    value = number(row["magnitude"])
    return 0.0 if math.isnan(value) else value


def exceeds(row: Row, upper: float, other: Row) -> bool:
    """Is a row's objective above an upper value beyond what rounding explains? Never of a missing value."""
    objective = number(row["objective"])
    return objective - upper > tolerance(objective, upper, max(magnitude(row), magnitude(other)))


def has_objective(row: Row) -> bool:
    """Does it claim a feasible structure of some worth? `infeasible` with a structure does not."""
    return row["status"] != "infeasible" and not math.isnan(number(row["objective"]))
