"""Solvers of a millisecond, honest ones and others. Loaded as a plug-in; they count their calls of the cell that is running."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import Any, ClassVar

from faulty_solvers import empty

from solvers.base import Solution, Solver

MILLISECOND = 1e-3


def burn(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


@dataclass(kw_only=True)
class Spins(Solver):
    """Burns CPU time; says how often it was called, and whether its solver and instance were new each time."""

    name = "spins"
    seconds: float = MILLISECOND
    trace: bool = False
    seen: ClassVar[list[Any]] = []

    def solve(self, instance: Any) -> Solution:
        burn(self.seconds)
        fresh = not any(each is instance or each is self for each in Spins.seen)
        Spins.seen += [instance, self]
        solution = self.answered(instance, len(Spins.seen) // 2)
        solution.info.update(calls=len(Spins.seen) // 2, fresh=float(fresh))
        return solution

    def answered(self, instance: Any, calls: int) -> Solution:
        """The first call is the warm-up's, the second the cell's."""
        return empty(instance)


class Changes(Spins):
    """Is right once, and quick and wrong from then on."""

    name = "changes-its-mind"

    def answered(self, instance: Any, calls: int) -> Solution:
        return empty(instance) if calls <= 2 else Solution("feasible", tuple(range(10**4)), 1e6)


class DiesLater(Spins):
    name = "dies-later"

    def answered(self, instance: Any, calls: int) -> Solution:
        if calls == 5:
            os.abort()
        return empty(instance)


class RaisesLater(Spins):
    name = "raises-later"

    def answered(self, instance: Any, calls: int) -> Solution:
        if calls == 5:
            raise RuntimeError("enough")
        return empty(instance)


class Remembers(Spins):
    """Works for its first answer to an instance only."""

    name = "remembers"
    known: ClassVar[set[str]] = set()

    def solve(self, instance: Any) -> Solution:
        if instance.name not in Remembers.known:
            burn(4 * MILLISECOND)
        Remembers.known.add(instance.name)
        burn(MILLISECOND / 40)
        return empty(instance)


@dataclass(kw_only=True)
class Loads(Solver):
    """Needs a file for each value of its option, which it loads once."""

    name = "loads"
    file: str = "a"
    loaded: ClassVar[set[str]] = set()

    def solve(self, instance: Any) -> Solution:
        if self.file not in Loads.loaded:
            burn(0.3)
            Loads.loaded.add(self.file)
        return empty(instance)
