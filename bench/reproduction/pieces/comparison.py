"""Every kind of solver on every task: convergence, performance profile, Pareto front and scaling, by the runner."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from ...analysis.audit import with_audit
from ...analysis.statistics.bounds import WITHIN, times_to_bound
from ...analysis.statistics.cells import best_known, reduce_cells
from ...analysis.statistics.ratios import SpeedUp
from ...analysis.statistics.values import ratio_interval
from ...experiments.experiment import Experiment
from ...experiments.presentation import named_by
from ...output.run_tables import run_table
from ...records.frame import Records
from ..claims import Claim, difference_text, speed
from ..corpora import CORPORA, real_source
from ..cover import cover_alt
from ..evidence import paired_bootstrap, quickness
from ..piece import Context, Outcome, Piece, Shown
from ..runs import run_cells, run_experiment, run_figures
from ..standings import contests
from ..verdicts import effect, higher, untestable

PAPER = "Comparison of solvers"
INSTANCES, QUICK_INSTANCES = 10, 3  # of real corpora
SUBSTANTIAL = 2.0  # times faster, where the paper prints no number
CAPTIONS = {
    "convergence": "Primal and dual against time of all anytime solvers, relative to the best known objective.",
    "profile": "Performance profile: the share of instances solved within a multiple of the fastest solver's time.",
    "pareto": "Quality against time, with the Pareto front.",
    "scaling": "Time against the size of the factor graph.",
}


class Quick(NamedTuple):
    """What a quick run keeps of an experiment."""

    sizes: list[str]
    seeds: int
    solvers: tuple[str, ...]


TASKS = {
    "summarization": Quick(["tiny"], 2, ("ad3", "subgradient", "ilp-cpsat", "ilp-glpk")),
    "extraction": Quick(["tiny"], 2, ("ad3", "greedy", "ilp-cpsat", "ilp-glpk")),
    "parsing": Quick(["short", "20"], 1, ("ad3", "subgradient", "dp-eisner", "ilp-highs")),
    "compression": Quick(["10"], 2, ("dp-exact", "dp-lagrangian", "ad3", "ilp-highs")),
    "transduction": Quick(["10", "20"], 1, ("dp-exact", "beam", "ad3", "subgradient", "ilp-highs")),
}


def smaller(quick: Quick, experiment: Experiment) -> Experiment:
    solvers = tuple(spec for spec in experiment.solvers if spec.name in quick.solvers)
    table = {**experiment.table}
    if not named_by(table.get("baseline", ""), {spec.label: spec.name for spec in solvers}):
        table.pop("baseline", None)
    source = experiment.source.shortened(quick.seeds, quick.sizes)
    limits = replace(experiment.limits, seconds=5.0)
    return replace(experiment, source=source, solvers=solvers, table=table, limits=limits)


def adapted(task: str, context: Context, experiment: Experiment) -> Experiment:
    """Smaller in a quick run, and with instances of the real corpora if these are wanted."""
    if context.quick:
        experiment = smaller(TASKS[task], experiment)
    if context.data is None:
        return experiment
    return replace(experiment, source=real_source(task, context, QUICK_INSTANCES if context.quick else INSTANCES))


def make_comparison(task: str, context: Context) -> Outcome:
    records = with_audit(run_experiment(f"compare-{task}", context, partial(adapted, task, context)))
    found = contests(*run_cells(records))
    facts = {"task": task, "contests": [asdict(each) for each in found], "run": records.folder.name}
    numbers = cover_alt({task: found})
    shown = [
        Shown(stem, CAPTIONS[stem], f"{CAPTIONS[stem]} {numbers}", figure) for stem, figure in run_figures(records)
    ]
    claims = [CLAIMS[task](records)] if task in CLAIMS else []
    return Outcome({"table": run_table(records)}, shown, claims, facts=facts)


AD3, PUBLISHED, SUBGRADIENT = "ad3", "ad3, published", "subgradient"
"""Labels of `compare-summarization`; the subgradient method's begin so, one for each step size."""


def ad3_against_subgradient(records: Records) -> Claim:
    """Seconds until the bound is within 0.1 % of the relaxation's optimum, on the last size only."""
    size = list(dict.fromkeys(records["size"]))[-1]
    part = records[records["size"] == size]
    table = times_to_bound(part).pivot(index="instance_digest", columns="label", values="seconds")
    claim = Claim(
        "ad3-faster-than-subgradient",
        "Almeida & Martins, footnote 10",
        "Within dual decomposition, AD3 is substantially faster than the subgradient algorithm.",
        "no numbers are printed",
    )
    steps = [str(label) for label in table.columns if str(label).startswith(SUBGRADIENT)]
    if table.empty or not steps or not {AD3, PUBLISHED} <= set(table.columns):
        return claim
    cells = reduce_cells(part)
    runs = cells.assign(whole=cells["build"] + cells["solve"])
    whole = runs[runs["label"].isin(steps)].groupby("instance_digest")["whole"].max().reindex(table.index)
    best = table[steps].min(axis=1)
    published, ours = (sooner(table[label], best, whole, float(cells["limit"].max())) for label in (PUBLISHED, AD3))
    rule = f"substantially: from {SUBSTANTIAL:g}x on; above 1x: weaker"
    ruling, today = (effect(quickness(found), 1.0, SUBSTANTIAL, rule) for found in (published, ours))
    behind = int((~np.isfinite(best)).sum())
    return replace(
        claim,
        ours=f"{speed(published)} as published, {speed(ours)} by our AD3",
        ratio=speed(published),
        ruling=ruling,
        today=today,
        why=f"Time to a bound within {WITHIN:.1%} of the relaxation's optimum, {len(table)} instances of size {size}, against the "
        f"best of the subgradient method's step sizes for each. On {behind} no step size gets there before its last "
        "iteration; its whole run is its time then, which is too little.",
    )


def sooner(own: pd.Series, other: pd.Series, whole: pd.Series, limit: float) -> SpeedUp | None:
    """How many times sooner the first is at its target. Where it never is, the time limit is its time; where the other never is,
    its whole run. Instances on which neither gets there tell nothing."""
    mine, theirs = own.where(np.isfinite(own), limit), other.where(np.isfinite(other), whole)
    usable = (np.isfinite(own) | np.isfinite(other)) & theirs.notna()
    if not usable.any():
        return None
    charged = usable & ~(np.isfinite(own) & np.isfinite(other))
    return SpeedUp(ratio_interval(theirs[usable], mine[usable]), WITHIN, int(usable.sum()), int(charged.sum()))


def dual_against_beam(records: Records) -> Claim:
    """Search errors of both on the same instances, by the objective."""
    cells, best = reduce_cells(records), best_known(records)
    optima = cells["instance_digest"].map(best)
    missed = (optima - cells["objective"] > 1e-6 * optima.abs().clip(lower=1.0)).astype(float)
    errors = {str(label): own.tolist() for label, own in missed.groupby(cells["label"])}
    beam, dual = (next((each for each in errors if each.startswith(name)), "") for name in ("beam", "subgradient"))
    claim = Claim(
        "fewer-search-errors",
        "Yao et al., Section 1",
        "Dual decomposition makes fewer search errors than beam search.",
        "beam search loses exactness (no numbers are printed)",
    )
    if not beam or not dual:
        return replace(claim, published="implied")
    found = paired_bootstrap(errors[beam], errors[dual])
    counts = [int(sum(errors[label])) for label in (dual, beam)]
    return replace(
        claim,
        ours=f"{counts[0]} of {len(errors[dual])} by dual decomposition (subgradient), {counts[1]} by {beam}",
        ratio=f"{counts[0]} against {counts[1]}",
        ruling=higher(found) if any(counts) else untestable("neither makes a search error on these sentences"),
        why=difference_text(found),
    )


CLAIMS = {"summarization": ad3_against_subgradient, "transduction": dual_against_beam}


PIECES = [
    Piece(f"compare-{task}", PAPER, "comparison", f"Solvers of {task}", partial(make_comparison, task), True, corpora)
    for task, corpora in ((task, CORPORA[task]) for task in TASKS)
]
