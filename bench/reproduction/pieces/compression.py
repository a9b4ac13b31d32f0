"""Qian & Liu (2014): Table 2 (rate, unigram F1, relation F1 and seconds of six systems), and where their Lagrangian program is exact."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from ...analysis.statistics.cells import best_known, current
from ...analysis.statistics.values import mean_interval
from ...experiments.experiment import Experiment
from ...output.table_columns import digits
from ...output.tables import Table
from ...records.frame import Records
from ..beside import facts
from ..brief import shortened
from ..claims import speed
from ..context import Context
from ..corpora import CORPORA
from ..piece import Outcome, Piece
from ..published import COMPRESSION
from ..runs import run_experiment
from .compression_claims import compression_claims
from .compression_growth import growth_claims, same_model_claims
from .compression_systems import (
    ANSWERED,
    BASELINE,
    EXPERIMENT,
    HIT,
    MEASURES,
    MISSED,
    SYSTEMS,
    SystemsRun,
)
from .sentence_views import compression_view, features_table

PAPER = "Qian & Liu (2014)"
QUICK_SENTENCES = 2
QUICK_LEFT_OUT = ("AD3, branch and bound",)
COUNTS = (
    "exact",
    "by ties",
    "repaired",
    "wrong length",
    "certified",
    "at its cap",
)  # of sentences, by the Lagrangian program
INTERVALS = "Behind each F1: the 95 % interval of its mean over sentences, by bootstrap."
PUBLISHED = ("as published", "exact, as published")  # labels of `compression-lagrangian`


def quickly(experiment: Experiment) -> Experiment:
    """A first look: the two shortest sentences, once."""
    experiment, _ = shortened(experiment)
    solvers = tuple(spec for spec in experiment.solvers if spec.label not in QUICK_LEFT_OUT)
    source = experiment.source.shortened(QUICK_SENTENCES, ["news", "news-nonprojective", "10"])
    return replace(experiment, source=source, solvers=solvers, repetitions=1)


def make_table2(context: Context) -> Outcome:
    """With real data: models trained on pairs; else the generator's scores, which all systems share."""
    if context.data is not None:
        from .learned_compression import compression_outcome

        return compression_outcome(context)
    run = SystemsRun.of(run_experiment(EXPERIMENT, context, quickly if context.quick else None))
    quality, timed = run.sized("news", "long", "more"), run.sized("news", "any trees")
    notes = [
        "Generated news sentences; gold rate 0.7. Every system decodes the same scores; the CRF, which is trained on "
        "other generated sentences, sees words and tags too. Relations are unlabelled arcs between kept words; the paper has RASP's.",
    ]
    tables = {
        "table": table2(quality.whole(), notes),
        "part": part_table(timed, ["Those of at most 34 words.", *notes]),
        "features": features_table(),
    }
    views = facts({"beside": compression_view(quality.whole(), timed, notes)})
    claims = [*compression_claims(quality, timed, real=False), *growth_claims(quality), *same_model_claims(timed)]
    return Outcome(tables, claims=claims, facts=views)


def part_table(run: SystemsRun, notes: list[str], intervals: bool = False) -> Table:
    """All systems beside ILP solvers, on the sentences that these had."""
    table = table2(run, notes, intervals)
    return replace(table, title=f"{table.title}, on the sentences that ILP solvers had")


def table2(run: SystemsRun, notes: list[str], intervals: bool = False) -> Table:
    """Ours beside the paper's; speed-ups are over the ILP of Thadani & McKeown on the same sentences. F1 with `intervals` or without."""
    headings = ["system", "sentences", "rate", "unigram F1", "relation F1", "ms", "x TM13", "proved", "wrong length"]
    headings += ["paper's row", "rate", "unigram F1", "RASP F1", "ms"]
    rows = [system_row(run, system, intervals) for system in SYSTEMS if system in run]
    explained = [
        *notes,
        *([INTERVALS] if intervals else []),
        "ms: mean CPU milliseconds of a sentence, the median of its repetitions; where a system has several solvers, of the fastest. "
        ">: a sentence that was not ended counts as the limit.",
        f"x TM13: times faster than {BASELINE!r} (the fastest of its solvers) proves the optimum, median over the sentences where both do, "
        "with its 95 % interval; none where a system proves nothing. The paper's TM13 is Gurobi's.",
        "wrong length: sentences of which another number of words is kept than asked for; they count as they are.",
    ]
    return Table("Table 2 of Qian & Liu (2014): six systems", headings, rows, explained)


def mean_text(values: pd.Series, interval: bool) -> str:
    """A mean, with its 95 % interval over sentences or without."""
    if not interval or values.count() < 2:
        return f"{values.mean():.3f}"
    return "{:.3f} [{:.3f}, {:.3f}]".format(*mean_interval(values))


def system_row(run: SystemsRun, system: str, intervals: bool = False) -> list[str]:
    found = run.sentences(system)
    stopped = not found["ended"].all()
    faster = None if system == BASELINE else run.speed_up(system, BASELINE)
    means = (mean_text(found[name], intervals and name != "compression rate") for name in MEASURES)
    row = [system, str(len(found)), *means]
    row += [f"{'>' if stopped else ''}{digits(1e3 * found['runtime'].mean())}", speed(faster) if faster else ""]
    row += [str((found["status"] == status).sum()) for status in ("optimal", "infeasible")]
    paper = COMPRESSION.get(SYSTEMS[system])
    if paper is None:
        return [*row, *[""] * 5]
    row += [SYSTEMS[system], f"{paper.rate:.2f}", f"{paper.unigram_f1:.3f}", f"{paper.relation_f1:.3f}"]
    return [*row, f"{1e3 * paper.seconds:g}"]


def make_lagrangian(context: Context) -> Outcome:
    records = run_experiment("compression-lagrangian", context, quickly if context.quick else None)
    return Outcome({"table": lagrangian_table(records), "published": published_table(records)})


def lagrangian_table(records: Records) -> Table:
    """One row per size and search; the exact program says what the optimum is."""
    cells, best = current(records).drop_duplicates(["label", "instance_digest"]), best_known(records)
    rows: list[list[str]] = []
    labels = list(dict.fromkeys(cells["label"]))
    for size in dict.fromkeys(cells["size"]):
        of_size = cells[(cells["size"] == size) & (cells["solver"] == "dp-lagrangian")]
        searches = {str(label): of_size[of_size["label"] == label] for label in labels}
        rows += [[str(size), label, *search_row(own, best)] for label, own in searches.items() if len(own)]
        rows.append([])
    headings = ["sentences", "search", *COUNTS, "gap %", "iterations", "of hits", "of misses"]
    notes = [
        "exact: the length is hit, or met among maximizers that tie (by ties), which proves the optimum without repair. repaired: the optimum "
        "by the exact program.",
        "wrong length: another number of words is kept. certified: of these, where two compressions prove that no multiplier gives a lower "
        "bound, so that no search can hit the length. at its cap: of these, where the search had used all iterations of its cap.",
        "gap %: how far the bound lies above the optimum, median over sentences of wrong length; where it is certified, the duality gap.",
        "iterations: mean number of relaxed problems; of searches that hit the length, and of those that miss it.",
    ]
    return Table("Where the Lagrangian program of Qian & Liu (2014) is exact", headings, rows, notes, left=2)


def published_table(records: Records) -> Table:
    """The two programs of the paper against each other, size by size: times, hits and misses, and what both are worth."""
    run = SystemsRun.of(records)
    facts = current(records).drop_duplicates(["label", "instance_digest"])
    approximate, exact = PUBLISHED
    rows = []
    for size in dict.fromkeys(run.cells["size"]):
        own = run.sized(str(size))
        mine, theirs = own.sentences(approximate), own.sentences(exact)
        here = facts[(facts["size"] == size) & (facts["label"] == approximate)]
        statuses = mine["status"].tolist()
        row = [str(size), str(statuses.count("optimal")), str(statuses.count("infeasible"))]
        row += [
            f"{here['iterations'].mean():.1f}",
            digits(1e3 * theirs["runtime"].mean()),
            digits(1e3 * mine["runtime"].mean()),
        ]
        row += [speed(own.time_ratio(approximate, exact, kind)) for kind in (ANSWERED, HIT, MISSED)]
        rows.append(row + [f"{each[name].mean():.3f}" for name in MEASURES for each in (theirs, mine)])
    headings = ["sentences", "hits", "misses", "iterations", "exact ms", "ms", "x exact", "on hits", "on misses"]
    headings += [f"{whose}{name}" for name in ("rate", "unigram F1", "relation F1") for whose in ("exact ", "")]
    notes = [
        "The O(n^6) program against the O(n^4) program with subgradient steps, both as published, on the same sentences; a miss keeps the nearest "
        "length that a multiplier gives, and is scored as it is.",
        "x exact: time of the exact program over that of the approximate one, median over sentences with its 95 % interval.",
    ]
    return Table("The programs of Qian & Liu (2014) against each other", headings, rows, notes)


def search_row(cells: pd.DataFrame, best: dict[str, float]) -> list[str]:
    missed = cells[cells["status"] == "infeasible"]
    optima = missed["instance_digest"].map(best)
    gaps = 100 * (missed["bound"] - optima) / optima.abs()
    caps = [options.get("max_iterations", 0) for options in missed["options"]]
    tied, repaired = (int(sum(info.get(name, 0) for info in cells["info"])) for name in ("tied", "repaired"))
    exact = int((cells["status"] == "optimal").sum()) - repaired
    certified = int(sum(info.get("certified", 0) for info in missed["info"]))
    counts = [exact, tied, repaired, len(missed), certified, int((missed["iterations"] >= caps).sum())]
    gap = "" if missed.empty else f"{gaps.median():.2f}"
    hit = cells["info"].map(lambda info: bool(info.get("hit", 0))).astype(bool)
    steps = [cells["iterations"], cells["iterations"][hit], cells["iterations"][~hit]]
    return [
        *(f"{count}/{len(cells)}" for count in counts),
        gap,
        *("" if each.empty else f"{each.mean():.1f}" for each in steps),
    ]


PAIRS = CORPORA["compression"]
PIECES = [
    Piece("ql-table2", PAPER, "Tables 1 and 2", "Six systems of sentence compression", make_table2, corpora=PAIRS),
    Piece("ql-lagrangian", PAPER, "Section 3.3", "Where the Lagrangian program is exact", make_lagrangian, real=False),
]
