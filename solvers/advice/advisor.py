"""Advice on one instance: what each candidate is expected to take and to lose, and which to choose for a target.

Targets: `exact`, a proved optimum; `within-1%`, an answer at most 1 % below the best known one; `fastest`, any answer.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from problems import task_of
from problems.bare_graph import BareGraphTask
from problems.errors import InputError
from problems.profile import Profile, graph_profile

from .forecasts import TARGETS, Forecast, Group, Target, shortest
from .plans import Step, plan
from .table import FILE, Candidate, Table, read_table

STEPS = 20  # per unit of log size: plans are kept for instances of the same size within 5 %
MOST_PLANS = 10_000  # that are kept


@dataclass(frozen=True)
class Advice:
    """Forecasts of all candidates; `plans` has for each target the candidates in the order in which to try them."""

    profile: Profile
    forecasts: tuple[Forecast, ...]
    plans: dict[Target, tuple[Step, ...]]
    basis: str  # what it rests on
    known: bool  # whether instances of this task and variant are recorded
    extrapolated: str  # in which measures the instance lies outside of all recorded ones; empty if in none


class Advisor:
    """Advice from one table. Groups of cases are prepared when first needed, plans are kept by size."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._groups: dict[tuple[str, str, bool], Group] = {}
        self._plans: dict[Any, tuple[Step, ...]] = {}

    def advise(self, instance: Any) -> Advice:
        """All that can be said of an instance."""
        group, profile = self._placed(task_of(instance), instance)
        place = group.place(profile)
        forecasts = group.forecasts(place)
        plans = {target: plan(forecasts, target) for target in TARGETS}
        return Advice(profile, forecasts, plans, group.basis, group.known, group.outside(place))

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

    def _placed(self, task: Any, instance: Any) -> tuple[Group, Profile]:
        """The recorded cases to compare an instance with, and what is compared."""
        profile = task.profile(instance)
        group = self._group(profile)
        if group is None:  # nothing is recorded of the task: its graph is all that there is to compare
            profile = graph_profile(BareGraphTask.name, task.graph(instance))
            group = self._group(profile, f", none of them of task {task.name!r}")
        if group is None:
            raise InputError(
                f"no recorded runs of task {task.name!r} or of bare graphs: there is nothing to advise from."
            )
        return group, profile

    def _group(self, profile: Profile, unlike: str = "") -> Group | None:
        """The cases of the profile's task and variant; of all its variants where there is none of this one.

        `unlike` says in what the recorded cases differ from what is asked for.
        """
        key = (profile.task, profile.variant, bool(unlike))
        if key in self._groups:
            return self._groups[key]
        names = set(profile.measures)
        cases = [case for case in self.table.cases if case.profile.task == profile.task]
        cases = [case for case in cases if set(case.profile.measures) == names]
        same = [case for case in cases if case.profile.variant == profile.variant]
        if not cases:
            return None
        variant = f" ({profile.variant})" if profile.variant else ""
        said = f"{profile.task}{variant}" if same else f"{profile.task}, none of them of this kind{variant}"
        known = bool(same) and not unlike
        group = self._groups[key] = Group(same or cases, said + unlike, list(profile.measures), known, shortest(cases))
        return group


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
