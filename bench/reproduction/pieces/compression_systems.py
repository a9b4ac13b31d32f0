"""Systems of sentence compression in a run of the runner, read as Table 2 of Qian & Liu (2014) has them.

A system is a label of the run, or all labels that begin with its name and a colon ("SYSTEM: SOLVER"): the fastest of these counts
on each sentence. Its measures are those of what it kept, whether or not that has the wanted length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from ...analysis.statistics.cells import best_known, current, reduce_cells
from ...analysis.statistics.ratios import SpeedUp, speed_up
from ...analysis.statistics.values import ratio_interval
from ...experiments.presentation import named_by
from ...records.frame import Records

EXPERIMENT = "compression-systems"
MEASURES = ("compression rate", "unigram F1", "relation F1")
RATE, *F1 = MEASURES
WHERE = "Table 2"
EQUAL_RATES = 0.05  # of a rate: F1 is compared within that
CELL = ["label", "instance_digest"]
HIT, MISSED = ("optimal",), ("infeasible",)  # statuses of a program that may keep another number of words
ANSWERED = (*HIT, "feasible", *MISSED)
BASELINE = "TM13, projective trees"
APPROXIMATE, EXACT = "Lagrangian, as published", "Exact, as published"
FAST_APPROXIMATE, FAST_EXACT = "Lagrangian, repaired", "Exact, fast"
PUBLISHED_SUBTREE = "Subtree with bigrams, ILP"
SUBTREE, BIGRAMS, CRF = "Subtree, DP", "McDonald06", "CRF, L likeliest words"
JOINT_ILP = "TM13, any trees"
GUROBI = f"{JOINT_ILP}: ilp-gurobi"
PART, ANY_TREES = "part", "any trees"
"""Sizes of a run with trained models: the sentences that ILP solvers get, and these without projectivity."""
PROBLEM = rf"^(?:{PART}|{ANY_TREES}): |-nonprojective"
"""What in an instance's name tells the problems of one sentence apart."""

SYSTEMS = {  # rows of the table: our name, and that in the paper
    APPROXIMATE: "Ours (Approx)",
    "Lagrangian, no repair": "Ours (Approx)",
    FAST_APPROXIMATE: "Ours (Approx)",
    EXACT: "Ours (Exact)",
    FAST_EXACT: "Ours (Exact)",
    PUBLISHED_SUBTREE: "Subtree",
    "Subtree, ILP": "Subtree",
    SUBTREE: "Subtree",
    JOINT_ILP: "TM13",
    BASELINE: "TM13",
    BIGRAMS: "McDonald06",
    "CRF": "CRFs",
    CRF: "CRFs",
    "CRF, same average rate": "CRFs",
    "AD3": "",
    "AD3, branch and bound": "",
}


@dataclass(frozen=True)
class SystemsRun:
    """The cells of a run, reduced over repetitions; `measures` are by label and instance."""

    cells: pd.DataFrame
    best: Mapping[str, float]
    measures: pd.DataFrame

    @classmethod
    def of(cls, records: Records, measures: pd.DataFrame | None = None) -> SystemsRun:
        """`measures` are those of the records where none are given."""
        iterations = current(records).drop_duplicates(CELL).set_index(CELL)["iterations"]
        cells = reduce_cells(records).join(iterations.astype(float), on=CELL)
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
        both = pd.DataFrame({name: self.sentences(name)[measure] for name in (first, second)}).dropna()
        return both[first].tolist(), both[second].tolist()

    def mean(self, system: str, measure: str) -> float:
        return float(self.sentences(system)[measure].mean())

    def speed_up(self, own: str, other: str) -> SpeedUp | None:
        """How many times faster the optimum is proved, on the sentences where both prove it or one is stopped by its limit."""
        return speed_up(self.cells, self.best, self.pattern(own), self.pattern(other), "optimal", everywhere=False)

    @property
    def subtree(self) -> str:
        """The system of the table's row Subtree: the whole model of Berg-Kirkpatrick et al., where it was run."""
        return PUBLISHED_SUBTREE if PUBLISHED_SUBTREE in self else SUBTREE

    def whole(self) -> SystemsRun:
        """Without the systems that did not get all sentences: what is left may share a table."""
        counts = self.cells.groupby("label")["instance_digest"].nunique()
        return replace(self, cells=self.cells[self.cells["label"].map(counts) == counts.max()])

    def time_ratio(self, own: str, other: str, statuses: Sequence[str] = ANSWERED) -> SpeedUp | None:
        """The other's time over the own, over all sentences that the own ended with one of these statuses and the other ended.

        It says nothing without the measures of both: whoever tells it tells those too.
        """
        mine, theirs = self.sentences(own), self.sentences(other)
        mine, theirs = mine[mine["ended"] & mine["status"].isin(statuses)], theirs[theirs["ended"]]
        both = mine.index.intersection(theirs.index)
        if both.empty:
            return None
        times = ratio_interval(theirs.loc[both, "runtime"], mine.loc[both, "runtime"])
        return SpeedUp(times, "any", len(both), 0)

    def over_gurobi(self, own: str) -> SpeedUp | None:
        """The same against the paper's solver on the paper's program: trees of the same sentence that need not be projective."""
        mine, theirs = (self.cells[self.cells["label"] == label] for label in (own, GUROBI))
        digests = dict(zip(sentence_names(mine["instance"]), mine["instance_digest"], strict=True))
        theirs = theirs.assign(instance_digest=sentence_names(theirs["instance"]).map(digests))
        cells = pd.concat([mine, theirs.dropna(subset="instance_digest")], ignore_index=True)
        return speed_up(cells, self.best, own, GUROBI, "optimal", everywhere=False)


def recorded_measures(records: Records) -> pd.DataFrame:
    """What the runner measured, by label and instance."""
    cells = current(records).drop_duplicates(CELL).set_index(CELL)
    return cells.reindex(columns=[f"metrics.{name}" for name in MEASURES]).set_axis(list(MEASURES), axis=1)


def sentence_names(instances: pd.Series | pd.Index) -> pd.Index:
    """The names of the sentences of instances: that of one with trees of any kind is that of the projective one."""
    return pd.Index(instances).str.replace(PROBLEM, "", regex=True)


def across(one: pd.DataFrame, other: pd.DataFrame, measure: str) -> tuple[list[float], list[float]]:
    """A measure of two systems on the sentences of which both ended some problem; each as `sentences` gives it."""
    own = [each[each["ended"].astype(bool)] for each in (one, other)]
    named = [each.set_axis(sentence_names(each.index))[measure] for each in own]
    both = pd.DataFrame(dict(enumerate(named))).dropna()
    return both[0].tolist(), both[1].tolist()


def published_pair(run: SystemsRun) -> tuple[str, str]:
    """The approximate and the exact program: as published where they were run, else ours."""
    approximate = APPROXIMATE if APPROXIMATE in run else "Lagrangian, no repair"
    return approximate, EXACT if EXACT in run else FAST_EXACT
