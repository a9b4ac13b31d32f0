"""Training and evaluation of compression models (task `compression`): Qian & Liu's joint model and its rivals.

Systems: `joint` (tokens, bigrams, arcs), `bigram` (McDonald 2006: tokens and bigrams), `subtree-bigram` (Berg-Kirkpatrick et al. 2011: source
bigrams that survive, tokens and source arcs) and `subtree` (the same without bigrams) by cost-augmented MIRA with the solver that is exact for the model; `crf`, a linear-chain CRF by CRFsuite. Nothing
that is chosen (the epoch, the threshold of the CRF) sees other pairs than the last ones of the training data.

In training the gold length is given, so that models learn which words to keep and not how many. The cost of an output is the
number of kept words that are not gold, and in the joint model of arcs that are not gold. The subtree model cannot produce
every gold compression; it learns from the subtree of that length that has the most gold words.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from problems.compression.corpora import ParsedPair
from problems.compression.features import HashedParts, System, Templates, indicator, number_of_parts, split
from problems.compression.instance import Compression
from problems.compression.labeller import SYSTEM as CRF
from problems.compression.labeller import Labeller, threshold_for, train_labeller
from problems.compression.model import KIND, SUBTREES, CompressionModel, LengthRule, instance_of
from problems.errors import InputError
from problems.linear_program import Floats
from problems.models.model_file import read_model
from problems.text.sentence import ParsedSentence
from solvers import make_solver

from ..learners import Decoder, Mira
from ..loop import Watcher, Weights, delete_checkpoints, train
from .data import Data, Kept, PairEvaluation, PairTraining, gold_rate, intervals, mean_f1, means, measured
from .lengths import price_for, priced, worths

DECODERS: dict[System, str] = {
    "joint": "dp-lagrangian",
    "bigram": "dp-bigram",
    "subtree": "dp-tree",
    "subtree-bigram": "tree-ilp",
}
"""The solvers that are exact for each system's own model."""
OPTIONS: dict[tuple[str, str], dict[str, Any]] = {("subtree-bigram", "tree-ilp"): {"bigrams": True}}
"""What a solver has to be told about a system's model."""
UNPRICED = ("subtree-bigram",)  # an integer program for each length of each sentence takes too long
LONGEST_PRICED = 250  # words of a sentence whose lengths are all tried; longer ones keep what the line says


@dataclass(frozen=True, eq=False)
class CompressionExample:
    pair: ParsedPair
    system: System
    bits: int
    templates: Templates = "paper"
    cost_constant: float = 0.0
    task: str = "compression"

    @cached_property
    def features(self) -> HashedParts:
        return HashedParts(self.pair.sentence, self.system, self.bits, self.templates)

    @cached_property
    def target(self) -> Compression:
        """What is learned: the gold, or the best that the model can produce."""
        if self.system not in SUBTREES:
            return self.pair.kept, self.pair.heads
        kept = nearest_subtree(self.pair)
        return kept, tuple(self.pair.sentence.heads[word - 1] for word in kept)

    @property
    def gold(self) -> Floats:
        return indicator(len(self.pair.sentence), *self.target)

    @property
    def cost(self) -> Floats:
        right = split(self.gold, len(self.pair.sentence))
        cost = np.zeros(len(self.features))
        wrong = split(cost, len(self.pair.sentence))
        wrong.tokens[:] = 1.0 - right.tokens
        if self.system == "joint":
            wrong.arcs[:] = 1.0 - right.arcs
        return cost

    @property
    def name(self) -> str:
        return self.pair.name

    def decode(self, decoder: Decoder, scores: Floats) -> Floats:
        instance = instance_of(self.pair.sentence, self.system, scores, len(self.pair.kept), self.name)
        solution = decoder.solve(instance, self.task)
        assert solution.structure is not None
        return indicator(len(self.pair.sentence), *solution.structure)


def nearest_subtree(pair: ParsedPair) -> tuple[int, ...]:
    """The subtree of the source tree, of the gold's length, with the most gold words."""
    scores = np.zeros(number_of_parts(len(pair.sentence)))
    split(scores, len(pair.sentence)).tokens[np.array(pair.kept) - 1] = 1.0
    instance = instance_of(pair.sentence, "subtree", scores, len(pair.kept), pair.name)
    structure = Decoder("dp-tree").solve(instance, "compression").structure
    assert structure is not None
    return tuple(structure[0])


CRF_ITERATIONS = 100


@dataclass(kw_only=True)
class Training(PairTraining):
    """`aggressiveness` is MIRA's C. `templates`: Table 1 of the paper, or also what the source tree says of words and bigrams. A CRF
    has the paper's alone.
    """

    task = "compression"

    epochs: int = 8
    system: Literal["joint", "bigram", "subtree", "subtree-bigram", "crf"] = "joint"
    solver: str = ""
    aggressiveness: float = 0.01
    templates: Templates = "syntax"
    patience: int | None = 3

    def check_options(self) -> None:
        super().check_options()
        self.require("aggressiveness", self.aggressiveness > 0, "above 0")
        self.require_least(1, "patience")

    def fit(self, data: Data, out: Path, resume: bool, watcher: Watcher) -> dict[str, float]:
        learn, held_out = data.divided(self.development)
        rule = LengthRule.fitted(learn)
        figures = {"pairs": float(len(learn)), "dropped": float(data.dropped), "held out": float(len(held_out))}
        if self.system == "crf":
            return figures | self._fit_labeller(data, learn, held_out, rule, out)
        system = self.system
        solver = self.solver or DECODERS[system]
        examples = [CompressionExample(pair, system, self.bits, self.templates) for pair in learn]
        learner = Mira(1 << self.bits, Decoder(solver, OPTIONS.get((system, solver), {})), self.aggressiveness)

        def model_of(weights: Weights) -> CompressionModel:
            return CompressionModel(
                system,
                self.bits,
                weights["weights"],
                rule,
                data.parser,
                data.parser_hash,
                templates=self.templates,
            )

        def score(weights: Weights) -> float:
            model = model_of(weights)
            return mean_f1(held_out, [compress(model, pair, solver) for pair in held_out])

        checkpoint = out.with_name(out.name + ".checkpoint")
        trained = train(
            examples,
            learner,
            epochs=self.epochs,
            seed=self.seed,
            development=score,
            patience=self.patience,
            checkpoint=checkpoint,
            settings={"system": system, "templates": self.templates, "solver": solver, "parser": data.parser_hash},
            resume=resume,
            watcher=watcher,
        )
        model = model_of(trained.weights)
        priced_pairs = [] if system in UNPRICED else [pair for pair in held_out if len(pair.sentence) <= LONGEST_PRICED]
        found = [worths(model, pair.sentence, solver) for pair in priced_pairs]
        replace(model, price=price_for(found, gold_rate(held_out)) if found else None).write(out)
        delete_checkpoints(checkpoint)
        best = trained.best
        return figures | {"best epoch": float(best["epoch"]), "development F1": float(best["development"])}

    def _fit_labeller(
        self, data: Data, learn: list[ParsedPair], held_out: list[ParsedPair], rule: LengthRule, out: Path
    ) -> dict[str, float]:
        with tempfile.TemporaryDirectory() as folder:
            crf = train_labeller(learn, CRF_ITERATIONS, Path(folder))
        model = Labeller(crf, rule, 0.5, data.parser, data.parser_hash)
        threshold = threshold_for([model.marginals(pair.sentence) for pair in held_out], gold_rate(held_out))
        model = Labeller(crf, rule, threshold, data.parser, data.parser_hash)
        model.write(out)
        score = mean_f1(held_out, [model.above(pair.sentence) for pair in held_out])
        return {"threshold": threshold, "development F1": score}


def read_any(path: str | Path) -> CompressionModel | Labeller:
    """A compression model of either kind."""
    header, arrays = read_model(path, KIND)
    kind = Labeller if header.get("system") == CRF else CompressionModel
    return kind.of(header, arrays, path)


def compress(model: CompressionModel, pair: ParsedPair, solver: str, length: int | None = None) -> Kept:
    """The words that a solver keeps; by default as many as the model's rule says."""
    options = OPTIONS.get((model.system, solver), {})
    solution = make_solver(solver, "compression", options).solve(model.instance(pair.sentence, pair.name, length))
    if solution.structure is None:
        raise InputError(f"solver {solver!r} found no compression of {pair.name!r}: {solution.status}.")
    return tuple(solution.structure[0])


def own_length(model: CompressionModel, sentence: ParsedSentence, solver: str) -> int:
    """The words that the model itself keeps of a sentence, at the gold rate on average; of a very long one what its line says."""
    if model.price is None:
        why = f"{model.system} models have none" if model.system in UNPRICED else "train it anew"
        raise InputError(f"option 'length' is 'rate', but the model has no price of a kept word: {why}.")
    if len(sentence) > LONGEST_PRICED:
        return model.rule.length(len(sentence))
    return priced(worths(model, sentence, solver), model.price)


@dataclass(kw_only=True)
class Evaluation(PairEvaluation):
    """Only a CRF has a `length` that is `free`: its own labelling, as in the paper. It is shown beside equal lengths, too. With the
    length `rate` models choose lengths themselves that have the gold rate on average (of a CRF: words above its threshold).
    """

    task = "compression"

    solver: str = ""

    def rows(self, model: Path, watcher: Watcher) -> list[dict[str, Any]]:
        trained = read_any(model)
        data = self.load(trained.parser)
        lengths = [self.wanted(trained.rule, pair) for pair in data.pairs]
        systems: dict[str, list[Kept]] = {}
        watcher.epoch(1, 1, len(data.pairs))
        for pair, length in zip(data.pairs, lengths, strict=True):
            for system, kept in self._outputs(trained, pair, length).items():
                systems.setdefault(system, []).append(kept)
            watcher.example()
        scores = {system: measured(data.pairs, outputs, data.parse) for system, outputs in systems.items()}
        return [
            {"system": system, "pairs": len(data.pairs), "dropped": data.dropped} | means(found) | intervals(found)
            for system, found in scores.items()
        ]

    def _outputs(self, model: CompressionModel | Labeller, pair: ParsedPair, length: int | None) -> dict[str, Kept]:
        if isinstance(model, Labeller):
            found = {"crf": model.labelled(pair.sentence)}
            if self.length == "rate":
                return found | {"crf, equal rate": model.above(pair.sentence)}
            return found if length is None else found | {"crf, equal length": model.likeliest(pair.sentence, length)}
        if self.length == "rate":
            length = own_length(model, pair.sentence, self.solver or DECODERS[model.system])
        if length is None:
            raise InputError(
                f"option 'length' is 'free', but the {model.system} model needs a length: rule, rate or gold."
            )
        return {model.system: compress(model, pair, self.solver or DECODERS[model.system], length)}
