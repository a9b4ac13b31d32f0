"""The report's first screen: which solver wins, in sentences, per task and size. All numbers are those of the standings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from html import escape
from math import isnan

from ..analysis.statistics.ratios import SpeedUp, Target
from ..analysis.statistics.values import Interval
from ..output.report.catalog import counted as numbered
from ..output.report.catalog import listed
from ..output.table_columns import percent
from .claims import Claim, counted
from .page import unbroken
from .standings import Contest, interval_text, seconds_text, size_name, speed_up_text

DEEDS: dict[Target, str] = {"optimal": "proves the optimum"}


class Winner(Enum):
    """Who is the faster one at equal quality, as far as the interval tells."""

    OTHER = "another algorithm"
    ILP = "an ILP solver"
    NEITHER = "neither"


def winner(contest: Contest) -> Winner:
    """A ratio whose interval has 1 in it decides nothing. Without a common target the ILP solvers are alone."""
    found = contest.rival.speed_up if contest.rival else None
    if found is None:
        return Winner.ILP if contest.ilp_label else Winner.NEITHER
    value, low, high = found.times
    low, high = (value, value) if isnan(low) else (low, high)
    return Winner.OTHER if low > 1 else Winner.ILP if high < 1 else Winner.NEITHER


def answer(contest: Contest) -> str:
    """One size of a task in a sentence or two, with numbers and intervals."""
    rival, ilp = contest.rival, contest.ilp
    fastest = f"the fastest ILP solver ({contest.ilp_label}, {seconds_text(ilp)})"
    if rival is None or rival.speed_up is None:
        if not contest.ilp_label:
            return "No ILP solver proves an optimum within its limit, and no other algorithm can be compared."
        alone = (
            f"Only ILP solvers answer alike everywhere: {contest.ilp_label} proves the optimum in {seconds_text(ilp)}."
        )
        if rival is None:
            return alone
        return f"{alone} The best other answers are those of {rival.label}, {percent(rival.share)} % of the best known objective."
    found = rival.speed_up
    did = f"{rival.label} {deed(found)} in {seconds_text(rival.seconds)}"
    if not contest.ilp_label:
        return f"{did}; no ILP solver proves an optimum within its limit."
    match winner(contest):
        case Winner.OTHER:
            return f"{did}, {speed_up_text(found)} times faster than {fastest}."
        case Winner.ILP:
            slower = interval_text(Interval(1 / found.times.value, 1 / found.times.high, 1 / found.times.low))
            return f"{fastest[0].upper()}{fastest[1:]} wins: {did}, {slower} times as long."
        case _:
            return f"No clear difference: {did}, {speed_up_text(found)} times the speed of {fastest}."


def deed(found: SpeedUp) -> str:
    """What both solvers of a ratio reach."""
    known = DEEDS.get(found.target)
    return known or f"comes within {100 * float(found.target):g} % of the best known objective"


def lead(found: Mapping[str, Sequence[Contest]]) -> str:
    """All sizes of all tasks in one sentence."""
    sizes = [(task, contest) for task, contests in found.items() for contest in contests]
    won = {who: [f"{task} {contest.size}" for task, contest in sizes if winner(contest) is who] for who in Winner}
    won_by_others, every = len(won[Winner.OTHER]), numbered(len(sizes), "problem size")
    where = f"all {every}" if won_by_others == len(sizes) > 1 else f"{won_by_others} of {every}"
    said = [f"An algorithm other than integer linear programming is the fastest, at equal quality, on {where}"]
    if won[Winner.ILP]:
        said.append(f"ILP solvers win on {listed(won[Winner.ILP])}")
    if won[Winner.NEITHER]:
        said.append(f"there is no clear winner on {listed(won[Winner.NEITHER])}")
    return "; ".join(said) + "."


def claims_sentence(claims: Iterable[Claim]) -> str:
    """How many claims have which verdict."""
    found = counted(claims)
    parts = [f"{many} {verdict}" for verdict, many in found.items() if many]
    return f"Of {numbered(sum(found.values()), 'claim')} of the papers: {', '.join(parts)}." if parts else ""


def answers_part(found: Mapping[str, Sequence[Contest]], claims: Iterable[Claim]) -> str:
    """The sentences as HTML: one for everything, then a box per task with a line per size."""
    first = f'<p class="lead">{escape(lead(found))}</p>' if found else ""
    held = claims_sentence(claims)
    first += f'<p class="lead">{escape(held)} <a href="#verdicts">Which?</a></p>' if held else ""
    boxes = []
    for task, contests in found.items():
        lines = "".join(
            f'<li class="{winner(each).name.lower()}"><b>{escape(size_name(each.size))}:</b> {unbroken(escape(answer(each)))}</li>'
            for each in contests
        )
        boxes.append(f"<div><h3>{escape(task.capitalize())}</h3><ul>{lines}</ul></div>")
    note = (
        '<p class="note">Medians over the instances of a size with 95 % intervals; CPU time with building and rounding.</p>'
        if boxes
        else ""
    )
    return first + (f'<div class="answers">{"".join(boxes)}</div>{note}' if boxes else "")
