"""Model files of every kind, and checkpoints of a training: read, and used on one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from fuzz_mutations import ARCHIVE, BYTES
from fuzzing import Family

from bench.learning.learners import StructuredSvm
from bench.learning.loop import train
from bench.learning.transduction.training import language_models, make_grammar
from problems import get_task
from problems.compression.corpora import generated_pairs
from problems.compression.labeller import Labeller, train_labeller
from problems.compression.model import CompressionModel, LengthRule
from problems.parsing.model import ParserModel
from problems.summarization.model import SummarizerModel
from problems.text.clusters import cluster_of_size
from problems.text.treebank import Sentence
from problems.transduction.learned.model import SYSTEMS, TransductionModel
from problems.transduction.models import SETTINGS
from solvers import get_solver
from solvers.crf import _model
from solvers.crf import train as train_crf
from solvers.deletion_model import DeletionModel
from solvers.rerank import FACTS, Reranker, _from_file

BITS = 10
PAIRS = generated_pairs(range(6))
SENTENCE = PAIRS[0].sentence
RULE = LengthRule(1.0, 0.5)


def weights(bits: int = BITS, seed: int = 1) -> Any:
    """Some are dense and some sparse in the file."""
    values = np.random.default_rng(seed).normal(size=1 << bits)
    return values if seed % 2 else np.where(values > 1.5, values, 0.0)


def parsers(folder: Path) -> list[Path]:
    arrays = [weights(seed=seed).astype(np.float32) for seed in range(4)]
    for order in ("1", "3"):
        model = ParserModel(order, True, [("NOUN", "NN"), ("VERB", "VB")], ["root", "dep"], *arrays)  # type: ignore[arg-type]
        model.write(folder / f"order-{order}.model")
    return sorted(folder.iterdir())


def use_parser(path: Path) -> None:
    model = ParserModel.read(path)
    sentence = Sentence("one", SENTENCE.words[:6], (), ())
    instance = model.instance(sentence)
    model.labelled(sentence, instance.gold or (0,) * len(sentence))


def compressors(folder: Path) -> list[Path]:
    for seed, system in enumerate(("joint", "bigram", "subtree")):
        CompressionModel(system, BITS, weights(seed=seed), RULE, "p.model", "ab").write(folder / f"{system}.model")  # type: ignore[arg-type]
    return sorted(folder.iterdir())


def use_compressor(path: Path) -> None:
    CompressionModel.read(path).instance(SENTENCE, "one")


def labellers(folder: Path) -> list[Path]:
    Labeller(train_labeller(PAIRS, 5, folder), RULE).write(folder / "crf.model")
    return [folder / "crf.model"]


def use_labeller(path: Path) -> None:
    model = Labeller.read(path)
    model.likeliest(SENTENCE, model.rule.length(len(SENTENCE)))


def crf_files(folder: Path) -> list[Path]:
    task = get_task("compression")
    train_crf([task.generate(seed, "tiny") for seed in range(5)], folder / "some.crf")
    return [folder / "some.crf"]


def use_crf_file(path: Path) -> None:
    solver = get_solver("crf", model=str(path))
    solver._label(_model.__wrapped__(str(path)), get_task("compression").generate(9, "tiny"))


def summarizers(folder: Path) -> list[Path]:
    parser = folder / "parser.model"
    SummarizerModel("multi-task", BITS, 100, weights(), ("a", "b"), 0.1, parser, "ab").write(folder / "multi.model")
    SummarizerModel("extractive", BITS, 25, weights(seed=2)).write(folder / "extractive.model")
    return [folder / "multi.model", folder / "extractive.model"]


CLUSTER = cluster_of_size(1, "tiny")


def use_summarizer(path: Path) -> None:
    model = SummarizerModel.read(path)
    made = model.blueprint(CLUSTER)
    assert np.isfinite(model.scores(made)).all()


def transducers(folder: Path) -> list[Path]:
    model = TransductionModel(
        make_grammar(PAIRS, 1),
        BITS,
        weights(),
        weights(seed=2),
        language_models(PAIRS),
        RULE,
        {name: SETTINGS[name] for name in SYSTEMS} | {"no rules": SETTINGS["rules alone"]},
        bare=weights(seed=3),
    )
    facts = np.ones(FACTS)
    header, model.extra_arrays = Reranker(DeletionModel({"bias": 1.0}), facts, facts, facts, 0.5).parts()
    model.extra_header = {"reranker": header}
    model.write(folder / "some.model")
    return [folder / "some.model"]


def use_transducer(path: Path) -> None:
    model = TransductionModel.read(path)
    for system in model.settings:
        model.instance(SENTENCE, "one", system, None)


def use_reranker(path: Path) -> None:
    _from_file.__wrapped__(str(path)).score(np.ones((2, FACTS)))


class Number:
    """An example of nothing: checkpoints are what is tested."""

    name = "number"


class Counter(StructuredSvm):
    def step(self, example: Any) -> float:
        self.weights.add(np.array([1, 3]), np.array([0.5, -0.5]))
        self.weights.tick()
        return 1.0


def _train(path: Path, epochs: int) -> None:
    from bench.learning.learners import Decoder

    learner = Counter(1 << BITS, Decoder("ad3"), 0.1, 0.1)
    train([Number()], learner, epochs=epochs, seed=1, checkpoint=path, resume=True, development=lambda found: 1.0)


def checkpoints(folder: Path) -> list[Path]:
    _train(folder / "some.checkpoint", 2)
    return [folder / "some.checkpoint"]


def use_checkpoint(path: Path) -> None:
    _train(path, 3)


FAMILIES = [
    Family("parser-model", parsers, use_parser, ARCHIVE),
    Family("compression-model", compressors, use_compressor, ARCHIVE),
    Family("crf-model", labellers, use_labeller, ARCHIVE),
    Family("crf-file", crf_files, use_crf_file, BYTES),
    Family("summarizer-model", summarizers, use_summarizer, ARCHIVE),
    Family("transduction-model", transducers, use_transducer, ARCHIVE),
    Family("reranker-model", transducers, use_reranker, ARCHIVE),
    Family("checkpoint", checkpoints, use_checkpoint, ARCHIVE),
]
