"""Yao, Wan & Xiao (2014): Table 2 with marks of significance, Table 3 (published only) and Table 4 (examples), from one run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from statistics import fmean

import pandas as pd

from problems.compression.pairs import read_pairs

from ...analysis.statistics.values import holm, mean_interval, median_interval, paired_test
from ...experiments.experiment import Experiment
from ...output.tables import Table
from ..beside import facts
from ..claims import difference_text
from ..context import Context
from ..corpora import CORPORA
from ..evidence import paired_bootstrap
from ..models import QUICK_PAIRS, pair_corpus
from ..piece import Outcome, Passage, Piece
from ..published import RATING_MARKS, RATINGS, SIGNIFICANT, TRANSDUCTION
from ..published.yao import PAGES
from ..runs import run_experiment
from .sentence_views import partition_view, transduction_view
from .transduction_claims import transduction_claims
from .transduction_systems import (
    DISCRIMINATIVE_SYSTEM,
    EXPERIMENT,
    LM_SYSTEM,
    MEASURES,
    TransductionRun,
    learned_run,
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
    signs = marks(run.table("relation F1"))
    corpus = "generated, scores by the generator" if context.data is None else pair_corpus(context)
    trained = None if context.data is None else training_pairs(context)
    views = {
        "beside1": partition_view({corpus: (trained, None, len(run.originals))}),
        "beside": transduction_view(run, signs, gold_rate(run), run.notes),
    }
    tables = {"table": table2(run, signs), "controlled": controlled(run)}
    tables |= {} if run.checks is None else {"checks": run.checks}
    tables["table3"] = ratings()
    return Outcome(tables, claims=transduction_claims(run), facts=facts(views))


def training_pairs(context: Context) -> int:
    """How many sentences the model is trained with, those included that choices are made on."""
    assert context.data is not None
    found = len(read_pairs(pair_corpus(context), context.data, "train").pairs)
    return min(found, QUICK_PAIRS) if context.quick else found


def gold_rate(run: TransductionRun) -> float:
    return fmean(len(each.gold_kept or ()) / len(each.words) for each in run.originals.values())


def controlled(run: TransductionRun) -> Table:
    """Relation F1 at equal lengths: of each pair of systems on the sentences of which both keep the same number of words."""
    relations, kept = (
        100 * run.table("relation F1"),
        run.table("kept").map(lambda words: -1 if words is None else len(words)),
    )
    rows: list[list[str]] = []
    for reference in (LM_SYSTEM, DISCRIMINATIVE_SYSTEM):
        rows += [[]] if rows else []
        for name in (each for each in run.systems if each != reference):
            same = (kept[name] == kept[reference]) & (kept[name] >= 0)
            pair = relations.loc[same, [reference, name]].dropna()
            row = [reference, name, f"{len(pair)}/{len(relations)}"]
            if len(pair):
                found = paired_bootstrap(pair[reference].tolist(), pair[name].tolist())
                row += [*(f"{pair[each].mean():.1f}" for each in (reference, name)), difference_text(found, 1)]
            rows.append([*row, *[""] * (6 - len(row))])
    headings = ["system", "against", "equal lengths", "relation F1", "its relation F1", "difference"]
    notes = [
        "Only sentences of which both systems keep the same number of words, so that no rate is favoured [95 % interval over sentences]."
    ]
    return Table("Relation F1 at equal lengths", headings, rows, notes, left=2)


def table2(run: TransductionRun, signs: Mapping[str, str]) -> Table:
    learned = run.checks is not None
    rows = [system_row(run.of_system(name), name, signs[name], learned) for name in run.systems]
    gold = TRANSDUCTION[GOLD]
    rate = 100 * gold_rate(run)
    published = [f"{gold.written_rate}", "100.0", f"{gold.spoken_rate}", "100.0"]
    interval = ["95 %"] if learned else []
    rows.append([GOLD, f"{rate:.1f}", "100.0", *[""] * learned, *["100.0"] * (len(MEASURES) - 2), "", "", *published])
    headings = ["system", "rate", "relation F1", *interval, "unigram F1", "exact", "proved", "ms"]
    headings += ["paper: Written rate", "F1", "Spoken rate", "F1"]
    notes = [
        f"Means in per cent over {len(run.originals)} sentences.",
        *run.notes,
        *(["95 %: interval of the mean relation F1 over sentences, by bootstrap."] if learned else []),
        "† (*): differs from T3+LM (T3+Discr.) by dual decomposition; paired t-tests, p < 0.01 after Holm's correction over this family.",
        "proved: sentences with a certificate of optimality for the system's own scores. ms: median CPU milliseconds of decoding, with its "
        "95 % interval over sentences.",
        "The paper's numbers are of other sentences with another parser: only orders can be compared.",
    ]
    return Table("Table 2 of Yao et al. (2014): automatic evaluation", headings, rows, notes)


def system_row(sentences: pd.DataFrame, name: str, mark: str, interval: bool = False) -> list[str]:
    rate, relation, *others = (f"{100 * sentences[measure].mean():.1f}" for measure in MEASURES)
    milliseconds = median_interval(1e3 * sentences["seconds"])
    row = [name, rate, relation + mark, *([ends_text(sentences["relation F1"])] if interval else []), *others]
    row += [str((sentences["status"] == "optimal").sum())]
    row += [f"{milliseconds.value:.2f} [{milliseconds.low:.2f}, {milliseconds.high:.2f}]"]
    paper = TRANSDUCTION.get(name)
    if paper is None:
        return [*row, *[""] * 4]
    published = SIGNIFICANT.get(name, "")
    row += [f"{paper.written_rate}", f"{paper.written_relations}{published}"]
    return [*row, f"{paper.spoken_rate}", f"{paper.spoken_relations}{published}"]


def ends_text(values: pd.Series) -> str:
    """The ends of the 95 % interval of a mean over sentences, in per cent."""
    if values.count() < 2:
        return ""
    _, low, high = mean_interval(100 * values.dropna())
    return f"[{low:.1f}, {high:.1f}]"


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
    headings = ["system", "Written: GR.", "Imp.", "CR(%)", "Spoken: GR.", "Imp.", "CR(%)"]
    rows = []
    for name, row in RATINGS.items():
        first, second, third, fourth = RATING_MARKS.get(name, ("", "", "", ""))
        written = [
            f"{row.written_grammar:.2f}{first}",
            f"{row.written_importance:.2f}{second}",
            f"{row.written_rate:.1f}",
        ]
        spoken = [f"{row.spoken_grammar:.2f}{third}", f"{row.spoken_importance:.2f}{fourth}", f"{row.spoken_rate:.1f}"]
        rows.append([name, *written, *spoken])
    note = "Published values only: ratings from 1 to 5 by three people on 30 sentences of each corpus cannot be reproduced."
    signs = "† (*): differs from T3+LM (T3+Discr.) by dual decomposition, p < 0.01. GR.: grammaticality, Imp.: preserved importance."
    title = f"Table 3 of Yao et al. (2014), page {PAGES['Table 3']}, as published: human ratings"
    return Table(title, headings, rows, [signs, note])


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
    Piece("yao-table2", PAPER, "Tables 1 to 3", "Six systems of tree transduction", make_table2, corpora=PAIRS),
    Piece("yao-table4", PAPER, "Table 4", "Example outputs", make_table4, corpora=PAIRS),
]
