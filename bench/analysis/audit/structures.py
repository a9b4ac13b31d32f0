"""What records tell about structures where the instance cannot be made again: an answer may contradict itself or its twins."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable

from solvers.base import tolerance

from .finding import Finding, Row, exceeds, finding_of, has_objective, magnitude, number


def disagreements(group: list[Row]) -> Iterable[Finding]:
    """Cells of one instance with the same structure and different objectives: those that most cells contradict are wrong."""
    twins: dict[str, list[Row]] = defaultdict(list)
    for row in group:
        if row["structure"] is not None and has_objective(row):
            twins[json.dumps(row["structure"], default=str)].append(row)
    for same in twins.values():
        worths = _by_worth(same)
        if len(worths) < 2:
            continue
        usual = max(worths, key=len)
        rivals = [rows for rows in worths if rows is not usual]
        if any(len(rows) == len(usual) for rows in rivals):
            values = " and ".join(f"{rows[0]['objective']:.9g}" for rows in worths)
            text = f"cells with the same structure give it different objectives, {values}: one of them is wrong."
            yield finding_of("doubt", same, text)
            continue
        for rows in rivals:
            text = (
                f"the structure is worth {usual[0]['objective']:.9g} in {len(usual)} other cells, "
                f"not {rows[0]['objective']:.9g}."
            )
            yield finding_of("objective", rows, text)


def _by_worth(rows: list[Row]) -> list[list[Row]]:
    """Rows whose objectives differ by no more than rounding."""
    found: list[list[Row]] = []
    for row in sorted(rows, key=lambda row: number(row["objective"])):
        first = found[-1][0] if found else None
        if first is not None and _same(first, row):
            found[-1].append(row)
        else:
            found.append([row])
    return found


def _same(first: Row, second: Row) -> bool:
    one, other = number(first["objective"]), number(second["objective"])
    return abs(one - other) <= tolerance(one, other, max(magnitude(first), magnitude(second)))


def self_contradictions(group: list[Row]) -> Iterable[Finding]:
    """Cells that the runner found right, with numbers that it cannot have found right: somebody changed one of them.

    Without the instance nobody can tell which, so such a cell proves nothing against others.
    """
    for row in group:
        if row["audit"] != "ok" or not has_objective(row):
            continue
        objective, bound = number(row["objective"]), number(row["bound"])
        if exceeds(row, bound, row):
            yield finding_of("bound", [row], f"the bound {bound:.9g} lies below its own objective {objective:.9g}.")
        elif row["status"] == "optimal" and bound - objective > tolerance(objective, bound, magnitude(row)):
            text = f"is called optimal, but its bound is {bound:.9g} and its objective {objective:.9g}."
            yield finding_of("optimum", [row], text)
