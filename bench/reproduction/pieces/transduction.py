"""Yao, Wan & Xiao (2014): Table 2 with marks of significance, Table 3 (published only) and Table 4 (examples), from one run."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean

import pandas as pd

from ...analysis.statistics.values import holm, median_interval, paired_test
from ...experiments.experiment import Experiment
from ...output.tables import Table
from ..corpora import CORPORA
from ..piece import Context, Outcome, Passage, Piece
from ..published import RATINGS, SIGNIFICANT, TRANSDUCTION
from ..runs import run_experiment
from .transduction_systems import (
    DISCRIMINATIVE_SYSTEM,
    EXPERIMENT,
    LM_SYSTEM,
    MEASURES,
    TransductionRun,
    learned_run,
    transduction_claims,
    transduction_run,
)

PAPER = "Yao, Wan & Xiao (2014)"
QUICK_SENTENCES = 8
EXAMPLE_SENTENCES, EXAMPLES = 40, 2  # the paper shows two
LEVEL = 0.01  # of the marks of significance
GOLD = "Gold-Standard"


def quickly(experiment: Experiment) -> Experiment:
    """A first look: a few sentences, once."""
    return replace(experiment, source=experiment.source.shortened(QUICK_SENTENCES), repetitions=1)


def systems_run(context: Context) -> TransductionRun:
    """With real data: a model trained on pairs. Both pieces ask for the same run, which is made once."""
    if context.data is not None:
        return learned_run(context)
    found = transduction_run(run_experiment(EXPERIMENT, context, quickly if context.quick else None))
    notes = (
        "Generated sentences of size 'news'. Relations: every kept word hangs from its nearest kept ancestor in the source tree.",
        "G&A2010 is given 70 % of each sentence as its length, since no reward steers it; the row with free length keeps more words.",
    )
    return replace(found, notes=notes)


def make_table2(context: Context) -> Outcome:
    """The human ratings are shown as published."""
    run = systems_run(context)
    return Outcome({"table": table2(run), "table3": ratings()}, claims=transduction_claims(run))


def table2(run: TransductionRun) -> Table:
    signs = marks(run.table("relation F1"))
    rows = [system_row(run.of_system(name), name, signs[name]) for name in run.systems]
    gold = TRANSDUCTION[GOLD]
    rate = 100 * fmean(len(each.gold_kept or ()) / len(each.words) for each in run.originals.values())
    published = [f"{gold.written_rate}", "100.0", f"{gold.spoken_rate}", "100.0"]
    rows.append([GOLD, f"{rate:.1f}", *["100.0"] * (len(MEASURES) - 1), "", "", *published])
    headings = ["system", "rate", "relation F1", "unigram F1", "exact", "proved", "ms"]
    headings += ["paper: Written rate", "F1", "Spoken rate", "F1"]
    notes = [
        f"Means in per cent over {len(run.originals)} sentences.",
        *run.notes,
        "† (*): differs from T3+LM (T3+Discr.) by dual decomposition; paired t-tests, p < 0.01 after Holm's correction over this family.",
        "proved: sentences with a certificate of optimality for the system's own scores. ms: median CPU milliseconds of decoding, with its "
        "95 % interval over sentences.",
        "The paper's numbers are of other sentences with another parser: only orders can be compared.",
    ]
    return Table("Table 2 of Yao et al. (2014): automatic evaluation", headings, rows, notes)


def system_row(sentences: pd.DataFrame, name: str, mark: str) -> list[str]:
    rate, relation, *others = (f"{100 * sentences[measure].mean():.1f}" for measure in MEASURES)
    milliseconds = median_interval(1e3 * sentences["seconds"])
    row = [name, rate, relation + mark, *others, str((sentences["status"] == "optimal").sum())]
    row.append(f"{milliseconds.value:.2f} [{milliseconds.low:.2f}, {milliseconds.high:.2f}]")
    paper = TRANSDUCTION.get(name)
    if paper is None:
        return [*row, *[""] * 4]
    published = SIGNIFICANT.get(name, "")
    row += [f"{paper.written_rate}", f"{paper.written_relations}{published}"]
    return [*row, f"{paper.spoken_rate}", f"{paper.spoken_relations}{published}"]


def marks(relations: pd.DataFrame) -> dict[str, str]:
    """† and * for each system: two-sided paired t-tests over sentences with Holm's correction over the whole family.

    The family is each system against T3+LM by dual decomposition (†) and against T3+discriminative by dual decomposition (*).
    """
    family = [
        (name, mark, reference)
        for mark, reference in (("†", LM_SYSTEM), ("*", DISCRIMINATIVE_SYSTEM))
        for name in relations.columns
        if name != reference and not (mark == "*" and name == LM_SYSTEM)  # that pair is in the family already
    ]
    values = [paired_test((relations[name] - relations[reference]).dropna().tolist()) for name, _, reference in family]
    found = dict.fromkeys(map(str, relations.columns), "")
    for (name, mark, _), value in zip(family, holm(values), strict=True):
        if value < LEVEL:
            found[name] += mark
    return found


def ratings() -> Table:
    """Table 3 as it was published: nothing of it can be computed."""
    headings = ["system", "Written: grammar", "importance", "rate", "Spoken: grammar", "importance", "rate"]
    rows = [
        [name, *(f"{value:.1f}" if place % 3 == 2 else f"{value:.2f}" for place, value in enumerate(row))]
        for name, row in RATINGS.items()
    ]
    note = "Published values only: ratings from 1 to 5 by three people on 30 sentences of each corpus cannot be reproduced."
    return Table("Table 3 of Yao et al. (2014), as published: human ratings", headings, rows, [note])


def make_table4(context: Context) -> Outcome:
    """Examples: of the first sentences those on which the systems differ most, so that none is picked by hand."""
    run = systems_run(context)
    kept = run.table("kept")
    kept = kept[kept.notna().all(axis=1)].head(EXAMPLE_SENTENCES)
    different = kept.nunique(axis=1).sort_values(ascending=False, kind="stable")
    chosen = sorted(different.index[:EXAMPLES])
    originals = [run.originals[sentence] for sentence in chosen]
    outputs = {str(name): list(kept.loc[chosen, name]) for name in kept.columns}
    outputs[GOLD] = [each.gold_kept for each in originals]
    rows = [["Original", *(str(len(each.words)) for each in originals)]]
    rows += [[name, *(str(len(each)) for each in own)] for name, own in outputs.items()]
    passages = [
        Passage(
            f"Sentence {number + 1}, {name}",
            [[(word, at in own[number]) for at, word in enumerate(original.words, start=1)]],
        )
        for number, original in enumerate(originals)
        for name, own in outputs.items()
    ]
    notes = [
        f"Words kept. Of {len(kept)} sentences the {len(chosen)} on which the systems differ most"
        + ("; their texts are below." if context.texts else " (their texts are left out).")
    ]
    headings = ["system", *(f"sentence {number}" for number in range(1, len(chosen) + 1))]
    table = Table("Table 4 of Yao et al. (2014): example outputs", headings, rows, notes)
    return Outcome({"table": table}, passages=passages)


PAIRS = CORPORA["transduction"]
PIECES = [
    Piece("yao-table2", PAPER, "Tables 2 and 3", "Six systems of tree transduction", make_table2, corpora=PAIRS),
    Piece("yao-table4", PAPER, "Table 4", "Example outputs", make_table4, corpora=PAIRS),
]
