"""Choices on held-out pairs: which weights of a large-margin training to take, by what they make of sentences at the tests' lengths.

A training may stop helping after an epoch, or harm from the first step on when its steps are too large. So several step sizes are
tried, every epoch of each is judged, and so are the weights before the first step: trained rules are never worse than rule
log-probabilities alone, on these pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from problems.compression.corpora import ParsedPair
from problems.factors.derivation import NONE
from problems.linear_program import Floats

from ..compression.data import Kept, mean_f1
from ..learners import Decoder, Learner
from ..loop import Watcher, Weights, train
from .examples import DerivationExample, PathExample


def kept_words(example: DerivationExample | PathExample, decoder: Decoder, weights: Floats) -> Kept:
    """The words that a model keeps of a sentence; an example decodes at its own length."""
    scores = example.features.scores(weights)
    if isinstance(example, PathExample):
        found = example.decode(decoder, scores).reshape(len(example.pair.sentence) + 2, -1)
        return tuple(np.flatnonzero(found.any(axis=0))[:-1].tolist())
    scores[:-1] += example.forest.scores
    edges = np.flatnonzero(example.decode(decoder, scores)[:-1])
    words = np.repeat(example.forest.links[:, 0], example.forest.edge_counts)[edges]
    return tuple((np.sort(words[words != NONE]) + 1).tolist())


@dataclass(frozen=True)
class Judge:
    """The F1 (mean of unigrams and relations) of weights on held-out pairs."""

    pairs: Sequence[ParsedPair]
    examples: Sequence[Any]
    decoder: Decoder

    def __call__(self, weights: Weights) -> float:
        outputs = [kept_words(example, self.decoder, weights["weights"]) for example in self.examples]
        return mean_f1(self.pairs, outputs)


@dataclass(frozen=True)
class Chosen:
    """The weights of the best step size and epoch (0: before the first), and what they are worth on held-out pairs."""

    weights: Floats
    step: float
    epoch: int
    score: float
    untrained: float
    cpu_seconds: float  # of all epochs of all step sizes

    def figures(self, name: str) -> dict[str, float]:
        facts = {"step": self.step, "epoch": float(self.epoch), "development F1": self.score}
        facts |= {"development F1 untrained": self.untrained, "training CPU seconds": self.cpu_seconds}
        return {f"{name}: {fact}": value for fact, value in facts.items()}


def best_training(
    examples: Sequence[Any],
    judge: Judge,
    learner: Callable[[float], Learner],
    steps: Sequence[float],
    *,
    epochs: int,
    seed: int,
    checkpoint: Path,
    settings: Mapping[str, Any] | None = None,
    resume: bool,
    watcher: Watcher,
) -> Chosen:
    """Train with each step size; one that does not gain in two epochs is given up.

    While the best one is the largest or the smallest of several, the next one there is tried too, at most `WIDENINGS` times.
    """
    nothing = learner(steps[0]).averaged()
    untrained = judge(nothing)
    best = Chosen(nothing["weights"], steps[0], 0, untrained, untrained, 0.0)
    seconds = 0.0
    tried: dict[float, Path] = {}
    waiting = list(steps)
    while waiting:
        step = waiting.pop(0)
        tried[step] = checkpoint.with_name(f"{checkpoint.name}.{len(tried)}")
        trained = train(
            examples,
            learner(step),
            epochs=epochs,
            seed=seed,
            development=judge,
            patience=PATIENCE,
            checkpoint=tried[step],
            settings=settings,
            resume=resume,
            watcher=watcher,
        )
        record = trained.best
        seconds += sum(each["cpu_seconds"] for each in trained.history)
        if record["development"] > best.score:
            best = Chosen(trained.weights["weights"], step, record["epoch"], record["development"], untrained, 0.0)
        if not waiting and best.epoch and 1 < len(tried) < len(steps) + WIDENINGS:
            waiting = beyond(best.step, sorted(tried))
    for file in tried.values():
        file.unlink(missing_ok=True)
    return Chosen(best.weights, best.step, best.epoch, best.score, untrained, seconds)


def beyond(best: float, tried: Sequence[float]) -> list[float]:
    """The next step size by the same ratio, where the best is the first or the last of those that were tried."""
    if best == tried[-1]:
        return [best * best / tried[-2]]
    return [best * best / tried[1]] if best == tried[0] else []


PATIENCE, WIDENINGS = 2, 2
