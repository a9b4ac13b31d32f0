"""Systems of sentence compression in a run of the runner, read as Table 2 of Qian & Liu (2014) has them.

A system is a label of the run, or all labels that begin with its name and a colon ("SYSTEM: SOLVER"): the fastest of these counts
on each sentence. Its measures are those of what it kept, whether or not that has the wanted length.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ...analysis.statistics.cells import best_known, current, reduce_cells
from ...analysis.statistics.ratios import SpeedUp, speed_up
from ...experiments.presentation import named_by

if TYPE_CHECKING:
    import pandas as pd

    from ...records.frame import Records

EXPERIMENT = "compression-systems"
MEASURES = ("compression rate", "unigram F1", "relation F1")
CELL = ["label", "instance_digest"]
BASELINE = "TM13, projective trees"
APPROXIMATE, EXACT = "Lagrangian, as published", "Exact, as published"
FAST_APPROXIMATE, FAST_EXACT = "Lagrangian, repaired", "Exact, fast"
SUBTREE, BIGRAMS, CRF = "Subtree, DP", "McDonald06", "CRF, L likeliest words"


class System(NamedTuple):
    """A row of the table: its name here and in the paper."""

    name: str
    published: str = ""


SYSTEMS = (
    System(APPROXIMATE, "Ours (Approx)"),
    System("Lagrangian, no repair", "Ours (Approx)"),
    System(FAST_APPROXIMATE, "Ours (Approx)"),
    System(EXACT, "Ours (Exact)"),
    System(FAST_EXACT, "Ours (Exact)"),
    System("Subtree, ILP", "Subtree"),
    System(SUBTREE, "Subtree"),
    System("TM13, any trees", "TM13"),
    System(BASELINE, "TM13"),
    System(BIGRAMS, "McDonald06"),
    System("CRF", "CRFs"),
    System(CRF, "CRFs"),
    System("CRF, same average rate", "CRFs"),
    System("AD3"),
    System("AD3, branch and bound"),
)


@dataclass(frozen=True)
class SystemsRun:
    """The cells of a run, reduced over repetitions; `measures` are by label and instance."""

    cells: pd.DataFrame
    best: Mapping[str, float]
    measures: pd.DataFrame

    @classmethod
    def of(cls, records: Records, measures: pd.DataFrame | None = None) -> SystemsRun:
        """`measures` are those of the records where none are given."""
        cells = reduce_cells(records)
        return cls(
            cells[cells["status"] != "skipped"],
            best_known(records),
            recorded_measures(records) if measures is None else measures,
        )

    def sized(self, *sizes: str) -> SystemsRun:
        """The part on instances of these sizes."""
        return SystemsRun(self.cells[self.cells["size"].isin(sizes)], self.best, self.measures)

    def pattern(self, system: str) -> str:
        return system if system in set(self.cells["label"]) else f"{system}: *"

    def __contains__(self, system: str) -> bool:
        return bool(self._labels(system))

    def _labels(self, system: str) -> list[str]:
        """Of the solvers that the system is the fastest of."""
        return named_by(self.pattern(system), dict(zip(self.cells["label"], self.cells["solver"], strict=True)))

    def sentences(self, system: str) -> pd.DataFrame:
        """A row per sentence, of the system's fastest solver there: its cell with the measures, indexed by the instance's name."""
        own = self.cells[self.cells["label"].isin(self._labels(system))]
        fastest = own.sort_values(["ended", "runtime"], ascending=[False, True]).drop_duplicates("instance_digest")
        plain = fastest[[*CELL, "instance", "status", "ended", "runtime"]]
        return plain.join(self.measures, on=CELL).set_index("instance").sort_index()

    def pairs(self, first: str, second: str, measure: str) -> tuple[list[float], list[float]]:
        """A measure of two systems on the sentences that both have."""
        import pandas as pd

        both = pd.DataFrame({name: self.sentences(name)[measure] for name in (first, second)}).dropna()
        return both[first].tolist(), both[second].tolist()

    def mean(self, system: str, measure: str) -> float:
        return float(self.sentences(system)[measure].mean())

    def speed_up(self, own: str, other: str) -> SpeedUp | None:
        """How many times faster the optimum is proved, on the sentences where both prove it or one is stopped by its limit."""
        return speed_up(self.cells, self.best, self.pattern(own), self.pattern(other), "optimal", everywhere=False)


def recorded_measures(records: Records) -> pd.DataFrame:
    """What the runner measured, by label and instance."""
    cells = current(records).drop_duplicates(CELL).set_index(CELL)
    return cells.reindex(columns=[f"metrics.{name}" for name in MEASURES]).set_axis(list(MEASURES), axis=1)
