"""Almeida & Martins (2013): Table 3 (runtimes of decoders) and Figure 2 (a summary with its removed words)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from statistics import fmean
from typing import Any

from problems import get_task

from ...analysis.audit import instances_for, with_audit
from ...experiments.experiment import Experiment
from ...output.tables import Table
from ...runner.handover import tuples
from ..beside import facts
from ..context import Context
from ..corpora import CORPORA, real_source, topics_said
from ..piece import Outcome, Passage, Piece
from ..runs import run_experiment
from .rounding_claims import rounding_claims
from .runtime_claims import runtime_claims
from .runtime_table import AD3, DecodedClusters, runtime_table
from .summary_views import runtimes_view

PAPER = "Almeida & Martins (2013)"
EXPERIMENTS = ("summarization-runtimes", "extraction-runtimes")
QUICK_TOPICS, QUICK_CLUSTERS = 3, 2  # real, and generated
QUICK = (
    *("ilp-glpk, default", "ilp-cpsat, reduced", "lp-glpk, paper", "lp-highs reduced, paper"),
    *("ad3-5000, paper", "ad3-1000, paper", "ad3-200, paper", "fast ad3-1000, paper", "fast ad3-1000, search"),
)  # the paper's decoders, one rival of each kind, our AD3 and our rounding
EXAMPLES = 8  # of which the summary with the most typical share of removed words is shown


def make_table3(context: Context) -> Outcome:
    """Both experiments by the runner, and table and claims from their audited records."""
    compressive, extractive = (
        DecodedClusters.of(with_audit(run_experiment(name, context, partial(chosen, context)))) for name in EXPERIMENTS
    )
    source = "generated clusters (size tac)" if context.data is None else topics_said(context)
    table = runtime_table(compressive, extractive, source)
    views = facts({"beside": runtimes_view(compressive, extractive, source)})
    claims = [*runtime_claims(compressive, extractive, context.data is not None), *rounding_claims(compressive)]
    return Outcome({"table": table}, claims=claims, facts=views)


def chosen(context: Context, experiment: Experiment) -> Experiment:
    """With the topics of the real corpus if these are wanted; in a quick run few of everything, since each worker takes seconds to start."""
    if context.data is not None:
        source = real_source(experiment.task, context, QUICK_TOPICS if context.quick else None)
    else:
        source = experiment.source.shortened(QUICK_CLUSTERS) if context.quick else experiment.source
    experiment = replace(experiment, source=source)
    if not context.quick:
        return experiment
    solvers = tuple(spec for spec in experiment.solvers if spec.label in QUICK)
    return replace(experiment, solvers=solvers, repetitions=1)


def make_figure2(context: Context) -> Outcome:
    """A summary by AD3-1000; of a few clusters the one whose removed share is the median, so that none is picked by hand."""
    records = run_experiment("summarization-systems", context, partial(examples, context))
    task, instances = get_task("summarization"), instances_for(records)
    found: list[tuple[float, str, Any]] = []
    limits = " to ".join(str(words) for words in sorted({instance.budget for instance in instances.values()}))
    for cell in records.to_dict("records"):
        lines = task.marked(instances[cell["instance_digest"]], tuples(cell["structure"]))
        words = [kept for line in lines for _, kept in line]
        found.append((1 - sum(words) / len(words), cell["instance"], lines))
    found.sort(key=lambda each: each[:2])
    share, shown, lines = found[len(found) // 2]
    rows = [[name, f"{100 * each:.1f}"] for each, name, _ in sorted(found, key=lambda each: each[1])]
    rows.append(["mean", f"{100 * fmean(each[0] for each in found):.1f}"])
    notes = [
        f"Removed words of the sentences that are in the summary, in per cent; {AD3[1000]} with rounding `search`, {limits} words.",
        f"Shown is {shown}, the median ({100 * share:.1f} %).",
    ]
    table = Table("Figure 2 of Almeida & Martins (2013): words removed from summaries", ["", "removed %"], rows, notes)
    return Outcome({"table": table}, passages=[Passage(f"A summary of {shown}", lines)])


def examples(context: Context, experiment: Experiment) -> Experiment:
    """The clusters whose summaries are looked at."""
    count = 3 if context.quick else EXAMPLES
    real = context.data is not None
    source = real_source(experiment.task, context, count) if real else experiment.source.shortened(count)
    return replace(experiment, name="summarization-examples", source=source)


DATA = CORPORA["summarization"]
PIECES = [
    Piece("am-table3", PAPER, "Table 3", "Runtimes of decoders", make_table3, corpora=DATA),
    Piece("am-figure2", PAPER, "Figure 2", "A summary with its removed words", make_figure2, False, DATA),
]
