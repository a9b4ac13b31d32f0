"""Where the solvers of a task stand, size by size: what the cover page and the results tables are made from.

Everything is computed from reduced cells (`reduce_cells`, or a `cells.csv` of `results/`) of one task and size, by the functions that
make a run's own table: no number is pooled over sizes, and a speed-up is given among answers of the same quality only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from ..analysis.regret import ASKS
from ..analysis.statistics.progress import primal_gap
from ..analysis.statistics.ratios import SpeedUp, speed_up
from ..analysis.statistics.values import NOTHING, Interval, median_interval
from ..output.table_columns import percent, with_interval

ILP, LP, SEARCH = "ILP", "LP and rounding", "search"
FAMILIES = (  # by how a name begins; the first that fits
    ("ilp-", ILP),
    ("tree-ilp", ILP),
    ("lp-", LP),
    ("ad3", "AD3"),
    ("subgradient", "subgradient"),
    ("dp-", "dynamic program"),
)
INTEGER_PROGRAMS = "ilp-*"
"""The solvers that all others are compared with: the fastest of them on each instance."""


def family(solver: str) -> str:
    return next((name for start, name in FAMILIES if solver.startswith(start)), SEARCH)


def size_name(size: str) -> str:
    """Sizes that are numbers are lengths of sentences."""
    return f"{size} words" if size.isdigit() else size


@dataclass(frozen=True)
class Standing:
    """One solver on the instances of one size."""

    label: str
    family: str
    instances: int
    seconds: Interval  # the median of its CPU times; a failed cell counts as its limit
    proved: int  # instances with a proof of optimality
    share: float  # mean of its objectives in % of the best known
    scored: int  # instances where it has one
    speed_up: SpeedUp | None  # over the fastest ILP of each instance, at the strictest target; an ILP itself has none
    to_target: float | None  # median seconds until it is within 1 % of the best known, by its traces

    @property
    def share_proved(self) -> str:
        """How many optima it proved, if not all: words behind its name."""
        return "" if self.proved == self.instances else f" ({self.proved} of {self.instances})"


@dataclass(frozen=True)
class Contest:
    """The solvers of one task on the instances of one size. `ilp`: the time of the fastest ILP solver of each instance, median."""

    task: str
    size: str
    instances: int
    ilp: Interval
    ilp_label: str  # the one that is the fastest most often
    standings: tuple[Standing, ...]

    @cached_property
    def proof(self) -> Standing | None:
        """The fastest of those that prove the most optima; None where nobody proves one."""
        most = max((each.proved for each in self.standings), default=0)
        able = [each for each in self.standings if each.proved == most and most]
        return min(able, key=lambda each: each.seconds.value, default=None)

    @cached_property
    def rival(self) -> Standing | None:
        """The combinatorial algorithm with the largest speed-up over the fastest ILP solver; where none has one, the best answers'."""
        able = [each for each in self.standings if each.family not in (ILP, LP) and each.scored]
        fast = [each for each in able if each.speed_up is not None]
        if fast:
            return max(fast, key=lambda each: each.speed_up.times.value if each.speed_up else 0.0)
        return max(able, key=lambda each: each.share, default=None)

    @cached_property
    def soonest(self) -> Standing | None:
        """Who comes within 1 % of the best known objective first."""
        able = [each for each in self.standings if each.to_target is not None]
        return min(able, key=lambda each: each.to_target or 0.0, default=None)


def contest_of(document: dict[str, Any]) -> Contest:
    """The inverse of `asdict`, after JSON."""
    standings = []
    for each in document["standings"]:
        times, *rest = each["speed_up"] or [None]
        found = None if times is None else SpeedUp(Interval(*times), *rest)
        standings.append(Standing(**{**each, "seconds": Interval(*each["seconds"]), "speed_up": found}))
    return Contest(**{**document, "ilp": Interval(*document["ilp"]), "standings": tuple(standings)})


def contests(cells: pd.DataFrame, best: Mapping[str, float]) -> list[Contest]:
    """One for each task and size, in the order of the cells. `auto` takes no part: it calls one of the others."""
    groups = cells[cells["solver"] != ASKS].groupby(["task", "size"], sort=False)
    return [_contest(str(task), str(size), part, best) for (task, size), part in groups]


def _contest(task: str, size: str, cells: pd.DataFrame, best: Mapping[str, float]) -> Contest:
    own = cells[[fnmatchcase(name, INTEGER_PROGRAMS) for name in cells["solver"]]]
    times = own["runtime"].where((own["status"] == "optimal") & own["answered"], np.inf)
    table = own.assign(seconds=times).pivot(index="instance_digest", columns="label", values="seconds")
    fastest = table.min(axis=1)
    limits = own.groupby("instance_digest")["limit"].max().reindex(fastest.index)
    winners = table[np.isfinite(fastest)].idxmin(axis=1)
    return Contest(
        task,
        size,
        int(cells["instance_digest"].nunique()),
        median_interval(fastest.where(np.isfinite(fastest), limits)) if len(winners) else NOTHING,
        str(winners.mode().iloc[0]) if len(winners) else "",
        tuple(_standing(str(label), part, cells, best) for label, part in cells.groupby("label", sort=False)),
    )


def _standing(label: str, own: pd.DataFrame, cells: pd.DataFrame, best: Mapping[str, float]) -> Standing:
    values = zip(own["objective"], own["instance_digest"], strict=True)
    gaps = [primal_gap(value, best.get(digest, np.nan)) for value, digest in values if value == value]
    reached = own["to_target"].median() if own["to_target"].notna().any() else np.inf
    kind = family(str(own["solver"].iloc[0]))
    return Standing(
        label,
        kind,
        len(own),
        median_interval(own["runtime"][own["status"] != "skipped"]) if own["ended"].any() else NOTHING,
        int(((own["status"] == "optimal") & own["answered"]).sum()),
        float(100 * (1 - np.mean(gaps))) if gaps else np.nan,
        len(gaps),
        None if kind == ILP else speed_up(cells, best, label, INTEGER_PROGRAMS),
        float(reached) if np.isfinite(reached) else None,
    )


HEADINGS = ["task", "size", "instances", "fastest proof", "fastest ILP"]
HEADINGS += ["combinatorial algorithm", "times faster", "quality %"]
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
    cells.append("none" if proof is None else f"{proof.label}{proof.share_proved}: {seconds_text(proof.seconds)}")
    cells.append(f"{contest.ilp_label}: {seconds_text(contest.ilp)}" if contest.ilp_label else "none")
    if rival is None:
        return [*cells, "none", "", ""]
    reached = target_text(rival.speed_up)
    return [*cells, f"{rival.label} ({reached})", speed_up_text(rival.speed_up), percent(rival.share)]


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
