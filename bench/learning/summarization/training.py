"""`dualbench train summarization` and `dualbench evaluate summarization`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from problems import get_task
from problems.models.model_file import remember, remembered
from problems.summarization.blueprint import Blueprint
from problems.summarization.model import SYSTEMS, SummarizerModel

from ..learners import Decoder
from ..loop import Watcher, delete_checkpoints
from ..options import GENERATED, BaseEvaluation, BaseTraining
from .auxiliary import Source, auxiliary_extracts, auxiliary_pairs, prepared
from .constants import DEFAULT
from .data import (
    TopicFolder,
    blueprints,
    candidate_words,
    check_corpus,
    default_budget,
    own_topics,
    parsed_topics,
    read_parser,
    refuse_seen,
    topic_examples,
    topics_of,
    unseen,
)
from .systems import (
    BITS,
    DECODERS,
    STEP,
    Settings,
    baseline,
    choose_regularization,
    decode,
    fit_system,
    problem_of,
    quality,
)


@dataclass(kw_only=True)
class Training(TopicFolder, BaseTraining):
    """`regularization` 0: chosen by cross-validation over the training topics. `budget` 0: the corpus's own. `pair_corpus`: files
    of sentence pairs for the compression task, instead of google_eval and turkcorpus. `pairs` and `auxiliary`: at most so many sentence
    pairs and topics of other corpora (`auxiliary.py`); 0: all there are, or the usual number of generated ones.

    With `folds` above 1 the topics of number `fold` (counted from 0) are left out, for an evaluation.
    """

    task = "summarization"

    system: str = "multi-task"
    budget: int = 0
    size: str = "small"  # of generated topics
    pairs: int = 0  # sentence pairs to look at for the compression task
    auxiliary: int = 0  # topics of other corpora for the extraction task and for the pruner
    pair_corpus: str = ""
    parser: str = ""
    folds: int = 1
    fold: int = 0
    regularization: float = 0.0
    initial_step: float = STEP  # relative: see Settings
    solver: str = "ad3"
    iterations: int = 200
    relaxed: bool = True  # learn from fractional solutions, not from summaries that they are rounded to
    development: int = 0  # topics held out for an early stop
    patience: int = 3
    bits: int = BITS

    def check_options(self) -> None:
        check_corpus(self.corpus, self.data)
        self.require("system", self.system in SYSTEMS, f"one of {', '.join(SYSTEMS)}")
        self.require("budget", self.budget >= 0, "at least 0 (0: the corpus's own)")
        self.require_least(1, "folds", "iterations", "patience")
        self.require_least(0, "development", "pairs", "auxiliary")
        self.require("fold", 0 <= self.fold < self.folds, "from 0 to below 'folds'")
        self.require("regularization", 0 <= self.regularization < np.inf, "at least 0 and finite")
        self.require("initial_step", 0 < self.initial_step < np.inf, "above 0 and finite")
        self.require("bits", 8 <= self.bits <= 26, "from 8 to 26")

    def settings(self) -> Settings:
        options: dict[str, Any] = {"max_iterations": self.iterations}
        if self.relaxed:
            options["rounding"] = "none"
        decoder = Decoder(self.solver, options if self.solver == "ad3" else {}, self.relaxed)
        return Settings(
            regularization=self.regularization or DEFAULT,
            epochs=self.epochs,
            initial_step=self.initial_step,
            seed=self.seed,
            bits=self.bits,
            decoders=dict.fromkeys(DECODERS, decoder),
        )

    def run(self, out: Path, resume: bool, watcher: Watcher) -> dict[str, float]:
        parser = None if self.corpus == GENERATED else read_parser(self.parser)
        own = own_topics(self.corpus, self.data, "train", self.reading(), self.limit)
        given = (self.corpus, self.data, parser, self.limit, self.seed, self.size)
        clusters = parsed_topics(own, parser) if own else topics_of(*given)
        clusters = [each for number, each in enumerate(clusters) if self.folds == 1 or number % self.folds != self.fold]
        budget = self.budget or default_budget(self.corpus, self.size, own)
        source = Source(self.corpus, self.data, parser, self.seed, self.size, self.bits, self.pair_corpus)
        extracts = auxiliary_extracts(source, self.auxiliary or None)
        words = candidate_words(self.corpus, self.size)
        made, pruner = prepared(clusters, budget, self.bits, words, extracts)
        held, used = made[: self.development], [topic_examples(each) for each in made[self.development :]]
        pairs = auxiliary_pairs(source, self.pairs or None) if self.system in ("post-combined", "multi-task") else []
        settings = self.settings()
        if not self.regularization:
            chosen = choose_regularization(self.system, used, pairs, settings, auxiliary=extracts)
            settings = replace(settings, regularization=chosen.constant)
        checkpoint = out.with_name(out.name + ".checkpoint")
        stopping = "extractive" if self.system == "post-combined" else self.system
        weights = fit_system(
            self.system,
            used,
            pairs,
            settings,
            auxiliary=extracts,
            watcher=watcher,
            checkpoint=checkpoint,
            resume=resume,
            development=(lambda found: _mean_quality(stopping, held, found)) if held else None,
            patience=self.patience if held else None,
        )
        model = SummarizerModel(
            system=self.system,
            bits=self.bits,
            budget=budget,
            weights=weights,
            topics=tuple(cluster.name for cluster in clusters),
            regularization=settings.regularization,
            parser_file=Path(self.parser) if parser else None,
            parser_fingerprint=parser.fingerprint if parser else "",
            pruner=pruner,
        )
        model.write(out)
        delete_checkpoints(checkpoint)
        if own:
            names = {cluster.name for cluster in clusters}
            remember(out, (each for topic in own if topic.name in names for each in topic.hashes()))
        trained = _mean_quality(self.system, [each.blueprint for each in used], weights)
        return {
            "topics": float(len(used)),
            "auxiliary topics": float(len(extracts)),
            "pairs": float(len(pairs)),
            "regularization": settings.regularization,
            "ROUGE-2 on training topics": trained,
        }


def _means(rows: list[dict[str, float]]) -> dict[str, float]:
    return {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}


def _mean_quality(system: str, topics: list[Blueprint], weights: Any) -> float:
    found = [quality(decode(system, topic, weights).lines, topic.references)["ROUGE-2"] for topic in topics]
    return float(np.mean(found))


@dataclass(kw_only=True)
class Evaluation(TopicFolder, BaseEvaluation):
    """Topics that the model was trained on are left out; of one's own corpora they are refused, unless `overlap` says "drop". `export` is a folder for the scored problems, as JSON."""

    task = "summarization"

    budget: int = 0
    size: str = "small"
    parser: str = ""
    solver: str = "ad3"
    iterations: int = 1000
    export: str = ""
    split: Literal["train", "dev", "test"] = "test"  # of one's own corpus
    overlap: Literal["refuse", "drop"] = "refuse"

    def check_options(self) -> None:
        check_corpus(self.corpus, self.data)
        self.require("budget", self.budget >= 0, "at least 0 (0: that of the training)")
        self.require_least(1, "iterations")

    def rows(self, model: Path, watcher: Watcher) -> list[dict[str, Any]]:
        trained = SummarizerModel.read(model)
        parser = None if self.corpus == GENERATED else read_parser(self.parser or str(trained.parser_file or ""))
        own = own_topics(self.corpus, self.data, self.split, self.reading(), self.limit)
        if own:
            own = refuse_seen(self.corpus, own, remembered(model), self.overlap == "drop")
            clusters = parsed_topics(own, parser)
        else:
            clusters = topics_of(self.corpus, self.data, parser, self.limit, self.seed, self.size, test=True)
            clusters = unseen(trained, clusters)
        budget = self.budget or trained.budget
        words = candidate_words(self.corpus, self.size)
        topics = blueprints(clusters, budget, trained.bits, words, trained.pruner)
        plain = blueprints(clusters, budget, trained.bits, words)  # of systems that learn nothing, not even candidates
        decoder = Decoder(self.solver, {"max_iterations": self.iterations} if self.solver == "ad3" else {})
        if trained.extractive and self.solver == "ad3":
            decoder = Decoder("ilp-highs", {})
        if self.export:
            self._export(trained, topics)
        watcher.epoch(1, 1, len(topics))
        found: dict[str, list[dict[str, float]]] = {}
        several = any(len(topic.references) > 1 for topic in topics)
        for cluster, topic, unlearned in zip(clusters, topics, plain, strict=True):
            outputs = {
                "coverage": baseline("coverage", cluster, unlearned),
                "unlearned": baseline("unlearned", cluster, unlearned),
                trained.system: decode(trained.system, topic, trained.weights, decoder),
            }
            for system, output in outputs.items():
                length = float(sum(len(line.split()) for line in output.lines))
                best = {
                    f"{name}, best reference": value
                    for name, value in quality(output.lines, topic.references, "B").items()
                }
                row = {**quality(output.lines, topic.references), **(best if several else {}), "words": length}
                found.setdefault(system, []).append(row | {"ms": 1e3 * output.solution.cpu_seconds})
            watcher.example()
        return [{"system": system, "topics": len(rows), **_means(rows)} for system, rows in found.items()]

    def _export(self, trained: SummarizerModel, topics: list[Blueprint]) -> None:
        folder = Path(self.export)
        folder.mkdir(parents=True, exist_ok=True)
        for topic in topics:
            problem = problem_of(trained.system, topic, trained.scores(topic))
            get_task(problem.task).save(problem, folder / f"{topic.name}.json")
