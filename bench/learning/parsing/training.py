"""Training and evaluation of the parser, as `dualbench train parsing` and `dualbench evaluate parsing` run them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from problems.errors import InputError
from problems.linear_program import Integers
from problems.parsing.corpora import SPLITS, TREEBANKS, treebank_file
from problems.parsing.instance import Order
from problems.parsing.model import THRESHOLD, ParserModel
from problems.parsing.pruning import MOST_HEADS
from problems.parsing.scoring import PartScorer, Pruner, Words
from problems.parsing.templates import TEMPLATES, parser_program
from problems.parsing.trees import unreachable
from problems.text.conll import read_treebank
from problems.text.treebank import Sentence, from_conll, generated_treebank

from ..loop import SILENT, Watcher, train
from ..options import GENERATED, BaseEvaluation, BaseTraining
from .classifiers import LabelLearner, by_others, jackknifed, train_tagger
from .learners import AD3_ITERATIONS, ParserLearner, PrunerLearner, parser_decoder
from .parse import parse_sentences

GENERATED_SENTENCES = {"train": 150, "dev": 50, "test": 50}
NAMED = 5  # sentences of those left out

Say = Callable[[str], None]


def read_sentences(
    corpus: str, folder: str, split: str, limit: int | None, seed: int, encoding: str = "", say: Say | None = None
) -> list[Sentence]:
    """The sentences of a treebank by name, of a CoNLL file or of the generator.

    Some are no trees: a parser can be tested on them. `say` is for a training, which leaves them out and says how many.
    """
    if corpus == GENERATED:
        first = SPLITS.index(split)
        return list(generated_treebank(10 * seed + first, limit or GENERATED_SENTENCES[split]))
    path = treebank_file(corpus, Path(folder), split) if corpus in TREEBANKS else Path(corpus)
    if corpus not in TREEBANKS and not path.is_file():
        known = ", ".join((GENERATED, *TREEBANKS))
        raise InputError(f"option 'corpus' is {corpus!r}: expected a CoNLL file or one of {known}.")
    found: list[Sentence] = []
    dropped: list[str] = []
    for sentence in read_treebank(path, encoding):
        if say is not None and unreachable(sentence.heads):
            dropped.append(sentence.name)
        else:
            found.append(from_conll(sentence))
        if limit is not None and len(found) >= limit:
            break
    if say is not None and dropped:
        more = ", ..." if len(dropped) > NAMED else ""
        say(
            f"{path}: {len(dropped)} of {len(found) + len(dropped)} sentences are no trees and left out of training "
            f"({', '.join(dropped[:NAMED])}{more})."
        )
    return found


@dataclass(kw_only=True)
class Training(BaseTraining):
    """Tagger, pruner, parts (cost-augmented MIRA through a solver) and labels, in one model."""

    task = "parsing"

    split: str = "train"
    order: Literal["1", "2", "2+", "3"] = "3"
    tags: Literal["gold", "jackknifed"] = "gold"
    folds: int = 10
    aggressiveness: float = 0.01  # C of MIRA
    bits: int = 22  # 2^bits weights of parts, and of the pruner
    solver: str = ""  # dp-mst for order 1, ad3 otherwise
    iterations: int = AD3_ITERATIONS
    pruner_epochs: int = 2
    pruner_rate: float = 0.05
    pruner_folds: int = 1  # more than 1: in training, sentences are pruned by pruners that have not seen them
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
        self.require_least(1, "iterations", "pruner_epochs", "pruner_folds", "classifier_epochs", "most_heads")
        self.require("aggressiveness", self.aggressiveness > 0, "above 0")
        for name in ("bits", "classifier_bits"):
            self.require(name, 8 <= getattr(self, name) <= 28, "from 8 to 28")
        self.require("pruner_rate", self.pruner_rate > 0, "above 0")
        self.require("threshold", 0 <= self.threshold <= 1, "from 0 to 1")

    def run(self, out: Path, resume: bool, watcher: Watcher) -> dict[str, float]:
        given = (self.corpus, self.data, self.split, self.limit, self.seed, self.encoding)
        sentences = read_sentences(*given, watcher.say)
        base = ParserModel.read(self.base) if self.base else None
        model, figures = self.fit(sentences, watcher, out.with_name(out.name + ".checkpoint"), resume, base)
        model.write(out)
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
        tokens = sum(map(len, sentences))
        given = sentences
        if self.tags == "jackknifed":
            given = jackknifed(sentences, self.folds, self.classifier_bits, self.classifier_epochs, self.seed)
        examples = [Words.of(sentence) for sentence in given]
        base = self._base(sentences, examples) if base is None else base
        order, single_root, program = self.order, base.single_root, base.scorer.program
        decoder = parser_decoder(order, self.solver, self.iterations)
        learner = ParserLearner(program, self.bits, order, self.aggressiveness, decoder, single_root)
        arcs = self._pruned(base.pruner, examples, single_root)
        pruned = [learner.example(words, *kept) for words, kept in zip(examples, arcs, strict=True)]
        mean = sum(len(example.heads) for example in pruned) / tokens
        watcher.say(f"{len(examples)} sentences, {tokens} words, {mean:.2f} candidate heads per word")
        found = train(
            pruned, learner, epochs=self.epochs, seed=self.seed, checkpoint=checkpoint, resume=resume, watcher=watcher
        )
        figures = {"sentences": float(len(examples)), "words": float(tokens), "loss": found.history[-1]["loss"]}
        figures["cpu_seconds"] = float(sum(record["cpu_seconds"] for record in found.history))
        about = {"corpus": self.corpus, "split": self.split, "tags": self.tags, "epochs": self.epochs, **figures}
        weights: Any = found.weights["weights"]
        return replace(base, order=order, part_weights=weights, figures=about), figures

    def _base(self, sentences: Sequence[Sentence], examples: Sequence[Words]) -> ParserModel:
        """Everything but the weights of parts; the tagger learns from the treebank's own tags."""
        single_root = all(sentence.heads.count(0) == 1 for sentence in sentences)
        program = parser_program(TEMPLATES)
        tagger = train_tagger(sentences, self.classifier_bits, self.classifier_epochs, self.seed)
        labels = sorted({label for sentence in sentences for label in sentence.labels})
        learner = LabelLearner(labels, program, self.classifier_bits)
        found: Any = train(examples, learner, epochs=self.classifier_epochs, seed=self.seed).weights["weights"]
        return ParserModel(
            order="1",
            single_root=single_root,
            tags=tagger.tags,
            labels=labels,
            tagger_weights=tagger.weights,
            pruner_weights=self._pruner(program, examples, single_root).scorer.weights,
            part_weights=np.zeros(2, dtype=np.float32),
            label_weights=found,
            most_heads=self.most_heads,
            threshold=self.threshold,
        )

    def _pruner(self, program: Integers, examples: Sequence[Words], single_root: bool) -> Pruner:
        learner = PrunerLearner(program, self.bits, self.pruner_rate, single_root)
        weights = train(examples, learner, epochs=self.pruner_epochs, seed=self.seed).weights["weights"]
        return Pruner(PartScorer(program, weights), self.most_heads, self.threshold)  # type: ignore[arg-type]

    def _pruned(self, pruner: Pruner, examples: Sequence[Words], single_root: bool) -> list[tuple[Integers, Integers]]:
        """Candidate arcs for training, the gold ones among them.

        The model's own pruner knows its training sentences too well: it would leave the parser easier choices than on new
        ones. So each fold is pruned by a pruner of the other folds.
        """

        def learned(others: Sequence[Words]) -> Callable[[Words], tuple[Integers, Integers]]:
            other = self._pruner(pruner.scorer.program, others, single_root) if folds > 1 else pruner
            return lambda words: other.arcs(words, single_root, keep_gold=True)

        folds = min(self.pruner_folds, len(examples))
        return by_others(examples, folds, learned)


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
        return [self.row(ParserModel.read(model), watcher)]

    def row(self, model: ParserModel, watcher: Watcher = SILENT) -> dict[str, Any]:
        """The measures of a model on the test set."""
        sentences = read_sentences(self.corpus, self.data, self.split, self.limit, self.seed, self.encoding)
        no_trees = sum(bool(unreachable(sentence.heads)) for sentence in sentences)
        if no_trees:
            watcher.say(
                f"{no_trees} of {len(sentences)} gold sentences are no trees; their heads are scored like the others."
            )
        order: Order = self.order or model.order
        decoder = parser_decoder(order, self.solver)
        decoder = replace(decoder, options=decoder.options | json.loads(self.options))
        given = sentences if self.tags == "gold" else [replace(one, coarse=(), fine=()) for one in sentences]
        parsed = parse_sentences(model, given, decoder, order, watcher)
        row = {"corpus": self.corpus, "split": self.split, "tags": self.tags, "order": order, "solver": decoder.solver}
        return {**row, **parsed.measures(sentences)}
