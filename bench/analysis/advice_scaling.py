"""Runs of one's own beside the built-in table: times of another machine, brought to this one by the cells that both know.

Where the new runs have a candidate that the old table can forecast, the median ratio of recorded to forecast time is how much slower this
machine is. Without enough such cells nothing is scaled.
"""

from __future__ import annotations

import statistics
from dataclasses import replace

from solvers.advice import Advisor, Table

LEAST_SHARED = 5


def machine_ratio(old: Table, new: Table) -> tuple[float, int]:
    """How many times slower the new runs are than the old table expects, and over how many cells; 1 where that cannot be told."""
    advisor, ratios = Advisor(old), []
    for case in new.cases:
        expected = {each.candidate: each.seconds for each in advisor.forecasts(case.profile)}
        for candidate, cell in case.cells.items():
            if candidate in expected and cell.outcome in ("optimal", "feasible") and cell.seconds > 0:
                ratios.append(cell.seconds / expected[candidate])
    return (statistics.median(ratios) if len(ratios) >= LEAST_SHARED else 1.0), len(ratios)


def scaled(table: Table, ratio: float) -> Table:
    """The same table with all times multiplied."""
    cases = (
        replace(case, cells={key: cell._replace(seconds=ratio * cell.seconds) for key, cell in case.cells.items()})
        for case in table.cases
    )
    return Table(tuple(cases), table.provenance)
