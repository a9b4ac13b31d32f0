"""The systems of Table 2 of Yao, Wan & Xiao (2014) in a run of the runner: what each made of every sentence.

A system is a label of the run. Systems decode different scores of the same sentences, so that a sentence is several instances; their names
end with its number.

What the paper says about joint decoding is judged from such a run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...analysis.statistics.cells import best_known, current, reduce_cells
from ...analysis.statistics.ratios import SpeedUp, speed_up
from ...experiments.sources import instances_of
from ..claims import Claim, difference_text, times
from ..published import RATINGS, TRANSDUCTION
from ..verdicts import SHARE, UNTESTABLE, faster, higher, together

if TYPE_CHECKING:
    import pandas as pd

    from problems.transduction.instance import TransductionInstance

    from ...records.frame import Records


EXPERIMENT = "transduction-systems"
LANGUAGE_MODEL = (
    "language model"  # the size of the run on which beam search and dual decomposition decode the same scores
)
DISCRIMINATIVE, PURE = "Discriminative", "Pure Tree-Transduction"
BEAM, LM_SYSTEM, DISCRIMINATIVE_SYSTEM = "T3+LM (Beam Search)", "T3+LM (Dual Decomp.)", "T3+Discr. (Dual Decomp.)"
MEASURES = ("compression rate", "relation F1", "unigram F1", "exact match")
NEAR = 0.01  # of the best known objective: the quality at which times are compared


@dataclass(frozen=True)
class TransductionRun:
    """`sentences` has a row per system and sentence: the measures, the kept words, the status and the median seconds."""

    sentences: pd.DataFrame
    originals: dict[int, TransductionInstance]  # by sentence, with words and gold compression
    beam_speed_up: SpeedUp | None  # of dual decomposition over beam search
    notes: tuple[str, ...] = ()

    @property
    def systems(self) -> list[str]:
        return list(dict.fromkeys(self.sentences.index.get_level_values("label")))

    def of_system(self, name: str) -> pd.DataFrame:
        """Its sentences."""
        return self.sentences[self.sentences.index.get_level_values("label") == name]

    def table(self, measure: str) -> pd.DataFrame:
        """Sentences by systems."""
        return self.sentences[measure].unstack("label")[self.systems]


def sentence_number(instance: str) -> int:
    return int(instance.rpartition("-")[2])


def transduction_run(records: Records) -> TransductionRun:
    cells = reduce_cells(records)
    found = current(records).drop_duplicates(["label", "instance_digest"]).set_index(["label", "instance_digest"])
    kept = found["structure"].map(lambda structure: None if structure is None else tuple(structure[0]))
    cells["kept"] = list(kept.reindex(list(zip(cells["label"], cells["instance_digest"], strict=True))))
    cells["sentence"] = cells["instance"].map(sentence_number)
    order = [spec["label"] for spec in records.experiment["solvers"]]
    cells["place"] = cells["label"].map(order.index)
    cells = cells.sort_values(["place", "sentence"])
    measures = {f"metrics.{name}": name for name in MEASURES}
    sentences = cells.set_index(["label", "sentence"]).reindex(columns=[*measures, "kept", "status", "seconds"])
    sentences = sentences.rename(columns=measures)
    first = records[records["label"] == order[0]]
    made = instances_of(first)
    originals = {sentence_number(instance.name): instance for instance in made.values()}
    same = cells[cells["size"] == LANGUAGE_MODEL]
    return TransductionRun(
        sentences, originals, speed_up(same, best_known(records), LM_SYSTEM, BEAM, NEAR, everywhere=False)
    )


WHERE = "Table 2"


def transduction_claims(run: TransductionRun) -> list[Claim]:
    return [
        beats(
            run, "dual-beats-beam", LM_SYSTEM, [BEAM], "Joint decoding by dual decomposition outperforms beam search."
        ),
        beats(
            run,
            "discriminative-beats-lm",
            DISCRIMINATIVE_SYSTEM,
            [LM_SYSTEM],
            "Transduction with the discriminative model outperforms transduction with the language model.",
        ),
        beats(
            run,
            "joint-beats-parts",
            DISCRIMINATIVE_SYSTEM,
            [PURE, DISCRIMINATIVE],
            "The joint model outperforms both of its parts, pure transduction and the discriminative model.",
        ),
        time_like_beam(run.beam_speed_up),
        human_ratings(),
    ]


def beats(run: TransductionRun, name: str, system: str, rivals: list[str], text: str) -> Claim:
    """Better than every rival, by paired bootstraps of relation F1 over the sentences that all have answered."""
    relations = 100 * run.table("relation F1")[[system, *rivals]].dropna()
    found = {rival: higher(relations[system].tolist(), relations[rival].tolist()) for rival in rivals}
    means = relations.mean()
    closest = max(rivals, key=lambda rival: float(means[rival]))
    paper = TRANSDUCTION[system].written_relations
    others = [TRANSDUCTION[rival].written_relations for rival in rivals]
    return Claim(
        name,
        WHERE,
        text,
        f"relation F1 {paper} against {', '.join(map(str, others))} (Written)",
        f"relation F1 {means[system]:.1f} against {', '.join(f'{means[rival]:.1f}' for rival in rivals)}",
        f"{found[closest][0].difference:+.2f} (paper {paper - TRANSDUCTION[closest].written_relations:+.1f})",
        together(*(verdict for _, verdict in found.values())),
        "; ".join(f"against {rival}: {difference_text(difference)}" for rival, (difference, _) in found.items()),
    )


def time_like_beam(found: SpeedUp | None) -> Claim:
    """A speed-up of 1 is published, so to say: it holds if the interval reaches half of that."""
    ours, ratio = "not both were run", "none"
    if found is not None:
        ratio = times(found.times.value)
        ours = f"{ratio} as fast [{found.times.low:.2f}, {found.times.high:.2f}], decoding {found.pairs} sentences"
    return Claim(
        "time-like-beam",
        "Section 6",
        "Training with dual decomposition takes about as long as with beam search; decoding dominates it.",
        "similar (no numbers are printed)",
        ours,
        ratio,
        faster(1.0, found, None),
        f"Similar: at most {1 / SHARE:g} times the time. CPU on sentences where both are within {NEAR:.0%} of the best known objective.",
    )


def human_ratings() -> Claim:
    best = RATINGS[LM_SYSTEM].written_grammar
    beam = RATINGS[BEAM].written_grammar
    return Claim(
        "human-ratings",
        "Table 3",
        "People rate joint decoding as more grammatical and more informative than the other systems.",
        f"grammaticality {best} against {beam} by beam search (Written)",
        "no people were asked",
        "",
        UNTESTABLE,
        "Human judgements cannot be computed; the published values are shown.",
    )
