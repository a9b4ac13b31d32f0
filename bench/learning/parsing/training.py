"""Training and evaluation of the parser, as `dualbench train parsing` and `dualbench evaluate parsing` run them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from problems.errors import InputError, quoted
from problems.linear_program import Integers
from problems.models.model_file import remember, remembered
from problems.parsing.corpora import SPLITS
from problems.parsing.dictionary import ArcDictionary
from problems.parsing.kinds import are_universal
from problems.parsing.model import THRESHOLD, ParserModel
from problems.parsing.pruning import MOST_HEADS
from problems.parsing.scoring import PartScorer, Pruner, Words
from problems.parsing.templates import MORPHOLOGICAL, TEMPLATES, parser_program
from problems.parsing.trees import unreachable
from problems.text.treebank import Sentence, with_both_tags

from ..learners import Schedule
from ..loop import SILENT, Watcher, delete_checkpoints, train
from ..options import GENERATED, BaseEvaluation, BaseTraining
from .classifiers import LabelExample, LabelLearner, by_others, jackknifed, train_tagger
from .data import read_sentences, sentence_hash
from .learners import AD3_ITERATIONS, ParserLearner, PrunerLearner, Steps, parser_decoder
from .parse import parse_sentences
from .runs import train_runs

TELLING = 8  # words of a sentence that tells of an overlap
BY_CHANCE = 0.01  # the share of such sentences that official splits may have in common


@dataclass(frozen=True)
class Candidates:
    """A training sentence with its candidate arcs and a first-order tree."""

    words: Words
    heads: Integers
    modifiers: Integers
    tree: Integers


@dataclass(kw_only=True)
class Training(BaseTraining):
    """Tagger, pruner, parts (cost-augmented MIRA through a solver) and labels, in one model."""

    task = "parsing"

    split: str = "train"
    order: Literal["1", "2", "2+", "3"] = "3"
    tags: Literal["gold", "jackknifed"] = "gold"
    folds: int = 10
    learner: Literal["", "adaptive-mira", "mira", "svm"] = ""  # mira for order 1, adaptive-mira otherwise
    relaxed: bool = True  # learn from AD3's fractional solutions, not from trees that they are rounded to
    aggressiveness: float = 0.05  # C of MIRA
    regularization: float = 1e-6  # of the SVM
    initial_step: float = 0.01
    runs: int = 1  # trainings of the parts in other orders of the sentences, whose weights are averaged
    bits: int = 22  # 2^bits weights of parts
    solver: str = ""  # dp-mst for order 1, ad3 otherwise
    iterations: int = AD3_ITERATIONS
    pruner_epochs: int = 2
    pruner_rate: float = 0.05
    pruner_bits: int = 20  # a small table stays in the processor's cache
    pruner_folds: int = 5  # in training, sentences are pruned by pruners that have not seen them; 1: by the model's own
    dictionary: bool = True  # for order 1, only arcs between tags and over distances that the treebank has
    morphology: bool = False  # features of lemmas and of FEATS; sentences to be parsed must have them, too
    label_trees: Literal["gold", "jackknifed"] = "jackknifed"  # what labels are learned on
    most_heads: int = MOST_HEADS
    threshold: float = THRESHOLD
    classifier_epochs: int = 6
    classifier_bits: int = 22
    encoding: str = ""  # of a CoNLL file that is not UTF-8
    base: str = ""  # a model of the same sentences, of any order, whose tagger, pruner and labels are taken over

    def __post_init__(self) -> None:
        self.order = str(self.order)  # type: ignore[assignment]  # a command line's 3 is a number
        super().__post_init__()

    def check_options(self) -> None:
        self.require("split", self.split in SPLITS, f"one of {', '.join(SPLITS)}")
        self.require_least(2, "folds")
        self.require_least(1, "runs", "iterations", "pruner_epochs", "pruner_folds", "classifier_epochs", "most_heads")
        for name in ("aggressiveness", "initial_step"):
            self.require(name, getattr(self, name) > 0, "above 0")
        self.require("regularization", self.regularization >= 0, "at least 0")
        for name in ("bits", "pruner_bits", "classifier_bits"):
            self.require(name, 8 <= getattr(self, name) <= 28, "from 8 to 28")
        self.require("pruner_rate", self.pruner_rate > 0, "above 0")
        self.require("threshold", 0 <= self.threshold <= 1, "from 0 to 1")

    def run(self, out: Path, resume: bool, watcher: Watcher) -> dict[str, float]:
        given = (self.corpus, self.data, self.split, self.limit, self.seed, self.encoding)
        sentences = read_sentences(*given, watcher.say)
        base = ParserModel.read(self.base) if self.base else None
        checkpoint = out.with_name(out.name + ".checkpoint")
        model, figures = self.fit(sentences, watcher, checkpoint, resume, base)
        model.write(out)
        delete_checkpoints(checkpoint)
        if self.corpus != GENERATED:
            remember(out, map(sentence_hash, sentences))
        return figures

    def fit(
        self,
        sentences: Sequence[Sentence],
        watcher: Watcher = SILENT,
        checkpoint: Path | None = None,
        resume: bool = False,
        base: ParserModel | None = None,
    ) -> tuple[ParserModel, dict[str, float]]:
        """A model of these sentences, and figures about its training; tagger, pruner and labels are those of `base`, if given."""
        if not sentences:
            raise InputError("there are no sentences to train a parser on.")
        if self.morphology and not any(sentence.has_morphology for sentence in sentences):
            raise InputError("option 'morphology' needs sentences with LEMMA or FEATS, and none has either.")
        sentences = [with_both_tags(sentence) for sentence in sentences]
        tokens = sum(map(len, sentences))
        universal = are_universal(tag for sentence in sentences for tag in sentence.coarse)
        given: Sequence[Sentence] = sentences
        if self.tags == "jackknifed":
            given = jackknifed(sentences, self.folds, self.classifier_bits, self.classifier_epochs, self.seed)
        examples = [Words.of(sentence, universal) for sentence in given]
        if base is None:
            base = self._begun(sentences, examples)
            found = self._candidates(base, examples)
            base = replace(base, label_weights=self._labels(base, found))
        else:
            found = self._candidates(base, examples)
        order, single_root, program = self.order, base.single_root, parser_program(base.templates, self.order == "1")
        decoder = parser_decoder(order, self.solver, self.iterations, self.relaxed)
        schedule = Schedule(self.initial_step, self.regularization) if self.learner == "svm" else None
        chosen = self.learner or ("mira" if order == "1" else "adaptive-mira")
        steps = Steps(self.aggressiveness, schedule, chosen == "adaptive-mira")

        def learner() -> ParserLearner:
            return ParserLearner(program, self.bits, order, decoder, single_root, steps)

        shaped = learner()
        pruned = [shaped.example(one.words, one.heads, one.modifiers) for one in found]
        del shaped
        mean = sum(len(example.heads) for example in pruned) / tokens
        watcher.say(f"{len(examples)} sentences, {tokens} words, {mean:.2f} candidate heads per word")
        weights, learned = train_runs(
            pruned, learner, self.runs, epochs=self.epochs, seed=self.seed, checkpoint=checkpoint, resume=resume,
            watcher=watcher,
        )  # fmt: skip
        figures = {"sentences": float(len(examples)), "words": float(tokens), **learned}
        about = {"corpus": self.corpus, "split": self.split, "tags": self.tags, "epochs": self.epochs, **figures}
        return replace(base, order=order, part_weights=weights, figures=about | {"runs": self.runs}), figures

    def _begun(self, sentences: Sequence[Sentence], examples: Sequence[Words]) -> ParserModel:
        """Tagger and pruner; the tagger learns from the treebank's own tags."""
        single_root = all(sentence.heads.count(0) == 1 for sentence in sentences)
        templates = MORPHOLOGICAL if self.morphology else TEMPLATES
        tagger = train_tagger(sentences, self.classifier_bits, self.classifier_epochs, self.seed)
        pruner = self._pruner(parser_program(templates, True), examples, single_root)
        return ParserModel(
            order="1",
            single_root=single_root,
            tags=tagger.tags,
            labels=sorted({label for sentence in sentences for label in sentence.labels}),
            tagger_weights=tagger.weights,
            pruner_weights=pruner.scorer.weights,
            part_weights=np.zeros(2, dtype=np.float32),
            label_weights=np.zeros(2, dtype=np.float32),
            most_heads=self.most_heads,
            threshold=self.threshold,
            dictionary=pruner.dictionary,
            templates=templates,
        )

    def _pruner(self, program: Integers, examples: Sequence[Words], single_root: bool) -> Pruner:
        dictionary = ArcDictionary.of([words.sentence for words in examples]) if self.dictionary else None
        learner = PrunerLearner(program, self.pruner_bits, self.pruner_rate, single_root)
        weights = train(examples, learner, epochs=self.pruner_epochs, seed=self.seed).weights["weights"]
        return Pruner(PartScorer(program, weights), self.most_heads, self.threshold, dictionary)  # type: ignore[arg-type]

    def _candidates(self, base: ParserModel, examples: Sequence[Words]) -> list[Candidates]:
        """Candidate arcs for training, the gold ones among them, and first-order trees.

        The model's own pruner knows its training sentences too well: it would leave the parser easier choices than on new
        ones. So each fold is pruned by a pruner of the other folds.
        """
        single_root, program = base.single_root, base.pruner.scorer.program

        def learned(others: Sequence[Words]) -> Callable[[Words], Candidates]:
            pruner = self._pruner(program, others, single_root) if folds > 1 else base.pruner
            find = pruner.possible if self.order == "1" else pruner.arcs
            return lambda words: Candidates(
                words, *find(words, single_root, True), pruner.best_tree(words, single_root)
            )

        folds = min(self.pruner_folds, len(examples))
        return by_others(examples, folds, learned)

    def _labels(self, base: ParserModel, found: Sequence[Candidates]) -> Any:
        """The weights of labels, learned on first-order trees of pruners that have not seen them, or on gold trees."""
        learner = LabelLearner(base.labels, base.scorer.program, self.classifier_bits)
        jackknifed = self.label_trees == "jackknifed" and self.pruner_folds > 1
        examples = [
            LabelExample(one.words, one.tree if jackknifed else np.asarray(one.words.sentence.heads)) for one in found
        ]
        return train(examples, learner, epochs=self.classifier_epochs, seed=self.seed).weights["weights"]


@dataclass(kw_only=True)
class Evaluation(BaseEvaluation):
    """Attachment scores on a test set; `options` are the solver's, as JSON. Speed is a run's business (`parser_solver`)."""

    task = "parsing"

    split: str = "test"
    tags: Literal["gold", "predicted"] = "gold"
    solver: str = ""
    options: str = "{}"
    order: Literal["", "1", "2", "2+", "3"] = ""
    encoding: str = ""
    overlap: Literal["refuse", "keep"] = "refuse"  # a test set of sentences that the model was trained on

    def __post_init__(self) -> None:
        self.order = str(self.order)  # type: ignore[assignment]
        super().__post_init__()

    def check_options(self) -> None:
        self.require("split", self.split in SPLITS, f"one of {', '.join(SPLITS)}")
        try:
            valid = isinstance(json.loads(self.options), dict)
        except json.JSONDecodeError:
            valid = False
        self.require("options", valid, "an object in JSON")

    def rows(self, model: Path, watcher: Watcher) -> list[dict[str, Any]]:
        self._refuse_seen(remembered(model))
        return [self.row(ParserModel.read(model), watcher)]

    def _refuse_seen(self, seen: frozenset[int]) -> None:
        """Short sentences ("Thanks !") are in any two parts of a treebank, and official splits share a few longer ones."""
        if not seen or self.overlap == "keep":
            return
        sentences = read_sentences(self.corpus, self.data, self.split, self.limit, self.seed, self.encoding)
        long = [sentence for sentence in sentences if len(sentence) >= TELLING]
        common = [sentence for sentence in long if sentence_hash(sentence) in seen]
        if len(common) > BY_CHANCE * len(long):
            raise InputError(
                f"{len(common)} of {len(long)} sentences of {self.corpus} (of at least {TELLING} words) were in the model's training data, "
                f"the first is {quoted(common[0].name)}: test on others, or say overlap=keep."
            )

    def row(self, model: ParserModel, watcher: Watcher = SILENT) -> dict[str, Any]:
        """The measures of a model on the test set."""
        sentences = read_sentences(self.corpus, self.data, self.split, self.limit, self.seed, self.encoding)
        no_trees = sum(bool(unreachable(sentence.heads)) for sentence in sentences)
        if no_trees:
            watcher.say(
                f"{no_trees} of {len(sentences)} gold sentences are no trees; their heads are scored like the others."
            )
        order = model.known_order(self.order or None)
        decoder = parser_decoder(order, self.solver)
        decoder = replace(decoder, options=decoder.options | json.loads(self.options))
        tags, given = self._tagged(model, sentences, watcher)
        parsed = parse_sentences(model, given, decoder, order, watcher)
        row = {"corpus": self.corpus, "split": self.split, "tags": tags, "order": order, "solver": decoder.solver}
        return {**row, **parsed.measures(sentences)}

    def _tagged(self, model: ParserModel, sentences: list[Sentence], watcher: Watcher) -> tuple[str, list[Sentence]]:
        """Where the tags come from, and the sentences as the parser gets them: it predicts tags that are missing."""
        if self.tags == "predicted":
            return self.tags, [replace(one, coarse=(), fine=()) for one in sentences]
        lacking = sum(map(model.tagger.lacks_tags, sentences))
        if not lacking:
            return self.tags, sentences
        watcher.say(f"{lacking} of {len(sentences)} sentences lack tags, which are predicted.")
        return "partly predicted", sentences
