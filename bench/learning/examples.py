"""What the learners need to know of a training example, and decoding through any solver by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from problems.errors import InputError
from problems.linear_program import Floats
from problems.models.sparse import SparseRows
from solvers import Solution, make_solver


class Example(Protocol):
    """An input with its gold output, in parts. The cost of an output y is `cost . y + cost_constant`: 0 at the gold."""

    @property
    def name(self) -> str: ...
    @property
    def task(self) -> str: ...  # which of several tasks that are learned together
    @property
    def features(self) -> SparseRows: ...  # one row per part
    @property
    def gold(self) -> Floats: ...  # one value per part
    @property
    def cost(self) -> Floats: ...  # one value per part
    @property
    def cost_constant(self) -> float: ...

    def decode(self, decoder: Decoder, scores: Floats) -> Floats:
        """The values of the parts in the best output for these scores, possibly fractional."""
        ...


@dataclass(frozen=True)
class Decoder:
    """A solver by name, with options."""

    solver: str
    options: dict[str, Any] = field(default_factory=dict)

    def solve(self, instance: Any, task: str) -> Solution:
        """A solution with a structure or posteriors; without either there is nothing to learn from."""
        solution = make_solver(self.solver, task, self.options).solve(instance)
        if solution.structure is None and solution.posteriors is None:
            raise InputError(
                f"solver {self.solver!r} found no output for {getattr(instance, 'name', task)!r}: {solution.status}."
            )
        return solution
