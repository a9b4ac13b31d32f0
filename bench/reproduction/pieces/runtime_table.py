"""Table 3 of Almeida & Martins (2013) from the audited records of its two experiments, ours beside the paper's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import pandas as pd

from problems import get_task

from ...analysis.audit import instances_for
from ...analysis.noise import noise
from ...analysis.statistics.cells import best_known, reduce_cells
from ...analysis.statistics.ratios import Race, SpeedUp, Target, count_wins, speed_up
from ...analysis.statistics.summary import summary
from ...output.table_columns import digits, failures, percent, troubled, with_interval
from ...output.tables import Table
from ...records.frame import Records
from ..published import SUMMARIZATION_RUNTIMES

ILP, LP, EXTRACTIVE = "ILP Exact", "LP-Relax.", "Extractive (ILP)"
AD3 = {5000: "AD3-5000", 1000: "AD3-1000", 200: "AD3-200"}
GLPK, DEFAULT_GLPK, ANY_ILP = "ilp-glpk, tuned", "ilp-glpk, default", "ilp-*"
FAST = "fast "  # how the labels of our faster AD3 begin; the others are AD3 as published
ROUGE = "metrics.ROUGE-2"
HEADINGS = ["decoder", *(f"{part} ms" for part in ("build", "solve", "round", "total"))]
HEADINGS += ["xGLPK", "xbest", "at", "obj. %", "opt.", "R-2"]


class DecodedClusters(NamedTuple):
    """The decoders of one problem: audited records, a cell per decoder and cluster, and the best known objectives."""

    records: Records
    cells: pd.DataFrame
    best: Mapping[str, float]

    @classmethod
    def of(cls, records: Records) -> DecodedClusters:
        return cls(records, reduce_cells(records), best_known(records))

    @property
    def candidates(self) -> str:
        """How many sentences a decoder may choose from, as text; "" of records that were made otherwise."""
        task = get_task(str(self.records["task"].iloc[0]))
        counts = {
            int(task.profile(instance).measures["sentences"]) for instance in instances_for(self.records).values()
        }
        ends = dict.fromkeys(str(count) for count in (min(counts), max(counts))) if counts else {}
        return f"{' to '.join(ends)} candidates" if ends else ""

    def speed_up(self, own: str, other: str, target: Target | Literal["auto"] = "any") -> SpeedUp | None:
        """By default of whatever answers both give, as the paper compares them."""
        return speed_up(self.cells, self.best, own, other, target)


def runtime_table(compressive: DecodedClusters, extractive: DecodedClusters, source: str) -> Table:
    """A row per decoder, with its speed relative to exact GLPK and to the fastest other ILP solver of the same problem."""
    rows: list[list[str]] = []
    trouble: list[str] = []
    for system in (ILP, LP, *AD3.values(), EXTRACTIVE):
        found = extractive if system == EXTRACTIVE else compressive
        if rows and system not in (AD3[1000], AD3[200]):
            rows.append([])
        for label, values in summary(found.records).to_dict("index").items():
            row = {str(key): value for key, value in values.items()}
            solver = str(found.cells.loc[found.cells["label"] == label, "solver"].iloc[0])
            if system != EXTRACTIVE and _system(str(label), solver) != system:
                continue
            name = {ILP: "exact ", EXTRACTIVE: "extractive "}.get(system, "") + str(label)
            rows.append(_row(name, str(label), row, found))
            if troubled(row):
                trouble.append(f"* {name}: {failures(row)} of {row['cells']} cells failed; they count as their limit.")
        rows.append(_paper_row(system))
    title = "Table 3 of Almeida & Martins (2013): runtimes of decoders"
    return Table(
        title, HEADINGS, rows, [*_notes(compressive, extractive, source), *_noise(compressive, extractive), *trouble]
    )


def _system(label: str, solver: str) -> str:
    """The row of the paper's table that a compressive decoder belongs to."""
    if solver == "ad3":
        return label.partition(",")[0].removeprefix(FAST).upper()
    return LP if solver.startswith("lp-") else ILP


def _row(name: str, label: str, row: Mapping[str, Any], found: DecodedClusters) -> list[str]:
    ratios = [found.speed_up(label, other, "auto") for other in (DEFAULT_GLPK, ANY_ILP)]
    return [
        name + ("*" if troubled(row) else ""),
        *(digits(1000 * row[part]) for part in ("build", "solve", "round", "mean")),
        *("-" if ratio is None else with_interval(*ratio.times) for ratio in ratios),
        next((_quality(ratio.target) for ratio in ratios if ratio is not None), ""),
        percent(row["share"]),
        f"{row['optimal']}/{row['cells']}",
        percent(100 * row.get(ROUGE, float("nan"))),
    ]


def _quality(target: Target) -> str:
    return "proof" if target == "optimal" else f"{100 * float(target):g} %"


def _paper_row(system: str) -> list[str]:
    paper = SUMMARIZATION_RUNTIMES[system]
    exact = SUMMARIZATION_RUNTIMES[EXTRACTIVE if system == EXTRACTIVE else ILP]
    ratio = digits(exact.seconds / paper.seconds)
    return [f"paper: {system}", "", "", "", digits(1000 * paper.seconds), ratio, *[""] * 4, f"{paper.rouge_2:.2f}"]


def _notes(compressive: DecodedClusters, extractive: DecodedClusters, source: str) -> list[str]:
    cells = compressive.cells
    wins = count_wins(Race(cells[cells["solver"].str.startswith("ilp-")], {}).times("optimal")).wins
    fastest = ", ".join(f"{name} {count:.3g}" for name, count in wins.items() if count) or "none"
    repetitions = compressive.records["repetition"].nunique()
    repeated = f"medians of {repetitions} repetitions" if repetitions > 1 else "1 repetition"
    return [
        f"{cells['instance'].nunique()} {source}; CPU ms of one thread, {repeated}, means over clusters; "
        f"limit {cells['limit'].max():.0f} s. build, solve, round: what the solver says of itself.",
        f"Fastest ILP solver per cluster: {fastest} (ties within 1 % share).",
        "xGLPK, xbest: times faster than exact GLPK as it ships (the paper's solver) and than the fastest other ILP "
        "solver of each cluster; median over clusters with 95 % interval; extractive rows against the extractive ones.",
        "at: the quality of the answers that are compared, the same for both: a proof, or within 1 % or 0.1 % of the best known objective on every "
        "cluster. A decoder that misses 1 % somewhere has no ratio. An exact solver's time is that of its proof.",
        "tuned: GLPK branches on the most fractional column; default: by its own rule.",
        "obj. %: mean share of the best known objective. opt.: solutions proved optimal. R-2: ROUGE-2 recall; ours is on these "
        "texts, the paper's on TAC-2008.",
        f"Sentences to choose from: {compressive.candidates or 'unknown'}; extractive: {extractive.candidates or 'unknown'}. The paper reduces both "
        "alike (Section 5.1).",
        "Paper rows: GLPK and AD3 on a 2.8 GHz Core i7, whatever the answers; LP and AD3 rows include 29 ms of rounding.",
        "ad3-N: AD3 as published (the budget is a factor among others, no presolve, no over-relaxation), N iterations at most; it stops "
        "where its residuals are below 1e-6. fast ad3-N: our faster AD3, the solver's default.",
    ]


def _noise(*found: DecodedClusters) -> list[str]:
    return [f"Noise, {each.records['task'].iloc[0]}: {noise(each.records).sentence}" for each in found]
