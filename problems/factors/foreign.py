"""Factors that someone else wrote in plain Python.

Only `maximize` is required: AD3 then projects with the generic active set method, subgradient works at once. With
`constrain` the factor can be handed to LP and ILP backends too. `docs/own-factors.md` has a tested example.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, cast

import numpy as np

from ..errors import InputError
from ..kernels.codes import FOREIGN
from ..linear_program import Floats, Integers, ProgramBuilder
from .block import Block

CERTAIN = 1e9  # scores so large that `maximize` must return the configuration they ask for, if it exists


class Factor(ABC):
    """A set of allowed 0/1 configurations of some variables, each with a score of its own (0 for a hard constraint)."""

    tight: ClassVar[bool] = True  # does `constrain` describe the hull? False: a larger set with the same 0/1 points

    @abstractmethod
    def maximize(self, scores: Floats) -> tuple[Floats, float]:
        """The configuration y that maximizes scores @ y + own score, and that own score."""

    def constrain(self, builder: ProgramBuilder, columns: Integers) -> None:
        """Append rows (and columns) whose projection on `columns` is the hull of the allowed configurations."""
        raise InputError(f"factor {type(self).__name__!r} has no `constrain`, which LP and ILP solvers need.")

    def score(self, configuration: Floats) -> float:
        """The own score of a configuration, -inf if it is not allowed. This is the factor's definition.

        The default asks `maximize`. `dualbench check-factor` needs it written out, to judge all faces by it.
        """
        best, own = self.maximize(CERTAIN * (2.0 * configuration - 1.0))
        return float(own) if np.array_equal(best, configuration) else -np.inf

    @classmethod
    def examples(cls, rng: np.random.Generator) -> Iterable[tuple[Factor, int]]:
        """Small factors, each with its number of variables (at most 8), for `dualbench check-factor`."""
        raise InputError(f"factor {cls.__name__!r} has no `examples`, which `dualbench check-factor` needs.")


@dataclass(frozen=True)
class Foreign(Block):
    """Factors in Python; one object each."""

    kind: ClassVar[str] = "foreign"
    code: ClassVar[int] = FOREIGN

    factors: tuple[Factor, ...] = ()

    def maximize(self, scores: Floats) -> tuple[Floats, Floats]:
        values, points = np.empty(len(self)), np.empty(len(self.variables))
        for index, factor in enumerate(self.factors):
            links = slice(self.starts[index], self.starts[index + 1])
            negated = self.negated[links]
            best, own = checked(factor, np.where(negated, -scores[links], scores[links]))
            points[links] = np.where(negated, 1.0 - best, best)
            values[index] = scores[links] @ points[links] + own
        return values, points

    def constrain(self, builder: ProgramBuilder) -> None:
        for index, factor in enumerate(self.factors):
            links = slice(self.starts[index], self.starts[index + 1])
            factor.constrain(builder, self._literals(builder, links))

    def _literals(self, builder: ProgramBuilder, links: slice) -> Integers:
        """Columns of the literals: a negated link gets a column of its own, tied to 1 - x."""
        columns = self.variables[links].copy()
        for place in np.flatnonzero(self.negated[links]):
            literal = builder.add_columns(0.0)
            entries = np.append(literal, columns[place])
            builder.add_rows(np.array([2]), entries, np.ones(2), 1.0, 1.0)
            columns[place] = literal[0]
        return columns

    def literal_score(self, literals: Floats) -> Floats:
        bounds = zip(self.starts[:-1], self.starts[1:], self.factors, strict=True)
        return np.array([factor.score(literals[first:end]) for first, end, factor in bounds])

    def take(self, factors: Integers) -> Foreign:
        chosen = tuple(self.factors[index] for index in factors)
        return replace(cast("Foreign", super().take(factors)), factors=chosen)


def checked(factor: Factor, scores: Floats) -> tuple[Floats, float]:
    """`maximize` of a foreign factor, with a clear word where it returns something else than promised."""
    name = type(factor).__name__
    try:
        configuration, own = factor.maximize(scores)
        best, score = np.asarray(configuration, dtype=np.float64), float(own)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"`maximize` of factor {name!r} must return a configuration and its own score ({error})."
        ) from None
    if best.shape != scores.shape or not np.isin(best, (0.0, 1.0)).all() or not np.isfinite(score):
        raise InputError(
            f"`maximize` of factor {name!r} must return {len(scores)} zeros and ones and a finite own score."
        )
    return best, score
