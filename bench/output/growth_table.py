"""The table of a run over sizes: how each solver's time grows."""

from __future__ import annotations

from problems.errors import InputError

from ..analysis.audit import with_audit
from ..analysis.groups import fields_of, grouped
from ..analysis.growth import LEAST_RANGE, growth, size_measure
from ..analysis.statistics.cells import reduce_cells
from ..records.frame import Records
from ..records.marks import one_node
from .table_columns import digits
from .tables import Table

MEASURES = {"length": "words of a sentence", "instance_size": "variables or words of an instance"}


def growth_table(records: Records, time: str = "cpu", mix_nodes: bool = False) -> Table:
    """A row per solver and task: the fitted exponent with its interval, and what it is fitted to."""
    if records.empty:
        raise InputError("a table needs records, and the run has none.")
    one_node(records, mix_nodes)
    rows: list[list[str]] = []
    measures: dict[str, None] = {}
    for name, part in grouped(with_audit(records), "none").items():
        rows += [[]] if rows else []
        cells = reduce_cells(part, time)
        measures[MEASURES[size_measure(cells)]] = None
        for found in growth(cells):
            span = [f"{size:g}" for size in found.sizes[[0, -1]]] if len(found.sizes) else ["", ""]
            last = digits(found.seconds[-1]) if len(found.seconds) else ""
            counts = [str(len(found.sizes)), str(found.stopped or "")]
            exponent = str(found.law) if found.law else "-"
            rows.append([*name, found.label, exponent, *span, last, *counts, " ".join(found.left_out)])
    fields = fields_of(records, "none")
    headings = [*fields, "solver", "exponent", "from", "to", "seconds there", "points", "at limit", "left out"]
    notes = [
        f"Time grows as size to the power of the exponent; size: {' or '.join(measures)}. Least squares on logarithms over "
        f"instances, with 95 % intervals (Student's); a dash: fewer than 3 points, or sizes within a factor of {LEAST_RANGE:g}.",
        "At limit: points that the time limit stopped, which count as the limit: the exponent tends to be too small. "
        "Left out: sizes in which most cells were stopped or failed.",
    ]
    return Table("Growth of time with size", headings, rows, notes, left=1 + len(fields))
