"""Training and evaluation of transduction models (task `transduction`), as in Yao, Wan & Xiao (2014).

One training makes everything that their systems need: a synchronous grammar with rule weights by a structured SVM, the
discriminative bigram model by another, language models of the training sentences and their compressions, the balance of
these, and the two-stage reranker. Trees are dependency trees, converted to constituents. Choices are made on the last
training pairs, which nothing learns from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from problems.compression.corpora import ParsedPair
from problems.compression.model import LengthRule
from problems.language import NgramModel, estimate
from problems.linear_program import Floats
from problems.transduction.grammar import Grammar
from problems.transduction.instance import TransductionInstance
from problems.transduction.learned.model import TransductionModel, tree_of
from problems.transduction.trees import pruned
from solvers.deletion_model import train_deletions
from solvers.rerank import train_reranker

from ..compression.data import MEASURES, Data, PairEvaluation, PairTraining, measured
from ..learners import Decoder, StructuredSvm
from ..loop import Watcher, train
from .examples import DerivationExample, PathExample
from .systems import SYSTEMS, outputs, tune

LANGUAGE_ORDERS = {"bigram": 2, "trigram": 3}
LEAST_WORD_COUNT = 2  # rarer words are the unknown word of the language models
DELETION_PAIRS, RERANKING_PAIRS = 2000, 300  # that the reranker's stages learn from
TUNING_PAIRS = 200


@dataclass(kw_only=True)
class Training(PairTraining):
    """`least_rule`: how often a minimal rule must occur; where it is left out, twice, and once below 1000 pairs."""

    task = "transduction"

    epochs: int = 5
    bits: int = 20
    regularization: float = 1e-3
    initial_step: float = 0.05
    least_rule: int | None = None

    def check_options(self) -> None:
        super().check_options()
        self.require_least(0, "regularization")
        self.require_least(1, "least_rule")
        self.require("initial_step", self.initial_step > 0, "above 0")

    def fit(self, data: Data, out: Path, resume: bool, watcher: Watcher) -> dict[str, float]:
        learn, held_out = data.divided(self.development)
        least = self.least_rule or (1 if len(learn) < 1000 else 2)
        grammar = make_grammar(learn, least)
        derivations = [DerivationExample.of(pair, grammar, self.bits) for pair in learn]
        paths = [PathExample.of(pair, self.bits) for pair in learn]
        checkpoints = [out.with_name(f"{out.name}.{kind}.checkpoint") for kind in ("rules", "bigrams")]
        rules, rule_loss = self._learned(derivations, "dp-transduction", checkpoints[0], resume, watcher)
        bigrams, bigram_loss = self._learned(paths, "dp-bigram", checkpoints[1], resume, watcher)
        model = TransductionModel(
            grammar,
            self.bits,
            rules,
            bigrams,
            language_models(learn),
            LengthRule.fitted(learn),
            parser=data.parser,
            parser_hash=data.parser_hash,
        )
        tuned = tune(model, held_out[:TUNING_PAIRS])
        model.settings = {system: settings for system, (settings, _) in tuned.items()}
        add_reranker(model, learn)
        model.write(out)
        for checkpoint in checkpoints:
            checkpoint.unlink(missing_ok=True)
        figures = {"pairs": float(len(learn)), "dropped": float(data.dropped), "rules": float(len(grammar))}
        figures |= {"rule loss": rule_loss, "bigram loss": bigram_loss}
        return figures | {f"development F1, {system}": score for system, (_, score) in tuned.items()}

    def _learned(
        self, examples: Sequence[Any], solver: str, checkpoint: Path, resume: bool, watcher: Watcher
    ) -> tuple[Floats, float]:
        learner = StructuredSvm(1 << self.bits, Decoder(solver), self.regularization, self.initial_step)
        trained = train(
            examples, learner, epochs=self.epochs, seed=self.seed, checkpoint=checkpoint, resume=resume, watcher=watcher
        )
        return trained.weights["weights"], float(trained.history[-1]["loss"])


def make_grammar(pairs: Sequence[ParsedPair], least: int) -> Grammar:
    """Rules from source trees and what is left of them over the gold words."""
    triples = []
    for pair in pairs:
        tree = tree_of(pair.sentence, pair.name)
        target = pruned(tree, set(pair.kept))
        assert target is not None
        triples.append((tree, target, pair.kept))
    return Grammar(triples, least)


def language_models(pairs: Sequence[ParsedPair]) -> dict[str, NgramModel]:
    """Of the training sentences and their compressions, in lower case."""
    texts = []
    for pair in pairs:
        words = [word.lower() for word in pair.sentence.words]
        texts += [words, [words[place - 1] for place in pair.kept]]
    counts = Counter(word for text in texts[::2] for word in text)
    known = {word for word, count in counts.items() if count >= LEAST_WORD_COUNT}
    return {name: estimate(texts, order, known) for name, order in LANGUAGE_ORDERS.items()}


def add_reranker(model: TransductionModel, pairs: Sequence[ParsedPair]) -> None:
    """Train the two stages on different pairs."""

    def instance(pair: ParsedPair, setting: str, length: int | None = None) -> TransductionInstance:
        return model.instance(pair.sentence, pair.name, setting, length, pair.kept)

    first = len(pairs) - min(RERANKING_PAIRS, len(pairs) // 3) if len(pairs) >= 3 else 0
    deletions = train_deletions([instance(pair, "bigram") for pair in pairs[:first][-DELETION_PAIRS:]])
    ranked = (instance(pair, "trigram", model.rule.length(len(pair.sentence))) for pair in pairs[first:])
    header, model.extra_arrays = train_reranker(deletions, ranked).parts()
    model.extra_header = {"reranker": header}


@dataclass(kw_only=True)
class Evaluation(PairEvaluation):
    """A `length` that is `free` is as the systems' rewards have it."""

    task = "transduction"

    systems: str = ""  # names separated by semicolons; all if left out

    def check_options(self) -> None:
        known = [system.name for system in SYSTEMS]
        self.require("systems", not self.systems or set(self._names()) <= set(known), f"some of {'; '.join(known)}")

    def _names(self) -> list[str]:
        return [name.strip() for name in self.systems.split(";")]

    def rows(self, model: Path, watcher: Watcher) -> list[dict[str, Any]]:
        trained = TransductionModel.read(model)
        data = self.load(trained.parser)
        lengths = [self.wanted(trained.rule, pair) for pair in data.pairs]
        chosen = [system for system in SYSTEMS if not self.systems or system.name in self._names()]
        rows = []
        for number, system in enumerate(chosen, 1):
            watcher.epoch(number, len(chosen), len(data.pairs))
            found = outputs(system, trained, model, data.pairs, lengths)
            scores = measured(data.pairs, [each.kept for each in found], data.parse)
            row: dict[str, Any] = {"system": system.name, "pairs": len(data.pairs)}
            row |= {name: float(scores[name].mean()) for name in MEASURES}
            rows.append(row | {"certified": sum(each.certified for each in found)})
        return rows
