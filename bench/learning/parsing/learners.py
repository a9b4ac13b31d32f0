"""Learners of the parser's four models: pruner, parts, labels and tags.

They drive kernels that update large hashed weight vectors in place, so they bring their own weights (32-bit floats, of which a
few thousand change per step) instead of the core's `AveragedWeights`; loop, checkpoints and model files are the core's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problems.errors import InputError
from problems.linear_program import Floats, Integers
from problems.parsing.instance import Order, ParsingInstance
from problems.parsing.posteriors import part_posteriors
from problems.parsing.pruning import arc_posteriors, candidates
from problems.parsing.rounding import round_tree
from problems.parsing.scoring import PartScorer, Words
from solvers import Solution

from ..learners import Decoder, Learner, Schedule
from ..weights import SMALLEST_SCALE

Weights = NDArray[np.float32]
NOTHING: Integers = np.zeros(0, dtype=np.int64)
AD3_ITERATIONS = 200  # on 200 sentences of en_ewt train the attachment is 84.3; with 1000 it is 84.2, with 50 84.1


class InPlace(Learner):
    """Weights that kernels change, and the arrays beside them that a checkpoint must hold."""

    arrays: tuple[str, ...] = ("weights", "totals")

    def __init__(self, bits: int, settings: dict[str, Any]) -> None:
        self.bits = bits
        self.weights: Weights = np.zeros(1 << bits, dtype=np.float32)
        self.totals: Floats = np.zeros(1 << bits)
        self.time = 0
        self._settings = settings

    def averaged(self) -> dict[str, Any]:
        """The mean of the weights after each step."""
        return {"weights": (self.weights - self.totals / max(self.time, 1)).astype(np.float32)}

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return {"time": self.time}, {name: getattr(self, name) for name in self.arrays}

    def restore(self, numbers: dict[str, Any], arrays: dict[str, Any]) -> None:
        self.time = int(numbers["time"])
        for name in self.arrays:
            getattr(self, name)[:] = arrays[name]

    def settings(self) -> dict[str, Any]:
        return {"learner": type(self).__name__, "bits": self.bits, **self._settings}


class PrunerLearner(InPlace):
    """A first-order log-linear model of trees: AdaGrad on the likelihood, whose gradient is gold minus posterior of each arc."""

    arrays = ("weights", "squares")

    def __init__(self, program: Integers, bits: int, rate: float, single_root: bool) -> None:
        super().__init__(bits, {"rate": rate, "single_root": single_root, "program": len(program)})
        self.scorer = PartScorer(program, self.weights)
        self.rate, self.single_root = rate, single_root
        self.squares: Weights = np.full(1 << bits, 1.0, dtype=np.float32)
        self._change: Weights = np.zeros(1 << bits, dtype=np.float32)

    def averaged(self) -> dict[str, Any]:
        return {"weights": self.weights.copy()}

    def step(self, example: Words) -> float:
        """One sentence; returns the loss (minus the log of the gold arcs' posteriors) per word."""
        from problems.kernels.parser_learning import likelihood_step

        count = len(example)
        heads, modifiers = candidates(count)
        scores = self.scorer.arcs(example, heads, modifiers)
        posteriors = arc_posteriors(count, heads, modifiers, scores, self.single_root)
        gold = heads == np.asarray(example.sentence.heads)[modifiers - 1]
        likelihood_step(
            example.rows, example.kinds, heads, modifiers, gold - posteriors, self.scorer.program, self.scorer.shift,
            self.rate, self._change, self.weights, self.squares,
        )  # fmt: skip
        self.time += 1
        return -float(np.log(np.maximum(posteriors[gold], 1e-12)).mean())


@dataclass(frozen=True)
class PrunedExample:
    """A sentence with its candidate arcs, the gold ones among them."""

    words: Words
    heads: Integers
    modifiers: Integers
    costs: Floats  # 1 for each wrong head
    gold_slots: Integers

    @property
    def name(self) -> str:
        return self.words.sentence.name


@dataclass(frozen=True)
class Steps:
    """How far a step goes: MIRA's with at most `aggressiveness`, or with a schedule that of a structured SVM.

    An `adaptive` step changes the weights of features that were rarely wrong more than others (AdaGrad's metric).
    """

    aggressiveness: float = 0.05
    schedule: Schedule | None = None
    adaptive: bool = False


class ParserLearner(InPlace):
    """Large-margin learning through a solver; the cost of a tree is the number of its wrong heads.

    With a `relaxed` decoder the prediction may be fractional: then its features are those of all its parts, times their posteriors.
    The weights of the model are `scale * weights` (`learning/weights.py`); MIRA's scale is always 1.
    """

    arrays = ("weights", "totals", "squares")

    def __init__(
        self, program: Integers, bits: int, order: Order, decoder: Decoder, single_root: bool, steps: Steps
    ) -> None:
        settings = {"order": order, "steps": repr(steps), "solver": decoder.solver, "options": decoder.options}
        super().__init__(bits, {**settings, "single_root": single_root, "program": len(program)})
        self.scorer = PartScorer(program, self.weights)
        self.order, self.decoder, self.single_root, self.steps = order, decoder, single_root, steps
        self.scale, self.scales = 1.0, 0.0
        self.fractional = 0  # predictions so far that were
        self._change: Weights = np.zeros(1 << bits, dtype=np.float32)
        self.squares: Weights = np.ones(1 << bits if steps.adaptive else 0, dtype=np.float32)

    def averaged(self) -> dict[str, Any]:
        mean = (self.scales * self.weights - self.totals) / max(self.time, 1)
        return {"weights": mean.astype(np.float32)}

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        numbers, arrays = super().state()
        return {**numbers, "scale": self.scale, "scales": self.scales, "fractional": self.fractional}, arrays

    def restore(self, numbers: dict[str, Any], arrays: dict[str, Any]) -> None:
        super().restore(numbers, arrays)
        self.scale, self.scales = float(numbers["scale"]), float(numbers["scales"])
        self.fractional = int(numbers["fractional"])

    def example(self, words: Words, heads: Integers, modifiers: Integers) -> PrunedExample:
        gold = np.asarray(words.sentence.heads)
        costs = np.where(heads == gold[modifiers - 1], 0.0, 1.0)
        return PrunedExample(words, heads, modifiers, costs, self.scorer.slots(words, gold, self.order))

    def step(self, example: PrunedExample) -> float:
        """One sentence; returns its hinge loss per word."""
        from problems.kernels.parser_learning import hinge_update

        schedule, given = self.steps.schedule, 0.0
        if schedule is not None:
            given = schedule.step(self.time)
            self._shrink(1.0 - given * schedule.regularization)
        instance = self.scorer.instance(
            example.words, example.heads, example.modifiers, self.order, self.single_root, example.costs, self.scale
        )
        predicted, posteriors, cost = self._predicted(example, instance)
        loss = 0.0
        if cost > 0.0:
            loss = hinge_update(
                example.gold_slots, predicted, posteriors, cost, self.steps.aggressiveness, given, self.scale,
                self.scales, self._change, self.weights, self.totals, self.squares,
            )  # fmt: skip
        self.time += 1
        self.scales += self.scale
        return float(loss) / len(example.words)

    def _predicted(self, example: PrunedExample, instance: ParsingInstance) -> tuple[Integers, Floats, float]:
        """Slots of the features of the most violating solution, how much each counts, and the solution's cost."""
        solution = self.decoder.solve(instance, "parsing")
        if solution.mixtures is not None and solution.posteriors is not None:
            found = part_posteriors(instance, solution.posteriors, solution.mixtures)
            if found is not None:
                self.fractional += 1
                slots, values = self.scorer.relaxed_slots(example.words, instance, found)
                return slots, values, float(found.arc @ example.costs)
        tree = _tree_of(self.decoder, instance, solution)
        cost = float((tree != np.asarray(example.words.sentence.heads)).sum())
        slots = self.scorer.slots(example.words, tree, self.order) if cost else NOTHING
        return slots, np.ones(len(slots)), cost

    def _shrink(self, factor: float) -> None:
        """Multiply all weights. What changes came too late for is kept when the scale is folded in."""
        self.scale *= max(factor, 0.0)
        if self.scale < SMALLEST_SCALE:
            before = self.weights.copy()
            self.weights *= self.scale
            self.totals += self.scales * (self.weights - before)
            self.scale = 1.0


def parser_decoder(order: Order, solver: str = "", iterations: int = AD3_ITERATIONS, relaxed: bool = False) -> Decoder:
    """The solver by name; without one `dp-mst`, which is exact, for order 1, and `ad3` for others. AD3 is stopped early.

    A `relaxed` AD3 is for training: its fractional solutions are not rounded but taken apart.
    """
    name = solver or ("dp-mst" if order == "1" else "ad3")
    options: dict[str, Any] = {"max_iterations": iterations} if name == "ad3" else {}
    if relaxed and name == "ad3" and order != "1":
        options |= {"mixtures": True, "rounding": "none"}
    return Decoder(name, options)


def decoded_tree(decoder: Decoder, instance: ParsingInstance) -> Integers:
    """The solver's tree; there must be one."""
    return _tree_of(decoder, instance, decoder.solve(instance, "parsing"))


def _tree_of(decoder: Decoder, instance: ParsingInstance, solution: Solution) -> Integers:
    if solution.structure is None and solution.posteriors is not None:
        return np.asarray(round_tree(instance, solution.posteriors))
    if solution.structure is None:
        raise InputError(f"solver {decoder.solver!r} found no tree for sentence {instance.name!r}: {solution.status}.")
    return np.asarray(solution.structure)
