"""A block: many factors of one kind in flat arrays, with the faces that solvers use.

- `maximize(scores)`: the best point of each factor's polytope for linear scores (subgradient, dual bounds)
- `project(points)`: the quadratic problem of each factor in AD3: the projection onto the same polytope (AD3)
- `constrain(builder)`: columns and rows of the same polytope (ILP, and its relaxation: LP)
- `enumerate(factor)`: all 0/1 configurations of one small factor (brute force and tests)
- `score(assignment)`: each factor's own score of a 0/1 assignment, -inf where it is forbidden

Links are literals: a negated link reads 1 - x. Subclasses speak of literals only; negation is handled here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..linear_program import Floats, Integers, ProgramBuilder

Booleans = NDArray[np.bool_]


def starts_of(lengths: Integers) -> Integers:
    """Offsets of consecutive runs with these lengths, with a leading zero."""
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


def runs(starts: Integers, lengths: Integers) -> Integers:
    """The indices of all runs starts[i] .. starts[i] + lengths[i] - 1, one run after the other."""
    offsets = starts_of(lengths)
    return np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)


@dataclass(frozen=True)
class Block:
    """Factor f links the literals starts[f]:starts[f+1]; ints and floats hold the parameters of its kind."""

    kind: ClassVar[str]
    code: ClassVar[int]

    starts: Integers
    variables: Integers
    negated: Booleans
    int_starts: Integers
    ints: Integers
    float_starts: Integers
    floats: Floats

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def degrees(self) -> Integers:
        return np.diff(self.starts)

    @property
    def kernel_ints(self) -> Integers:
        """The ints as compiled code reads them."""
        return self.ints

    # -- the faces -----------------------------------------------------------------------------------------------

    def maximize(self, scores: Floats) -> tuple[Floats, Floats]:
        """The best value of each factor and the point that attains it, for one score per link."""
        from ..kernels.families import MAXIMIZE, load
        from ..kernels.maximize import maximize_block

        load(MAXIMIZE, (self.code,))
        points = np.empty(len(self.variables))
        values = maximize_block(
            self.code,
            self.starts,
            self.negated,
            self.int_starts,
            self.kernel_ints,
            self.float_starts,
            self.floats,
            np.ascontiguousarray(scores, dtype=np.float64),
            points,
        )
        return values, points

    def project(self, points: Floats, scale: float = 1.0) -> Floats:
        """The point of each factor's polytope that minimizes 1/2 ||z - point||^2 - scale * own score, one per link."""
        from ..kernels.families import PROJECT, load
        from ..kernels.project import project_block

        load(PROJECT, (self.code,))
        z = np.empty(len(self.variables))
        project_block(
            self.code,
            self.starts,
            self.negated,
            self.int_starts,
            self.kernel_ints,
            self.float_starts,
            self.floats,
            np.ascontiguousarray(points, dtype=np.float64),
            float(scale),
            z,
        )
        return z

    def constrain(self, builder: ProgramBuilder) -> None:
        """Append this block's columns and rows; the graph's variables are the builder's first columns."""
        raise NotImplementedError

    def enumerate(self, factor: int) -> tuple[Floats, Floats]:
        """All allowed 0/1 values of one factor's variables (a row each) and their scores."""
        literals = self.candidates(factor)
        copies = self.take(np.full(len(literals), factor))
        scores = copies.literal_score(literals.ravel())
        allowed = scores > -np.inf
        negated = self.negated[self.starts[factor] : self.starts[factor + 1]]
        return np.where(negated, 1.0 - literals, literals)[allowed], scores[allowed]

    def score(self, assignment: Floats) -> Floats:
        """Each factor's own score of an assignment of all variables; -inf where it breaks the factor."""
        values = assignment[self.variables]
        return self.literal_score(np.where(self.negated, 1.0 - values, values))

    # -- what a kind provides ------------------------------------------------------------------------------------

    def literal_score(self, literals: Floats) -> Floats:
        """Each factor's score of 0/1 literals given per link."""
        raise NotImplementedError

    def candidates(self, factor: int) -> Floats:
        """A superset of one factor's allowed literal configurations."""
        degree = int(self.degrees[factor])
        return ((np.arange(2**degree)[:, None] >> np.arange(degree)) & 1).astype(np.float64)

    # -- flat-array helpers --------------------------------------------------------------------------------------

    def sums(self, values: Floats) -> Floats:
        """Sums over each factor's links."""
        owner = np.repeat(np.arange(len(self)), self.degrees)
        return np.bincount(owner, weights=values, minlength=len(self)).astype(np.float64)

    def add_rows(
        self, builder: ProgramBuilder, links: Integers, lengths: Integers, values: Floats, lower: object, upper: object
    ) -> None:
        """Rows over literals, given as link indices."""
        builder.add_rows(lengths, self.variables[links], values, lower, upper, self.negated[links])  # type: ignore[arg-type]

    def take(self, factors: Integers) -> Block:
        """A block of the given factors, in that order; repetitions are allowed."""
        links = runs(self.starts[factors], self.degrees[factors])
        int_lengths, float_lengths = np.diff(self.int_starts)[factors], np.diff(self.float_starts)[factors]
        return replace(
            self,
            starts=starts_of(self.degrees[factors]),
            variables=self.variables[links],
            negated=self.negated[links],
            int_starts=starts_of(int_lengths),
            ints=self.ints[runs(self.int_starts[factors], int_lengths)],
            float_starts=starts_of(float_lengths),
            floats=self.floats[runs(self.float_starts[factors], float_lengths)],
        )
