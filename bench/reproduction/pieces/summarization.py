"""Almeida & Martins (2013): Table 3 (runtimes of decoders) and Figure 2 (a summary with its removed words)."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean
from typing import Any

from problems import get_task
from solvers import get_solver

from ...experiments.experiment import SolverSpec
from ...output.tables import Table
from ...records.fields import FIELDS
from ...records.log import read_records
from ...runner.watched import Prepared
from ..piece import Context, Outcome, Passage, Piece
from ..real import CORPORA, real_source, topic_files
from ..summarization_runs import Cell, SummarizationRuntimes, cell_of
from ..summarization_table import AD3, build_table
from .runtime_claims import runtime_claims

PAPER = "Almeida & Martins (2013)"
QUICK_SOLVERS = ("ilp-glpk", "ilp-cpsat", "lp-glpk", "lp-highs", "ad3")
EXAMPLE_SEED = 42
EXAMPLE_SEEDS = 8  # of which the summary with the most typical share of removed words is shown


def make_table3(context: Context) -> Outcome:
    """The two experiments by the runner, and the claims from their cells."""
    cells, limit = [], 0.0
    for experiment in SummarizationRuntimes().experiments(context.quick):
        if context.data is not None:
            experiment = replace(experiment, source=real_source(experiment.task, context, 3 if context.quick else 10))
        if context.quick:
            experiment = replace(experiment, solvers=tuple(filter(_is_quick, experiment.solvers)))
        prepared = Prepared(experiment, context.run_folder(experiment.name), resume=True)
        prepared.run(context.console)
        records = read_records(prepared.folder)
        cells += [cell_of({**FIELDS, **records[cell.key]}) for cell in prepared.plan]
        limit = experiment.limits.seconds
        _write_report(prepared)
    if context.data is None:
        return table3_outcome(cells, limit)
    return table3_outcome(cells, limit, "topics of MultiLing 2011, scores learned on Opinosis")


def _is_quick(spec: SolverSpec) -> bool:
    """In a quick run GLPK, which the paper has, and one rival of each kind; each worker takes seconds to start."""
    named = spec.name in QUICK_SOLVERS and spec.options.get("rounding") in (None, "paper")
    return named or spec.options == {"rounding": "search", "max_iterations": 1000}


def _write_report(prepared: Prepared) -> None:
    from ...output.report import write_report
    from ...records.loading import load_run

    write_report(load_run(prepared.folder), prepared.folder / "report.html")


def table3_outcome(cells: list[Cell], limit: float, source: str = "generated clusters (size tac)") -> Outcome:
    return Outcome({"table": build_table(cells, limit, source)}, claims=runtime_claims(cells))


def make_figure2(context: Context) -> Outcome:
    """A summary by AD3-1000; of a few clusters the one whose removed share is the median, so that none is picked by hand."""
    task = get_task("summarization")
    solver = get_solver("ad3", max_iterations=1000, rounding="search")
    found: list[tuple[float, str, Any]] = []
    count = 3 if context.quick else EXAMPLE_SEEDS
    seeds = range(EXAMPLE_SEED, EXAMPLE_SEED + count)
    if context.data is None:
        instances = [(f"generated cluster {seed}", task.generate(seed, "tac")) for seed in seeds]
    else:
        instances = [(path.stem, task.load(path)) for path in topic_files("summarization", context, count)]
    for name, instance in instances:
        lines = task.marked(instance, solver.solve(instance).structure)
        words = [kept for line in lines for _, kept in line]
        found.append((1 - sum(words) / len(words), name, lines))
    found.sort(key=lambda each: each[:2])
    share, shown, lines = found[len(found) // 2]
    rows = [[name, f"{100 * each:.1f}"] for each, name, _ in sorted(found, key=lambda each: each[1])]
    rows.append(["mean", f"{100 * fmean(each[0] for each in found):.1f}"])
    notes = [
        f"Removed words of the sentences that are in the summary, in per cent; {AD3[1000]} with rounding `search`, 100 words.",
        f"Shown is {shown}, the median ({100 * share:.1f} %).",
    ]
    table = Table("Figure 2 of Almeida & Martins (2013): words removed from summaries", ["", "removed %"], rows, notes)
    return Outcome({"table": table}, passages=[Passage(f"A summary of {shown}", lines)])


TOPICS = CORPORA["summarization"]
PIECES = [
    Piece("am-table3", PAPER, "Table 3", "Runtimes of decoders", make_table3, corpora=TOPICS),
    Piece("am-figure2", PAPER, "Figure 2", "A summary with its removed words", make_figure2, False, TOPICS),
]
