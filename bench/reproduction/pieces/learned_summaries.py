"""Almeida & Martins (2013), Table 2: ROUGE of learned systems, no weight of which has seen the topic it is tested on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from problems.text.clusters import CLUSTER_SIZES

from ...output.tables import Table
from ...published import SUMMARIZATION_SYSTEMS
from ...studies.learned_summarization import PLANS, PUBLISHED, decoders_table, difference, rows, systems_table
from ..claims import UNTESTABLE, Claim, said, sure
from ..models import parser_file
from ..piece import Context, Corpus, Outcome, Piece

if TYPE_CHECKING:
    import pandas as pd

PAPER = "Almeida & Martins (2013)"
REAL = ("multiling2011-100", "opinosis-25")
TOPICS, QUICK_TOPICS, QUICK_SIZE = 48, 6, "tiny"
CORPORA = (
    Corpus("summarization/multiling2011", "the topics of MultiLing 2011 with their references"),
    Corpus("summarization/opinosis", "the topics of Opinosis with their references"),
    Corpus("compression/google_eval", "the evaluation part of the Google compression corpus"),
    Corpus("treebanks/en_ewt", "the English Web Treebank (CoNLL-U), on which the parser is trained"),
)
COMPARED = (  # the first is higher, says the paper, in these words
    ("multi-task", "single-task", "There is a clear benefit by training in the multi-task setting."),
    ("multi-task", "extractive", "Compressive summarizers cover more content than extractive ones (multi-task)."),
    ("single-task", "extractive", "Compressive summarizers cover more content than extractive ones (single task)."),
    ("multi-task", "post-combined", "Joint training is better than combining separately trained components."),
)


def make_table2(context: Context) -> Outcome:
    import pandas as pd

    if context.data is None:
        frame = generated_rows(context.quick)
    else:
        parser = str(parser_file(context))
        settings = REAL[:1] if context.quick else REAL
        limit = QUICK_TOPICS if context.quick else None
        found = [rows(name, str(context.data), parser, limit) for name in settings]
        frame = pd.concat(found, ignore_index=True)
    tables = {"table": systems_table(frame), "published": published_table()}
    if (frame["table"] == 3).any():
        tables["decoders"] = decoders_table(frame)
    return Outcome(tables, claims=system_claims(frame))


def generated_rows(quick: bool) -> pd.DataFrame:
    """A few topics in two folds; in a quick run tiny ones, few epochs and no search for the constant.

    Table 3 with generated scores is a piece of its own, so decoders are not compared here."""
    if not quick:
        return rows("generated", limit=TOPICS, plan=replace(PLANS["generated"][1], folds=2, decodings=False))
    plan = PLANS["generated"][1]
    budget = CLUSTER_SIZES[QUICK_SIZE].budget
    return rows(
        "generated",
        limit=QUICK_TOPICS,
        plan=replace(
            plan,
            budget=budget,
            folds=2,
            grid=(1.0,),
            decodings=False,
            settings=replace(plan.settings, epochs=3),
        ),
        size=QUICK_SIZE,
    )


def published_table() -> Table:
    """Table 2 as it was printed, with the columns that people judged."""
    rows = [
        [name, f"{row.rouge_2:.2f}", f"{row.rouge_su4:.2f}", _shown(row.pyramid), _shown(row.quality)]
        for name, row in SUMMARIZATION_SYSTEMS.items()
    ]
    notes = [
        "Published values only. Pyramid and linguistic quality (1 to 5) are human judgements, which cannot be reproduced.",
        "The Pyramid scores of ICSI-1 and BGK'11 are other annotators' and cannot be compared with the others.",
    ]
    headings = ["system", "ROUGE-2", "ROUGE-SU4", "Pyramid", "linguistic quality"]
    return Table("Table 2 of Almeida & Martins (2013), as published", headings, rows, notes)


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def system_claims(frame: pd.DataFrame) -> list[Claim]:
    """The paper's comparisons in every setting, by paired bootstraps over topics."""
    claims = []
    settings = list(dict.fromkeys(frame["setting"]))
    for setting in settings:
        for first, second, text in COMPARED:
            claims.append(compared(frame, setting, first, second, text, several=len(settings) > 1))
    return [*claims, human_judgements()]


def compared(frame: pd.DataFrame, setting: str, first: str, second: str, text: str, several: bool) -> Claim:
    found = difference(frame, setting, first, second, "ROUGE-2")
    own = frame[(frame["table"] == 2) & (frame["setting"] == setting)]
    means = [100 * own[own["system"] == system]["ROUGE-2"].mean() for system in (first, second)]
    published = [SUMMARIZATION_SYSTEMS[PUBLISHED[system]].rouge_2 for system in (first, second)]
    points = found._replace(difference=100 * found.difference, low=100 * found.low, high=100 * found.high)
    return Claim(
        f"{first}-beats-{second}" + (f"-{setting}" if several else ""),
        "Table 2",
        text + (f" [{setting}]" if several else ""),
        f"ROUGE-2 {published[0]:.2f} against {published[1]:.2f}",
        f"ROUGE-2 {means[0]:.2f} against {means[1]:.2f}",
        f"{means[0] / means[1]:.3f} (paper {published[0] / published[1]:.3f})" if means[1] else "none",
        sure(found),
        said(points),
    )


def human_judgements() -> Claim:
    multi, single = (SUMMARIZATION_SYSTEMS[name] for name in ("Multi-task", "Single-task"))
    return Claim(
        "human-judgements",
        "Table 2",
        "People find more content and better language in summaries of the multi-task system.",
        f"Pyramid {multi.pyramid} against {single.pyramid}, linguistic quality {multi.quality} against {single.quality}",
        "no people were asked",
        "",
        UNTESTABLE,
        "Human judgements cannot be computed; the published values are shown.",
    )


PIECES = [
    Piece("am-table2", PAPER, "Table 2", "ROUGE of learned summarizers", make_table2, timed=False, corpora=CORPORA),
]
