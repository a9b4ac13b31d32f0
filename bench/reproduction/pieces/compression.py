"""Qian & Liu (2014): Table 2 (rate, unigram F1, relation F1 and seconds of six systems), and where their Lagrangian program is exact."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from ...analysis.statistics.cells import best_known, current
from ...experiments.experiment import Experiment
from ...output.table_columns import digits
from ...output.tables import Table
from ...records.frame import Records
from ..claims import speed
from ..corpora import CORPORA
from ..piece import Context, Outcome, Piece
from ..published import COMPRESSION
from ..runs import run_experiment
from .compression_systems import BASELINE, EXPERIMENT, MEASURES, SYSTEMS, SystemsRun, compression_claims

PAPER = "Qian & Liu (2014)"
QUICK_SENTENCES = 2
QUICK_LEFT_OUT = ("AD3, branch and bound",)
COUNTS = ("exact", "by ties", "repaired", "wrong length", "at its cap")  # of sentences, by the Lagrangian program


def quickly(experiment: Experiment) -> Experiment:
    """A first look: the two shortest sentences, once."""
    solvers = tuple(spec for spec in experiment.solvers if spec.label not in QUICK_LEFT_OUT)
    source = experiment.source.shortened(QUICK_SENTENCES, ["news", "news-nonprojective", "10"])
    return replace(experiment, source=source, solvers=solvers, repetitions=1)


def make_table2(context: Context) -> Outcome:
    """With real data: models trained on pairs; else the generator's scores, which all systems share."""
    if context.data is not None:
        from .learned_compression import compression_outcome

        return compression_outcome(context)
    run = SystemsRun.of(run_experiment(EXPERIMENT, context, quickly if context.quick else None))
    notes = [
        "Generated news sentences of at most 34 words; gold rate 0.7. Every system decodes the same scores; the CRF, which is trained on "
        "other generated sentences, sees words and tags too. Relations are unlabelled arcs between kept words; the paper has RASP's.",
    ]
    return Outcome({"table": table2(run, notes)}, claims=compression_claims(run))


def table2(run: SystemsRun, notes: list[str]) -> Table:
    """Ours beside the paper's; speed-ups are over the ILP of Thadani & McKeown on the same sentences."""
    headings = ["system", "sentences", "rate", "unigram F1", "relation F1", "ms", "x TM13", "proved", "wrong length"]
    headings += ["paper's row", "rate", "unigram F1", "RASP F1", "ms"]
    rows = [system_row(run, system) for system in SYSTEMS if system in run]
    explained = [
        *notes,
        "ms: mean CPU milliseconds of a sentence, the median of its repetitions; where a system has several solvers, of the fastest. "
        ">: a sentence that was not ended counts as the limit.",
        f"x TM13: times faster than {BASELINE!r} (the fastest of its solvers) proves the optimum, median over the sentences where both do, "
        "with its 95 % interval; none where a system proves nothing. The paper's TM13 is Gurobi's.",
        "wrong length: sentences of which another number of words is kept than asked for; they count as they are.",
    ]
    return Table("Table 2 of Qian & Liu (2014): six systems", headings, rows, explained)


def system_row(run: SystemsRun, system: str) -> list[str]:
    found = run.sentences(system)
    stopped = not found["ended"].all()
    faster = None if system == BASELINE else run.speed_up(system, BASELINE)
    row = [system, str(len(found)), *(f"{found[name].mean():.3f}" for name in MEASURES)]
    row += [f"{'>' if stopped else ''}{digits(1e3 * found['runtime'].mean())}", speed(faster) if faster else ""]
    row += [str((found["status"] == status).sum()) for status in ("optimal", "infeasible")]
    paper = COMPRESSION.get(SYSTEMS[system])
    if paper is None:
        return [*row, *[""] * 5]
    row += [SYSTEMS[system], f"{paper.rate:.2f}", f"{paper.unigram_f1:.3f}", f"{paper.relation_f1:.3f}"]
    return [*row, f"{1e3 * paper.seconds:g}"]


def make_lagrangian(context: Context) -> Outcome:
    records = run_experiment("compression-lagrangian", context, quickly if context.quick else None)
    return Outcome({"table": lagrangian_table(records)})


def lagrangian_table(records: Records) -> Table:
    """One row per size and search; the exact program says what the optimum is."""
    cells, best = current(records).drop_duplicates(["label", "instance_digest"]), best_known(records)
    rows: list[list[str]] = []
    for size in dict.fromkeys(cells["size"]):
        of_size = cells[(cells["size"] == size) & (cells["solver"] == "dp-lagrangian")]
        rows += [[str(size), str(label), *search_row(own, best)] for label, own in of_size.groupby("label", sort=False)]
        rows.append([])
    headings = ["sentences", "search", *COUNTS, "gap %", "iterations"]
    notes = [
        "exact: the length is hit, or met among maximizers that tie (by ties), which proves the optimum without repair. repaired: the optimum "
        "by the exact program.",
        "wrong length: another number of words is kept. at its cap: of these, where the search had used all iterations of its cap.",
        "gap %: how far the bound lies above the optimum, median over sentences of wrong length. Cutting planes that end before their cap reach "
        "the lowest bound that any multiplier gives: their gap is the duality gap, and there no search can hit the length.",
        "iterations: mean number of relaxed problems.",
    ]
    return Table("Where the Lagrangian program of Qian & Liu (2014) is exact", headings, rows, notes, left=2)


def search_row(cells: pd.DataFrame, best: dict[str, float]) -> list[str]:
    missed = cells[cells["status"] == "infeasible"]
    optima = missed["instance_digest"].map(best)
    gaps = 100 * (missed["bound"] - optima) / optima.abs()
    caps = [options.get("max_iterations", 0) for options in missed["options"]]
    tied, repaired = (int(sum(info.get(name, 0) for info in cells["info"])) for name in ("tied", "repaired"))
    exact = int((cells["status"] == "optimal").sum()) - repaired
    counts = [exact, tied, repaired, len(missed), int((missed["iterations"] >= caps).sum())]
    gap = "" if missed.empty else f"{gaps.median():.2f}"
    return [*(f"{count}/{len(cells)}" for count in counts), gap, f"{cells['iterations'].mean():.1f}"]


PAIRS = CORPORA["compression"]
PIECES = [
    Piece("ql-table2", PAPER, "Table 2", "Six systems of sentence compression", make_table2, corpora=PAIRS),
    Piece("ql-lagrangian", PAPER, "Section 3.3", "Where the Lagrangian program is exact", make_lagrangian, real=False),
]
