"""A factor graph laid out for dual decomposition: links ordered by factor, each variable knowing its links.

Variables are those of `presolve`: equal ones are merged, and linear own scores (subtree deletion) belong to the variables,
because psi * (z_parent - z_child) is a sum of unary scores. The problem and its relaxation stay the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from problems.factor_graph import FactorGraph
from problems.factors.block import starts_of
from problems.factors.foreign import Factor, Foreign, checked
from problems.kernels.codes import FOREIGN
from problems.kernels.layout import Layout
from problems.linear_program import Floats, Integers

from .presolve import merge_equal


@dataclass
class Consensus:
    """The layout and the (effective) unary scores of a graph."""

    graph: FactorGraph
    layout: Layout = field(init=False)
    scores: Floats = field(init=False)
    variable_of: Integers = field(init=False)  # what each variable of the graph has become
    degrees: Integers = field(init=False)
    foreign: dict[int, Factor] = field(init=False)  # by factor number

    def __post_init__(self) -> None:
        merged = merge_equal(self.graph)
        blocks, scores = merged.blocks, merged.scores
        self.scores, self.variable_of = scores, merged.variable_of
        link_variables = _join([block.variables for block in blocks], np.int64)
        degrees = _join([block.degrees for block in blocks], np.int64)
        count = len(scores)
        order = np.argsort(link_variables, kind="stable")
        self.degrees = np.bincount(link_variables, minlength=count)
        self.layout = Layout(
            codes=np.repeat([block.code for block in blocks], [len(block) for block in blocks]).astype(np.int64),
            link_starts=starts_of(degrees),
            link_variables=link_variables,
            link_factors=np.repeat(np.arange(len(degrees)), degrees),
            negated=_join([block.negated for block in blocks], np.bool_),
            signs=1.0 - 2.0 * _join([block.negated for block in blocks], np.float64),
            int_starts=starts_of(_join([np.diff(block.int_starts) for block in blocks], np.int64)),
            ints=_join([block.ints for block in blocks], np.int64),
            float_starts=starts_of(_join([np.diff(block.float_starts) for block in blocks], np.int64)),
            floats=_join([block.floats for block in blocks], np.float64),
            variable_starts=starts_of(self.degrees),
            variable_links=order,
            fixed=np.full(count, -1, dtype=np.int64),
        )

        foreign = [block for block in blocks if isinstance(block, Foreign)]
        self.foreign = dict(
            zip(
                np.flatnonzero(self.layout.codes == FOREIGN).tolist(),
                foreign[0].factors if foreign else (),
                strict=True,
            )
        )

    @property
    def number_of_links(self) -> int:
        return len(self.layout.link_variables)

    def literals(self, factor: int, values: Floats) -> Floats:
        """A factor's part of values per link, as literals (and back: it is its own inverse)."""
        links = self.links(factor)
        return np.where(self.layout.negated[links], 1.0 - values, values)

    def links(self, factor: int) -> slice:
        return slice(int(self.layout.link_starts[factor]), int(self.layout.link_starts[factor + 1]))

    def maximize_foreign(self, multipliers: Floats) -> tuple[float, dict[int, Floats]]:
        """The sum of the foreign factors' maxima for these multipliers, and where they are attained."""
        total, points = 0.0, {}
        for factor, part in self.foreign.items():
            links = self.links(factor)
            scores = multipliers[links]
            best, own = checked(part, np.where(self.layout.negated[links], -scores, scores))
            points[factor] = self.literals(factor, best)
            total += float(scores @ points[factor]) + own
        return total, points

    def initial_multipliers(self) -> Floats:
        """Each variable's score in equal shares for its links."""
        share = self.scores / np.maximum(self.degrees, 1)
        return share[self.layout.link_variables]

    def lone_values(self) -> Floats:
        """The best values of variables without factors; zero for all others."""
        return ((self.degrees == 0) & (self.scores > 0)).astype(np.float64)

    def score_scale(self) -> float:
        """The typical size of a score, to which step sizes are relative: the mean of those that are not zero."""
        sizes = np.abs(self.scores[(self.scores != 0) & (self.degrees > 0)])
        return float(sizes.mean()) if len(sizes) else 1.0


def _join(parts: list, kind: type) -> np.ndarray:
    return np.concatenate(parts).astype(kind) if parts else np.zeros(0, dtype=kind)
