"""The systems of Table 2 of Yao, Wan & Xiao (2014) in a run of the runner: what each made of every sentence.

A system is a label of the run. Systems decode different scores of the same sentences, so that a sentence is several instances; their names
end with its number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...analysis.statistics.cells import best_known, current, reduce_cells
from ...analysis.statistics.ratios import SpeedUp, speed_up
from ...experiments.sources import instances_of

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
