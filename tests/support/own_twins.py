"""Built-in factors written again as factors of one's own: compiled with a closed form, compiled without one, in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from problems.factor_graph import FactorGraph
from problems.factors.compiled import CompiledFactor
from problems.factors.foreign import Factor
from problems.kernels.project_logic import pair, project_xor


@njit
def best_of_one(scores, ints, floats, y):  # type: ignore[no-untyped-def]
    best = 0
    for i in range(len(scores)):
        y[i] = 0.0
        if scores[i] > scores[best]:
            best = i
    y[best] = 1.0
    return 0.0


@njit
def nearest_of_one(point, scale, ints, floats, z):  # type: ignore[no-untyped-def]
    project_xor(point, len(point) - len(point), len(point), z)


@njit
def best_entry(scores, ints, floats, y):  # type: ignore[no-untyped-def]
    rows, columns = ints[0], ints[1]
    best, entry = -np.inf, 0
    for k in range(rows * columns):
        value = floats[k] + scores[k // columns] + scores[rows + k % columns]
        if value > best:
            best, entry = value, k
    y[:] = 0.0
    y[entry // columns] = 1.0
    y[rows + entry % columns] = 1.0
    return floats[entry]


@njit
def best_pair(scores, ints, floats, y):  # type: ignore[no-untyped-def]
    both = scores[0] + scores[1] + floats[0]
    value = max(0.0, scores[0], scores[1], both)
    y[0] = 1.0 if value > 0.0 and value in (both, scores[0]) else 0.0
    y[1] = 1.0 if value > 0.0 and (value == both or value != scores[0]) else 0.0
    return floats[0] * y[0] * y[1]


@njit
def nearest_pair(point, scale, ints, floats, z):  # type: ignore[no-untyped-def]
    z[0], z[1] = pair(point[0], point[1], scale * floats[0])


class OneOf(CompiledFactor):
    """The built-in xor, with its closed form."""

    maximize_kernel = best_of_one
    project_kernel = nearest_of_one

    def constrain(self, builder: Any, columns: Any) -> None:
        builder.add_rows(np.array([len(columns)]), columns, np.ones(len(columns)), 1.0, 1.0)


class PlainOneOf(Factor):
    """The built-in xor, in Python."""

    def maximize(self, scores: np.ndarray) -> tuple[np.ndarray, float]:
        configuration = np.zeros(len(scores))
        configuration[scores.argmax()] = 1.0
        return configuration, 0.0


class Table(CompiledFactor):
    """A built-in dense factor over two groups; the active set method projects."""

    maximize_kernel = best_entry

    def __init__(self, table: np.ndarray) -> None:
        self.ints, self.floats = table.shape, table.ravel()


class Together(CompiledFactor):
    """The built-in pair."""

    maximize_kernel = best_pair
    project_kernel = nearest_pair

    def __init__(self, score: float) -> None:
        self.floats = [score]


def graph_of(kind: str, how: str, count: int, seed: int = 1) -> FactorGraph:
    """As many factors of a kind as variables: `built in`, `own` or `Python`."""
    rng = np.random.default_rng(seed)
    graph = FactorGraph()
    graph.add_variables(rng.normal(size=count))
    for _ in range(count):
        links = rng.choice(count, {"xor": 5, "pair": 2, "dense": 6}[kind], replace=False)
        if kind == "xor" and how == "built in":
            graph.add_logic("xor", links)
        elif kind == "xor":
            graph.add_factor(OneOf() if how == "own" else PlainOneOf(), links)
        elif kind == "pair":
            score = float(rng.normal())
            graph.add_pair(*links, score) if how == "built in" else graph.add_factor(Together(score), links)
        else:
            table = rng.normal(size=(3, 3))
            groups = [links[:3], links[3:]]
            graph.add_dense(groups, table) if how == "built in" else graph.add_factor(Table(table), links)
    return graph
