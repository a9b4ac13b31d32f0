"""Instances as JSON by default: dataclasses to documents and back, and what is said of wrong ones."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from problems.documents import from_document, to_document
from problems.errors import InputError
from problems.factor_graph import FactorGraph
from problems.task import Task

finite = st.floats(allow_nan=False, allow_infinity=False)
whole = st.integers(-(2**63), 2**63 - 1)


@dataclass(frozen=True)
class Point:
    x: float
    label: str | None = None


@dataclass(frozen=True)
class Everything:
    name: str
    count: int
    flag: bool
    pairs: tuple[tuple[int, int], ...]
    points: tuple[Point, ...]
    names: dict[str, float]
    words: list[str]
    budget: int = 3


values = st.builds(
    Everything,
    st.text(st.characters(codec="utf-8")),
    whole,
    st.booleans(),
    st.lists(st.tuples(whole, whole)).map(tuple),
    st.lists(st.builds(Point, finite, st.none() | st.text(st.characters(codec="utf-8")))).map(tuple),
    st.dictionaries(st.text(st.characters(codec="utf-8")), finite),
    st.lists(st.text(st.characters(codec="utf-8"))),
)


@given(values)
def test_a_dataclass_comes_back_as_it_was(value: Everything) -> None:
    text = json.dumps(to_document(value), allow_nan=False)
    assert from_document(Everything, json.loads(text)) == value


@dataclass
class Matrix:
    scores: NDArray[np.float64]


def test_arrays_come_back_as_arrays() -> None:
    matrix = Matrix(np.array([[1.0, 0.1], [2.0, -3.5]]))
    back = from_document(Matrix, json.loads(json.dumps(to_document(matrix))))
    assert back.scores.dtype == np.float64
    assert np.array_equal(back.scores, matrix.scores)


GOOD: dict[str, Any] = {
    "name": "a",
    "count": 1,
    "flag": True,
    "pairs": [[0, 1]],
    "points": [{"x": 0.5}],
    "names": {"b": 1.0},
    "words": ["c"],
}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": 1}, "field 'name' must be a text in valid Unicode, not 1"),
        ({"count": True}, "field 'count' must be a whole number"),
        ({"count": 2**63}, "field 'count' must be a whole number below 2^63"),
        ({"flag": 1}, "field 'flag' must be true or false"),
        ({"pairs": [[0, 1], [0]]}, r"field 'pairs[1]' must be a list of 2"),
        ({"pairs": [[0, "x"]]}, r"field 'pairs[0][1]' must be a whole number"),
        ({"pairs": 5}, "field 'pairs' must be a list"),
        ({"points": [{}]}, r"field 'points[0].x' is missing; expected a finite number"),
        ({"points": [{"x": 1, "y": 2}]}, r"unknown field 'points[0].y'"),
        ({"points": [3]}, r"field 'points[0]' must be an object"),
        ({"points": [{"x": "1"}]}, r"field 'points[0].x' must be a finite number"),
        ({"names": {"b": None}}, "field 'names.b' must be a finite number"),
        ({"budgt": 4}, "unknown field 'budgt'"),
    ],
)
def test_wrong_fields_are_named(change: dict[str, Any], said: str) -> None:
    assert from_document(Everything, GOOD).budget == 3
    with pytest.raises(InputError) as caught:
        from_document(Everything, {**GOOD, **change})
    assert said in str(caught.value)


@dataclass(frozen=True)
class Coins:
    task: ClassVar[str] = "coins"
    values: tuple[float, ...]


class CoinTask(Task[Coins, tuple[int, ...]]):
    """What a task needs at least: at most one coin."""

    name = "coins"
    instance_class = Coins

    def objective(self, instance: Coins, structure: tuple[int, ...]) -> float:
        return sum(instance.values[coin] for coin in structure)

    def broken(self, instance: Coins, structure: tuple[int, ...]) -> str | None:
        return None if len(structure) <= 1 else "more than one coin."

    def graph(self, instance: Coins) -> FactorGraph:
        graph = FactorGraph()
        graph.add_logic("at_most_one", graph.add_variables(instance.values))
        return graph


def test_a_task_of_three_methods(tmp_path: Path) -> None:
    task, coins = CoinTask(), Coins((0.5, 2.0, -1.0))
    task.save(coins, tmp_path / "coins.json")
    assert task.load(tmp_path / "coins.json") == coins
    assert sorted(task.structures(coins)) == [(), (0,), (1,), (2,)]
    assert task.count_structures(coins) == 8
    assert task.structure(coins, task.assignment(coins, (1,))) == (1,)
    assert (
        task.round(coins, np.array([0.6, 0.6, 0.1]), "threshold") == ()
    )  # the two best are equal, and not both allowed
    assert task.round(coins, np.array([0.4, 0.6, 0.1]), "threshold") == (1,)
    assert (task.evaluate(coins, (1,)), task.render(coins, (1,))) == ({}, ["(1,)"])
    with pytest.raises(InputError, match="task 'coins' generates no instances: it names no `sizes`"):
        task.generate(1)
