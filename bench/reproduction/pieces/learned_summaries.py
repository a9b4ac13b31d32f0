"""Almeida & Martins (2013), Table 2: ROUGE of learned systems, no weight of which has seen the topic it is tested on."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from ...analysis.audit import with_audit
from ...analysis.statistics.cells import reduce_cells
from ...experiments.experiment import Experiment
from ...experiments.sources import Sources
from ...learning.summarization.folds import FACTS, ORACLES, SETTINGS
from ...learning.summarization.systems import EXTRACTS, LEARNED, MEASURES, UNLEARNED
from ...output.table_columns import percent
from ...output.tables import Table
from ..beside import facts
from ..claims import Claim, difference_text, judged_by_people, ratio_text
from ..context import Context
from ..corpora import CORPORA, loaded
from ..evidence import paired_bootstrap, share
from ..models import scored_topics
from ..piece import Outcome, Piece
from ..published import SUMMARIZATION_SYSTEMS
from ..real_data import own_topics_in
from ..runs import run_experiment
from ..verdicts import REPRODUCED, Ruling, better, effect, untestable
from .summary_views import systems_views

PAPER = "Almeida & Martins (2013)"
REAL = [name for name in SETTINGS if name != "generated"]
EXPERIMENTS = ("summarization-systems", "extraction-systems")
SYSTEMS = (*UNLEARNED, *LEARNED)
PUBLISHED = {"coverage": "ICSI-1", "extractive": "Extractive", "post-combined": "Post-comb."}
PUBLISHED |= {"single-task": "Single-task", "multi-task": "Multi-task"}
COMPARED = (  # the first is higher, says the paper, in these words
    ("multi-task", "single-task", "There is a clear benefit by training in the multi-task setting."),
    ("multi-task", "extractive", "Compressive summarizers cover more content than extractive ones (multi-task)."),
    ("single-task", "extractive", "Compressive summarizers cover more content than extractive ones (single task)."),
    ("multi-task", "post-combined", "Joint training is better than combining separately trained components."),
    (
        "single-task",
        "post-combined",
        "Compressive summarizers have to be properly trained: on one task rather than combined.",
    ),
    ("multi-task", "coverage", "The learned compressive summarizer is better than extraction by coverage (ICSI-1)."),
)


def make_table2(context: Context) -> Outcome:
    own = None if context.data is None else own_topics_in(context.data)
    real = REAL if own is None else [own.name]
    names = ["generated"] if context.data is None else real[:1] if context.quick else real
    frame = pd.DataFrame([row for name in names for row in rows(context, name)])
    views = facts(systems_views(frame, PUBLISHED))
    return Outcome({"table": systems_table(frame)}, claims=system_claims(frame), facts=views)


def rows(context: Context, name: str) -> list[dict[str, Any]]:
    """ROUGE per system and topic of a setting: of what the runner's cells have decoded, and of the golds."""
    folder = scored_topics(context, name)
    facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
    found = list(facts["golds"])
    for experiment in EXPERIMENTS:
        records = with_audit(run_experiment(experiment, context, partial(of_setting, folder, name)))
        for cell in reduce_cells(records).to_dict("records"):
            measures = {measure: cell[f"metrics.{measure}"] for measure in MEASURES}
            topic = cell["instance"].removesuffix(f", {cell['size']}")
            found.append({"system": cell["size"], "topic": topic, **measures})
    return [{"setting": name, "pairs": facts["pairs"], **row} for row in found]


def of_setting(folder: Path, name: str, experiment: Experiment) -> Experiment:
    """The experiment on the topics of a setting; the systems that have scored them are its sizes."""
    systems = [system for system in SYSTEMS if (system in EXTRACTS) == (experiment.task == "extraction")]
    files = {system: sorted((folder / system).glob("*.json")) for system in systems}
    sources = Sources(tuple(loaded(experiment.task, own, system) for system, own in files.items()))
    return replace(experiment, name=f"{experiment.name}-{name}", source=sources)


def systems_table(frame: pd.DataFrame) -> Table:
    """Recalls per system and setting, the paper's beside."""
    settings = list(dict.fromkeys(frame["setting"]))
    lines = []
    for system in (*SYSTEMS, *ORACLES):
        cells = [system]
        for setting in settings:
            found = frame[(frame["setting"] == setting) & (frame["system"] == system)]
            cells += [percent(100 * found[measure].mean()) for measure in MEASURES]
        published = SUMMARIZATION_SYSTEMS.get(PUBLISHED.get(system, ""))
        cells += ["", ""] if published is None else [f"{published.rouge_2:.2f}", f"{published.rouge_su4:.2f}"]
        lines.append(cells)
    headings = ["system", *(text for setting in settings for text in (f"{setting} R-2", "R-SU4")), "paper R-2", "R-SU4"]
    counts = [
        f"{setting}: {own['topic'].nunique()} test topics, {own['pairs'].iloc[0]} sentence pairs"
        for setting, own in frame.groupby("setting", sort=False)
    ]
    notes = [
        f"Recall in per cent, means over topics; {'; '.join(counts)}. Compressive systems decode by AD3 with 1000 iterations, extractive "
        "ones exactly (HiGHS).",
        "No weight, no regularization constant and no candidate of a learned row has seen the topic it is tested on; candidates are pruned "
        "by weights that auxiliary topics taught. The step size was chosen on generated topics of other seeds, regularization constants on "
        "development topics or in cross-validation over training topics (docs/learning-summarization.md). The scale of concept features "
        "had been set after looking at training scores of multiling2011 topics.",
        "coverage: document counts of at least three, whole sentences. unlearned: compressive, hand-set scores. Both have candidates by counts.",
        "oracle rows: the gold of training, which knows the references.",
        "paper: TAC-2008, 48 topics, 100 words, four references; its numbers can be compared in order only.",
    ]
    return Table("Table 2 of Almeida & Martins (2013): learned summarizers", headings, lines, notes)


def system_claims(frame: pd.DataFrame) -> list[Claim]:
    """The paper's comparisons in every setting, by paired bootstraps over topics."""
    settings = list(dict.fromkeys(frame["setting"]))
    claims = [
        compared(frame[frame["setting"] == setting], f" [{setting}]" if len(settings) > 1 else "", *names)
        for setting in settings
        for names in COMPARED
    ]
    return [*claims, human_judgements()]


def compared(frame: pd.DataFrame, setting: str, first: str, second: str, text: str) -> Claim:
    topics = by_topic(frame, first, second, "ROUGE-2")
    means = [sum(values) / len(values) for values in topics]
    published = [SUMMARIZATION_SYSTEMS[PUBLISHED[system]].rouge_2 for system in (first, second)]
    gain, found = published[0] / published[1], share(*topics)
    differences = [paired_bootstrap(*by_topic(frame, first, second, measure)) for measure in ("ROUGE-2", "ROUGE-SU4")]
    return Claim(
        f"{first}-beats-{second}" + (f"-{setting.strip(' []')}" if setting else ""),
        "Table 2",
        text + setting,
        f"ROUGE-2 {published[0]:.2f} against {published[1]:.2f}",
        f"ROUGE-2 {means[0]:.2f} against {means[1]:.2f}",
        ratio_text(found, gain),
        (None if second in UNLEARNED else nothing_learned(frame, first, second)) or better(gain, found),
        f"{difference_text(differences[0])}; ROUGE-SU4: {difference_text(differences[1])}",
    )


RIVALS = {"extractive": "coverage", "single-task": "unlearned", "multi-task": "unlearned"}
"""A learned system, and the unlearned one that decodes the same problem."""


def nothing_learned(frame: pd.DataFrame, *systems: str) -> Ruling | None:
    """Where a learned system does not surely beat the unlearned one, its comparisons speak of our training, not of the paper."""
    there = set(frame["system"])
    for system in systems:
        rival = RIVALS.get(system)
        if (
            rival in there
            and effect(share(*by_topic(frame, system, str(rival), "ROUGE-2")), 1.0, 1.0).verdict != REPRODUCED
        ):
            return untestable(
                f"our learned system {system!r} is not surely above the unlearned {rival!r} on these topics"
            )
    return None


def by_topic(frame: pd.DataFrame, first: str, second: str, measure: str) -> tuple[list[float], list[float]]:
    """A measure of two systems in per cent, on the topics that both have summarized."""
    topics = 100 * frame.pivot(index="topic", columns="system", values=measure)[[first, second]].dropna()
    return topics[first].tolist(), topics[second].tolist()


def human_judgements() -> Claim:
    multi, single = (SUMMARIZATION_SYSTEMS[name] for name in ("Multi-task", "Single-task"))
    text = "People find more content and better language in summaries of the multi-task system."
    published = f"Pyramid {multi.pyramid} against {single.pyramid}, "
    published += f"linguistic quality {multi.quality} against {single.quality}"
    return judged_by_people("human-judgements", "Table 2", text, published)


TOPICS = CORPORA["summarization"]
PIECES = [Piece("am-table2", PAPER, "Table 2", "ROUGE of learned summarizers", make_table2, False, TOPICS)]
