"""Advice on one instance: what each candidate is expected to take and to lose, and which to choose for a target.

Targets: `exact`, a proved optimum; `within-1%`, an answer at most 1 % below the best known one; `fastest`, any answer. A candidate qualifies
by what it did on recorded instances of the same task and variant, the near ones counting most. Of those that qualify the one with the least
expected time is chosen. For `exact`, one that often proves its answer may come first, with another behind it for when it does not.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from problems import task_of
from problems.bare_graph import BareGraphTask
from problems.errors import InputError
from problems.profile import Profile, graph_profile

from .curves import BANDWIDTH, Floats, Recorded, nearness
from .table import FILE, Candidate, Case, Table, read_table

Target = Literal["exact", "within-1%", "fastest"]
TARGETS: tuple[Target, ...] = get_args(Target)
CLOSE = 0.01  # the loss that `within-1%` allows
OFTEN = 0.9  # share of near cells in which a candidate must have met the target
WORTH_TRYING = 0.3  # share of proofs from which on a candidate may come first
MOST_OFF = 3.0  # of log seconds, in expectations: a single cell may not make a solver look endless
FEW = 0.1  # cells that what is usual weighs, against those where a first try failed
SHARP = 0.2  # bandwidth, in log size, for what a solver refuses
STEPS = 20  # per unit of log size: plans are kept for instances of the same size within 5 %
MOST_PLANS = 10_000  # that are kept
BEYOND = math.log(1.25)  # sizes this far outside of all recorded ones are extrapolated to


@dataclass(frozen=True)
class Forecast:
    """What is expected of a candidate on an instance; `low` to `high` is a 90 % interval of its time."""

    candidate: Candidate
    seconds: float
    low: float
    high: float
    mean: float  # expected time: more than `seconds`, as slow instances weigh more (Duan's smearing estimate)
    after: dict[
        Candidate, float
    ]  # what it is expected to take where another candidate has ended without a proof, per run of that
    error: float  # of log seconds
    loss: float | None  # expected; None where it never had an answer
    proved: float  # shares of near cells
    within: float
    answered: float
    refused: float
    proves: bool  # whenever it ends
    cells: int  # recorded of it
    near: int  # of these, on instances of about this size
    stopped: int  # at a limit

    def meets(self, target: Target) -> bool:
        if self.refused > 0.5 or not self.cells:
            return False
        if target == "exact":
            return self.proves
        return (self.within if target == "within-1%" else self.answered) >= OFTEN


class Step(NamedTuple):
    """A candidate to run, its expected time, the share of instances on which it is the last one, and how `auto` says it."""

    forecast: Forecast
    seconds: float
    enough: float
    said: str


def _step(forecast: Forecast, seconds: float, enough: float = 1.0) -> Step:
    return Step(forecast, seconds, enough, f"took {forecast.candidate}, {forecast.seconds:.2g} s expected")


@dataclass(frozen=True)
class Advice:
    """Forecasts of all candidates; `plans` has for each target the candidates in the order in which to try them."""

    profile: Profile
    forecasts: tuple[Forecast, ...]
    plans: dict[Target, tuple[Step, ...]]
    basis: str  # what it rests on
    extrapolated: str  # in which measures the instance lies outside of all recorded ones; empty if in none


class Advisor:
    """Advice from one table. Groups of cases are prepared when first needed, plans are kept by size."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._groups: dict[tuple[str, str], _Group] = {}
        self._plans: dict[Any, tuple[Step, ...]] = {}

    def advise(self, instance: Any) -> Advice:
        """All that can be said of an instance."""
        group, profile = self._placed(task_of(instance), instance)
        place = group.place(profile)
        forecasts = group.forecasts(place)
        plans = {target: plan(forecasts, target) for target in TARGETS}
        return Advice(profile, forecasts, plans, group.basis, group.outside(place))

    def forecasts(self, profile: Profile) -> tuple[Forecast, ...]:
        """Of all candidates for an instance of this profile; none where nothing like it is recorded."""
        group = self._group(profile)
        return group.forecasts(group.place(profile)) if group else ()

    def plan(self, task: Any, instance: Any, target: Target) -> tuple[Step, ...]:
        """Only what to run: for many instances of about the same size it is worked out once."""
        group, profile = self._placed(task, instance)
        key = (target, group, *[round(STEPS * math.log(max(value, 1.0))) for value in profile.measures.values()])
        found = self._plans.get(key)
        if found is None:
            if len(self._plans) >= MOST_PLANS:
                self._plans.clear()
            found = self._plans[key] = plan(group.forecasts(group.place(profile)), target)
        return found

    def likely(self, task: str, target: Target) -> list[Candidate]:
        """Whom an instance of this task may be given to: the first two of each plan, at every recorded place."""
        found: dict[Candidate, None] = {}
        for case in self.table.cases:
            if case.profile.task == task:
                steps = plan(self.forecasts(case.profile), target)
                found.update(dict.fromkeys(step.forecast.candidate for step in steps[:2]))
        return list(found)

    def _placed(self, task: Any, instance: Any) -> tuple[_Group, Profile]:
        """The recorded cases to compare an instance with, and what is compared."""
        profile = task.profile(instance)
        group = self._group(profile)
        if group is None:  # nothing is recorded of the task: its graph is all that there is to compare
            profile = graph_profile(BareGraphTask.name, task.graph(instance))
            group = self._group(profile)
        if group is None:
            raise InputError(
                f"no recorded runs of task {task.name!r} or of bare graphs: there is nothing to advise from."
            )
        return group, profile

    def _group(self, profile: Profile) -> _Group | None:
        """The cases of the profile's task and variant; of all its variants where there is none of this one."""
        known = self._groups.get((profile.task, profile.variant))
        if known is not None:
            return known
        names = set(profile.measures)
        cases = [case for case in self.table.cases if case.profile.task == profile.task]
        cases = [case for case in cases if set(case.profile.measures) == names]
        same = [case for case in cases if case.profile.variant == profile.variant]
        if not cases:
            return None
        variant = f" ({profile.variant})" if profile.variant else ""
        said = f"{profile.task}{variant}" if same else f"{profile.task}, none of them of this kind{variant}"
        group = self._groups[profile.task, profile.variant] = _Group(same or cases, said, list(profile.measures))
        return group


class _Group:
    """Cases of one task and variant in arrays: instances by candidates."""

    def __init__(self, cases: list[Case], said: str, measures: list[str]) -> None:
        self.measures = measures
        self.candidates = list(dict.fromkeys(candidate for case in cases for candidate in case.cells))
        places = np.log([[max(case.profile.measures[name], 1.0) for name in measures] for case in cases])
        shape = (len(cases), len(self.candidates))
        seconds: Floats = np.full(shape, np.nan)
        loss: Floats = np.full(shape, np.nan)
        marks: dict[str, NDArray[np.bool_]] = {name: np.zeros(shape, dtype=bool) for name in _MARKS}
        for row, case in enumerate(cases):
            for column, candidate in enumerate(self.candidates):
                cell = case.cells.get(candidate)
                if cell is None:
                    continue
                if cell.outcome != "refused":
                    seconds[row, column] = cell.seconds
                loss[row, column] = np.nan if cell.loss is None else max(cell.loss, 0.0)
                marks[cell.outcome][row, column] = True
        self.marks = marks
        self.answered = ~np.isnan(loss) & ~marks["stopped"]
        self.within = self.answered & (np.nan_to_num(loss, nan=1.0) <= CLOSE)
        self.loss = loss
        proofs = marks["optimal"] | marks["stopped"]
        self.proves = np.asarray(proofs.any(axis=0) & ~marks["feasible"].any(axis=0))
        self.recorded = Recorded(places, seconds, marks["stopped"])
        self.basis = f"{len(cases)} recorded instances of {said}, {self._range(0)}"

    def _range(self, measure: int) -> str:
        low, high = (
            np.rint(np.exp(self.recorded.places[:, measure].min())),
            np.exp(self.recorded.places[:, measure].max()),
        )
        return f"{low:,.0f} to {high:,.0f} {self.measures[measure]}"

    def place(self, profile: Profile) -> Floats:
        return np.log([max(profile.measures[name], 1.0) for name in self.measures])

    def outside(self, place: Floats) -> str:
        """The measures in which a place lies beyond all recorded ones."""
        low, high = self.recorded.places.min(axis=0) - BEYOND, self.recorded.places.max(axis=0) + BEYOND
        far = np.flatnonzero((place < low) | (place > high)).tolist()
        return "; ".join(f"{np.exp(place[at]):,.0f} {self.measures[at]}, recorded {self._range(at)}" for at in far)

    def forecasts(self, place: Floats) -> tuple[Forecast, ...]:
        """Of every candidate that was ever timed here, the fastest first."""
        there, distances = self.recorded.there, self.recorded.distances(place)
        heavy = nearness(distances, there)
        laws = self.recorded.laws(place, heavy)
        mass = np.maximum(heavy.sum(axis=0), 1e-300)
        proved, within, answered = (
            (heavy * flags).sum(axis=0) / mass for flags in (self.marks["optimal"], self.within, self.answered)
        )
        asked = nearness(distances, there | self.marks["refused"], SHARP)  # a licence ends at a size
        refused = (asked * self.marks["refused"]).sum(axis=0) / np.maximum(asked.sum(axis=0), 1e-300)
        known = heavy * ~np.isnan(self.loss)
        losses = (known * np.nan_to_num(self.loss)).sum(axis=0) / np.maximum(known.sum(axis=0), 1e-300)
        relative = heavy * np.exp(np.minimum(laws.residuals, MOST_OFF))  # times relative to their law
        smeared = relative.sum(axis=0) / mass
        tries = [at for at in range(len(self.candidates)) if proved[at] >= WORTH_TRYING and not self.proves[at]]
        after = {at: (1.0 - proved[at]) * self._on_unproved(at, heavy, relative, smeared) for at in tries}
        found = [
            Forecast(
                candidate,
                seconds=_seconds(laws.log_seconds[at]),
                low=_seconds(laws.log_seconds[at] - laws.reach[at]),
                high=_seconds(laws.log_seconds[at] + laws.reach[at]),
                mean=_seconds(laws.log_seconds[at]) * float(smeared[at]),
                after={self.candidates[one]: _seconds(laws.log_seconds[at]) * float(after[one][at]) for one in tries},
                error=float(laws.error[at]),
                loss=float(losses[at]) if known[:, at].any() else None,
                proved=float(proved[at]),
                within=float(within[at]),
                answered=float(answered[at]),
                refused=float(refused[at]),
                proves=bool(self.proves[at]),
                cells=int(there[:, at].sum()),
                near=int((there[:, at] & (distances <= BANDWIDTH)).sum()),
                stopped=int(self.marks["stopped"][:, at].sum()),
            )
            for at, candidate in enumerate(self.candidates)
            if there[:, at].any()
        ]
        return tuple(sorted(found, key=lambda each: each.seconds))

    def _on_unproved(self, first: int, heavy: Floats, relative: Floats, smeared: Floats) -> Floats:
        """Times relative to their law where the first candidate ended without a proof; as usual where that never was."""
        unproved = self.marks["feasible"][:, [first]]
        return ((relative * unproved).sum(axis=0) + FEW * smeared) / ((heavy * unproved).sum(axis=0) + FEW)


_MARKS = ("optimal", "feasible", "stopped", "refused")


def _seconds(logarithm: float) -> float:
    return math.exp(min(max(float(logarithm), -30.0), 30.0))


def plan(forecasts: tuple[Forecast, ...], target: Target) -> tuple[Step, ...]:
    """Those that meet the target, by their expected time; behind them those that prove, for when the others refuse.

    For `exact`, what often proves comes first if that saves more than it costs: what it fails to prove is hard for others, too, so
    that their time counts as it was on those instances.
    """
    met = sorted((each for each in forecasts if each.meets(target)), key=lambda each: each.mean)
    steps = [_step(each, each.mean) for each in met]
    if target != "exact":
        return (*steps, *(step for step in plan(forecasts, "exact") if step.forecast not in met))
    first, least = None, met[0].mean if met else math.inf
    for each in forecasts:
        if not each.meets(target) and each.proved >= WORTH_TRYING and each.refused <= 0.5:
            together = each.mean + min((other.after.get(each.candidate, other.mean) for other in met), default=0.0)
            if together < least:
                first, least = _step(each, together, each.proved), together
    if first is None:
        return tuple(steps)
    behind = sorted(steps, key=lambda step: step.forecast.after.get(first.forecast.candidate, step.seconds))
    return (first, *behind)


def surely_faster(first: Forecast, second: Forecast) -> float:
    """The probability that the first takes less time than the second, as far as their forecasts tell."""
    apart = math.log(second.seconds / first.seconds)
    return 0.5 * math.erfc(-apart / math.hypot(first.error, second.error) / math.sqrt(2.0))


@cache
def built_in() -> Advisor:
    """The advisor of the table that comes with dualbench."""
    return Advisor(read_table(FILE))


def of_file(path: str) -> Advisor:
    """The advisor of a table of the user's own; a file that has changed is read again."""
    try:
        state = os.stat(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from None
    return _of_file(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=8)
def _of_file(path: str, changed: int, size: int) -> Advisor:
    return Advisor(read_table(Path(path)))
