"""Forecasts: what each candidate is expected to take and to lose on an instance, from recorded cases of its task and variant.

A candidate qualifies for a target by what it did on these cases, the near ones counting most. Where none is of the instance's kind,
cases of all kinds count, the intervals widen, and the forecast says so (`Group.known`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from problems.profile import Profile

from .curves import BANDWIDTH, KINDS_SPREAD, Floats, Recorded, nearness
from .table import Candidate, Case

Target = Literal["exact", "within-1%", "fastest"]
TARGETS: tuple[Target, ...] = get_args(Target)
CLOSE = 0.01  # the loss that `within-1%` allows
OFTEN = 0.9  # share of near cells in which a candidate must have met the target
WORTH_TRYING = 0.3  # share of proofs from which on a candidate may come first
MOST_OFF = 3.0  # of log seconds, in expectations: a single cell may not make a solver look endless
FEW = 0.1  # cells that what is usual weighs, against those where a first try failed
SHARP = 0.2  # bandwidth, in log size, for what a solver refuses
BEYOND = math.log(1.25)  # sizes this far outside of all recorded ones are extrapolated to
WIDE = 4.0 * BANDWIDTH  # where no instance of this kind is recorded: all kinds of about this size say something


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
    sure: bool  # this kind of instance is recorded, and none of its measures is beyond the recorded ones

    @property
    def longest(self) -> float:
        """What it should take at most, as far as anybody knows."""
        return self.high if self.sure else self.mean

    def meets(self, target: Target) -> bool:
        if self.refused > 0.5 or not self.cells:
            return False
        if target == "exact":
            return self.proves
        return (self.within if target == "within-1%" else self.answered) >= OFTEN


def shortest(cases: list[Case]) -> dict[Candidate, float]:
    """The smallest recorded time of each candidate: what a call takes even where there is next to nothing to do."""
    found: dict[Candidate, float] = {}
    for case in cases:
        for candidate, cell in case.cells.items():
            if cell.outcome in ("optimal", "feasible"):
                found[candidate] = min(cell.seconds, found.get(candidate, math.inf))
    return found


class Group:
    """Cases of one task and variant in arrays: instances by candidates.

    `known` is False where no recorded case is of the kind that is asked for. No forecast is below `least`, the shortest call.
    """

    def __init__(
        self, cases: list[Case], said: str, measures: list[str], known: bool, least: dict[Candidate, float]
    ) -> None:
        self.measures, self.known = measures, known
        self.candidates = list(dict.fromkeys(candidate for case in cases for candidate in case.cells))
        self.least = [least.get(candidate, 0.0) for candidate in self.candidates]
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
        self.proves = np.asarray(marks["optimal"].any(axis=0) & ~marks["feasible"].any(axis=0))
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
        heavy = nearness(distances, there, BANDWIDTH if self.known else WIDE)
        laws = self.recorded.laws(place, heavy, 0.0 if self.known else KINDS_SPREAD)
        sure = self.known and not self.outside(place)
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
        found = []
        for at in np.flatnonzero(there.any(axis=0)).tolist():
            law, width = _seconds(laws.log_seconds[at]), _seconds(laws.reach[at])
            least = self.least[at]
            median = max(law, least)
            made = Forecast(
                self.candidates[at],
                seconds=median,
                low=median / width,
                high=median * width,
                mean=max(law * float(smeared[at]), least),
                after={self.candidates[one]: law * float(after[one][at]) for one in tries},
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
                sure=sure,
            )
            found.append(made)
        return tuple(sorted(found, key=lambda each: each.seconds))

    def _on_unproved(self, first: int, heavy: Floats, relative: Floats, smeared: Floats) -> Floats:
        """Times relative to their law where the first candidate ended without a proof; as usual where that never was."""
        unproved = self.marks["feasible"][:, [first]]
        return ((relative * unproved).sum(axis=0) + FEW * smeared) / ((heavy * unproved).sum(axis=0) + FEW)


_MARKS = ("optimal", "feasible", "stopped", "refused")


def _seconds(logarithm: float) -> float:
    return math.exp(min(max(float(logarithm), -30.0), 30.0))
