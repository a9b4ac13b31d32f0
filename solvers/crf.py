"""`crf`: compression as binary labelling of the words by a linear-chain CRF (python-crfsuite, an optional package).

The features are words, tags and the scores of near words; the tree is not used. By default the solver keeps the L words
with the highest marginals. With `length="free"` it keeps what the best labelling keeps, as in Table 2 of Qian & Liu
(2014). Where that is not L words, structure and metrics are recorded and the status is `infeasible`. Heads come from
the best projective tree over the kept words.

Without a model file, the solver trains a model before its first solve, outside of its time, on generated sentences
with seeds of their own (`TRAINING_SEEDS`). A model of `dualbench train compression` with `system=crf` uses words and
tags alone; only such a model knows `length="rate"`, which keeps the words above the threshold that met the gold rate.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from problems import get_task, task_of
from problems.compression.crf_bytes import check_crf
from problems.compression.instance import CompressionInstance
from problems.compression.labeller import Labeller, unigram_features
from problems.errors import InputError
from problems.files import read_bytes
from problems.text.sentence import ParsedSentence

from .base import Solution, Solver, cpu_clock
from .conclude import judge
from .dynamic.compression import best_tree, required
from .dynamic.relaxation import load_kernels

KEPT, DELETED = "1", "0"
TRAINING_SIZE = "news"
TRAINING_SEEDS = range(2_000_000_000, 2_000_000_400)
MODEL_OPTIONS: dict[str, Any] = {"c1": 0.1, "c2": 0.1, "max_iterations": 100}
WINDOW = (-2, -1, 0, 1, 2)
ARCHIVE = b"PK"  # how a trained model of ours begins

Features = list[dict[str, float]]


def features(instance: CompressionInstance) -> Features:
    """For each word the unigram features of the paper's Table 1, and the scores of it and its neighbours."""
    count, tokens, bigrams = instance.number_of_words, instance.token_scores, instance.bigram_scores
    tags = ["^^", "^", *instance.tags, "$", "$$"] if instance.tags else []
    found: Features = []
    for index in range(count):
        word = index + 1
        here = {
            "bias": 1.0,
            "bigram in": bigrams.item(word - 1, word),
            "bigram out": bigrams.item(word, word + 1),
            "bigram over": bigrams.item(word - 1, word + 1),
        }
        for step in WINDOW:
            if 0 <= index + step < count:
                here[f"token {step}"] = tokens.item(index + step)
        if instance.words:
            here[f"word {instance.words[index].lower()}"] = 1.0
        if tags:
            near = tags[index : index + 5]
            for step, tag in zip(WINDOW, near, strict=True):
                here[f"tag {step} {tag}"] = 1.0
            for first in range(4):
                here[f"tags {first - 2} {near[first]} {near[first + 1]}"] = 1.0
        found.append(here)
    return found


def train(instances: Iterable[CompressionInstance], path: str | Path) -> None:
    """Train a model on gold compressions and write it to a file."""
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", params=MODEL_OPTIONS, verbose=False)
    for instance in instances:
        if instance.gold_kept is None:
            raise InputError(f"instance {instance.name!r} has no gold compression to train on.")
        gold = set(instance.gold_kept)
        labels = [KEPT if word in gold else DELETED for word in range(1, instance.number_of_words + 1)]
        trainer.append(features(instance), labels)
    trainer.train(str(path))


@cache
def _default_model() -> bytes:
    task = get_task("compression")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.crf")
        train((task.generate(seed, TRAINING_SIZE) for seed in TRAINING_SEEDS), path)
        return path.read_bytes()


class _Model(NamedTuple):
    """A tagger, what it sees of a sentence, and the threshold of its marginals (NaN: it has none)."""

    tagger: Any
    features: Callable[[CompressionInstance], Any] = features
    threshold: float = math.nan
    content: bytes = b""  # of a model in memory: CRFsuite reads it in place, so it has to live as long as the tagger


def _words_and_tags(instance: CompressionInstance) -> list[list[str]]:
    if not instance.words or not instance.tags:
        raise InputError(f"a labeller needs fields 'words' and 'tags' of the instance {instance.name!r}.")
    return unigram_features(ParsedSentence(instance.words, instance.tags, (), ()))


@cache
def _model(model: str) -> _Model:
    """The model of a file, or the default one, ready to label."""
    import pycrfsuite

    tagger = pycrfsuite.Tagger()
    if not model:
        tagger.open_inmemory(_default_model())
        return _Model(tagger)
    if not Path(model).is_file():
        raise InputError(f"option 'model' of solver 'crf': there is no file {model}.")
    content = read_bytes(model)
    if content.startswith(ARCHIVE):
        labeller = Labeller.read(model)
        tagger.open_inmemory(labeller.crf)
        return _Model(tagger, _words_and_tags, labeller.threshold, labeller.crf)
    try:
        check_crf(content)
        tagger.open(model)
        labels = set(tagger.labels())
    except (ValueError, OSError) as error:
        raise InputError(f"option 'model' of solver 'crf': {model} is no model of CRFsuite ({error}).") from None
    if not {KEPT, DELETED} >= labels:
        raise InputError(f"option 'model' of solver 'crf': {model} has other labels than {KEPT!r} and {DELETED!r}.")
    return _Model(tagger)


@dataclass(kw_only=True)
class Crf(Solver):
    name = "crf"
    tasks = frozenset({"compression"})

    model: str = ""  # A file of `dualbench train compression`; empty: trained on generated sentences
    length: Literal["fixed", "free", "rate"] = "fixed"  # How many words to keep; see above.

    @classmethod
    def unavailable(cls) -> str | None:
        try:
            import pycrfsuite  # noqa: F401
        except ImportError:
            return "package python-crfsuite is not installed"
        return None

    @classmethod
    def version(cls) -> str:
        from importlib.metadata import version

        return f"python-crfsuite {version('python-crfsuite')}"

    def solve(self, instance: Any) -> Solution:
        instance = required(self, instance)
        missing = self.unavailable()
        if missing:
            raise InputError(f"solver {self.name!r} cannot be used here: {missing}.")
        model = _model(self.model)
        if self.length == "rate" and math.isnan(model.threshold):
            raise InputError(
                "option 'length' of solver 'crf' is 'rate', but the model has no threshold: use a labeller."
            )
        load_kernels("fast")
        wall, start = time.perf_counter(), cpu_clock()
        kept = self._label(model, instance)
        structure = kept, best_tree(instance, kept)
        seconds = cpu_clock() - start
        if len(kept) == instance.length:
            solution = judge(task_of(instance), instance, structure, math.inf)
        else:
            message = f"the labelling keeps {len(kept)} words, not {instance.length}"
            solution = Solution("infeasible", structure, message=message)
        solution.solve_seconds, solution.wall_seconds = seconds, time.perf_counter() - wall
        return solution

    def _label(self, model: _Model, instance: CompressionInstance) -> tuple[int, ...]:
        count, tagger = instance.number_of_words, model.tagger
        labels = tagger.tag(model.features(instance))
        if self.length == "free":
            return tuple(word for word, label in enumerate(labels, 1) if label == KEPT)
        if KEPT not in tagger.labels():
            marginals = np.zeros(count)
        else:
            marginals = np.array([tagger.marginal(KEPT, index) for index in range(count)])
        if self.length == "rate":
            return tuple((np.flatnonzero(marginals > model.threshold) + 1).tolist())
        chosen = np.argsort(-marginals, kind="stable")[: instance.length] + 1
        return tuple(sorted(chosen.tolist()))
