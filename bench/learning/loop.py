"""The training loop: epochs in a seeded order, progress, a checkpoint after each epoch, and an early stop.

A training that was interrupted and resumed gives bit by bit the model of one that was not: the order of an epoch depends on the
seed and the epoch's number alone, and a checkpoint holds the learner's whole state.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from problems.errors import InputError
from problems.linear_program import Floats
from problems.models.model_file import read_model, write_model
from problems.models.reading import reading
from problems.storage import Fields

from .learners import Learner, below

CHECKPOINT = "checkpoint"
Weights = dict[str, Floats]


class Watcher:
    """Is told how far the training is; this one keeps it to itself."""

    def epoch(self, number: int, epochs: int, examples: int) -> None: ...
    def example(self) -> None: ...
    def finished(self, record: dict[str, Any]) -> None: ...
    def say(self, text: str) -> None: ...


SILENT = Watcher()


@dataclass
class Trained:
    """The averaged weights of the best epoch (the last, without a development set), and what happened in each epoch."""

    weights: Weights
    history: list[dict[str, Any]] = field(default_factory=list)

    @property
    def best(self) -> dict[str, Any]:
        return max(self.history, key=lambda record: record.get("development", record["epoch"]))


def train(
    examples: Sequence[Any],
    learner: Learner,
    *,
    epochs: int,
    seed: int,
    development: Callable[[Weights], float] | None = None,
    patience: int | None = None,
    checkpoint: Path | None = None,
    settings: Mapping[str, Any] | None = None,
    resume: bool = False,
    watcher: Watcher = SILENT,
) -> Trained:
    """Train for some epochs; `development` scores averaged weights (higher is better) after each.

    `patience` stops after so many epochs without a better score. `checkpoint` is a file, written after each epoch; `resume` goes on
    from it where it exists. `settings` are what the examples depend on beside their names: a checkpoint of others is refused.
    """
    if not examples:
        raise InputError("there are no training examples.")
    progress = _Progress(learner, _fingerprint(examples, learner, seed, settings or {}), checkpoint)
    if resume and checkpoint is not None and checkpoint.exists():
        progress.load()
    for epoch in range(len(progress.history) + 1, epochs + 1):
        if patience is not None and progress.epochs_without_gain() >= patience:
            break
        watcher.epoch(epoch, epochs, len(examples))
        start = time.process_time()
        loss = 0.0
        for index in np.random.default_rng([seed, epoch]).permutation(len(examples)):
            loss += learner.step(examples[index])
            watcher.example()
        record: dict[str, Any] = {"epoch": epoch, "loss": loss / len(examples)}
        record["cpu_seconds"] = time.process_time() - start
        if not math.isfinite(loss):
            raise InputError(f"the training's loss is {loss} in epoch {epoch}: a smaller step may help.")
        weights = learner.averaged()
        if development is not None:
            record["development"] = float(development(weights))
        progress.note(record, weights)
        watcher.finished(record)
    return Trained(progress.best_weights, progress.history)


def numbered(checkpoint: Path, number: int) -> Path:
    """The checkpoint of one of several trainings for the same model, counted from 1."""
    return checkpoint if number == 1 else checkpoint.with_name(f"{checkpoint.name}-{number}")


def delete_checkpoints(checkpoint: Path) -> None:
    """Delete the checkpoints of a model that is written: they are several times as large, and nothing is left to resume."""
    number = 1
    while (file := numbered(checkpoint, number)).exists():
        file.unlink()
        number += 1


def _fingerprint(examples: Sequence[Any], learner: Learner, seed: int, settings: Mapping[str, Any]) -> str:
    names = hashlib.sha256("\n".join(str(example.name) for example in examples).encode()).hexdigest()
    found = {"seed": seed, "examples": names, **learner.settings()}
    return json.dumps(found | ({"settings": dict(settings)} if settings else {}), sort_keys=True)


class _Progress:
    """The history so far and the best weights; knows its file."""

    def __init__(self, learner: Learner, fingerprint: str, path: Path | None) -> None:
        self.learner, self.fingerprint, self.path = learner, fingerprint, path
        self.history: list[dict[str, Any]] = []
        self.best_weights: Weights = learner.averaged()
        self.best_score = -math.inf

    def note(self, record: dict[str, Any], weights: Weights) -> None:
        self.history.append(record)
        score = record.get("development", math.inf)
        if score > self.best_score or score == math.inf:
            self.best_score, self.best_weights = score, weights
        if self.path is not None:
            self.save()

    def epochs_without_gain(self) -> int:
        scores = [record["development"] for record in self.history if "development" in record]
        return len(scores) - 1 - int(np.argmax(scores)) if scores else 0

    def save(self) -> None:
        assert self.path is not None
        numbers, arrays = self.learner.state()
        header: dict[str, Any] = {"fingerprint": self.fingerprint, "history": self.history, "numbers": numbers}
        header["best_score"] = self.best_score if math.isfinite(self.best_score) else None
        stored = {f"state.{name}": array for name, array in arrays.items()}
        stored |= {f"best.{name}": array for name, array in self.best_weights.items()}
        write_model(self.path, CHECKPOINT, header, stored)

    def load(self) -> None:
        assert self.path is not None
        header, arrays = read_model(self.path, CHECKPOINT)
        if header.get("fingerprint") != self.fingerprint:
            raise InputError(
                f"{self.path}: a checkpoint of another training (examples, seed or settings differ); "
                "delete it, or train without resuming."
            )
        with reading(self.path, "a checkpoint"):
            given = Fields(header)
            for number, record in enumerate(given.objects("history"), 1):
                if record.integer("epoch", 1) != number:
                    raise InputError("field 'history' must have one record for each epoch.")
            self.history = list(header["history"])
            self.best_score = math.inf if header["best_score"] is None else given.number("best_score")
            state, best = below(arrays, "state."), below(arrays, "best.")
            for found, own in ((state, self.learner.state()[1]), (best, self.best_weights)):  # before the first step
                if _shapes(found) != _shapes(own):
                    raise InputError("its arrays are not those of this training.")
            self.learner.restore(header["numbers"], state)
            self.best_weights = best


def _shapes(arrays: Weights) -> dict[str, Any]:
    return {name: (array.shape, array.dtype) for name, array in arrays.items()}


class TerminalWatcher(Watcher):
    """A context manager; `say` prints a line above the bar."""

    def __init__(self, console: Console) -> None:
        self._console = console
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        self._bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task("reading", total=None)

    def epoch(self, number: int, epochs: int, examples: int) -> None:
        self._bar.reset(self._task, description=f"epoch {number} of {epochs}", total=examples)

    def example(self) -> None:
        self._bar.advance(self._task)

    def finished(self, record: dict[str, Any]) -> None:
        said = [f"epoch {record['epoch']:3d}", f"loss {record['loss']:.4f}"]
        if "development" in record:
            said.append(f"development {record['development']:.4f}")
        self.say("   ".join([*said, f"{record['cpu_seconds']:.1f} s CPU"]))

    def say(self, text: str) -> None:
        self._console.print(text, markup=False, soft_wrap=True)

    def __enter__(self) -> TerminalWatcher:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()
