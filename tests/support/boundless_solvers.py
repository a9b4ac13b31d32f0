"""Solvers whose answers are too long, too large or too deep to be written down as they are. A plug-in."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from solvers.base import Solution, Solver, TracePoint

LONG = "x" * 20_000_000


def bound(instance: Any) -> float:
    return math.fsum(concept.score for concept in instance.concepts if concept.score > 0)


@dataclass(kw_only=True)
class Answers(Solver):
    name = "answers"

    def solve(self, instance: Any) -> Solution:
        return self.answer(bound(instance)) if instance.name != "tiny-0" else Solution("timeout")

    def answer(self, bound: float) -> Solution:
        return Solution("feasible", (), 0.0, bound=bound)


class ManyDigits(Answers):
    name = "many-digits"

    def answer(self, bound: float) -> Solution:
        return Solution("infeasible", (10**320,), 0.0, bound=bound)


class LongStatus(Answers):
    name = "long-status"

    def answer(self, bound: float) -> Solution:
        return Solution(LONG, (), 0.0, bound=bound)  # type: ignore[arg-type]


class LongBound(Answers):
    name = "long-bound"

    def answer(self, bound: float) -> Solution:
        return Solution("feasible", (), 0.0, bound=LONG)  # type: ignore[arg-type]


class LongMessage(Answers):
    name = "long-message"

    def answer(self, bound: float) -> Solution:
        return Solution("timeout", message=LONG, info={LONG: 1.0})


class LongError(Answers):
    name = "long-error"

    def answer(self, bound: float) -> Solution:
        raise ArithmeticError(LONG)


class LargeObjective(Answers):
    name = "large-objective"

    def answer(self, bound: float) -> Solution:
        return Solution("feasible", (), 10**400, bound=bound)  # type: ignore[arg-type]


class LargeBound(Answers):
    name = "large-bound"

    def answer(self, bound: float) -> Solution:
        return Solution("feasible", (), 0.0, bound=10**400)  # type: ignore[arg-type]


class LargeStructure(Answers):
    """Says of a structure of some 2 MB that it breaks a constraint, which it does."""

    name = "large-structure"

    def answer(self, bound: float) -> Solution:
        return Solution("infeasible", tuple(range(300_000)), 0.0, bound=bound, message="mine")


@dataclass(kw_only=True)
class Weighs(Answers):
    name = "weighs"
    weights: dict[str, int] = field(default_factory=dict)


@dataclass(kw_only=True)
class Traces(Answers):
    """Some points of its trace cannot be."""

    name = "odd-points"
    trace: bool = False

    def points(self) -> Any:
        good = [TracePoint(seconds=0.1, objective=1.0, iteration=1), TracePoint(seconds=0.2, objective=math.inf)]
        bad = [
            TracePoint(seconds=-5.0, objective=1.0, iteration=1),
            TracePoint(seconds=0.3, objective=1e308, iteration=1),
            TracePoint(seconds=0.3, objective=1.0, iteration=-7),
            TracePoint(seconds=1e300, objective=1.0, iteration=1),
            TracePoint(seconds=math.nan, objective=1.0, iteration=1),
        ]
        return [*good, *bad]

    def answer(self, bound: float) -> Solution:
        return Solution("feasible", (), 0.0, bound=bound, trace=self.points() if self.trace else [])


@dataclass(kw_only=True)
class EndlessTrace(Traces):
    name = "endless-trace"

    def points(self) -> Iterator[TracePoint]:
        return (TracePoint(seconds=0.1, objective=1.0) for _ in itertools.repeat(0) if False)


@dataclass(kw_only=True)
class LargeTrace(Traces):
    """More than an answer may hold."""

    name = "large-trace"

    def points(self) -> list[TracePoint]:
        return [TracePoint(seconds=0.1, objective=LONG[:4000])] * 20_000  # type: ignore[arg-type]


@dataclass(kw_only=True)
class BrokenTrace(Traces):
    name = "broken-trace"

    def points(self) -> list[Any]:
        return ["no point"]


@dataclass(kw_only=True)
class UnwritableTrace(Traces):
    name = "unwritable-trace"

    def points(self) -> list[TracePoint]:
        return [TracePoint(seconds=10**5000)]  # type: ignore[arg-type]
