"""Every kind of solver on every task: convergence, performance profile, Pareto front and scaling, by the runner."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from typing import NamedTuple

from ...analysis.audit import with_audit
from ...analysis.statistics.cells import best_known, reduce_cells
from ...experiments.experiment import Experiment
from ...experiments.presentation import named_by
from ...output.bound_table import bound_table
from ...output.run_tables import run_table
from ...records.frame import Records
from ..claims import Claim, difference_text
from ..context import Context
from ..corpora import CORPORA, real_source
from ..cover import cover_alt
from ..evidence import paired_bootstrap
from ..piece import Outcome, Piece, Shown
from ..runs import run_cells, run_experiment, run_figures
from ..standings import contests
from ..verdicts import higher, untestable
from .bound_claims import BOUNDS, ad3_against_subgradient

PAPER = "Comparison of solvers"
INSTANCES, QUICK_INSTANCES = 10, 3  # of real corpora
CAPTIONS = {
    "convergence": "Primal and dual against time of all anytime solvers, relative to the best known objective.",
    "profile": "Performance profile: the share of instances solved within a multiple of the fastest solver's time.",
    "pareto": "Quality against time, with the Pareto front.",
    "scaling": "Time against the size of the factor graph.",
}


ALGORITHM = "Algorithm 1"  # of Yao et al., in `compare-transduction`


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


QUICK_BOUNDS = Quick(["tac"], 1, ("ad3", "subgradient", "lp-highs"))


def adapted(task: str, quick: Quick, context: Context, experiment: Experiment) -> Experiment:
    """Smaller in a quick run, and with instances of the real corpora if these are wanted."""
    if context.quick:
        experiment = smaller(quick, experiment)
    if context.data is None:
        return experiment
    return replace(experiment, source=real_source(task, context, QUICK_INSTANCES if context.quick else INSTANCES))


def make_comparison(task: str, context: Context) -> Outcome:
    records = with_audit(run_experiment(f"compare-{task}", context, partial(adapted, task, TASKS[task], context)))
    found = contests(*run_cells(records))
    facts = {"task": task, "contests": [asdict(each) for each in found], "run": records.folder.name}
    numbers = cover_alt({task: found})
    shown = [
        Shown(stem, CAPTIONS[stem], f"{CAPTIONS[stem]} {numbers}", figure) for stem, figure in run_figures(records)
    ]
    tables, claims = {"table": run_table(records)}, []
    if task == "summarization":
        bounds = run_experiment(BOUNDS, context, partial(adapted, task, QUICK_BOUNDS, context))
        tables["bounds"], claims = bound_table(bounds), [ad3_against_subgradient(bounds)]
    elif task == "transduction":
        claims = [dual_against_beam(records)]
    return Outcome(tables, shown, claims, facts=facts)


def dual_against_beam(records: Records) -> Claim:
    """Search errors of both on the same instances, by the objective."""
    cells, best = reduce_cells(records), best_known(records)
    optima = cells["instance_digest"].map(best)
    found_it = cells["objective"] >= optima - 1e-6 * optima.abs().clip(lower=1.0)  # not where there is no answer
    missed = (~found_it).astype(float)
    errors = {str(label): own.tolist() for label, own in missed.groupby(cells["label"])}
    beam, dual = (next((each for each in errors if each.startswith(name)), "") for name in ("beam", ALGORITHM))
    claim = Claim(
        "fewer-search-errors",
        "Yao et al., Section 2",
        "Beam search with cube pruning largely loses exactness; dual decomposition makes fewer search errors.",
        "no numbers are printed",
    )
    if not beam or not dual:
        return replace(claim, published="implied")
    found = paired_bootstrap(errors[beam], errors[dual])
    counts = [int(sum(errors[label])) for label in (dual, beam)]
    return replace(
        claim,
        ours=f"{counts[0]} of {len(errors[dual])} by dual decomposition as published, {counts[1]} by {beam}",
        ratio=f"{counts[0]} against {counts[1]}",
        ruling=higher(found) if any(counts) else untestable("neither makes a search error on these sentences"),
        why=difference_text(found),
    )


PIECES = [
    Piece(f"compare-{task}", PAPER, "comparison", f"Solvers of {task}", partial(make_comparison, task), True, corpora)
    for task, corpora in ((task, CORPORA[task]) for task in TASKS)
]
