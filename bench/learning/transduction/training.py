"""Training and evaluation of transduction models (task `transduction`), as in Yao, Wan & Xiao (2014).

One training makes everything that their systems need: a synchronous grammar with rule weights by a structured SVM, the
discriminative bigram model by MIRA, language models, the balance of these, and the two-stage reranker. Trees are dependency trees of
sentences and of their compressions, converted to constituents. Choices (step sizes, epochs, weights, rewards) are made on the last
training pairs, which nothing learns from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from problems.compression.corpora import ParsedPair
from problems.compression.model import LengthRule
from problems.errors import InputError
from problems.transduction.conditional import ConditionalGrammar
from problems.transduction.instance import TransductionInstance
from problems.transduction.learned.model import STRONG, TransductionModel, target_tree_of, tree_of, without_rules
from solvers import Solution, make_solver
from solvers.deletion_model import train_deletions
from solvers.rerank import train_reranker
from solvers.subgradient import ALGORITHM_1

from ...analysis.statistics.values import mean_interval
from ..compression.data import Data, PairEvaluation, PairTraining, intervals, means, measured
from ..learners import Decoder, Learner, Mira, StructuredSvm
from ..loop import Watcher
from .development import Chosen, Judge, best_training
from .examples import DerivationExample, Ngrams, PathExample
from .language import language_models
from .systems import PURE, ROUNDED, SYSTEMS, VARIANTS, Output, System, Tuned, outputs, solved, tune

DELETION_PAIRS, RERANKING_PAIRS = 2000, 300  # that the reranker's stages learn from
TUNING_PAIRS = 200
SMALL = 1000  # pairs: below it, rules that occur once are kept
STEPS = (0.01, 0.03, 0.1)  # of the structured SVM
AGGRESSIVENESS = (0.01, 0.1, 1.0)  # of MIRA
EXAMPLES = ("length", "rules", "least_rule", "folds", "decoder", "ngram_weight", "language_model", "normalised")
"""Options that training examples depend on: a checkpoint of others is refused."""
DECODERS: dict[str, tuple[str, dict[str, Any]]] = {
    "rules": ("dp-transduction", {}),
    "beam": ("beam", {}),
    "dual": ("subgradient", ALGORITHM_1 | ROUNDED),
}


class LengthDecoder(Decoder):
    """Beams are steered to a fixed length as they are in tests."""

    def solve(self, instance: Any, task: str) -> Solution:
        return solved(make_solver(self.solver, task, self.options), instance)


@dataclass(kw_only=True)
class Training(PairTraining):
    """Options of the training.

    - `initial_step`, `aggressiveness`: of the structured SVM (rules) and of MIRA (bigrams); left out, the best of a few by held-out pairs.
    - `length`: words that training decodes to: as many as the gold has, as the fitted rule says, or any number.
    - `rules`: extract rules; without them every child is kept or deleted by itself. `least_rule`: how often a rule must occur; left out,
      twice, and once below 1000 pairs.
    - `folds`: training sentences get the rules of other pairs, in so many parts; 1 gives them their own.
    - `decoder`: what training decodes with: rules alone, or rules and trigrams by beam search or by dual decomposition, with trigrams that
      count `ngram_weight`.
    - `ablation`: train a grammar without rules as well, for comparison.
    - `language_model`: an ARPA file or a text; left out, the training pairs. `normalised`: less each word's own log-probability.
    """

    task = "transduction"

    epochs: int = 10
    bits: int = 20
    regularization: float = 1e-3
    initial_step: float | None = None
    aggressiveness: float | None = None
    length: Literal["gold", "rule", "free"] = "gold"
    rules: bool = True
    least_rule: int | None = None
    folds: int = 5
    ablation: bool = False
    decoder: Literal["rules", "beam", "dual"] = "rules"
    ngram_weight: float = 0.1
    language_model: str = ""
    normalised: bool = True

    def check_options(self) -> None:
        super().check_options()
        self.require_least(0, "regularization", "ngram_weight")
        self.require_least(1, "least_rule", "folds")
        for name in ("initial_step", "aggressiveness"):
            value = getattr(self, name)
            self.require(name, value is None or value > 0, "above 0")

    def fit(self, data: Data, out: Path, resume: bool, watcher: Watcher) -> dict[str, float]:
        learn, held_out = data.divided(self.development)
        held_out = held_out[:TUNING_PAIRS]
        models = language_models(learn, self.language_model)
        rule = LengthRule.fitted(learn)
        grammar = make_grammar(learn, self._least(len(learn)))
        ngrams = None if self.decoder == "rules" else Ngrams(models["trigram"], self.normalised, self.ngram_weight)

        settings = {name: getattr(self, name) for name in EXAMPLES} | {"parser": data.parser_hash}
        others = jackknifed(learn, self._least(len(learn)), self.folds)

        def derivation(pair: ParsedPair, length: int | None) -> DerivationExample:
            return DerivationExample.of(pair, others.get(pair.name, grammar), self.bits, length, ngrams)

        def plain(pair: ParsedPair, length: int | None) -> DerivationExample:
            return DerivationExample.of(pair, bare_grammar, self.bits, length, ngrams)

        def path(pair: ParsedPair, length: int | None) -> PathExample:
            return PathExample.of(pair, self.bits, length)

        def chosen(kind: str, make: Callable[..., Any], decoder: Decoder, learner: Any, steps: Any) -> Chosen:
            return best_training(
                [make(pair, self._length(rule, pair)) for pair in learn],
                Judge(held_out, [make(pair, rule.length(len(pair.sentence))) for pair in held_out], decoder),
                learner,
                steps,
                epochs=self.epochs,
                seed=self.seed,
                checkpoint=out.with_name(f"{out.name}.{kind}.checkpoint"),
                settings=settings,
                resume=resume,
                watcher=watcher,
            )

        def svm(step: float) -> Learner:
            return StructuredSvm(1 << self.bits, rule_decoder, self.regularization, step)

        def mira(step: float) -> Learner:
            return Mira(1 << self.bits, bigram_decoder, step)

        rule_decoder, bigram_decoder = LengthDecoder(*DECODERS[self.decoder]), Decoder("dp-bigram")
        steps = STEPS if self.initial_step is None else [self.initial_step]
        rules = chosen("rules", derivation, rule_decoder, svm, steps)
        bare_grammar = without_rules(grammar)
        bare = chosen("bare", plain, rule_decoder, svm, steps) if self.ablation else None
        constants = AGGRESSIVENESS if self.aggressiveness is None else [self.aggressiveness]
        bigrams = chosen("bigrams", path, bigram_decoder, mira, constants)
        model = TransductionModel(
            grammar,
            self.bits,
            rules.weights,
            bigrams.weights,
            models,
            rule,
            parser=data.parser,
            parser_hash=data.parser_hash,
            normalised=self.normalised,
            bare=None if bare is None else bare.weights,
        )
        tuned = tune(model, held_out)
        model.settings = {system: each.settings for system, each in tuned.items()}
        add_reranker(model, learn)
        model.write(out)
        figures = {"pairs": float(len(learn)), "dropped": float(data.dropped), "rules": float(len(grammar))}
        figures |= rules.figures("rules") | bigrams.figures("bigrams")
        figures |= {} if bare is None else bare.figures("no rules")
        return figures | tuning_figures(tuned, watcher)

    def _least(self, pairs: int) -> int | None:
        if not self.rules:
            return None
        return self.least_rule or (1 if pairs < SMALL else 2)

    def _length(self, rule: LengthRule, pair: ParsedPair) -> int | None:
        if self.length == "free":
            return None
        return len(pair.kept) if self.length == "gold" else rule.length(len(pair.sentence))


def make_grammar(pairs: Sequence[ParsedPair], least: int | None) -> ConditionalGrammar:
    """Rules from parses of sentences and of their compressions."""
    trees = ((tree_of(pair.sentence, pair.name), target_tree_of(pair), pair.kept) for pair in pairs)
    return ConditionalGrammar(trees, least)


def jackknifed(pairs: Sequence[ParsedPair], least: int | None, folds: int) -> dict[str, ConditionalGrammar]:
    """For each pair by name, a grammar of other pairs.

    Weights that are learned with a sentence's own rules trust rules too much: they fit that sentence as no rule will fit a new one.
    """
    found: dict[str, ConditionalGrammar] = {}
    for fold in range(folds if folds > 1 else 0):
        grammar = make_grammar([pair for number, pair in enumerate(pairs) if number % folds != fold], least)
        found |= {pair.name: grammar for pair in pairs[fold::folds]}
    return found


def tuning_figures(tuned: dict[str, Tuned], watcher: Watcher) -> dict[str, float]:
    """What was chosen; a weight on the edge of its grid may not be the best, and is said to be there."""
    figures: dict[str, float] = {}
    for system, each in tuned.items():
        figures |= {f"development F1, {system}": each.score, f"n-gram weight, {system}": each.settings.ngram_weight}
        if each.on_edge:
            weight = each.settings.ngram_weight
            watcher.say(
                f"{system}: the chosen weight {weight:g} of n-grams is on the edge of the weights that were tried."
            )
            figures[f"n-gram weight on the edge, {system}"] = 1.0
    return figures


def add_reranker(model: TransductionModel, pairs: Sequence[ParsedPair]) -> None:
    """Train the two stages on different pairs."""

    def instance(pair: ParsedPair, setting: str, length: int | None = None) -> TransductionInstance:
        return model.instance(pair.sentence, pair.name, setting, length, pair.kept)

    first = len(pairs) - min(RERANKING_PAIRS, len(pairs) // 3) if len(pairs) >= 3 else 0
    deletions = train_deletions([instance(pair, "bigram") for pair in pairs[:first][-DELETION_PAIRS:]])
    ranked = (instance(pair, "trigram", model.rule.length(len(pair.sentence))) for pair in pairs[first:])
    header, model.extra_arrays = train_reranker(deletions, ranked, syntax=True).parts()
    model.extra_header = {"reranker": header}


@dataclass(kw_only=True)
class Evaluation(PairEvaluation):
    """A `length` that is `free` is as the systems' rewards have it. N-grams count `factor` times as much as was chosen in training.

    Column `search errors`: sentences whose objective is below the best one that any system found with the same scores. Columns `against rules`:
    the difference to pure transduction in relation F1, with its 95 % interval over sentences. `systems` are names separated by
    semicolons; left out, the paper's, pure transduction untrained, and without rules where the model has it.
    """

    task = "transduction"

    systems: str = ""
    factor: float = 1.0

    def check_options(self) -> None:
        known = [system.name for system in (*SYSTEMS, *VARIANTS)]
        self.require("systems", not self.systems or set(self._names()) <= set(known), f"some of {'; '.join(known)}")
        self.require("factor", self.factor > 0, "above 0")

    def _names(self) -> list[str]:
        return [name.strip() for name in self.systems.split(";")]

    def rows(self, model: Path, watcher: Watcher) -> list[dict[str, Any]]:
        trained = TransductionModel.read(model)
        data = self.load(trained.parser)
        lengths = [self.wanted(trained.rule, pair) for pair in data.pairs]
        chosen = self._chosen(trained)
        rows, found, relations = [], {}, {}
        for number, system in enumerate(chosen, 1):
            watcher.epoch(number, len(chosen), len(data.pairs))
            found[system.name] = outputs(system, trained, model, data.pairs, lengths, self.factor)
            scores = measured(data.pairs, [each.kept for each in found[system.name]], data.parse)
            relations[system.name] = scores["relation F1"]
            row: dict[str, Any] = {"system": system.name, "pairs": len(data.pairs)}
            row |= means(scores) | intervals(scores)
            rows.append(row | {"certified": sum(each.certified for each in found[system.name])})
        for row, system in zip(rows, chosen, strict=True):
            rivals = [found[each.name] for each in chosen if each.setting == system.setting]
            row["search errors"] = search_errors(found[system.name], rivals)
            if PURE in relations:
                apart = mean_interval(relations[system.name] - relations[PURE])
                names = ("against rules", "against rules, low", "against rules, high")
                row |= dict(zip(names, apart, strict=True))
        return rows

    def _chosen(self, model: TransductionModel) -> list[System]:
        """The systems that were asked for; those for which the model has no settings are an error, or left out."""
        names = (
            self._names() if self.systems else [each.name for each in (*SYSTEMS, *VARIANTS) if each.setting != STRONG]
        )
        wanted = [system for system in (*SYSTEMS, *VARIANTS) if system.name in names]
        missing = [system.name for system in wanted if system.setting not in model.settings]
        if self.systems and missing:
            raise InputError(f"the model has no settings for {missing[0]!r}: train it anew (option ablation=true).")
        return [system for system in wanted if system.setting in model.settings]


def search_errors(own: Sequence[Output], rivals: Sequence[Sequence[Output]]) -> int:
    """Sentences on which somebody has a better objective, by more than a relative 1e-6."""
    best = [max(each.objective for each in every) for every in zip(*rivals, strict=True)]
    return sum(value - each.objective > 1e-6 * max(1.0, abs(value)) for each, value in zip(own, best, strict=True))
