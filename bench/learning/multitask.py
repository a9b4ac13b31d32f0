"""Several tasks learned together, with weights that they share and weights of their own (Almeida & Martins 2013, section 4).

Task k predicts with w + v_k (Eq. 9). Minimised is, by stochastic subgradients, Eq. 10:

    lambda/2 |w|^2 + sum_k lambda_k/2 |v_k|^2 + 1/N sum_k sigma_k L_k(w + v_k)

An example of task k moves w and v_k by sigma_k times its subgradient, and everything shrinks. sigma_k = N / N_k weighs tasks evenly.
The limits of section 4: an infinite lambda keeps w at 0 and decouples the tasks; sigma_1 = 0 ignores the data of a task,
and what is left of it are the others' models, post-combined in w.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from problems.linear_program import Floats

from .learners import Decoder, Example, Learner, Schedule, below, most_violated
from .weights import AveragedWeights

SHARED = "shared"


def even_weights(examples: Iterable[Example]) -> dict[str, float]:
    """sigma_k = N / N_k."""
    counts = Counter(example.task for example in examples)
    return {task: counts.total() / count for task, count in counts.items()}


class MultiTaskSvm(Learner):
    """Decoders, sigmas and regularization constants are given by task; `shared_regularization` is the lambda of w."""

    def __init__(
        self,
        size: int,
        decoders: Mapping[str, Decoder],
        importance: Mapping[str, float],
        regularization: Mapping[str, float],
        shared_regularization: float,
        initial_step: float,
    ) -> None:
        self.decoders = dict(decoders)
        self.importance = dict(importance)
        self.regularization = {SHARED: shared_regularization, **regularization}
        self.vectors = {name: AveragedWeights(size) for name in (SHARED, *decoders)}
        finite = [value for value in self.regularization.values() if math.isfinite(value)]
        self.schedule = Schedule(initial_step, min(finite, default=0.0))
        self.time = 0

    def weights(self, task: str) -> Floats:
        """w + v_k of the moment."""
        return self.vectors[SHARED].current() + self.vectors[task].current()

    def step(self, example: Example) -> float:
        shared, own = self.vectors[SHARED], self.vectors[example.task]
        rows = example.features
        scores = shared.scale * rows.scores(shared.raw) + own.scale * rows.scores(own.raw)
        violation = most_violated(example, self.decoders[example.task], scores)
        step = self.schedule.step(self.time)
        self.time += 1
        for name, vector in self.vectors.items():
            vector.shrink(1.0 - step * self.regularization[name])
            importance = self.importance[example.task]
            if name in (SHARED, example.task) and violation.loss > 0.0 and importance and self._is_free(name):
                vector.add(violation.indices, step * importance * violation.values)
            vector.tick()
        return max(violation.loss, 0.0)

    def _is_free(self, name: str) -> bool:
        return math.isfinite(self.regularization[name])

    def averaged(self) -> dict[str, Floats]:
        """Each task's w + v_k."""
        shared = self.vectors[SHARED].averaged()
        return {name: shared + vector.averaged() for name, vector in self.vectors.items() if name != SHARED}

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        numbers: dict[str, Any] = {"time": self.time}
        arrays: dict[str, Any] = {}
        for name, vector in self.vectors.items():
            numbers[name], own = vector.state()
            arrays |= {f"{name}.{part}": array for part, array in own.items()}
        return numbers, arrays

    def restore(self, numbers: dict[str, Any], arrays: dict[str, Any]) -> None:
        self.time = numbers["time"]
        for name, vector in self.vectors.items():
            vector.restore(numbers[name], below(arrays, f"{name}."))

    def settings(self) -> dict[str, Any]:
        return {
            "learner": "multi-task svm",
            "size": len(self.vectors[SHARED]),
            "importance": self.importance,
            "regularization": {name: str(value) for name, value in self.regularization.items()},
            "initial_step": self.schedule.initial,
        }
