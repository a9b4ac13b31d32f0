"""A factor with all faces, right in all of them, and broken copies of it: one mistake each.

`Quota`: exactly k variables are true, and each true one scores its weight. The hull is {z in [0,1], sum z = k}, the own score
linear, so that every face is a few lines and each mistake is a mistake in one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numba import njit

from problems.factors.compiled import CompiledFactor
from problems.factors.foreign import Factor


class Quota(Factor):
    """Right in all faces."""

    def __init__(self, k: int, weights: Any) -> None:
        self.k, self.weights = k, np.asarray(weights, dtype=float)

    def best(self, scores: np.ndarray, k: int | None = None, weights: np.ndarray | None = None) -> np.ndarray:
        totals = scores + (self.weights if weights is None else weights)
        configuration = np.zeros(len(scores))
        configuration[np.argsort(-totals, kind="stable")[: self.k if k is None else max(k, 0)]] = 1.0
        return configuration

    def maximize(self, scores: np.ndarray) -> tuple[np.ndarray, float]:
        configuration = self.best(scores)
        return configuration, float(self.weights @ configuration)

    def score(self, configuration: np.ndarray) -> float:
        return float(self.weights @ configuration) if configuration.sum() == self.k else -np.inf

    def constrain(self, builder: Any, columns: Any) -> None:
        builder.add_rows(np.array([len(columns)]), columns, np.ones(len(columns)), self.k, self.k)
        builder.add_objective(columns, self.weights)

    @classmethod
    def examples(cls, rng: np.random.Generator) -> Iterator[tuple[Factor, int]]:
        for degree, k in ((2, 1), (4, 2), (5, 1), (5, 3)):
            yield cls(k, np.round(rng.normal(size=degree), 2)), degree


def _answer(change: Callable[[Quota, np.ndarray, np.ndarray, float], Any]) -> dict[str, Any]:
    """`maximize` with its right answer changed: change(factor, scores, configuration, own)."""

    def maximize(self: Quota, scores: np.ndarray) -> Any:
        return change(self, scores, *Quota.maximize(self, scores))

    return {"maximize": maximize}


def _asked(change: Callable[[Quota, np.ndarray], np.ndarray]) -> dict[str, Any]:
    """`maximize` of other scores than those given."""
    return {"maximize": lambda self, scores: Quota.maximize(self, change(self, scores))}


def _chosen(choose: Callable[[Quota, np.ndarray], np.ndarray]) -> dict[str, Any]:
    """Another configuration, with its own score."""

    def maximize(self: Quota, scores: np.ndarray) -> tuple[np.ndarray, float]:
        configuration = choose(self, scores)
        return configuration, float(self.weights @ configuration)

    return {"maximize": maximize}


def _flipped(configuration: np.ndarray, place: int) -> np.ndarray:
    configuration[place] = 1.0 - configuration[place]
    return configuration


def _in_place(self: Quota, scores: np.ndarray) -> tuple[np.ndarray, float]:
    answer = Quota.maximize(self, scores)
    scores += self.weights
    return answer


def _alternating(self: Any, scores: np.ndarray) -> tuple[np.ndarray, float]:
    self.calls = getattr(self, "calls", 0) + 1
    return Quota.maximize(self, scores if self.calls % 7 else -scores)


def _stale(self: Any, scores: np.ndarray) -> tuple[np.ndarray, float]:
    self.calls = getattr(self, "calls", 0) + 1
    if self.calls % 5 or not hasattr(self, "last"):
        self.last = Quota.maximize(self, scores)
    return self.last  # type: ignore[no-any-return]


def _skipping(self: Quota, scores: np.ndarray) -> np.ndarray:
    """Never the first k variables together."""
    configuration = self.best(scores)
    if configuration[: self.k].all():
        order = np.argsort(-(scores + self.weights), kind="stable")
        configuration[order[self.k - 1]], configuration[order[self.k]] = 0.0, 1.0
    return configuration


def _zeros_if(condition: Callable[[np.ndarray], bool]) -> dict[str, Any]:
    return _chosen(lambda self, scores: np.zeros(len(scores)) if condition(scores) else self.best(scores))


MAXIMIZE: dict[str, dict[str, Any]] = {
    "sign of the scores": _asked(lambda self, scores: -scores),
    "absolute scores": _asked(lambda self, scores: np.abs(scores)),
    "scores in reverse": _asked(lambda self, scores: scores[::-1]),
    "scores shifted by one": _asked(lambda self, scores: np.roll(scores, 1)),
    "last score ignored": _asked(lambda self, scores: np.append(scores[:-1], 0.0)),
    "first score ignored": _asked(lambda self, scores: np.append(0.0, scores[1:])),
    "negative scores as zero": _asked(lambda self, scores: np.maximum(scores, 0.0)),
    "positive scores as zero": _asked(lambda self, scores: np.minimum(scores, 0.0)),
    "scores rounded": _asked(lambda self, scores: np.round(scores)),
    "large scores cut off": _asked(lambda self, scores: np.clip(scores, -2.0, 2.0)),
    "scores squared": _asked(lambda self, scores: scores * scores),
    "weights twice": _asked(lambda self, scores: scores + self.weights),
    "weights forgotten in the choice": _chosen(lambda self, scores: self.best(scores, weights=0.0 * self.weights)),
    "weights negated in the choice": _chosen(lambda self, scores: self.best(scores, weights=-self.weights)),
    "one too many": _chosen(lambda self, scores: self.best(scores, self.k + 1)),
    "one too few": _chosen(lambda self, scores: self.best(scores, self.k - 1)),
    "all positive ones": _chosen(lambda self, scores: (scores > 0).astype(float)),
    "nothing": _chosen(lambda self, scores: np.zeros(len(scores))),
    "everything": _chosen(lambda self, scores: np.ones(len(scores))),
    "the complement": _chosen(lambda self, scores: 1.0 - self.best(scores)),
    "the worst": _chosen(lambda self, scores: self.best(-scores, weights=-self.weights)),
    "first variable flipped": _chosen(lambda self, scores: _flipped(self.best(scores), 0)),
    "last variable flipped": _chosen(lambda self, scores: _flipped(self.best(scores), -1)),
    "rolled by one": _chosen(lambda self, scores: np.roll(self.best(scores), 1)),
    "nothing if all are negative": _zeros_if(lambda scores: bool((scores < 0).all())),
    "nothing if all are zero": _zeros_if(lambda scores: not scores.any()),
    "one configuration never": _chosen(_skipping),
    "own score missing": _answer(lambda self, scores, y, own: (y, 0.0)),
    "own score negated": _answer(lambda self, scores, y, own: (y, -own)),
    "own score twice": _answer(lambda self, scores, y, own: (y, 2.0 * own)),
    "own score and value": _answer(lambda self, scores, y, own: (y, own + float(scores @ y))),
    "own score of all weights": _answer(lambda self, scores, y, own: (y, float(self.weights.sum()))),
    "own score too high by a little": _answer(lambda self, scores, y, own: (y, own + 1e-5)),
    "own score higher if the first is true": _answer(lambda self, scores, y, own: (y, own + 0.1 * y[0])),
    "own score in single precision": _answer(lambda self, scores, y, own: (y, float(np.float32(own)))),
    "no own score": _answer(lambda self, scores, y, own: y),
    "own score not a number": _answer(lambda self, scores, y, own: (y, float("nan"))),
    "own score infinite": _answer(lambda self, scores, y, own: (y, float("inf"))),
    "fractional answer": _answer(lambda self, scores, y, own: (0.5 * y, 0.5 * own)),
    "answer too short": _answer(lambda self, scores, y, own: (y[:-1], own)),
    "answer too long": _answer(lambda self, scores, y, own: (np.append(y, 0.0), own)),
    "scores altered": {"maximize": _in_place},
    "another answer at times": {"maximize": _alternating},
    "a stale answer at times": {"maximize": _stale},
}


def _scored(change: Callable[[Quota, np.ndarray], float]) -> dict[str, Any]:
    return {"score": change}


def _overwriting(self: Quota, configuration: np.ndarray) -> float:
    found = Quota.score(self, configuration)
    configuration[:] = 0.0
    return found


def _hesitating(self: Any, configuration: np.ndarray) -> float:
    self.calls = getattr(self, "calls", 0) + 1
    return Quota.score(self, configuration) + (1.0 if self.calls % 2 else 0.0)


SCORE: dict[str, dict[str, Any]] = {
    "score allows more": _scored(lambda self, y: float(self.weights @ y) if y.sum() >= self.k else -np.inf),
    "score allows less": _scored(lambda self, y: -np.inf if y[0] else Quota.score(self, y)),
    "score allows everything": _scored(lambda self, y: float(self.weights @ y)),
    "score allows nothing": _scored(lambda self, y: -np.inf),
    "score negated": _scored(lambda self, y: -Quota.score(self, y) if y.sum() == self.k else -np.inf),
    "score without weights": _scored(lambda self, y: 0.0 if y.sum() == self.k else -np.inf),
    "score of a penalty instead of -inf": _scored(lambda self, y: Quota.score(self, y) if y.sum() == self.k else -1e3),
    "score not a number": _scored(lambda self, y: float("nan")),
    "score infinite": _scored(lambda self, y: np.inf if y.sum() == self.k else -np.inf),
    "score not written out": _scored(Factor.score),
    "score alters its argument": _scored(_overwriting),
    "score changes": _scored(_hesitating),
}


def _rows(
    lower: int | None = 0, upper: int | None = 0, weight: float = 1.0, columns: slice = slice(None)
) -> dict[str, Any]:
    """`constrain` with the row's limits moved (None: no limit), weights scaled, or columns left out."""

    def constrain(self: Quota, builder: Any, found: Any) -> None:
        chosen = found[columns]
        low, high = -np.inf if lower is None else self.k + lower, np.inf if upper is None else self.k + upper
        builder.add_rows(np.array([len(chosen)]), chosen, np.ones(len(chosen)), low, high)
        builder.add_objective(found, weight * self.weights)

    return {"constrain": constrain}


def _and_row(lower: float, upper: float, *values: float) -> dict[str, Any]:
    """The right row, and one more over the first columns."""

    def constrain(self: Quota, builder: Any, columns: Any) -> None:
        Quota.constrain(self, builder, columns)
        builder.add_rows(np.array([len(values)]), columns[: len(values)], np.array(values), lower, upper)

    return {"constrain": constrain}


def _slack(self: Quota, builder: Any, columns: Any) -> None:
    """A free column that pays for anything."""
    entries = np.append(columns, builder.add_columns(0.0, -np.inf, np.inf))
    builder.add_rows(np.array([len(entries)]), entries, np.ones(len(entries)), self.k, self.k)
    builder.add_objective(columns, self.weights)


def _loose(self: Quota, builder: Any, columns: Any) -> None:
    """The right 0/1 points with integers for the count, but a relaxation beyond the hull."""
    count = len(columns)
    half = builder.add_columns(0.0, 0.0, 1.0, integer=True)
    for lower, sign in ((self.k - 0.5, 1.0), (-self.k - 0.5, -1.0)):
        entries, values = np.append(columns, half), np.append(sign * np.ones(count), 0.0)
        builder.add_rows(np.array([count + 1]), entries, values, lower, np.inf)
    builder.add_objective(columns, self.weights)


CONSTRAIN: dict[str, dict[str, Any]] = {
    "rows allow one more": _rows(upper=1),
    "rows allow one less": _rows(lower=-1),
    "rows without a lower limit": _rows(lower=None),
    "rows without an upper limit": _rows(upper=None),
    "rows of one more": _rows(lower=1, upper=1),
    "rows without the last variable": _rows(columns=slice(None, -1)),
    "rows without weights": _rows(weight=0.0),
    "rows with weights negated": _rows(weight=-1.0),
    "rows with weights twice": _rows(weight=2.0),
    "rows forbid the first variable": _and_row(0.0, 0.0, 1.0),
    "rows forbid the first two together": _and_row(-np.inf, 0.5, 1.0, 1.0),
    "rows tie the first two": _and_row(0.0, 0.0, 1.0, -1.0),
    "rows that a free column pays for": {"constrain": _slack},
    "rows beyond the hull": {"constrain": _loose},
}
EXAMPLES: dict[str, dict[str, Any]] = {
    "no examples": {"examples": classmethod(lambda cls, rng: iter(()))},
    "examples without degrees": {"examples": classmethod(lambda cls, rng: iter([cls(1, [0.0, 1.0])]))},
    "examples of other factors": {"examples": classmethod(lambda cls, rng: iter([("xor", 2)]))},
}
BROKEN = {
    name: type("Broken", (Quota,), faces)
    for family in (MAXIMIZE, SCORE, CONSTRAIN, EXAMPLES)
    for name, faces in family.items()
}


# -- compiled ones: their kernels are compiled when they are used ------------------------------------------------------


@njit
def best(scores, ints, floats, y):  # type: ignore[no-untyped-def]
    own = 0.0
    order = np.argsort(-(scores + floats))
    for place in range(len(scores)):
        y[order[place]] = 1.0 if place < ints[0] else 0.0
        own += floats[order[place]] * y[order[place]]
    return own


def projection(weight: float = 1.0, target: int = 0, lowest: float = 0.0, highest: float = 1.0) -> Any:
    """The right projection, or with a mistake in the weights, the sum or the box."""

    @njit
    def nearest(point, scale, ints, floats, z):  # type: ignore[no-untyped-def]
        low, high = -1e3, 1e3
        for _ in range(100):
            tau, total = 0.5 * (low + high), 0.0
            for i in range(len(point)):
                z[i] = min(max(point[i] + weight * scale * floats[i] - tau, lowest), highest)
                total += z[i]
            if total > ints[0] + target:
                low = tau
            else:
                high = tau

    return nearest


@njit
def clipped(point, scale, ints, floats, z):  # type: ignore[no-untyped-def]
    for i in range(len(point)):
        z[i] = min(max(point[i], 0.0), 1.0)


@njit
def rescaled(point, scale, ints, floats, z):  # type: ignore[no-untyped-def]
    """In the polytope's plane, but not the nearest point."""
    for i in range(len(point)):
        z[i] = ints[0] / len(point)


@njit
def vertex(point, scale, ints, floats, z):  # type: ignore[no-untyped-def]
    best(point / scale, ints, floats, z)


@njit
def beyond(scores, ints, floats, y):  # type: ignore[no-untyped-def]
    """Reads one weight too many: Python notices, compiled code does not."""
    own = best(scores, ints, floats, y)
    for i in range(len(scores) + 1):
        own += 0.0 * ints[i] if i < 1 else 0.0 * scores[i]
    return own


class CompiledQuota(CompiledFactor, Quota):
    """Right in all faces, with kernels."""

    maximize_kernel = best
    project_kernel = projection()

    def __init__(self, k: int, weights: Any) -> None:
        Quota.__init__(self, k, weights)
        self.ints, self.floats = [k], self.weights


COMPILED: dict[str, dict[str, Any]] = {
    "projection clips": {"project_kernel": clipped},
    "projection to the middle": {"project_kernel": rescaled},
    "projection to a vertex": {"project_kernel": vertex},
    "projection without weights": {"project_kernel": projection(weight=0.0)},
    "projection with weights twice": {"project_kernel": projection(weight=2.0)},
    "projection onto another sum": {"project_kernel": projection(target=1)},
    "projection beyond the box": {"project_kernel": projection(highest=2.0)},
    "projection below zero": {"project_kernel": projection(lowest=-1.0)},
    "kernel reads beyond its arrays": {"maximize_kernel": beyond},
}
BROKEN_KERNELS = {name: type("Broken", (CompiledQuota,), faces) for name, faces in COMPILED.items()}
