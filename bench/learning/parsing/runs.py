"""Several trainings on the same examples in other orders, and the mean of their weights: an ensemble that costs one model at test time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from problems.linear_program import Floats

from ..loop import SILENT, Watcher, numbered, train
from .learners import ParserLearner, PrunedExample, Weights


def train_runs(
    examples: Sequence[PrunedExample],
    learner: Callable[[], ParserLearner],
    runs: int,
    *,
    epochs: int,
    seed: int,
    checkpoint: Path | None = None,
    resume: bool = False,
    watcher: Watcher = SILENT,
) -> tuple[Weights, dict[str, float]]:
    """The mean weights and figures of runs with the seeds `seed`, `seed + 1` and so on. Each run has a checkpoint of its own."""
    total: Floats = np.zeros(0)
    losses, cpu_seconds, fractional, steps = [], 0.0, 0, 0
    for run in range(runs):
        if runs > 1:
            watcher.say(f"run {run + 1} of {runs}")
        one = learner()
        file = None if checkpoint is None else numbered(checkpoint, run + 1)
        trained = train(examples, one, epochs=epochs, seed=seed + run, checkpoint=file, resume=resume, watcher=watcher)
        weights = trained.weights["weights"]
        total = weights.astype(np.float64) if run == 0 else total + weights
        losses.append(trained.history[-1]["loss"])
        cpu_seconds += sum(record["cpu_seconds"] for record in trained.history)
        fractional, steps = fractional + one.fractional, steps + one.time
    figures = {"loss": float(np.mean(losses)), "fractional": fractional / max(steps, 1), "cpu_seconds": cpu_seconds}
    return (total / runs).astype(np.float32), figures
