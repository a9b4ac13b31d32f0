"""Online learners on the structured hinge loss: cost-augmented MIRA and stochastic subgradients (structured SVM).

Both decode with the costs added to the scores, y^ = argmax w.f(y) + cost(y), and move the weights along f(gold) - f(y^):

- MIRA by the smallest step that would have given the gold a margin of cost(y^), at most C (Crammer et al. 2006);
- the SVM by a step of its schedule, after shrinking all weights: the subgradient of lambda/2 |w|^2 + hinge.

Here is also what they need to know of a training example, and decoding through any solver by name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, runtime_checkable

from problems.errors import InputError
from problems.linear_program import Floats, Integers
from problems.models.sparse import SparseRows
from solvers import Solution, make_solver

from .weights import AveragedWeights


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


@runtime_checkable
class Latent(Protocol):
    """An example with several right outputs, all of cost 0: it learns from the one that is best for the weights so far."""

    def gold_under(self, scores: Floats) -> Floats: ...


@dataclass(frozen=True)
class Decoder:
    """A solver by name, with options. A `relaxed` one may be learned from by its posteriors, where they are fractional."""

    solver: str
    options: dict[str, Any] = field(default_factory=dict)
    relaxed: bool = True
    _made: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)  # solvers by task

    def solve(self, instance: Any, task: str) -> Solution:
        """A solution with a structure or posteriors; without either there is nothing to learn from."""
        if task not in self._made:  # checking options takes as long as decoding a short sentence
            self._made[task] = make_solver(self.solver, task, self.options)
        solution = self._made[task].solve(instance)
        if solution.structure is None and solution.posteriors is None:
            raise InputError(
                f"solver {self.solver!r} found no output for {getattr(instance, 'name', task)!r}: {solution.status}."
            )
        return solution


class Violation(NamedTuple):
    """How far an output beats the gold with its cost, and the gold's features less that output's."""

    loss: float
    indices: Integers
    values: Floats

    @property
    def squared_norm(self) -> float:
        return float(self.values @ self.values)


def most_violated(example: Example, decoder: Decoder, scores: Floats) -> Violation:
    """Cost-augmented decoding. A relaxed decoder may return a mixture of outputs; so is its loss."""
    augmented = scores + example.cost
    found = example.decode(decoder, augmented)
    if isinstance(example, Latent):
        gold = example.gold_under(scores)
        return Violation(float(augmented @ (found - gold)), *example.features.combine(gold - found))
    loss = float(augmented @ found - scores @ example.gold + example.cost_constant)
    return Violation(loss, *example.features.combine(example.gold - found))


class Learner(ABC):
    """What the training loop drives: one example at a time, and a state that a checkpoint can hold."""

    @abstractmethod
    def step(self, example: Any) -> float:
        """Learn from one example; returns its loss before the step."""

    @abstractmethod
    def averaged(self) -> dict[str, Floats]:
        """The weights of the model so far, averaged over all steps."""

    @abstractmethod
    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Numbers and arrays from which `restore` goes on as if nothing had happened."""

    @abstractmethod
    def restore(self, numbers: dict[str, Any], arrays: dict[str, Any]) -> None: ...

    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """What must be the same for a checkpoint to be of the same training."""


def below(arrays: dict[str, Any], prefix: str) -> dict[str, Any]:
    """The arrays of a checkpoint whose names begin so, by the rest of their names."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


class _Linear(Learner):
    """One weight vector."""

    def __init__(self, size: int, decoder: Decoder) -> None:
        self.weights = AveragedWeights(size)
        self.decoder = decoder

    def averaged(self) -> dict[str, Floats]:
        return {"weights": self.weights.averaged()}

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return self.weights.state()

    def restore(self, numbers: dict[str, Any], arrays: dict[str, Any]) -> None:
        self.weights.restore(numbers, arrays)

    def step(self, example: Example) -> float:
        weights = self.weights
        violation = most_violated(example, self.decoder, weights.scale * example.features.scores(weights.raw))
        step = self._step(violation)
        if step:
            weights.add(violation.indices, step * violation.values)
        weights.tick()
        return max(violation.loss, 0.0)

    @abstractmethod
    def _step(self, violation: Violation) -> float:
        """How far the weights go along a violation."""


class Mira(_Linear):
    """Cost-augmented MIRA; `aggressiveness` is C."""

    def __init__(self, size: int, decoder: Decoder, aggressiveness: float) -> None:
        super().__init__(size, decoder)
        self.aggressiveness = aggressiveness

    def _step(self, violation: Violation) -> float:
        return mira_step(violation.loss, violation.squared_norm, self.aggressiveness)

    def settings(self) -> dict[str, Any]:
        return {"learner": "mira", "size": len(self.weights), "aggressiveness": self.aggressiveness}


def mira_step(loss: float, squared_norm: float, aggressiveness: float) -> float:
    """The smallest step that removes the loss, at most C; 0 where there is nothing to gain."""
    if loss <= 0.0 or squared_norm == 0.0:
        return 0.0
    return min(aggressiveness, loss / squared_norm)


@dataclass(frozen=True)
class Schedule:
    """Step sizes initial / (1 + initial * regularization * t): constant at first, 1 / (regularization * t) in the end."""

    initial: float
    regularization: float

    def step(self, time: int) -> float:
        return self.initial / (1.0 + self.initial * self.regularization * time)


class StructuredSvm(_Linear):
    """Stochastic subgradients of lambda/2 |w|^2 + the mean hinge loss."""

    def __init__(self, size: int, decoder: Decoder, regularization: float, initial_step: float) -> None:
        super().__init__(size, decoder)
        self.schedule = Schedule(initial_step, regularization)

    def _step(self, violation: Violation) -> float:
        step = self.schedule.step(self.weights.steps)
        self.weights.shrink(1.0 - step * self.schedule.regularization)
        return step if violation.loss > 0.0 else 0.0

    def settings(self) -> dict[str, Any]:
        steps = {"regularization": self.schedule.regularization, "initial_step": self.schedule.initial}
        return {"learner": "structured svm", "size": len(self.weights), **steps}
