"""The factor under test: small examples of it, each a graph with one factor, and the scores and points it is tried on."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from problems.errors import InputError, nearest
from problems.factor_graph import FactorGraph
from problems.factors import KINDS, Block
from problems.factors.compiled import CompiledFactor
from problems.factors.foreign import Factor, checked
from problems.kernels.active_set import ActiveSet
from problems.linear_program import Floats

from .canonical import GRAPHS
from .polytope import Hull, Rows
from .subject import Failed

SEED = 11
MOST_VARIABLES, MOST_EXAMPLES = 8, 12
RELAXED = ("knapsack",)  # built-in kinds whose polytope is no hull of 0/1 points (Eq. 11 of Almeida & Martins 2013)


@dataclass(frozen=True)
class Example:
    """One small factor; `make` builds a graph of it alone, whose variables have no scores."""

    name: str
    make: Callable[[], FactorGraph]
    factor: Factor | None = None  # somebody's own
    relaxed: bool = False

    @cached_property
    def block(self) -> Block:
        (block,) = self.make().blocks
        return block

    @property
    def degree(self) -> int:
        return len(self.block.variables)

    @cached_property
    def hull(self) -> Hull:
        """All allowed configurations, by the factor's definition."""
        return Hull(*self.block.enumerate(0))

    @cached_property
    def rows(self) -> Rows:
        """What `constrain` says, in the order of the factor's links."""
        program = self.make().linear_program()
        order = np.arange(program.number_of_columns)
        order[: self.degree] = self.block.variables
        place = np.argsort(order)
        moved = {name: getattr(program, name)[order] for name in ("objective", "lower", "upper", "integer")}
        return Rows(replace(program, row_columns=place[program.row_columns], **moved), self.degree)

    @property
    def polytope(self) -> Hull | Rows:
        return self.rows if self.relaxed else self.hull

    @property
    def has_rows(self) -> bool:
        return self.factor is None or type(self.factor).constrain is not Factor.constrain

    @property
    def tight(self) -> bool:
        return not self.relaxed and (self.factor is None or self.factor.tight)

    def project(self, point: Floats, scale: float) -> Floats:
        """The projection that AD3 uses."""
        if self.factor is None or isinstance(self.factor, CompiledFactor):
            return self.block.project(point, scale)
        factor, negated = self.factor, self.block.negated
        literals = np.where(negated, 1.0 - point, point)
        z = ActiveSet(self.degree).project(literals, scale, lambda scores: checked(factor, scores))
        return np.where(negated, 1.0 - z, z)


@dataclass
class FactorSubject:
    """A factor by name, with a way to make its examples."""

    name: str
    factor: type[Factor] | None = None
    _examples: list[Example] = field(default_factory=list)

    def examples(self) -> list[Example]:
        """Each example plain, and those of one's own negated in places as well."""
        if not self._examples:
            self._examples = _built_in(self.name) if self.factor is None else _own(self.factor)
        return self._examples

    def rng(self, check: str) -> np.random.Generator:
        return np.random.default_rng([SEED, *check.encode()])


def subject_named(kind: str) -> FactorSubject:
    """A built-in kind."""
    if kind not in KINDS:
        raise InputError(f"unknown kind of factor {kind!r}: {nearest(kind, KINDS)}")
    return FactorSubject(kind)


def _built_in(kind: str) -> list[Example]:
    """The canonical graphs that have one factor of this kind and nothing else."""

    def bare(problem: Any) -> Callable[[], FactorGraph]:
        def make() -> FactorGraph:
            graph = problem.make()
            graph.add_scores(np.arange(graph.number_of_variables), -graph.scores)
            return graph

        return make

    found = []
    for problem in GRAPHS:
        graph = problem.make()
        if graph.kinds == (kind,) and graph.number_of_factors == 1 and graph.number_of_links <= MOST_VARIABLES:
            found.append(Example(problem.name, bare(problem), relaxed=kind in RELAXED))
    return found


def _own(kind: type[Factor]) -> list[Example]:
    rng = np.random.default_rng(SEED)
    found: list[Example] = []
    for number, given in enumerate(itertools.islice(kind.examples(rng), MOST_EXAMPLES)):
        try:
            factor, degree = given
        except (TypeError, ValueError):
            raise Failed("`examples` must yield pairs: a factor and its number of variables.") from None
        if not isinstance(factor, kind) or not isinstance(degree, int) or not 1 <= degree <= MOST_VARIABLES:
            raise Failed(f"`examples` must yield {kind.__name__} objects with 1 to {MOST_VARIABLES} variables each.")
        flags = (np.zeros(degree, dtype=bool), rng.random(degree) < 0.5)
        for negated in flags if flags[1].any() else flags[:1]:
            name = f"example {number + 1}" + (", negated in places" if negated.any() else "")
            found.append(Example(name, alone(factor, degree, negated), factor))
    if not found:
        raise Failed("`examples` yields nothing.")
    return found


def alone(factor: Factor, degree: int, negated: np.ndarray | None = None) -> Callable[[], FactorGraph]:
    """How to make a graph of a factor and nothing else."""

    def make() -> FactorGraph:
        graph = FactorGraph()
        graph.add_factor(factor, graph.add_variables(np.zeros(degree)), negated)
        return graph

    return make


def score_draws(rng: np.random.Generator, degree: int, draws: int = 30) -> Iterator[Floats]:
    """Scores to maximize: towards each 0/1 point, with ties, without, of every size."""
    for bits in itertools.product((-1.0, 1.0), repeat=degree):
        yield 100.0 * np.array(bits) + rng.normal(size=degree)
    yield np.zeros(degree)
    yield np.ones(degree)
    yield -np.ones(degree)
    for number in range(draws):
        if number % 3 == 0:
            yield rng.integers(-2, 3, size=degree) / 2.0
        else:
            yield rng.normal(size=degree) * 10.0 ** rng.integers(-3, 3)


def point_draws(rng: np.random.Generator, degree: int, draws: int = 18) -> Iterator[tuple[Floats, float]]:
    """Points to project, inside and outside of the cube, and scales of the own score."""
    for number in range(draws):
        spread = (0.3, 1.0, 4.0)[number % 3]
        point = 0.5 + spread * rng.normal(size=degree)
        yield (np.round(2.0 * point) / 2.0 if number % 4 == 3 else point), (1.0, 0.2, 5.0)[number // 3 % 3]
