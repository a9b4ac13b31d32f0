"""Contests as rows of text: the same words on the cover page, in the README and in the index of `results/`."""

from __future__ import annotations

from ..analysis.statistics.ratios import SpeedUp
from ..analysis.statistics.values import Interval
from ..output.table_columns import percent, with_interval
from .standings import Contest, Standing

HEADINGS = [
    "task",
    "size",
    "instances",
    "fastest proof",
    "fastest ILP",
    "combinatorial algorithm",
    "times faster",
    "quality %",
]
NOTES = [
    "Median CPU time per instance with its 95 % bootstrap interval over instances; building and rounding included.",
    "fastest proof: of the solvers that prove the most optima. fastest ILP: the fastest of ilp-* on each instance, and which that is most often.",
    "combinatorial algorithm: the one that is the most times faster than the fastest ILP solver of each instance, among answers that "
    "both reach: optimal (proved), or within 0.1 % or 1 % of the best known objective, on every instance. Without such a target there is no ratio, and the one with the "
    "best answers is named. quality %: its mean share of the best known objective.",
    "at a limit: instances on which one of the two was stopped; its time limit counts as its time.",
]


def contest_row(contest: Contest) -> list[str]:
    """A row below `HEADINGS`."""
    proof, rival = contest.proof, contest.rival
    cells = [contest.task, contest.size, str(contest.instances)]
    cells.append("none" if proof is None else f"{proof.label}{_of(proof)}: {seconds_text(proof.seconds)}")
    cells.append(f"{contest.ilp_label}: {seconds_text(contest.ilp)}" if contest.ilp_label else "none")
    if rival is None:
        return [*cells, "none", "", ""]
    reached = target_text(rival.speed_up)
    return [*cells, f"{rival.label} ({reached})", speed_up_text(rival.speed_up), percent(rival.share)]


def _of(standing: Standing) -> str:
    """How many optima a solver proved, if not all."""
    return "" if standing.proved == standing.instances else f" ({standing.proved} of {standing.instances})"


def target_text(found: SpeedUp | None) -> str:
    """At which quality a solver is compared."""
    if found is None:
        return "no common target"
    return found.target if isinstance(found.target, str) else f"within {100 * found.target:g} %"


def speed_up_text(found: SpeedUp | None) -> str:
    """Such as 19.2 [14.0, 25.1]."""
    if found is None:
        return "-"
    charged = f" ({found.charged} of {found.pairs} at a limit)" if found.charged else ""
    return interval_text(found.times) + charged


def interval_text(found: Interval, scale: float = 1.0) -> str:
    return with_interval(*(end * scale for end in found)) or "none"


def seconds_text(found: Interval) -> str:
    """A time that a person can read: 0.31 ms, 45.2 ms, 1.20 s."""
    return f"{interval_text(found)} s" if found.value >= 1.0 else f"{interval_text(found, 1e3)} ms"
