"""The table of a run with LP solvers and solvers that stop at a bound: who is near the relaxation's optimum first."""

from __future__ import annotations

import numpy as np

from problems.errors import InputError

from ..analysis.audit import with_audit
from ..analysis.groups import fields_of, grouped
from ..analysis.statistics.bounds import LP, WITHIN, fastest_lp, has_target, times_to_bound
from ..analysis.statistics.values import median, median_interval, ratio_interval
from ..records.frame import Records
from ..records.marks import one_node
from .table_columns import digits, with_interval
from .tables import Table


def has_bounds(records: Records) -> bool:
    """Are there LP solvers, and others that stop at a bound?"""
    is_lp = records["solver"].astype(str).str.startswith(LP)
    return bool(is_lp.any() and (has_target(records) & ~is_lp).any())


def bound_table(records: Records, within: float = WITHIN, mix_nodes: bool = False) -> Table:
    """A row per size and solver: time and iterations to the target, and the share of the fastest LP solver's time."""
    if not has_bounds(records):
        raise InputError(
            "a table of bounds needs an LP solver (lp-*) and a solver with a target (bound_within) in the same run."
        )
    one_node(records, mix_nodes)
    rows: list[list[str]] = []
    checked = with_audit(records)
    for name, part in grouped(checked).items():
        rows += [[]] if rows else []
        times = times_to_bound(part, within)
        rival = fastest_lp(times)
        for label, own in times.groupby("label", sort=False):
            seconds = own.set_index("instance_digest")["seconds"]
            reached = np.isfinite(seconds)
            counts = f"{reached.sum()} of {len(seconds)}"
            if not reached.all():  # a median of those that reach it would flatter
                rows.append([*name, str(label), counts, "-", "-", "-"])
                continue
            spent = with_interval(*median_interval(1000 * seconds))
            steps = median(own["iterations"])
            ratio = with_interval(*ratio_interval(seconds, rival.reindex(seconds.index)))
            rows.append([*name, str(label), counts, spent, "" if np.isnan(steps) else digits(steps), ratio])
    notes = [
        f"Time until the bound is within {100 * within:g} % of the optimum of the linear relaxation (the lowest bound of the LP "
        "solvers): building and solving, no rounding, in the solver's own split of the CPU time of an untraced, warm call. A "
        "solver with a target ends when it finds that its bound is there; evaluating bounds is on its clock. A dash: it does "
        "not get there everywhere.",
        "of the fastest LP: this time over that of the fastest LP solver of each instance. Medians over instances with 95 % "
        "bootstrap intervals.",
    ]
    fields = fields_of(checked)
    headings = [*fields, "solver", "reached", "ms", "iterations", "of the fastest LP"]
    return Table(f"Bounds within {100 * within:g} % of the relaxation", headings, rows, notes, left=1 + len(fields))
