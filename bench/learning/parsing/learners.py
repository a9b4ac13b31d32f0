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
from problems.parsing.pruning import arc_posteriors, candidates
from problems.parsing.scoring import PartScorer, Words

from ..learners import Decoder, Learner

Weights = NDArray[np.float32]
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


class ParserLearner(InPlace):
    """Cost-augmented MIRA on trees; the cost of a tree is the number of its wrong heads."""

    def __init__(
        self, program: Integers, bits: int, order: Order, aggressiveness: float, decoder: Decoder, single_root: bool
    ) -> None:
        settings = {"order": order, "C": aggressiveness, "solver": decoder.solver, "options": decoder.options}
        super().__init__(bits, {**settings, "single_root": single_root, "program": len(program)})
        self.scorer = PartScorer(program, self.weights)
        self.order, self.aggressiveness, self.decoder, self.single_root = order, aggressiveness, decoder, single_root
        self._change: Weights = np.zeros(1 << bits, dtype=np.float32)

    def example(self, words: Words, heads: Integers, modifiers: Integers) -> PrunedExample:
        gold = np.asarray(words.sentence.heads)
        costs = np.where(heads == gold[modifiers - 1], 0.0, 1.0)
        return PrunedExample(words, heads, modifiers, costs, self.scorer.slots(words, gold, self.order))

    def step(self, example: PrunedExample) -> float:
        """One sentence; returns its hinge loss per word."""
        from problems.kernels.parser_learning import mira_update

        words = example.words
        instance = self.scorer.instance(
            words, example.heads, example.modifiers, self.order, self.single_root, example.costs
        )
        tree = decoded_tree(self.decoder, instance)
        gold = np.asarray(words.sentence.heads)
        self.time += 1
        if (tree == gold).all():
            return 0.0
        predicted = self.scorer.slots(words, tree, self.order)
        cost = float((tree != gold).sum())
        loss = mira_update(
            example.gold_slots, predicted, cost, self.aggressiveness, self.time - 1, self._change, self.weights,
            self.totals,
        )  # fmt: skip
        return float(loss) / len(words)


def parser_decoder(order: Order, solver: str = "", iterations: int = AD3_ITERATIONS) -> Decoder:
    """The solver by name; without one `dp-mst`, which is exact, for order 1, and `ad3` for others. AD3 is stopped early."""
    name = solver or ("dp-mst" if order == "1" else "ad3")
    return Decoder(name, {"max_iterations": iterations} if name == "ad3" else {})


def decoded_tree(decoder: Decoder, instance: ParsingInstance) -> Integers:
    """The solver's tree; there must be one."""
    solution = decoder.solve(instance, "parsing")
    if solution.structure is None:
        raise InputError(
            f"solver {decoder.solver!r} found no tree for sentence {instance.name!r}: {solution.status}; "
            "a parser is trained and run on rounded trees."
        )
    return np.asarray(solution.structure)
