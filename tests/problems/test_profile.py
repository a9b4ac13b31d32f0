"""Profiles: what is told of an instance before it is solved."""

from __future__ import annotations

from typing import Any

import pytest

from problems import get_task, task_names
from problems.bare_graph import BareGraphTask
from problems.factor_graph import FactorGraph
from problems.profile import graph_profile
from problems.task import Task


@pytest.mark.parametrize("name", task_names())
def test_tasks_of_ours_do_not_build_a_graph(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    task = get_task(name)
    instance = task.generate(3, "tiny")
    expected = task.profile(instance)

    def refuse(self: Any, instance: Any) -> FactorGraph:
        raise AssertionError("a graph was built")

    monkeypatch.setattr(type(task), "graph", refuse)
    assert task.profile(instance) == expected
    assert expected.task == name
    assert all(value >= 0 for value in expected.measures.values())


@pytest.mark.parametrize(
    ("task", "sizes"),
    [
        ("compression", ("10", "20", "40")),
        ("extraction", ("tiny", "zipf", "zipf-300")),
        ("parsing", ("short", "20", "50")),
        ("summarization", ("tiny", "zipf", "zipf-300")),
        ("transduction", ("10", "20", "40")),
    ],
)
def test_measures_grow_with_the_size(task: str, sizes: tuple[str, ...]) -> None:
    found = [get_task(task).profile(get_task(task).generate(3, size)) for size in sizes]
    first = next(iter(found[0].measures))
    values = [profile.measures[first] for profile in found]
    assert values == sorted(set(values))
    assert len({profile.variant for profile in found}) == 1


@pytest.mark.parametrize(
    ("task", "size", "variant"),
    [
        ("compression", "10", ""),
        ("compression", "10-nonprojective", "not projective"),
        ("parsing", "short", "order 3"),
        ("parsing", "short-2+", "order 2+"),
        ("parsing", "short-many", "order 3, many"),
        ("parsing", "short-single", "order 3, single flow"),
        ("transduction", "10", "bigrams"),
        ("transduction", "10-trigram-fixed", "trigrams, fixed length"),
    ],
)
def test_variants(task: str, size: str, variant: str) -> None:
    assert get_task(task).profile(get_task(task).generate(3, size)).variant == variant


def test_the_default_counts_what_the_graph_has() -> None:
    graph = FactorGraph()
    graph.add_variables([0.5, -0.2, 1.0, 0.0])
    graph.add_logic("xor", [0, 1, 2])
    graph.add_pair(0, 3, 0.3)
    graph.add_pair(1, 3, 0.3)
    profile = BareGraphTask().profile(graph)
    assert profile == ("graph", "pair+xor", {"variables": 4, "factors": 3, "links": 7})
    assert graph_profile("graph", FactorGraph()).variant == "no factors"
    extraction = get_task("extraction")
    instance = extraction.generate(3, "tiny")
    default = Task.profile(extraction, instance)  # what a task that says nothing gets
    assert default.task == "extraction"
    assert default.measures["variables"] == extraction.graph(instance).number_of_variables
